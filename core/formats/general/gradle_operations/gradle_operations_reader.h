// The reader of what Gradle logs of its operations (-Dorg.gradle.internal.operations.trace=NAME): a
// line of JSON where one starts, where it finishes, and for what it reports in between.
//
//   {"displayName":"Run
//   build","details":{},"detailsClassName":"…","id":57,"startTime":1770409524487}
//   {"details":{"enabled":false},"detailsClassName":"…LogEvent","id":57,"time":1770409524488}
//   {"id":57,"result":{},"resultClassName":"…","endTime":1770409524505}
//
// Operations are states, within those that they are part of; what runs beside others lies on
// further lanes. The order of the lines decides, since times are milliseconds and many are the
// same.
//
// Memory: the operations that are open. Source: BuildOperationTrace.java of Gradle.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_gradle_operations(std::span<const std::byte> head);
Status read_gradle_operations(io::Source& source, trace::EventSink& sink,
                              const ReadContext& context);

}  // namespace weft::formats
