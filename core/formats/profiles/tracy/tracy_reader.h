// Tracy's saved traces (.tracy), of versions 0.7 to 0.14: zones of threads, fibers and GPUs,
// frames, messages, locks, plots, memory, context switches and samples of call stacks.
#pragma once

#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_tracy(std::span<const std::byte> head);
Status read_tracy(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
