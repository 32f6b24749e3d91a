// What all readers say of an input that breaks off: a file that was cut, a stream that cannot be
// decompressed further, a disk that fails.
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

// `offset`: of the first byte that did not come.
inline void report_early_end(trace::EventSink& sink, const Error& why, uint64_t offset) {
  sink.loss("input ends early: " + why.message, offset);
}

}  // namespace weft::formats
