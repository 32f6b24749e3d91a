#include "core/formats/writers/chrome_json_writer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/base/json_text.h"
#include "core/formats/writers/trace_writer.h"

namespace weft::formats {
namespace {

using trace::LinkEvent;
using trace::PunctualEvent;
using trace::StateEvent;
using trace::VariableSample;

// Members of the document that a reader takes for more than metadata.
constexpr std::string_view kMembers[] = {"displayTimeUnit", "traceEvents", "samples", "stackFrames",
                                         "systemTraceEvents"};

std::string json_text(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

class ChromeJsonWriter final : public TraceWriter {
 public:
  explicit ChromeJsonWriter(TextFile file) : TraceWriter(std::move(file)) {
    out().print("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  }

  Status finish() override {
    place_all();
    out().print("\n]");
    // Members beside the events are metadata; some of them mean something.
    for (const auto& [key, value] : dictionary().metadata) {
      if (std::ranges::find(kMembers, key) == std::end(kMembers))
        out().print(",\n{}:{}", json_text(key), json_text(value));
    }
    out().print("}}\n");
    return out().commit();
  }

 private:
  // Process and thread, as members of an event.
  const std::string& origin(LaneId id) {
    if (origins_.size() <= id.value()) origins_.resize(id.value() + 1);
    std::string& known = origins_[id.value()];
    if (!known.empty()) return known;
    place_all();
    const LaneId root = root_of(id);
    known = thread_of(id);
    name("process_name", fmt::format(R"("pid":{})", root.value() + 1),
         dictionary().lane(root).name);
    std::string path = dictionary().path_text(id);
    if (id != root) path.erase(0, dictionary().lane(root).name.size() + 1);
    name("thread_name", known, path);
    return known;
  }

  LaneId root_of(LaneId id) const {
    while (!dictionary().lane(id).parent.is_none()) id = dictionary().lane(id).parent;
    return id;
  }

  std::string thread_of(LaneId id) const {
    return fmt::format(R"("pid":{},"tid":{})", root_of(id).value() + 1, id.value() + 1);
  }

  // The format has processes with threads, so that a thread is called as the path of its lane.
  // Where the lane really stands, the reader is told by metadata that other programs pass over.
  void place_all() {
    is_placed_.resize(dictionary().lanes.size());
    while (placed_ < is_placed_.size()) place(LaneId(placed_++));
  }

  void place(LaneId id) {
    if (is_placed_[id.value()]) return;
    is_placed_[id.value()] = true;
    const trace::Lane& lane = dictionary().lane(id);
    std::string parent;
    if (!lane.parent.is_none()) {
      place(lane.parent);
      parent = fmt::format(R"("parent":{},)", lane.parent.value() + 1);
    }
    separate();
    out().print(
        R"({{"ph":"M",{},"name":"thread_lane","args":{{{}"kind":"{}","sort_index":{},"name":{}}}}})",
        thread_of(id), parent, name_of(lane.kind), lane.sort_index, json_text(lane.name));
  }

  void name(std::string_view what, std::string_view whose, std::string_view name) {
    separate();
    out().print(R"({{"ph":"M",{},"name":"{}","args":{{"name":{}}}}})", whose, what,
                json_text(name));
  }

  void separate() { out().print("{}", std::exchange(has_event_, true) ? ",\n" : "\n"); }

  // Up to the time; what follows begins with a comma, and ends the object.
  void begin(char phase, LaneId lane, EventTypeId type_id, Time time) {
    const std::string& from = origin(lane);
    const trace::EventType& of = type(type_id);
    if (of.rgb != trace::EventType::kNoColor) color(type_id, from);
    separate();
    out().print(R"({{"ph":"{}",{},"name":{})", phase, from, json_text(of.name));
    if (!of.group.empty()) out().print(R"(,"cat":{})", json_text(of.group));
    out().print(R"(,"ts":{})", microseconds(ns_from(time.ticks)));
  }

  void end(ParamsId params, std::string_view member = "args") {
    const std::string_view json = json_of(params), payload = payload_of(params);
    if (!json.empty() || !payload.empty()) out().print(R"(,"{}":)", member);
    if (payload.empty()) {
      out().print("{}}}", json);
    } else {
      const bool has_json = json.size() > 2;
      out().print(R"({}{}"payload":"{}"}}}})", has_json ? json.substr(0, json.size() - 1) : "{",
                  has_json ? "," : "", payload);
    }
  }

  void color(EventTypeId id, std::string_view from) {
    if (is_colored_.size() <= id.value()) is_colored_.resize(dictionary().types.size());
    if (is_colored_[id.value()]) return;
    is_colored_[id.value()] = true;
    const trace::EventType& of = type(id);
    separate();
    out().print(
        R"({{"ph":"M",{},"name":"thread_type_color","args":{{"category":"{}","group":{},"name":{},"rgb":"{:06x}"}}}})",
        from, name_of(of.category), json_text(of.group), json_text(of.name), of.rgb);
  }

  static std::string microseconds(int64_t ns) {
    const uint64_t size = ns < 0 ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
  }

  void write(const StateEvent& event) override {
    if (is_out_of_reach(event.begin, event.begin + event.duration)) return;
    begin('X', event.lane, event.type, event.begin);
    const int64_t ns = ns_from((event.begin + event.duration).ticks) - ns_from(event.begin.ticks);
    out().print(R"(,"dur":{})", microseconds(ns));
    end(event.params);
  }

  void write(const PunctualEvent& event) override {
    if (is_out_of_reach(event.time, event.time)) return;
    begin('i', event.lane, event.type, event.time);
    out().print(R"(,"s":"t")");
    end(event.params);
  }

  // A link that was never received or never sent is a flow with one end. The ends of a flow pair in
  // order of time, so one that leads back in time would read as two.
  void write(const LinkEvent& event) override {
    const bool is_sent = !event.source.is_none(), is_received = !event.target.is_none();
    if (is_sent && is_received && event.receive < event.send) {
      leave_out(LeftOut::What::kEvents);
      return;
    }
    if (is_out_of_reach(is_sent ? event.send : event.receive,
                        is_received ? event.receive : event.send))
      return;
    ++flows_;
    if (is_sent) {
      begin('s', event.source, event.type, event.send);
      out().print(R"(,"id":{},"scope":"weftscope")", flows_);
      end(event.params);
    }
    if (is_received) {
      begin('f', event.target, event.type, event.receive);
      out().print(R"(,"id":{},"scope":"weftscope","bp":"e")", flows_);
      end(is_sent ? ParamsId::none() : event.params);
    }
  }

  // JSON has no word for what is not a number.
  void write(const VariableSample& event) override {
    if (!std::isfinite(event.value)) {
      leave_out(LeftOut::What::kEvents);
      return;
    }
    if (is_out_of_reach(event.time, event.time)) return;
    begin('C', event.lane, event.type, event.time);
    if (needs_id(event.lane, event.type)) out().print(R"(,"id":{})", event.lane.value() + 1);
    out().print(R"(,"s":"t","args":{{{}:{}}})", json_text(type(event.type).name), event.value);
    end(event.params, "params");
  }

  // Other programs know a counter by its process, its name and its id. The first lane of a process
  // that has it needs none.
  bool needs_id(LaneId lane, EventTypeId type_id) {
    const auto [it, is_new] = needs_id_.try_emplace({lane, type_id}, false);
    if (!is_new) return it->second;
    const auto [first, is_first] =
        first_lanes_.try_emplace({root_of(lane), std::string(type(type_id).name)}, lane);
    return it->second = first->second != lane;
  }

  using TraceWriter::type;
  std::map<std::pair<LaneId, EventTypeId>, bool> needs_id_;       // variables
  std::map<std::pair<LaneId, std::string>, LaneId> first_lanes_;  // by root and name of variables
  std::vector<std::string> origins_;                              // by lane
  std::vector<bool> is_placed_;                                   // by lane
  std::vector<bool> is_colored_;                                  // by type
  uint32_t placed_ = 0;                                           // those before it are
  uint64_t flows_ = 0;
  bool has_event_ = false;
};

}  // namespace

Result<std::unique_ptr<Writer>> create_chrome_json_writer(const std::filesystem::path& path) {
  return create_text_writer<ChromeJsonWriter>(path);
}

}  // namespace weft::formats
