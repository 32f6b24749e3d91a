// The reader of ROS 1's bags (.bag, version 2.0): messages by topic, in chunks that are plain,
// bzip2 or LZ4. Bags of ROS 2 are SQLite databases or MCAP.
//
// Times are nanoseconds since 1970, or of a simulation: when a message was received. Memory: one
// chunk, at most `memory_bytes`.
//
// Source: "Bags/Format/2.0", https://wiki.ros.org/Bags/Format/2.0.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_rosbag(std::span<const std::byte> head);
Status read_rosbag(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
