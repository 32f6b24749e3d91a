// The reader of what `rustc -Zself-profile` writes (the crate measureme): what each thread did, as
// nested states, and when what happened. Versions 6 to 9 are one file of pages, version 5 are three
// files beside each other, of which the one of events is opened. Format:
// https://github.com/rust-lang/measureme (measureme/src).
//
//   "MMPD" version  page*      page: kind (0 events, 1 texts, 2 index), bytes, content
//
// The content of all pages of a kind is a stream that begins with a header of its own. Events name
// their kind and themselves by texts, which may stand behind them: so all texts are read first,
// into a large array, and events where they lie in the mapped file.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_measureme(std::span<const std::byte> head);
Status read_measureme(io::Source& source, trace::EventSink& sink, const ReadContext& context);
std::vector<Page> measureme_pages();

}  // namespace weft::formats
