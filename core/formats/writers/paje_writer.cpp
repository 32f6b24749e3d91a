#include "core/formats/writers/paje_writer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/formats/writers/trace_writer.h"

namespace weft::formats {
namespace {

// The kinds of event, by their numbers, and their fields beside the kind of each.
constexpr std::string_view kHeader =
    R"(%EventDef PajeDefineContainerType 0
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineStateType 1
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineEventType 2
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineVariableType 3
%  Alias string
%  Type string
%  Name string
%EndEventDef
%EventDef PajeDefineLinkType 4
%  Alias string
%  Type string
%  StartContainerType string
%  EndContainerType string
%  Name string
%EndEventDef
%EventDef PajeCreateContainer 5
%  Time date
%  Alias string
%  Type string
%  Container string
%  Name string
%EndEventDef
%EventDef PajePushState 6
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
%EventDef PajePopState 7
%  Time date
%  Type string
%  Container string
%EndEventDef
%EventDef PajeNewEvent 8
%  Time date
%  Type string
%  Container string
%  Value string
%EndEventDef
%EventDef PajeSetVariable 9
%  Time date
%  Type string
%  Container string
%  Value double
%EndEventDef
%EventDef PajeStartLink 10
%  Time date
%  Type string
%  Container string
%  StartContainer string
%  Value string
%  Key string
%EndEventDef
%EventDef PajeEndLink 11
%  Time date
%  Type string
%  Container string
%  EndContainer string
%  Value string
%  Key string
%EndEventDef
%EventDef PajeDestroyContainer 12
%  Time date
%  Type string
%  Name string
%EndEventDef
)";

// A quoted string knows no escapes.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? '\'' : static_cast<uint8_t>(c) < 0x20 ? ' ' : c;
  return out + '"';
}

class PajeWriter final : public TraceWriter {
 public:
  explicit PajeWriter(TextFile file) : TraceWriter(std::move(file)) { out().print("{}", kHeader); }

  Status finish() override {
    give_until(Time::max().ticks);
    for (auto id = static_cast<uint32_t>(known_.size()); id-- > 0;) {
      if (known_[id]) out().print("12 {} T{} L{}\n", seconds_text(last_), depth_of(LaneId(id)), id);
    }
    return out().commit();
  }

 private:
  // What ends or arrives later than it began, in order of time, then of writing.
  struct Later {
    int64_t ns;
    uint64_t number;
    std::string line;
    bool operator>(const Later& other) const {
      return std::tie(ns, number) > std::tie(other.ns, other.number);
    }
  };

  int64_t now(Time time) {
    const int64_t ns = ns_from(time.ticks);
    give_until(ns);
    last_ = std::max(last_, ns);
    return ns;
  }

  void give_until(int64_t ns) {
    while (!later_.empty() && later_.top().ns <= ns) {
      last_ = std::max(last_, later_.top().ns);
      out().print("{}", later_.top().line);
      later_.pop();
    }
  }

  void put_later(int64_t ns, std::string line) { later_.push({ns, ++numbers_, std::move(line)}); }

  size_t depth_of(LaneId id) const {
    size_t depth = 0;
    while (!dictionary().lane(id).parent.is_none()) {
      id = dictionary().lane(id).parent;
      ++depth;
    }
    return depth;
  }

  // Containers of a depth are of one type.
  void know(LaneId id, int64_t ns) {
    if (known_.size() <= id.value()) known_.resize(dictionary().lanes.size());
    if (known_[id.value()]) return;
    known_[id.value()] = true;
    const trace::Lane& lane = dictionary().lane(id);
    if (!lane.parent.is_none()) know(lane.parent, ns);
    const size_t depth = depth_of(id);
    if (depth >= depths_) {
      depths_ = depth + 1;
      out().print("0 T{} {} level{}\n", depth, depth == 0 ? "0" : fmt::format("T{}", depth - 1),
                  depth);
    }
    out().print("5 {} L{} T{} {} {}\n", seconds_text(ns), id.value(), depth,
                lane.parent.is_none() ? "0" : fmt::format("L{}", lane.parent.value()),
                in_quotes(lane.name));
  }

  // The alias of a type of containers of the lane's depth; `kind` is that of its definition.
  std::string define(int kind, LaneId lane, std::string_view prefix, uint32_t number,
                     std::string_view name) {
    const size_t depth = depth_of(lane);
    std::string alias = fmt::format("{}{}_{}", prefix, depth, number);
    if (defined_.insert(alias).second)
      out().print("{} {} T{} {}\n", kind, alias, depth, in_quotes(name));
    return alias;
  }

  void write(const trace::StateEvent& event) override {
    const int64_t begin = now(event.begin);
    know(event.lane, begin);
    const std::string alias =
        define(1, event.lane, "S", event.nesting,
               event.nesting == 0 ? "state" : fmt::format("state {}", event.nesting));
    out().print("6 {} {} L{} {}\n", seconds_text(begin), alias, event.lane.value(),
                in_quotes(type(event.type).name));
    const int64_t end = std::max(begin, ns_from((event.begin + event.duration).ticks));
    put_later(end, fmt::format("7 {} {} L{}\n", seconds_text(end), alias, event.lane.value()));
    if (end == begin) give_until(end);
  }

  void write(const trace::PunctualEvent& event) override {
    const int64_t time = now(event.time);
    know(event.lane, time);
    const trace::EventType& of = type(event.type);
    const uint32_t group = groups_.try_emplace(of.group, groups_.size()).first->second;
    const std::string alias =
        define(2, event.lane, "E", group, of.group.empty() ? "event" : of.group);
    out().print("8 {} {} L{} {}\n", seconds_text(time), alias, event.lane.value(),
                in_quotes(of.name));
  }

  void write(const trace::LinkEvent& event) override {
    if (event.source.is_none() || event.target.is_none() || event.receive < event.send) {
      leave_out();
      return;
    }
    const int64_t send = now(event.send), receive = ns_from(event.receive.ticks);
    know(event.source, send);
    know(event.target, send);
    const size_t from = depth_of(event.source), to = depth_of(event.target);
    const std::string alias = fmt::format("M{}_{}", from, to);
    if (defined_.insert(alias).second) out().print("4 {} 0 T{} T{} link\n", alias, from, to);
    const std::string value = in_quotes(type(event.type).name);
    const uint64_t key = ++links_;
    out().print("10 {} {} 0 L{} {} {}\n", seconds_text(send), alias, event.source.value(), value,
                key);
    put_later(receive, fmt::format("11 {} {} 0 L{} {} {}\n", seconds_text(receive), alias,
                                   event.target.value(), value, key));
  }

  void write(const trace::VariableSample& event) override {
    if (!std::isfinite(event.value)) {
      leave_out();
      return;
    }
    const int64_t time = now(event.time);
    know(event.lane, time);
    const std::string alias = define(3, event.lane, "V", event.type.value(), type(event.type).name);
    out().print("9 {} {} L{} {}\n", seconds_text(time), alias, event.lane.value(), event.value);
  }

  using TraceWriter::type;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::vector<bool> known_;  // by lane
  std::set<std::string> defined_;
  std::map<std::string, uint32_t> groups_;
  size_t depths_ = 0;
  int64_t last_ = 0;
  uint64_t numbers_ = 0, links_ = 0;
};

}  // namespace

Result<std::unique_ptr<Writer>> create_paje_writer(const std::filesystem::path& path) {
  return create_text_writer<PajeWriter>(path);
}

}  // namespace weft::formats
