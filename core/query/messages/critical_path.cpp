#include "core/query/messages/critical_path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace weft::query {
namespace {

constexpr uint32_t kNone = CausalMessage::kNone;

Duration waiting_of(const CausalMessage& message) { return message.travel() + message.waiting(); }

// Every message is received after those that it follows from.
auto order_of(const CausalMessage& message) {
  return std::tuple(message.ends.receive, message.ends.send, message.place);
}

// The causes of an event, and which follows from which.
class CauseGraph {
 public:
  CauseGraph(const Causality& causality, const Element& to, size_t most,
             const std::stop_token& stop)
      : tree_(causality.tree(to, Causal::kCauses, most, stop)),
        causes_(tree_.messages.size()),
        is_cut_(tree_.is_cut) {
    std::map<EventPlace, uint32_t> by_place;
    for (uint32_t i = 0; i < size(); ++i) by_place.emplace(message(i).place, i);
    for (uint32_t i = 0; i < size() && !stop.stop_requested(); ++i) {
      const MessagePlaces causes = causality.next_of(message(i), Causal::kCauses, most);
      is_cut_ |= causes.is_cut;
      for (const EventPlace& place : causes.all) {
        const auto cause = by_place.find(place);
        const bool is_in_order =
            cause != by_place.end() && order_of(message(cause->second)) < order_of(message(i));
        if (is_in_order) causes_[i].push_back(cause->second);
      }
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(tree_.messages.size()); }
  const CausalMessage& message(uint32_t i) const { return tree_.messages[i]; }
  const std::vector<uint32_t>& causes_of(uint32_t i) const { return causes_[i]; }
  bool is_cut() const { return is_cut_; }

 private:
  CausalTree tree_;
  std::vector<std::vector<uint32_t>> causes_;
  bool is_cut_;
};

// Identifies a message from either end.
using MessageKey = std::tuple<LaneId, Time, LaneId, Time, EventTypeId, ParamsId>;
MessageKey key_of(const CausalMessage& message) {
  const LinkEnds& ends = message.ends;
  return {ends.source, ends.send, ends.target, ends.receive, ends.type, message.record.params};
}

}  // namespace

Duration CausalPath::waiting() const {
  Duration all;
  for (const CausalMessage& message : messages) all = all + waiting_of(message);
  return all;
}

std::optional<CausalPath> critical_path(const Causality& causality, const Element& from,
                                        const Element& to, size_t most,
                                        const std::stop_token& stop) {
  const CauseGraph graph(causality, to, most, stop);
  const MessagePlaces roots = causality.roots_of(from, Causal::kEffects, most);
  std::set<MessageKey> starts;
  for (const EventPlace& place : roots.all) starts.insert(key_of(causality.message_at(place)));

  std::vector<uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](uint32_t i) { return order_of(graph.message(i)); });
  // The longest waiting from a start to each; none where no start leads to it.
  std::vector<std::optional<Duration>> best(graph.size());
  std::vector<uint32_t> previous(graph.size(), kNone);
  uint32_t last = kNone;
  for (const uint32_t i : order) {
    const CausalMessage& message = graph.message(i);
    if (starts.contains(key_of(message))) best[i] = waiting_of(message);
    for (const uint32_t cause : graph.causes_of(i)) {
      if (!best[cause]) continue;
      const Duration waiting = *best[cause] + waiting_of(message);
      if (best[i] && *best[i] >= waiting) continue;
      best[i] = waiting;
      previous[i] = cause;
    }
    const bool is_end = message.distance == 0 && best[i];
    if (is_end && (last == kNone || *best[last] < *best[i])) last = i;
  }
  if (last == kNone || stop.stop_requested()) return std::nullopt;
  CausalPath path;
  path.is_cut = graph.is_cut() || roots.is_cut;
  for (uint32_t i = last; i != kNone; i = previous[i]) path.messages.push_back(graph.message(i));
  std::ranges::reverse(path.messages);
  return path;
}

}  // namespace weft::query
