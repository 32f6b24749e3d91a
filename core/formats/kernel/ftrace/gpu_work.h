// gpu_work_period: what a GPU did for the programs of a user, and when.
#pragma once

#include <string_view>

#include "core/base/time.h"
#include "core/formats/kernel/ftrace/ftrace_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ftrace {

// Gives a state on a lane of the GPU and the user. `fields` is a JSON object, `time` that of the
// event. Returns false if they say no such period.
bool give_gpu_work(trace::EventSink& sink, Lanes& lanes, std::string_view fields, Time time);

}  // namespace weft::formats::ftrace
