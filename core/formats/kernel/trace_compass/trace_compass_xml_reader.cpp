#include "core/formats/kernel/trace_compass/trace_compass_xml_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/base/lane_paths.h"
#include "core/formats/base/text.h"
#include "core/formats/base/xml_head.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/kernel/ctf/kernel_events.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/kernel/trace_compass/event_fields.h"

namespace weft::formats {
namespace {

using ftrace::At;
using trace_compass::EventFields;

std::string_view value_of(std::span<const XmlAttribute> attributes, std::string_view name) {
  const auto it = std::ranges::find(attributes, name, &XmlAttribute::name);
  return it == attributes.end() ? std::string_view() : it->value;
}

// A number, which some traces write as text.
std::optional<int32_t> number_of(const ctf::Field* field) {
  const std::string_view text = ctf::text_of(field);
  if (text.empty()) return ctf::task_number(field);
  const auto number = parse_number<int32_t>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

class TraceCompassXmlReader final : public XmlStream {
 public:
  explicit TraceCompassXmlReader(trace::EventSink& sink)
      : XmlStream(sink),
        kernel_(sink, LaneId::none(), ftrace::Lanes::OnTasks::kScheduler),
        kernel_events_(kernel_, [this](const ctf::Event&) { return std::string_view(json_); }),
        paths_(sink) {}

  void finish() { kernel_.finish(); }

 private:
  static constexpr size_t kEventDepth = 2;  // trace, event

  bool has_events() const override { return events_ > 0; }

  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    if (depth() == kEventDepth) {
      is_event_ = name == "event";
      if (is_event_) return begin_event(attributes);
      const bool is_description = name == "set_aspects";  // of fields that events have as well
      if (!is_description) sink().note("element that is not an event", offset());
    } else if (depth() > kEventDepth && is_event_) {
      if (depth() > kEventDepth + 1 || name != "field")
        return sink().note("element that is not a field", offset());
      if (!fields_.add(value_of(attributes, "name"), value_of(attributes, "type"),
                       value_of(attributes, "value")))
        sink().loss("field of an event that has too many", offset());
    }
  }

  void begin_event(std::span<const XmlAttribute> attributes) {
    name_ = value_of(attributes, "name");
    time_ = parse_number<int64_t>(trimmed(value_of(attributes, "timestamp")));
    offset_of_event_ = offset();
    fields_.clear();
  }

  void end_element() override {
    if (depth() != kEventDepth || !is_event_) return;
    if (!time_) return sink().loss("event without a time", offset_of_event_);
    if (name_.empty()) return sink().loss("event without a name", offset_of_event_);
    ++events_;
    const ctf::Field& payload = fields_.structure();
    add_event({.payload = &payload});
  }

  void add_text(std::string_view) override {}

  void add_event(const ctf::EventFields& fields) {
    const auto cpu = number_of(member(fields.payload, "cpu"));
    const ctf::Event event{.fields = fields,
                           .keys = no_keys_,
                           .name = name_,
                           .time = {*time_},
                           .cpu = cpu ? std::optional(static_cast<uint32_t>(*cpu)) : std::nullopt,
                           .number = offset_of_event_};
    const At at{event.time, event.cpu.value_or(At::kNoCpu), offset_of_event_};
    if (add_call(event, at)) return;
    const auto handler = event.cpu ? ctf::KernelEvents::handler_of(name_) : nullptr;
    if (handler == nullptr) {
      const LaneId lane = lane_of(event);
      return kernel_.add_punctual(lane, name_, json_, at);
    }
    json_ = fields_.json_without({"cpu"});
    if (!kernel_events_.add(handler, event))
      kernel_.add_punctual(kernel_events_.lane_of(event), name_, json_, at);
  }

  // An operation that begins or ends on its lane, if the event says which.
  bool add_call(const ctf::Event& event, const At& at) {
    const bool is_entry = name_ == "entry";
    if (!is_entry && name_ != "exit") return false;
    for (const std::string_view field : {"op", "func", "name"}) {
      const ctf::Field* const operation = event.payload(field);
      if (ctf::text_of(operation).empty()) continue;
      const EventTypeId type = kernel_.type_of_pair(ctf::text_of(operation), "operations");
      const LaneId lane = lane_of(event);
      const std::string params = fields_.json_without({field, "tid", "pid", "thread", "cpu"});
      if (is_entry)
        kernel_.begin_pair(lane, type, params, at);
      else
        kernel_.end_pair(lane, type, at, params);
      return true;
    }
    return false;
  }

  // Leaves the parameters that the lane does not say in json_.
  LaneId lane_of(const ctf::Event& event) {
    ftrace::Lanes& lanes = kernel_.lanes();
    const auto process = number_of(event.payload("pid"));
    for (const std::string_view field : {"tid", "thread"}) {
      const auto task = number_of(event.payload(field));
      const std::string_view name = ctf::text_of(event.payload(field));
      if (task ? *task == 0 : name.empty()) continue;
      json_ = fields_.json_without({field, "pid", "cpu"});
      return task ? lanes.task(*task, {}, process.value_or(-1)) : paths_.lane_of(name);
    }
    json_ = fields_.json_without({"pid", "cpu"});
    if (process && *process > 0) return lanes.process(*process);
    json_ = fields_.json_without({"cpu"});
    const bool says_where = event.cpu || event.payload("perf_tid") != nullptr;
    return says_where ? kernel_events_.lane_of(event) : paths_.lane_of({});
  }

  ftrace::Kernel kernel_;
  ctf::KernelEvents kernel_events_;
  LanePaths paths_;  // of threads whose names are not numbers, and of events that say nothing
  const ctf::EventKeys no_keys_;
  bool is_event_ = false;
  std::string name_;
  std::optional<int64_t> time_;
  uint64_t offset_of_event_ = 0;
  EventFields fields_;
  std::string json_;  // of the event's parameters
  uint64_t events_ = 0;
};

}  // namespace

int sniff_trace_compass_xml(std::span<const std::byte> head) {
  std::string_view text = xml_root(as_chars(head));
  if (!take_prefix(text, "<trace>")) return 0;
  text = xml_root(text);
  if (text.starts_with("<set_aspects>")) return 95;
  const std::string_view event = text.substr(0, text.find('>'));
  const bool is_event =
      event.starts_with("<event ") && event.contains(" timestamp=\"") && event.contains(" name=\"");
  return is_event ? 95 : 0;
}

Status read_trace_compass_xml(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  TraceCompassXmlReader reader(sink);
  WEFT_TRY(reader.read(source));
  reader.finish();
  return {};
}

}  // namespace weft::formats
