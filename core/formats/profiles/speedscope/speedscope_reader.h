// The reader of speedscope's JSON: profiles that are evented (frames open and close) or sampled
// (stacks with weights). Each profile is a lane.
//
// Times become nanoseconds; profiles that count bytes or nothing are shown in ticks. Read as a
// whole (json_document.h).
//
// Source: speedscope's file-format-spec, https://www.speedscope.app/file-format-schema.json.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_speedscope(std::span<const std::byte> head);
Status read_speedscope(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
