#include "core/formats/kernel/ctf/player.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/json_members.h"
#include "core/formats/kernel/ctf/escaped_name.h"

namespace weft::formats::ctf {
namespace {

using trace::Category;

// An entry of the trace's environment; empty where it is not there.
std::string environment_text(const bt_trace& trace, const char* key) {
  const bt_value* const value = bt_trace_borrow_environment_entry_value_by_name_const(&trace, key);
  if (value == nullptr || !bt_value_is_string(value)) return {};
  return bt_value_string_get(value);
}

std::optional<int32_t> environment_number(const bt_trace& trace, const char* key) {
  const bt_value* const value = bt_trace_borrow_environment_entry_value_by_name_const(&trace, key);
  constexpr int64_t kMost = 1 << 30;
  if (value == nullptr || !bt_value_is_signed_integer(value)) return std::nullopt;
  const int64_t number = bt_value_integer_signed_get(value);
  if (number < 0 || number > kMost) return std::nullopt;
  return static_cast<int32_t>(number);
}

std::string file_name_of(std::string_view path) {
  return valid_utf8(path.substr(path.rfind('/') + 1));
}

// Returns the index of a structure's member; nullopt if there is none, or no structure.
std::optional<uint64_t> index_of(const std::unique_ptr<const FieldClass>& structure,
                                 std::string_view name) {
  if (structure == nullptr) return std::nullopt;
  const auto it = std::ranges::find(structure->names, name);
  if (it == structure->names.end()) return std::nullopt;
  return static_cast<uint64_t>(it - structure->names.begin());
}

// Without those members: a key that is empty is not written.
Keys without(Keys keys, std::initializer_list<std::optional<uint64_t>> indices) {
  for (const auto& index : indices) {
    if (index) keys[*index].clear();
  }
  return keys;
}

constexpr std::string_view kLogLevels[] = {
    "TRACE_EMERG",          "TRACE_ALERT",         "TRACE_CRIT",         "TRACE_ERR",
    "TRACE_WARNING",        "TRACE_NOTICE",        "TRACE_INFO",         "TRACE_DEBUG_SYSTEM",
    "TRACE_DEBUG_PROGRAM",  "TRACE_DEBUG_PROCESS", "TRACE_DEBUG_MODULE", "TRACE_DEBUG_UNIT",
    "TRACE_DEBUG_FUNCTION", "TRACE_DEBUG_LINE",    "TRACE_DEBUG"};

// Members of JSON from the metadata of an event class, without names used by its fields.
std::string members_of_class(const bt_event_class& its_class,
                             const std::vector<std::string>& taken) {
  std::string json;
  const auto add = [&](const std::string& name, std::string_view value) {
    if (std::ranges::find(taken, name) == taken.end()) append_member(json, name, value);
  };
  bt_event_class_log_level level{};
  if (bt_event_class_get_log_level(&its_class, &level) == BT_PROPERTY_AVAILABILITY_AVAILABLE &&
      static_cast<size_t>(level) < std::size(kLogLevels))
    add("loglevel", kLogLevels[level]);
  if (const char* const uri = bt_event_class_get_emf_uri(&its_class)) add("model.emf.uri", uri);
  return json;
}

// perf says with each event what LTTng says of the packet.
std::optional<uint32_t> cpu_of_perf(const Event& event, uint64_t field,
                                    std::optional<uint32_t> fallback) {
  const auto cpu = task_number(event.fields.payload->member(field));
  return cpu ? std::optional(static_cast<uint32_t>(*cpu)) : fallback;
}

}  // namespace

Player::Player(trace::EventSink& sink, const ReadContext& context, CutStreams cuts)
    : sink_(sink),
      context_(context),
      cuts_(std::move(cuts)),
      ros1_(
          sink, [](const Event& event) { return fields_of(event); },
          [this](const Event& event) { return json_of(event); }),
      ros2_(
          sink, [](const Event& event) { return fields_of(event); },
          [this](const Event& event) { return json_of(event); }) {}

void Player::begin(size_t stream, const bt_stream& what, bool has_clock) {
  if (streams_.size() <= stream) streams_.resize(stream + 1);
  Stream& s = streams_[stream];
  const bt_trace& trace = *bt_stream_borrow_trace_const(&what);
  s.stream = &what;
  s.number = stream;
  const char* const path = bt_stream_get_name(&what);
  s.name = path == nullptr ? fmt::format("stream {}", bt_stream_get_id(&what)) : file_name_of(path);
  if (path != nullptr && cuts_.contains(path)) s.packets_left_out = cuts_.extract(path).mapped();
  s.has_clock = has_clock;
  s.host_name = environment_text(trace, "hostname");
  s.process = environment_number(trace, "vpid").value_or(-1);
  s.process_name = environment_text(trace, "procname");
  s.domain = domain_of(what);
  if (s.domain == Domain::kOtf2) {
    auto& converted = converted_[&trace];
    if (converted == nullptr) converted = std::make_unique<ConvertedOtf2>(sink_);
    s.otf2 = converted.get();
  } else if (s.domain == Domain::kZephyr) {
    auto& zephyr = zephyrs_[&trace];
    if (zephyr == nullptr) {
      zephyr = std::make_unique<ZephyrEvents>(
          sink_, [this](const Event& event) { return sink_.params(json_of(event)); });
    }
    s.zephyr = zephyr.get();
  } else if (s.domain == Domain::kGstShark) {
    auto& gst_shark = gst_sharks_[&trace];
    if (gst_shark == nullptr) gst_shark = std::make_unique<GstSharkEvents>(sink_);
    s.gst_shark = gst_shark.get();
  }
  say_environment(trace);
}

Player::Domain Player::domain_of(const bt_stream& stream) {
  const bt_trace& trace = *bt_stream_borrow_trace_const(&stream);
  const std::string domain = environment_text(trace, "domain");
  const std::string tracer = environment_text(trace, "tracer_name");
  if (domain == "kernel" || tracer == "lttng-modules") return Domain::kKernel;
  if (domain == "ust" || tracer == "lttng-ust") return Domain::kUser;
  if (tracer == "otf2") return Domain::kOtf2;
  const bt_stream_class& stream_class = *bt_stream_borrow_class_const(&stream);
  if (ZephyrEvents::is_one(stream_class)) return Domain::kZephyr;
  return GstSharkEvents::is_one(stream_class) ? Domain::kGstShark : Domain::kOther;
}

bool Player::goes_first(const bt_stream& stream) {
  return domain_of(stream) == Domain::kOtf2 && ConvertedOtf2::is_of_definitions(stream);
}

void Player::say_environment(const bt_trace& trace) {
  if (!traces_.insert(&trace).second) return;
  const std::string which = traces_.size() == 1 ? "" : fmt::format(" ({})", traces_.size());
  const uint64_t count = bt_trace_get_environment_entry_count(&trace);
  for (uint64_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    const bt_value* value = nullptr;
    bt_trace_borrow_environment_entry_by_index_const(&trace, i, &name, &value);
    sink_.set_metadata(valid_utf8(unescaped_name(name)) + which,
                       bt_value_is_string(value)
                           ? valid_utf8(bt_value_string_get(value))
                           : std::to_string(bt_value_integer_signed_get(value)));
  }
}

void Player::packet(size_t stream, const Field* context) {
  Stream& s = streams_[stream];
  s.cpu.reset();
  s.cpu_member.clear();
  const auto cpu = task_number(member(context, "cpu_id"));
  if (!cpu) return;
  s.cpu = static_cast<uint32_t>(*cpu);
  s.cpu_member = fmt::format(R"("cpu":{})", *cpu);
}

// All streams are known: which machines there are, and whether there are times.
void Player::begin_events() {
  has_begun_ = true;
  const bool has_clock = std::ranges::any_of(streams_, &Stream::has_clock);
  sink_.set_time_base(has_clock ? TimeBase::kNanoseconds : TimeBase::kTicks);
  if (!has_clock) sink_.set_metadata("clock", "none: events are counted");
  std::set<std::string> names;
  for (const Stream& stream : streams_) names.insert(stream.host_name);
  const KernelEvents::Params params = [this](const Event& event) { return json_of(event); };
  for (const std::string& name : names) {
    const LaneId root =
        names.size() < 2 ? LaneId::none()
                         : sink_.add_lane({.name = name.empty() ? "host unknown" : valid_utf8(name),
                                           .kind = trace::LaneKind::kMachine});
    const auto& host = hosts_[name] = std::make_unique<Host>(sink_, root, params);
    host->number = hosts_.size();
  }
  for (Stream& stream : streams_) {
    stream.host = hosts_[stream.host_name].get();
    if (stream.domain != Domain::kKernel) continue;
    const bt_trace& trace = *bt_stream_borrow_trace_const(stream.stream);
    stream.host->kernel.set_release(environment_text(trace, "kernel_release"));
  }
}

void Player::event(size_t stream, const EventLayout& layout, const EventFields& fields, Time time) {
  if (!has_begun_) begin_events();
  Stream& s = streams_[stream];
  EventClass& its_class = class_of(layout, s);
  Event event{.fields = fields,
              .keys = its_class.keys,
              .name = its_class.name,
              .time = time,
              .cpu = s.cpu,
              .traced_process = s.process,
              .number = events_++};
  if (its_class.perf_cpu) event.cpu = cpu_of_perf(event, *its_class.perf_cpu, s.cpu);
  s.last = time;
  last_ = events_ == 1 ? time : std::max(last_, time);
  if (understand(s, its_class, event)) return;
  if (its_class.type.is_none()) its_class.type = sink_.type(Category::kPunctual, its_class.name);
  const LaneId lane = lane_of(s, its_class, event);
  if (its_class.keeps_cpu && s.cpu && !s.host->kernel.lanes().is_of_cpu(lane, *s.cpu))
    event.more = s.cpu_member;
  sink_.give(trace::PunctualEvent{
      .time = time, .params = sink_.params(json_of(event)), .lane = lane, .type = its_class.type});
}

Player::EventClass& Player::class_of(const EventLayout& layout, const Stream& stream) {
  if (layout.number < classes_.size()) return classes_[layout.number];
  EventClass& its_class = classes_.emplace_back();
  const bt_event_class* const key = &layout.event_class;
  const char* const name = bt_event_class_get_name(key);
  its_class.name = name == nullptr || *name == 0
                       ? fmt::format("event {}", bt_event_class_get_id(key))
                       : valid_utf8(name);
  std::vector<std::string> taken;
  EventKeys& keys = its_class.keys;
  keys.payload = keys_of(layout.payload.get(), taken);
  keys.specific = keys_of(layout.specific.get(), taken);
  keys.common = keys_of(layout.common.get(), taken);
  keys.packet = keys_of(layout.packet.get(), taken);
  const bool is_of_thread = stream.process >= 0 || index_of(layout.common, "vpid") ||
                            index_of(layout.common, "vtid") || index_of(layout.specific, "vtid");
  const bool is_of_kernel = stream.domain == Domain::kKernel;
  if (is_of_kernel) its_class.perf_cpu = index_of(layout.payload, "perf_cpu");
  // It is called as everywhere, but by a field of that name.
  const bool has_own_cpu = std::ranges::find(taken, "cpu") != taken.end();
  const auto call_cpu = [&](Keys& its_keys, const std::optional<uint64_t>& field) {
    if (field && !has_own_cpu) its_keys[*field] = R"(,"cpu":)";
  };
  call_cpu(keys.payload, its_class.perf_cpu);
  call_cpu(keys.packet, index_of(layout.packet, "cpu_id"));
  if (is_of_kernel || !is_of_thread)  // the lane says it, or event() adds it
    keys.packet = without(keys.packet, {index_of(layout.packet, "cpu_id")});
  its_class.keeps_cpu = is_of_kernel && !its_class.perf_cpu && !has_own_cpu;
  keys.of_class = members_of_class(*key, taken);
  its_class.thread = {.process = index_of(layout.common, "vpid"),
                      .thread = index_of(layout.common, "vtid"),
                      .name = index_of(layout.common, "procname")};
  const ThreadFields& thread = its_class.thread;
  keys.common_but_thread = without(keys.common, {thread.process, thread.thread, thread.name});
  learn(its_class, stream, *key);
  return its_class;
}

// Finds the component that interprets a class of events.
void Player::learn(EventClass& its_class, const Stream& stream, const bt_event_class& bt_class) {
  const bt_stream_class& stream_class = *bt_event_class_borrow_stream_class_const(&bt_class);
  if (stream.domain == Domain::kZephyr) {
    its_class.zephyr = ZephyrEvents::meaning_of(its_class.name, stream_class);
    return;
  }
  if (stream.domain == Domain::kOtf2) {
    its_class.otf2 = ConvertedOtf2::handler_of(its_class.name);
    return;
  }
  if (stream.domain == Domain::kKernel) {
    its_class.kernel = KernelEvents::handler_of(its_class.name);
    return;
  }
  its_class.ros1 = Ros1Events::handler_of(its_class.name);
  its_class.ros2 = ros2_.meaning_of(its_class.name, stream_class);
  if (its_class.ros1 == nullptr && !its_class.ros2.is_something())
    its_class.user = UserEvents::meaning_of(its_class.name, stream_class);
}

bool Player::understand(Stream& stream, EventClass& its_class, Event& event) {
  if (stream.zephyr != nullptr) return stream.zephyr->add(its_class.zephyr, event);
  if (stream.otf2 != nullptr) return stream.otf2->add(its_class.otf2, event, stream.number);
  if (stream.gst_shark != nullptr) {
    stream.gst_shark->add(event);
    return false;
  }
  if (its_class.kernel != nullptr) return stream.host->kernel_events.add(its_class.kernel, event);
  if (its_class.ros1 != nullptr)
    return ros1_.add(its_class.ros1, ros_event(stream, its_class, event));
  if (its_class.ros2.is_something())
    return ros2_.add(its_class.ros2, ros_event(stream, its_class, event));
  if (its_class.user.kind == UserEvents::Meaning::Kind::kNone) return false;
  return stream.host->user_events.add(its_class.user, event, lane_of(stream, its_class, event));
}

RosEvent Player::ros_event(Stream& stream, const EventClass& its_class, Event& event) {
  return {.event = event,
          .process = stream.host->number << 32 | static_cast<uint32_t>(event.process()),
          .thread = lane_of(stream, its_class, event),
          .kernel = stream.host->kernel};
}

LaneId Player::lane_of(Stream& stream, const EventClass& its_class, const Event& event) {
  if (stream.zephyr != nullptr) return stream.zephyr->lane_of(event);
  if (stream.domain == Domain::kKernel) return stream.host->kernel_events.lane_of(event);
  if (stream.otf2 != nullptr) {
    const LaneId lane = stream.otf2->lane_of(event, stream.number);
    if (!lane.is_none()) return lane;
  }
  ftrace::Lanes& lanes = stream.host->kernel.lanes();
  const auto field = [&](const std::optional<uint64_t>& index, std::string_view name) {
    return index ? event.fields.common->member(*index) : member(event.fields.specific, name);
  };
  const ThreadFields& fields = its_class.thread;
  const auto thread = task_number(field(fields.thread, "vtid"));
  const std::string_view name = text_of(field(fields.name, "procname"));
  const bool is_same = thread && *thread == stream.last_thread && name == stream.last_thread_name;
  if (is_same) return stream.last_thread_lane;
  const auto process = task_number(field(fields.process, "vpid"));
  const int32_t tgid = process.value_or(stream.process);
  if (tgid >= 0 && tgid == stream.process && !stream.process_name.empty())
    lanes.describe_process(tgid, valid_utf8(std::exchange(stream.process_name, {})));
  if (thread) {
    stream.last_thread = *thread;
    stream.last_thread_name = name;
    stream.last_thread_lane = lanes.task(*thread, name, tgid);
    return stream.last_thread_lane;
  }
  if (tgid >= 0) return lanes.process(tgid);
  if (event.cpu) return lanes.cpu(*event.cpu);
  if (stream.lane.is_none()) stream.lane = sink_.add_lane({.name = stream.name});
  return stream.lane;
}

void Player::append_fields(std::string& json, const Event& event, const Keys& common) {
  const EventFields& fields = event.fields;
  if (fields.payload != nullptr) append_members(json, *fields.payload, event.keys.payload);
  if (fields.specific != nullptr) append_members(json, *fields.specific, event.keys.specific);
  if (fields.common != nullptr) append_members(json, *fields.common, common);
  if (fields.packet != nullptr) append_members(json, *fields.packet, event.keys.packet);
}

std::string_view Player::json_of(const Event& event) {
  json_ = '{';
  append_fields(json_, event, event.keys.common);
  for (const std::string_view more : {std::string_view(event.keys.of_class), event.more}) {
    if (more.empty()) continue;
    if (json_.size() > 1) json_ += ',';
    json_ += more;
  }
  if (json_.size() == 1) return {};
  json_ += '}';
  return json_;
}

// Fields as members of a JSON object, except those implied by the lane.
std::string Player::fields_of(const Event& event) {
  std::string json;
  append_fields(json, event, event.keys.common_but_thread);
  return json;
}

// The time of the stream's next event, or since when it lacks some.
void Player::discarded(size_t stream, const Discarded& what) {
  if (!has_begun_ && what.when) begin_events();
  trace::LossPlace place(events_);
  if (what.when) {
    place.time = what.when->begin;
    place.duration = what.when->length();
    const Stream& s = streams_[stream];
    place.lane = s.cpu ? s.host->kernel.lanes().cpu(*s.cpu) : s.lane;
  }
  const std::string_view kind = what.are_packets ? kLostPackets : kLostEvents;
  if (what.count) return sink_.loss(kind, place, *what.count);
  sink_.loss(fmt::format("{}, how many is not known", kind), place);
}

// Where its events end. It is on a CPU's lane or on its own, if it has one of them.
trace::LossPlace Player::end_of(const Stream& stream) const {
  trace::LossPlace place(events_);
  place.time = stream.last;
  place.lane = stream.cpu && stream.host != nullptr ? stream.host->kernel.lanes().cpu(*stream.cpu)
                                                    : stream.lane;
  return place;
}

// A stream is named where no lane tells which it is.
void Player::failed(size_t stream, const std::string& why) {
  const bool is_known = stream < streams_.size() && streams_[stream].stream != nullptr;
  const trace::LossPlace place = is_known ? end_of(streams_[stream]) : trace::LossPlace(events_);
  const std::string name =
      is_known && place.lane.is_none() ? " (" + streams_[stream].name + ")" : std::string();
  sink_.loss(fmt::format("a stream ends early{}: {}", name, why), place);
}

void Player::say_cuts() {
  constexpr std::string_view kKind = "packets left out at the end of a stream that was cut";
  for (const Stream& stream : streams_) {
    if (stream.packets_left_out == 0) continue;
    trace::LossPlace place = end_of(stream);
    if (place.time) place = trace::LossPlace::on_time_line(place.lane, *place.time);
    sink_.loss(
        place.lane.is_none() ? fmt::format("{} ({})", kKind, stream.name) : std::string(kKind),
        place, stream.packets_left_out);
  }
  for (const auto& [path, packets] : cuts_)
    sink_.loss(fmt::format("{} ({})", kKind, file_name_of(path)), trace::LossPlace::nowhere(),
               packets);
}

void Player::time_out_of_range(size_t) { sink_.loss("time that no clock has", events_); }

Status Player::finish() {
  say_cuts();
  for (auto& [trace, zephyr] : zephyrs_) zephyr->finish(last_);
  for (auto& [trace, converted] : converted_) converted->finish();
  ros1_.finish();
  ros2_.finish();
  for (auto& [name, host] : hosts_) {
    host->kernel.finish();
    WEFT_TRY(host->json.finish(sink_, context_));
  }
  return {};
}

}  // namespace weft::formats::ctf
