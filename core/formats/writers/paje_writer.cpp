#include "core/formats/writers/paje_writer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
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
%EventDef PajeDefineEntityValue 13
%  Type string
%  Name string
%  Color color
%EndEventDef
)";

// A quoted string knows no escapes.
bool ends_string(char c) { return c == '"' || static_cast<uint8_t>(c) < 0x20; }

// Others take an empty string for a quote.
std::string in_quotes(std::string_view text) {
  if (text.empty()) text = "-";
  std::string out = "\"";
  for (const char c : text) out += !ends_string(c) ? c : c == '"' ? '\'' : ' ';
  return out + '"';
}

// The open states of a lane and a group, in stacks: each state within the one below it. More than
// one stack is needed where states overlap.
class StateStacks {
 public:
  // Puts a state on a stack, and returns the stack's number. `depth`: the states below it.
  uint32_t push(int64_t end, size_t& depth) {
    const auto least = tops_.lower_bound({end, 0});
    if (least == tops_.end()) {
      ends_.emplace_back();
      tops_.emplace(kEmpty, static_cast<uint32_t>(ends_.size() - 1));
      return push(end, depth);
    }
    const uint32_t stack = least->second;
    depth = ends_[stack].size();
    ends_[stack].push_back(end);
    set_top(least, end);
    return stack;
  }
  // Takes off the state that ends next.
  void pop(uint32_t stack) {
    std::vector<int64_t>& ends = ends_[stack];
    const auto top = tops_.find({ends.back(), stack});
    ends.pop_back();
    set_top(top, ends.empty() ? kEmpty : ends.back());
  }

 private:
  // By the end of the state on top, so that the closest one is found; empty stacks are last.
  using Tops = std::set<std::pair<int64_t, uint32_t>>;
  static constexpr int64_t kEmpty = INT64_MAX;

  void set_top(Tops::iterator top, int64_t end) {
    auto node = tops_.extract(top);
    node.value().first = end;
    tops_.insert(std::move(node));
  }

  std::vector<std::vector<int64_t>> ends_;  // by stack, the outermost first
  Tops tops_;
};

class PajeWriter final : public TraceWriter {
 public:
  explicit PajeWriter(TextFile file) : TraceWriter(std::move(file)) { out().print("{}", kHeader); }

  Status finish() override {
    give_until(Time::max().ticks);
    know_all(last_);
    // Of a trace without a length pj_dump gives little.
    const int64_t end = first_ == last_ ? saturating_add(last_, 1) : last_;
    for (auto id = static_cast<uint32_t>(containers_.size()); id-- > 0;)
      out().print("12 {} T{} L{}\n", seconds_text(end), type_of(LaneId(id)), id);
    for (const trace::EventType& type : dictionary().types) {
      if (type.name.empty()) leave_out(What::kEmptyTypes);
      if (type.category == trace::Category::kVariable && !type.group.empty())
        leave_out(What::kGroups);
    }
    for (const trace::Lane& lane : dictionary().lanes)
      if (lane.name.empty()) leave_out(What::kEmptyNames);
    leave_out(What::kMetadata, dictionary().metadata.size());
    leave_out_characters(
        [](std::string_view name) { return std::ranges::any_of(name, ends_string); });
    return out().commit();
  }

 private:
  using What = LeftOut::What;

  struct OpenState {
    LaneId lane;
    StateStacks* stacks;  // nullptr: it is none
    uint32_t stack;
  };
  // Pending ends and arrivals, in order of time, then of writing.
  struct Later {
    int64_t ns;
    uint64_t number;
    std::string line;
    OpenState ended;
    bool operator>(const Later& other) const {
      return std::tie(ns, number) > std::tie(other.ns, other.number);
    }
  };

  int64_t now(Time time) {
    const int64_t ns = ns_from_zero(time.ticks);
    give_until(ns);
    if (!first_) first_ = ns;
    last_ = std::max(last_, ns);
    return ns;
  }

  void give_until(int64_t ns) {
    while (!later_.empty() && later_.top().ns <= ns) {
      last_ = std::max(last_, later_.top().ns);
      out().print("{}", later_.top().line);
      if (const OpenState& ended = later_.top().ended; ended.stacks != nullptr) {
        ended.stacks->pop(ended.stack);
        --open_states_[ended.lane.value()];
      }
      later_.pop();
    }
  }

  void put_later(int64_t ns, std::string line, const OpenState& ended = {}) {
    later_.push({ns, ++numbers_, std::move(line), ended});
  }

  // Lanes that are there when something happens first stand in their order.
  void know(LaneId id, int64_t ns) {
    if (containers_.empty()) know_all(ns);
    if (containers_.size() <= id.value()) containers_.resize(dictionary().lanes.size());
    if (containers_[id.value()]) return;
    const trace::Lane& lane = dictionary().lane(id);
    if (!lane.parent.is_none()) know(lane.parent, ns);
    const std::string above =
        lane.parent.is_none() ? "0" : fmt::format("T{}", type_of(lane.parent));
    const auto [it, is_new] =
        container_types_.try_emplace({above, lane.kind}, container_types_.size());
    if (is_new) out().print("0 T{} {} {}\n", it->second, above, name_of(lane.kind));
    containers_[id.value()] = it->second;
    out().print("5 {} L{} T{} {} {}\n", seconds_text(ns), id.value(), it->second,
                lane.parent.is_none() ? "0" : fmt::format("L{}", lane.parent.value()),
                in_quotes(lane.name));
  }
  void know_all(int64_t ns) {
    containers_.resize(dictionary().lanes.size());
    for (const LaneId id : dictionary().lanes_in_order()) know(id, ns);
  }
  size_t type_of(LaneId id) const { return *containers_[id.value()]; }

