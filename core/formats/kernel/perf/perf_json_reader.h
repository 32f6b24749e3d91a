// The reader of what `perf data convert --to-json` writes: samples with their stacks, which become
// states as those of `perf script` do.
//
// Times are nanoseconds. Read as a whole: see json_document.h.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_perf_json(std::span<const std::byte> head);
Status read_perf_json(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
