// The debug annotations of a track event, as JSON: values of every kind, nested ones, names and
// texts that are interned.
#pragma once

#include <string_view>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/sequence.h"

namespace weft::formats::perfetto {

// Adds a DebugAnnotation. Returns false if the message is damaged or nested too deep: what could be
// read is there, and the text is well-formed.
bool add_annotation(std::string_view message, const Sequence& sequence, ArgsText& args);

}  // namespace weft::formats::perfetto
