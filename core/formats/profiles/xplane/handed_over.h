// Links from events to others that share a number: a launch and its kernel, work and the pool
// thread that does it. Either may come first; links are made at the end.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::formats::xplane {

class HandedOver {
 public:
  struct Place {
    LaneId lane;
    Time time;
  };
  struct Key {
    std::string_view kind;  // a literal; of the links
    uint64_t type = 0, id = 0;
    auto operator<=>(const Key&) const = default;
  };

  // The first of several gives.
  void give(const Key& key, const Place& from) { givers_.try_emplace(key, from); }
  void take(const Key& key, const Place& to) { takers_.emplace_back(key, to); }

  void finish(trace::EventSink& sink) {
    for (const auto& [key, to] : takers_) {
      const auto from = givers_.find(key);
      if (from == givers_.end()) continue;  // before the profile, or not told
      sink.give(trace::LinkEvent{.send = from->second.time,
                                 .receive = to.time,
                                 .source = from->second.lane,
                                 .target = to.lane,
                                 .type = sink.type(trace::Category::kLink, key.kind)});
    }
  }

 private:
  std::map<Key, Place> givers_;
  std::vector<std::pair<Key, Place>> takers_;
};

}  // namespace weft::formats::xplane
