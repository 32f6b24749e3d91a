#include "core/formats/general/chrome_json/flow_linker.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/trace/message_id.h"

namespace weft::formats::chrome_json {
namespace {

// Of an id that is a number, which may stand in quotes: 7, "0x12". Empty: it is none.
std::string number_of(std::string_view id) {
  if (id.size() >= 2 && id.front() == '"' && id.back() == '"') id = id.substr(1, id.size() - 2);
  return trace::message_id_from_text(id) ? std::string(id) : std::string();
}

// The same parameters with the id before all others. `params`: the text of an object, or nothing.
std::string with_id(std::string_view id, std::string params) {
  if (id.empty()) return params;
  const bool is_decimal = id.find_first_not_of("0123456789") == std::string_view::npos;
  const std::string member =
      is_decimal ? fmt::format(R"("id":{})", id) : fmt::format(R"("id":"{}")", id);
  const size_t at = params.find(',' + member);
  const size_t end = at == std::string::npos ? at : at + 1 + member.size();
  if (end < params.size() && (params[end] == ',' || params[end] == '}'))
    params.erase(at, member.size() + 1);
  if (params.contains(R"("id":)")) return params;  // it is first, or the arguments have their own
  if (params.size() <= 2) return '{' + member + '}';
  return '{' + member + ',' + params.substr(1);
}

}  // namespace

void FlowLinker::add(const KeyedEvent& event, LaneId process, LaneId lane, EventTypeId type,
                     std::string_view json, Time landing, bool is_landed) {
  std::string key;
  if (!event.is_bound) key.append(event.category).append("\n").append(event.name).append("\n");
  key.append(event.id);
  if (event.is_local_id) key += fmt::format("\n{}", process.value());
  auto target = std::make_shared<Landing>(Landing{landing, is_landed, std::nullopt});
  if (!is_landed) {
    auto& waiting = waiting_[lane.value()];
    if (waiting.size() >= kMostEarly) {
      settle(*waiting.front(), waiting.front()->time);
      waiting.erase(waiting.begin());
    }
    waiting.push_back(target);
  }
  const bool is_step = event.phase == 't';
  End end{event.time,          lane,    type,           event.offset,     std::string(json),
          number_of(event.id), is_step, event.is_bound, std::move(target)};
  if (event.phase == 's') {
    if (is_full(key)) return link(&end, nullptr);
    Flow& flow = flows_[key];
    leave(flow, std::move(end));
    if (!flow.is_open && flow.early_ends.empty()) flows_.erase(key);
    return;
  }
  if (is_full(key)) return link(nullptr, &end);
  Flow& flow = flows_[key];
  const bool was_received = flow.is_received;
  if (!arrive(flow, end)) {
    if (flow.early_ends.size() >= kMostEarly) {
      link(nullptr, &flow.early_ends.front());
      flow.early_ends.pop_front();
    }
    flow.early_ends.push_back(std::move(end));
  } else if (!flow.is_open && flow.early_ends.empty()) {
    flows_.erase(key);
  } else if (flow.is_received && !was_received) {
    received_.push_back(key);
  }
}

// No room for one more flow, even where those that wait for nothing in particular are given up.
bool FlowLinker::is_full(const std::string& key) {
  for (; flows_.size() >= most_open_ && !received_.empty(); received_.pop_front()) {
    const auto it = flows_.find(received_.front());
    if (it != flows_.end() && it->second.is_received && it->second.early_ends.empty())
      flows_.erase(it);
  }
  return flows_.size() >= most_open_ && !flows_.contains(key);
}

// The flow goes on from `source`; an end that came too early in the text may be its next.
void FlowLinker::leave(Flow& flow, End source) {
  if (flow.is_open && !flow.is_received) link(&flow.source, nullptr);
  flow.source = std::move(source);
  flow.is_open = true;
  flow.is_received = false;
  for (size_t i = 0; i < flow.early_ends.size() && flow.is_open;) {
    if (!arrive(flow, flow.early_ends[i])) {
      ++i;
      continue;
    }
    flow.early_ends.erase(flow.early_ends.begin() + static_cast<ptrdiff_t>(i));
    i = 0;
  }
}

bool FlowLinker::arrive(Flow& flow, const End& end) {
  if (!flow.is_open || end.time < flow.source.time) return false;
  link(&flow.source, &end);
  flow.is_open = end.is_step || end.is_bound;
  flow.is_received = !end.is_step;
  if (end.is_step) flow.source = End(end);
  return true;
}

void FlowLinker::link(const End* source, const End* target) {
  trace::LinkEvent event{};
  event.type = source != nullptr ? source->type : target->type;
  event.params = output_.sink.params(with_id(
      source != nullptr ? source->id : target->id,
      join_params(source != nullptr ? source->json : "", target != nullptr ? target->json : "")));
  if (source != nullptr) {
    event.source = source->lane;
    event.send = source->time;
    event.receive = source->time;
  }
  if (target != nullptr) {
    event.target = target->lane;
    event.receive = target->landing->time;
    if (source == nullptr) event.send = event.receive;
  }
  if (target == nullptr || target->landing->is_landed) {
    output_.links.push_back(event);
  } else {
    target->landing->link = event;
  }
}

void FlowLinker::settle(Landing& landing, Time time) {
  landing.time = time;
  landing.is_landed = true;
  if (!landing.link) return;
  landing.link->receive = time;
  if (landing.link->source.is_none()) landing.link->send = time;
  output_.links.push_back(*landing.link);
}

void FlowLinker::land(LaneId lane, Time begin) {
  const auto it = waiting_.find(lane.value());
  if (it == waiting_.end()) return;
  std::erase_if(it->second, [&](const std::shared_ptr<Landing>& landing) {
    if (begin < landing->time) return false;
    settle(*landing, begin);
    return true;
  });
  if (it->second.empty()) waiting_.erase(it);
}

void FlowLinker::finish() {
  std::vector<std::pair<const End*, bool>> left;  // a point and whether it leaves
  for (const auto& [key, flow] : flows_) {
    if (flow.is_open && !flow.is_received) left.emplace_back(&flow.source, true);
    for (const End& end : flow.early_ends) left.emplace_back(&end, false);
  }
  std::ranges::sort(left, {}, [](const auto& l) { return l.first->offset; });
  for (const auto& [end, leaves] : left) leaves ? link(end, nullptr) : link(nullptr, end);
  std::vector<uint32_t> lanes;
  lanes.reserve(waiting_.size());
  for (const auto& [lane, landings] : waiting_) lanes.push_back(lane);
  std::ranges::sort(lanes);
  for (const uint32_t lane : lanes) {
    for (const auto& landing : waiting_[lane]) settle(*landing, landing->time);
  }
  flows_.clear();
  waiting_.clear();
}

}  // namespace weft::formats::chrome_json
