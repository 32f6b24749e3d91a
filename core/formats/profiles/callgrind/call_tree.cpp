#include "core/formats/profiles/callgrind/call_tree.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/callgrind/cycles.h"

namespace weft::formats::callgrind {
namespace {

constexpr uint64_t kMostFrames = 1 << 21;
constexpr uint32_t kMostDepth = 2048;
// Calls narrower than this part of the whole are not drawn.
constexpr int kLeastShareBits = 20;

// The part of `width` that `part` is of `whole`, rounded down.
int64_t share(int64_t width, int64_t part, int64_t whole) {
  return static_cast<int64_t>(static_cast<__int128>(width) * std::min(part, whole) / whole);
}

}  // namespace

CallTree::CallTree(trace::EventSink& sink, const CallGraph& graph,
                   const std::vector<std::string>& events, size_t event)
    : sink_(sink), graph_(graph), events_(events), event_(event) {
  const size_t size = graph_.functions.size();
  self_.resize(size);
  called_.resize(size);
  width_of_calls_.resize(size);
  widths_.resize(graph_.calls.size());
  calls_of_function_.resize(size);
  places_.resize(size);
  params_.resize(graph_.calls.size(), ParamsId::none());
  types_.resize(size, EventTypeId::none());
  for (size_t i = 0; i < size; ++i)
    self_[i] = std::max<int64_t>(0, cost_at(graph_.functions[i].self, event_));
  for (uint32_t i = 0; i < graph_.calls.size(); ++i)
    if (cost_of(i) > 0) calls_of_function_[graph_.calls[i].caller].push_back(i);
  for (std::vector<uint32_t>& calls : calls_of_function_)
    std::ranges::stable_sort(calls,
                             [this](uint32_t a, uint32_t b) { return cost_of(a) > cost_of(b); });
  make_groups();
}

int64_t CallTree::cost_of(uint32_t call) const {
  return cost_at(graph_.calls[call].inclusive, event_);
}

bool CallTree::leaves_group(uint32_t call) const {
  const Call& of = graph_.calls[call];
  return group_of_[of.caller] != group_of_[of.callee];
}

void CallTree::make_groups() {
  group_of_ = cycles_of(graph_, calls_of_function_);
  for (uint32_t function = 0; function < group_of_.size(); ++function) {
    const uint32_t group = group_of_[function];
    if (groups_.size() <= group) groups_.resize(group + 1);
    groups_[group].members.push_back(function);
    for (const uint32_t call : calls_of_function_[function])
      if (leaves_group(call)) called_[function] = saturating_add(called_[function], cost_of(call));
  }
  std::vector<std::vector<uint32_t>> calls_into(groups_.size());
  for (uint32_t call = 0; call < graph_.calls.size(); ++call)
    if (cost_of(call) > 0 && leaves_group(call))
      calls_into[group_of_[graph_.calls[call].callee]].push_back(call);
  uint32_t cycles = 0;
  for (uint32_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    measure(group, calls_into[i]);
    if (group.members.size() > 1) group.cycle = ++cycles;
    if (group.root > 0) roots_.push_back(i);
    std::ranges::stable_sort(group.members,
                             [this](uint32_t a, uint32_t b) { return width_of(a) > width_of(b); });
  }
  std::ranges::stable_sort(
      roots_, [this](uint32_t a, uint32_t b) { return groups_[a].root > groups_[b].root; });
}

// What the group called has its widths already. Callers may know of more cost than the group has:
// that of a function whose costs the file lacks is as they say, and so it is where calls were
// measured; otherwise they share what there is, so that the whole is as wide as the self costs of
// the file.
void CallTree::measure(Group& group, std::span<const uint32_t> calls_into) {
  int64_t inside = 0, into = 0;
  bool has_costs = false;
  for (const uint32_t function : group.members) {
    inside = saturating_add(inside, width_of(function));
    has_costs |= !graph_.functions[function].self.empty();
  }
  for (const uint32_t call : calls_into) into = saturating_add(into, cost_of(call));
  const bool are_shared = has_costs && !graph_.are_calls_measured;
  group.whole = are_shared ? inside : std::max(inside, into);
  group.own = group.whole - inside;
  group.root = std::max<int64_t>(0, group.whole - into);
  int64_t sum = 0;
  for (const uint32_t call : calls_into) {
    const int64_t from = into > group.whole ? share(group.whole, sum, into) : sum;
    sum = saturating_add(sum, cost_of(call));
    const int64_t to = into > group.whole ? share(group.whole, sum, into) : sum;
    widths_[call] = to - from;
    int64_t& of_caller = width_of_calls_[graph_.calls[call].caller];
    of_caller = saturating_add(of_caller, widths_[call]);
  }
}

Time CallTree::draw(LaneId lane, Time begin) {
  lane_ = lane;
  begin_ = begin.ticks;
  int64_t end = begin_;
  for (const uint32_t root : roots_) end = saturating_add(end, groups_[root].root);
  least_ = std::max<int64_t>(1, (end - begin_) >> kLeastShareBits);
  while (!count_or_draw(false)) least_ *= 4;
  count_or_draw(true);
  if (narrow_ > 0)
    sink_.note("call that is too narrow to be drawn", trace::LossPlace::nowhere(), narrow_);
  if (deep_ > 0) sink_.loss("calls nested too deep", trace::LossPlace::nowhere(), deep_);
  return Time{end};
}

// False: there are too many frames.
bool CallTree::count_or_draw(bool is_drawn) {
  is_drawn_ = is_drawn;
  frames_ = narrow_ = deep_ = 0;
  int64_t at = begin_;
  for (const uint32_t root : roots_) {
    const int64_t end = saturating_add(at, groups_[root].root);
    if (!draw_group(root, std::nullopt, {at, end - at}, 0)) return false;
    at = end;
  }
  return true;
}

bool CallTree::is_too_narrow(int64_t width) {
  if (width >= least_) return false;
  ++narrow_;
  return true;
}

bool CallTree::draw_group(uint32_t index, std::optional<uint32_t> call, Span span, uint32_t depth) {
  const Group& group = groups_[index];
  if (group.cycle == 0) return draw_function(group.members.front(), call, group.whole, span, depth);
  if (is_too_narrow(span.width)) return true;
  if (depth >= kMostDepth) return ++deep_ > 0;
  if (++frames_ > kMostFrames) return false;
  if (is_drawn_)
    give(sink_.type(trace::Category::kState, fmt::format("<cycle {}>", group.cycle)), span, depth,
         params_of(call));
  int64_t sum = group.own;
  for (const uint32_t member : group.members) {
    const int64_t from = share(span.width, sum, group.whole);
    sum = saturating_add(sum, width_of(member));
    const int64_t to = share(span.width, sum, group.whole);
    if (width_of(member) == 0) continue;
    if (!draw_function(member, std::nullopt, width_of(member), {span.begin + from, to - from},
                       depth + 1))
      return false;
  }
  return true;
}

bool CallTree::draw_function(uint32_t function, std::optional<uint32_t> call, int64_t whole,
                             Span span, uint32_t depth) {
  if (is_too_narrow(span.width)) return true;
  if (depth >= kMostDepth) return ++deep_ > 0;
  if (++frames_ > kMostFrames) return false;
  if (is_drawn_) {
    give(type_of(function), span, depth, params_of(call));
    if (!places_[function])
      places_[function] = {Time{span.begin}, share(span.width, self_[function], whole)};
  }
  int64_t sum = whole - width_of_calls_[function];
  for (const uint32_t each : calls_of_function_[function]) {
    if (widths_[each] == 0) continue;
    const int64_t from = share(span.width, sum, whole);
    sum = saturating_add(sum, widths_[each]);
    const int64_t to = share(span.width, sum, whole);
    const uint32_t group = group_of_[graph_.calls[each].callee];
    if (!draw_group(group, each, {span.begin + from, to - from}, depth + 1)) return false;
  }
  return true;
}

void CallTree::give(EventTypeId type, Span span, uint32_t depth, ParamsId params) {
  sink_.give(trace::StateEvent{.begin = {span.begin},
                               .duration = {span.width},
                               .params = params,
                               .lane = lane_,
                               .type = type,
                               .nesting = depth});
}

// The call's parameters in the file, summed over all call sites of the caller.
ParamsId CallTree::params_of(std::optional<uint32_t> call) {
  if (!call) return ParamsId::none();
  ParamsId& params = params_[*call];
  if (!params.is_none()) return params;
  const Call& said = graph_.calls[*call];
  ArgsText text;
  text.add("calls", said.count);
  if (groups_[group_of_[said.callee]].cycle != 0)
    text.add("called", graph_.functions[said.callee].name);
  for (size_t i = 0; i < std::min(events_.size(), said.inclusive.size()); ++i)
    text.add(events_[i], said.inclusive[i]);
  return params = sink_.params(text.take());
}

EventTypeId CallTree::type_of(uint32_t function) {
  EventTypeId& type = types_[function];
  if (type.is_none()) {
    const Function& said = graph_.functions[function];
    type = sink_.type(trace::Category::kState, said.name, said.file);
  }
  return type;
}

}  // namespace weft::formats::callgrind