  // The alias of a type of what happens in containers of the lane's type, by the kind of its
  // definition, a group and a number.
  const std::string& define(int kind, LaneId lane, std::string_view group, uint32_t number) {
    const auto [it, is_new] = types_.try_emplace({kind, type_of(lane), std::string(group), number});
    if (is_new) {
      it->second = fmt::format("V{}", types_.size());
      out().print("{} {} T{} {}\n", kind, it->second, type_of(lane), in_quotes(group));
    }
    return it->second;
  }

  // The name of an event's type, which is a value of the Pajé type; its colour is said once.
  std::string value(const std::string& alias, EventTypeId id) {
    const trace::EventType& of = type(id);
    std::string name = in_quotes(of.name);
    if (of.rgb != trace::EventType::kNoColor && colored_.insert(alias + name).second) {
      constexpr double kMost = 255;
      out().print("13 {} {} \"{:.4f} {:.4f} {:.4f}\"\n", alias, name, (of.rgb >> 16 & 0xFF) / kMost,
                  (of.rgb >> 8 & 0xFF) / kMost, (of.rgb & 0xFF) / kMost);
    }
    return name;
  }
  std::string_view group_of(EventTypeId id, std::string_view otherwise) const {
    const std::string_view group = type(id).group;
    return group.empty() ? otherwise : group;
  }

  void write(const trace::StateEvent& event) override {
    if (is_out_of_reach_from_zero(event.begin, event.begin + event.duration)) return;
    const int64_t begin = now(event.begin);
    know(event.lane, begin);
    const std::string_view group = group_of(event.type, "state");
    const int64_t end = std::max(begin, ns_from_zero((event.begin + event.duration).ticks));
    StateStacks& stacks = stacks_[{event.lane.value(), std::string(group)}];
    size_t depth = 0;
    const OpenState state{event.lane, &stacks, stacks.push(end, depth)};
    open_states_.resize(dictionary().lanes.size());
    if (open_states_[event.lane.value()]++ > depth) leave_out(What::kDepth);
    const std::string& alias = define(1, event.lane, group, state.stack);
    const std::string name = value(alias, event.type);
    out().print("6 {} {} L{} {}\n", seconds_text(begin), alias, event.lane.value(), name);
    put_later(end, fmt::format("7 {} {} L{}\n", seconds_text(end), alias, event.lane.value()),
              state);
    if (end == begin) give_until(end);
    leave_out(event.params);
  }

  void write(const trace::PunctualEvent& event) override {
    if (is_out_of_reach_from_zero(event.time, event.time)) return;
    const int64_t time = now(event.time);
    know(event.lane, time);
    const std::string& alias = define(2, event.lane, group_of(event.type, "event"), 0);
    const std::string name = value(alias, event.type);
    out().print("8 {} {} L{} {}\n", seconds_text(time), alias, event.lane.value(), name);
    leave_out(event.params);
  }

  void write(const trace::LinkEvent& event) override {
    if (event.source.is_none() || event.target.is_none() || event.receive < event.send) {
      leave_out(What::kEvents);
      return;
    }
    if (is_out_of_reach_from_zero(event.send, event.receive)) return;
    const int64_t send = now(event.send), receive = ns_from_zero(event.receive.ticks);
    know(event.source, send);
    know(event.target, send);
    const std::string_view group = group_of(event.type, "link");
    const size_t from = type_of(event.source), to = type_of(event.target);
    const auto [it, is_new] = link_types_.try_emplace({from, to, std::string(group)});
    if (is_new) {
      it->second = fmt::format("M{}", link_types_.size());
      out().print("4 {} 0 T{} T{} {}\n", it->second, from, to, in_quotes(group));
    }
    const std::string& alias = it->second;
    const std::string name = value(alias, event.type);
    const uint64_t key = ++links_;
    out().print("10 {} {} 0 L{} {} {}\n", seconds_text(send), alias, event.source.value(), name,
                key);
    put_later(receive, fmt::format("11 {} {} 0 L{} {} {}\n", seconds_text(receive), alias,
                                   event.target.value(), name, key));
    leave_out(event.params);
  }

  void write(const trace::VariableSample& event) override {
    if (!std::isfinite(event.value)) {
      leave_out(What::kEvents);
      return;
    }
    if (is_out_of_reach_from_zero(event.time, event.time)) return;
    const int64_t time = now(event.time);
    know(event.lane, time);
    const std::string& alias = define(3, event.lane, type(event.type).name, event.type.value());
    out().print("9 {} {} L{} {}\n", seconds_text(time), alias, event.lane.value(), event.value);
    leave_out(event.params);
  }

  using TraceWriter::type;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::vector<std::optional<size_t>> containers_;  // by lane: the number of its type
  std::map<std::pair<std::string, trace::LaneKind>, size_t> container_types_;    // below which, of
  std::map<std::tuple<int, size_t, std::string, uint32_t>, std::string> types_;  // aliases
  std::map<std::tuple<size_t, size_t, std::string>, std::string> link_types_;    // aliases
  std::set<std::string> colored_;
  std::map<std::pair<uint32_t, std::string>, StateStacks> stacks_;  // by lane and group
  std::vector<size_t> open_states_;                                 // by lane
  std::optional<int64_t> first_;                                    // when something happens
  int64_t last_ = 0;
  uint64_t numbers_ = 0, links_ = 0;
};

}  // namespace

Result<std::unique_ptr<Writer>> create_paje_writer(const std::filesystem::path& path) {
  return create_text_writer<PajeWriter>(path);
}

}  // namespace weft::formats
