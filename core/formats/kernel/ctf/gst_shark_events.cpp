#include "core/formats/kernel/ctf/gst_shark_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/text.h"

namespace weft::formats::ctf {
namespace {

using trace::LaneKind;

constexpr std::string_view kEvents[] = {"init",       "proctime", "interlatency",
                                        "cpuusage",   "buffer",   "framerate",
                                        "scheduling", "bitrate",  "queuelevel"};

struct Measure {
  std::string_view event, whose, value, name;
  bool is_of_element = false;
};
constexpr Measure kMeasures[] = {{"proctime", "element", "time", "proctime", true},
                                 {"interlatency", "to_pad", "time", "interlatency"},
                                 {"scheduling", "pad", "time", "scheduling"},
                                 {"framerate", "pad", "fps", "framerate"},
                                 {"bitrate", "pad", "bps", "bitrate"},
                                 {"queuelevel", "queue", "size_bytes", "size_bytes", true},
                                 {"queuelevel", "queue", "size_buffers", "size_buffers", true},
                                 {"queuelevel", "queue", "size_time", "size_time", true}};

}  // namespace

bool GstSharkEvents::is_one(const bt_stream_class& stream) {
  const uint64_t count = bt_stream_class_get_event_class_count(&stream);
  for (uint64_t i = 0; i < count; ++i) {
    const char* const name =
        bt_event_class_get_name(bt_stream_class_borrow_event_class_by_index_const(&stream, i));
    if (name == nullptr || std::ranges::find(kEvents, std::string_view(name)) == std::end(kEvents))
      return false;
  }
  return has_event(stream, kEvents[0]);
}

void GstSharkEvents::add(const Event& event) {
  if (event.name == "cpuusage") return add_loads(event);
  for (const Measure& measure : kMeasures) {
    if (measure.event != event.name) continue;
    const std::string_view whose = text_of(event.payload(measure.whose));
    const std::optional<double> value = real_of(event.payload(measure.value));
    if (whose.empty() || !value) continue;
    const LaneId lane = measure.is_of_element
                            ? lane_in(elements_, "elements", whose, LaneKind::kQueue)
                            : lane_in(pads_, "pads", whose, LaneKind::kQueue);
    const std::string_view from = text_of(event.payload("from_pad"));
    add_value(event.time, *value, lane,
              from.empty() ? std::string(measure.name)
                           : fmt::format("{} from {}", measure.name, valid_utf8(from)));
  }
}

// A field for each CPU.
void GstSharkEvents::add_loads(const Event& event) {
  const Field* const loads = event.fields.payload;
  if (loads == nullptr) return;
  for (const std::string& cpu : loads->its_class->names) {
    const auto load = real_of(member(loads, cpu));
    if (load)
      add_value(event.time, *load, lane_in(loads_, "CPU load", cpu, LaneKind::kCounter),
                "load (%)");
  }
}

void GstSharkEvents::add_value(Time time, double value, LaneId lane, std::string_view type) {
  sink_.give(
      trace::VariableSample{.time = time,
                            .value = value,
                            .lane = lane,
                            .type = sink_.type(trace::Category::kVariable, type, "GST_TRACER")});
}

LaneId GstSharkEvents::lane_in(Group& group, std::string_view group_name, std::string_view name,
                               LaneKind kind) {
  LaneId& lane = value_of(group.members, name, LaneId::none());
  if (!lane.is_none()) return lane;
  if (group.lane.is_none())
    group.lane = sink_.add_lane({.name = std::string(group_name), .kind = LaneKind::kGroup});
  return lane = sink_.add_lane({.name = valid_utf8(name), .parent = group.lane, .kind = kind});
}

}  // namespace weft::formats::ctf
