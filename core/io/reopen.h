// Whether a trace can be read once more, from its beginning.
#pragma once

#include "core/io/source.h"

namespace weft::io {

// Whether Source::open(source.path()) reads the same bytes again: not so of standard input, which
// goes on where its first reader is even if it is a file, nor of a pipe, nor of a folder.
bool can_be_reopened(const Source& source);

}  // namespace weft::io
