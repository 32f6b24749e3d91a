#include "core/formats/general/chrome_json/flow_linker.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/text_hash.h"
#include "core/formats/base/json_cursor.h"
#include "core/trace/message_id.h"

namespace weft::formats::chrome_json {
namespace {

// Overhead of a separate allocation: the allocator's and the table's.
constexpr uint64_t kAllocatedBytes = 64;

// Returns a numeric id, possibly quoted: 7, "0x12". Empty: it is none.
std::string number_of(std::string_view id) {
  if (id.size() >= 2 && id.front() == '"' && id.back() == '"') id = id.substr(1, id.size() - 2);
  return trace::message_id_from_text(id) ? std::string(id) : std::string();
}

uint64_t moment_of(std::string_view flow, Time time) {
  return json::mix(TextHash()(flow), static_cast<uint64_t>(time.ticks));
}

// Puts the id before all other parameters. `params`: the text of an object, or empty.
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
  if (!event.is_bound) key.append(event.category).append("\n");
  key.append(event.id);
  if (event.is_local_id) key += fmt::format("\n{}", process.value());
  const auto nameless = static_cast<uint32_t>(key.size());
  if (!event.is_bound) key.append("\n").append(event.name);
  const bool is_step = event.phase == 't';
  End end{event.time,          lane,     type,    event.offset,   std::string(json),
          number_of(event.id), nameless, is_step, event.is_bound, nullptr};
  if (event.phase != 's') {
    end.landing = std::make_shared<Landing>(Landing{landing, is_landed, std::nullopt});
    if (!is_landed) await(lane, end.landing);
  }
  const auto by = static_cast<uint32_t>(TextHash()(key) % kWindowLanes);
  Point point{event.time, by, std::move(key), std::move(end)};
  if (waiting_memory_.is_full()) give_held();
  if (is_step && !event.is_bound) ++moments_[moment_of(point.key, point.time)].steps;
  waiting_memory_.hold(bytes_of(point));
  window_.add(by, event.time, take()) = std::move(point);
}

void FlowLinker::give_held() { window_.give_all(take()); }

void FlowLinker::take(Point& point) {
  waiting_memory_.release(bytes_of(point));
  const auto it =
      moments_.empty() ? moments_.end() : moments_.find(moment_of(point.key, point.time));
  if (it == moments_.end() || point.end.is_bound) {
    if (point.end.landing == nullptr) return take_source(point.key, std::move(point.end));
    return take_end(std::move(point.key), std::move(point.end));
  }
  Moment& moment = it->second;
  if (point.end.landing == nullptr) {
    const auto flow = flows_.find(point.key);
    const bool is_reused = flow != flows_.end() && flow->second.is_open;
    if (is_reused) take_waiting(point.key, moment);  // the flow before ends
    take_source(point.key, std::move(point.end));
  } else if (point.end.is_step) {
    take_end(point.key, std::move(point.end));
    if (--moment.steps > 0) return;
    take_waiting(point.key, moment);
    moments_.erase(it);
  } else {
    moment.ends.push_back(std::move(point.end));
  }
}

void FlowLinker::take_waiting(const std::string& key, Moment& moment) {
  for (End& end : std::exchange(moment.ends, {})) take_end(key, std::move(end));
}

void FlowLinker::take_source(const std::string& key, End source) {
  if (is_full(key)) return link(&source, nullptr);
  Flow& flow = flow_of(key);
  leave(flow, std::move(source));
  if (!flow.is_open && !flow.has_left()) erase(flows_.find(key));
}

void FlowLinker::take_end(std::string key, End end) {
  if (is_full(key)) return link(nullptr, &end);
  Flow& flow = flow_of(key);
  const bool was_received = flow.is_received;
  if (!arrive(flow, end)) {
    keep(flow.early_ends, std::move(end), false);
  } else if (!flow.is_open && !flow.has_left()) {
    erase(flows_.find(key));
  } else if (flow.is_received && !was_received) {
    waiting_memory_.hold(sizeof(key) + heap_bytes(key));
    received_.push_back(std::move(key));
  }
}

void FlowLinker::await(LaneId lane, std::shared_ptr<Landing> landing) {
  auto& waiting = waiting_[lane.value()];
  if (waiting.size() >= kMostKept) {
    settle(*waiting.front(), waiting.front()->time);
    waiting.erase(waiting.begin());
  }
  waiting.push_back(std::move(landing));
}

// No room for one more flow, even where those that wait for nothing in particular are given up.
bool FlowLinker::is_full(const std::string& key) {
  for (; waiting_memory_.is_full() && !received_.empty(); received_.pop_front()) {
    const std::string& oldest = received_.front();
    waiting_memory_.release(sizeof(oldest) + heap_bytes(oldest));
    const auto it = flows_.find(oldest);
    if (it != flows_.end() && it->second.is_received && !it->second.has_left()) erase(it);
  }
  return waiting_memory_.is_full() && !flows_.contains(key);
}

FlowLinker::Flow& FlowLinker::flow_of(const std::string& key) {
  const auto [it, is_new] = flows_.try_emplace(key);
  if (is_new) waiting_memory_.hold(bytes_of(*it));
  return it->second;
}

void FlowLinker::erase(Flows::iterator flow) {
  waiting_memory_.release(bytes_of(*flow));
  flows_.erase(flow);
}

void FlowLinker::set_source(Flow& flow, End source) {
  waiting_memory_.release(heap_bytes(flow.source.json));
  flow.source = std::move(source);
  waiting_memory_.hold(heap_bytes(flow.source.json));
}

void FlowLinker::keep(std::list<End>& ends, End end, bool leaves) {
  if (ends.size() >= kMostKept) {
    const End& oldest = ends.front();
    link(leaves ? &oldest : nullptr, leaves ? nullptr : &oldest);
    waiting_memory_.release(kept_bytes(oldest));
    ends.pop_front();
  }
  ends.push_back(std::move(end));
  waiting_memory_.hold(kept_bytes(ends.back()));
}

uint64_t FlowLinker::bytes_of(const Flows::value_type& flow) {
  return sizeof flow + kAllocatedBytes + heap_bytes(flow.first) +
         heap_bytes(flow.second.source.json);
}

uint64_t FlowLinker::kept_bytes(const End& end) {
  return sizeof(End) + sizeof(Landing) + kAllocatedBytes + heap_bytes(end.json);
}

uint64_t FlowLinker::bytes_of(const Point& point) {
  return sizeof(Landing) + heap_bytes(point.key) + heap_bytes(point.end.json);
}

// The flow goes on from `source`; an end that came too early in the text may be its next.
void FlowLinker::leave(Flow& flow, End source) {
  if (flow.is_open && !flow.is_received) keep(flow.unreceived, End(flow.source), true);
  set_source(flow, std::move(source));
  flow.is_open = true;
  flow.is_received = false;
  for (auto early = flow.early_ends.begin(); early != flow.early_ends.end() && flow.is_open;) {
    if (!arrive(flow, *early)) {
      ++early;
      continue;
    }
    waiting_memory_.release(kept_bytes(*early));
    flow.early_ends.erase(early);
    early = flow.early_ends.begin();
  }
}

bool FlowLinker::arrive(Flow& flow, const End& end) {
  if (!flow.is_open || end.time < flow.source.time) return false;
  link(&flow.source, &end);
  flow.is_open = end.is_step || end.is_bound;
  flow.is_received = !end.is_step;
  if (end.is_step) set_source(flow, End(end));
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
    output_.flush_full();
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

std::vector<FlowLinker::Left> FlowLinker::left_over() const {
  std::vector<Left> left;
  const auto add = [&](const std::string& key, const End& end, bool leaves) {
    left.push_back({std::string_view(key).substr(0, end.nameless), &end, leaves});
  };
  for (const auto& [key, flow] : flows_) {
    if (flow.is_open && !flow.is_received) add(key, flow.source, true);
    for (const End& end : flow.early_ends) add(key, end, false);
    for (const End& end : flow.unreceived) add(key, end, true);
  }
  std::ranges::sort(left, {}, [](const Left& l) {
    return std::tuple(l.flow, l.end->time, !l.leaves, l.end->offset);
  });
  return left;
}

// Each end goes with the last source of its flow, whatever their names.
std::vector<FlowLinker::Step> FlowLinker::steps_of(const std::vector<Left>& left) {
  std::vector<Step> steps;
  const Left* source = nullptr;
  const auto leave = [&](const Left* next) {
    if (source != nullptr) steps.push_back({source->end, nullptr});
    source = next;
  };
  for (const Left& each : left) {
    if (source != nullptr && source->flow != each.flow) leave(nullptr);
    if (each.leaves) {
      leave(&each);
    } else {
      steps.push_back({source == nullptr ? nullptr : source->end, each.end});
      source = each.end->is_step && source != nullptr ? &each : nullptr;
    }
  }
  leave(nullptr);
  std::ranges::sort(steps, {}, [](const Step& step) {
    return (step.source != nullptr ? step.source : step.target)->offset;
  });
  return steps;
}

void FlowLinker::finish() {
  give_held();
  for (const auto& [source, target] : steps_of(left_over())) link(source, target);
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
