// Begins and ends of states, in the order of their times within each lane, as far as a window
// reaches: an event may come behind others that are later, and is given before them. Where times
// are the same the order in which they came decides.
//
// An event is given when kReach to 2 * kReach others, of whatever lanes, have come behind it. One
// that should have been before one that was given is given behind it: who pairs them counts it.
// Lanes are given by turns, as they came. What comes in order costs a copy; where something does
// not, two blocks are sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::stacks {

// What losses say of a time that is before that of an end which was paired already.
inline constexpr std::string_view kRanBackwards = "time that ran backwards, beyond what is ordered";

// Lanes have small numbers; each costs 8 bytes.
template <class Event>
class TimeWindow {
 public:
  static constexpr size_t kReach = 2048;

  // The place of an event of this time, to be written at once. Calls give(lane, Event&), which must
  // add nothing, for what must go before.
  template <class Give>
  Event& add(uint32_t lane, Time time, const Give& give) {
    if (lane >= last_times_.size()) last_times_.resize(lane + 1, Time::min());
    if (newer_.size() == kReach) give_older(give);
    Time& last = last_times_[lane];
    is_ordered_ = is_ordered_ && time >= last;
    last = std::max(last, time);
    Item& item = newer_.emplace_back();
    item.time = time;
    item.lane = lane;
    return item.event;
  }

  // All must go.
  template <class Give>
  void give_all(const Give& give) {
    give_older(give);
    give_older(give);
  }

 private:
  struct Item {
    Time time;
    uint32_t lane;
    Event event;
  };

  template <class Give>
  void give_older(const Give& give) {
    if (!is_ordered_) sort();
    for (Item& item : older_) give(item.lane, item.event);
    older_.clear();
    older_.swap(newer_);
  }

  // The events of each lane take the places of that lane.
  void sort() {
    const size_t older = older_.size(), all = older + newer_.size();
    const auto at = [&](size_t i) -> Item& { return i < older ? older_[i] : newer_[i - older]; };
    std::vector<size_t> places(all);
    std::iota(places.begin(), places.end(), size_t{0});
    std::ranges::stable_sort(places, {}, [&](size_t i) { return at(i).lane; });
    std::vector<size_t> sorted = places;
    std::ranges::stable_sort(sorted, {},
                             [&](size_t i) { return std::pair(at(i).lane, at(i).time); });
    std::vector<Item> items;
    items.reserve(all);
    for (const size_t i : sorted) items.push_back(std::move(at(i)));
    for (size_t i = 0; i < all; ++i) at(places[i]) = std::move(items[i]);
    is_ordered_ = true;
  }

  std::vector<Item> older_, newer_;
  std::vector<Time> last_times_;  // by lane
  bool is_ordered_ = true;
};

}  // namespace weft::formats::stacks
