// The reader of MCAP (.mcap), in which robots record what was sent on which topic: messages of ROS
// 1 and 2, Protobuf, FlatBuffers, JSON, …, in chunks that are plain, zstd or LZ4; attachments.
//
// Times are nanoseconds since 1970 (or what the recorder took for its clock's begin): when a
// message was recorded; how long before it was published is a parameter. Memory: one chunk, at most
// `memory_bytes`.
//
// Source: "MCAP File Format Specification", https://mcap.dev/spec.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_mcap(std::span<const std::byte> head);
Status read_mcap(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
