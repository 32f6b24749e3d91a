#include "core/formats/hpc/projections/projections_messages.h"

#include <algorithm>

namespace weft::formats::projections {

// 0 is also the number of what no message set off. The entry of a message that is delivered through
// another changes.
bool Messages::are_one(const MessageKey& key, int64_t created, int64_t processed) {
  return key.event != 0 || created == processed;
}

void Messages::create(MessageKey key, const MessageEnd& end, EventTypeId type, ParamsId params,
                      uint64_t receivers) {
  const auto [it, is_new] = creations_.try_emplace(key);
  // Numbers that come again: the one before waits no more.
  if (!is_new && !it->second.was_met) give(it->second, nullptr);
  Creation& creation = it->second;
  creation = {.end = end, .type = type, .params = params, .left = receivers};
  const auto early = early_.empty() ? early_.end() : early_.find(key);
  if (early != early_.end()) {
    std::erase_if(early->second, [&](const MessageEnd& receive) {
      if (!are_one(key, end.entry, receive.entry)) return false;
      give(creation, &receive);
      --early_count_;
      creation.was_met = true;
      creation.left -= creation.left > 0 ? 1 : 0;
      return true;
    });
    if (early->second.empty()) early_.erase(early);
  }
  keep_bounded();
}

void Messages::process(MessageKey key, const MessageEnd& end) {
  const auto it = creations_.find(key);
  if (it == creations_.end() || !are_one(key, it->second.end.entry, end.entry)) {
    early_[key].push_back(end);
    ++early_count_;
    return keep_bounded();
  }
  Creation& creation = it->second;
  give(creation, &end);
  creation.was_met = true;
  creation.left -= creation.left > 0 ? 1 : 0;
}

void Messages::keep_bounded() {
  if (creations_.size() + early_count_ <= most_waiting_) return;
  // Rather those that may be met no more; where that makes little room, all.
  std::erase_if(creations_, [](const auto& each) { return each.second.is_done(); });
  if (creations_.size() + early_count_ <= most_waiting_ / 2) return;
  sink_.loss("messages that waited for their other end: too many", trace::LossPlace::nowhere());
  finish();
}

void Messages::finish() {
  std::vector<const Creation*> left;
  for (const auto& [key, creation] : creations_) {
    if (!creation.was_met) left.push_back(&creation);
  }
  std::ranges::sort(left, [](const Creation* a, const Creation* b) {
    return a->end.time != b->end.time ? a->end.time < b->end.time
                                      : a->end.lane.value() < b->end.lane.value();
  });
  for (const Creation* each : left) give(*each, nullptr);
  if (early_count_ > 0) {
    sink_.note("processing of a message whose creation is not in the logs",
               trace::LossPlace::nowhere(), early_count_);
  }
  creations_.clear();
  early_.clear();
  early_count_ = 0;
}

void Messages::give(const Creation& creation, const MessageEnd* receive) {
  sink_.give(trace::LinkEvent{.send = creation.end.time,
                              .receive = receive != nullptr ? receive->time : creation.end.time,
                              .params = creation.params,
                              .source = creation.end.lane,
                              .target = receive != nullptr ? receive->lane : LaneId::none(),
                              .type = creation.type});
}

}  // namespace weft::formats::projections
