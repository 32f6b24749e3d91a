// Sorts begins and ends of states by time within each lane, as far as a window reaches: an event
// that arrives after later ones is given before them. Ties keep the order of arrival.
//
// An event is given after kReach to 2 * kReach later arrivals, on any lanes. One that comes too
// late is given late, and the code that pairs events counts it. Lanes are given in turn, as they
// came. Events in order cost a copy; if one is not, two blocks are sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/time.h"

namespace weft::formats::stacks {

// The loss for a time before that of an end already paired.
inline constexpr std::string_view kRanBackwards = "time that ran backwards, beyond what is ordered";

// An Event has a `time` and a `lane`, a small number: each costs 8 bytes.
template <class Event>
class TimeWindow {
 public:
  static constexpr size_t kReach = 2048;

  // Returns room for a new event of this lane and time, to be written at once. Calls give(Event&),
  // which must add nothing, for events that leave the window.
  template <class Give>
  Event& add(uint32_t lane, Time time, const Give& give) {
    if (lane >= last_times_.size()) last_times_.resize(lane + 1, Time::min());
    if (newer_.size() == kReach) give_older(give);
    Time& last = last_times_[lane];
    is_ordered_ = is_ordered_ && time >= last;
    last = std::max(last, time);
    return newer_.emplace_back();
  }

  // Gives everything.
  template <class Give>
  void give_all(const Give& give) {
    give_older(give);
    give_older(give);
  }

 private:
  template <class Give>
  void give_older(const Give& give) {
    if (!is_ordered_) sort();
    for (Event& event : older_) give(event);
    older_.clear();
    older_.swap(newer_);
  }

  // Sorts the events of each lane within the positions of that lane.
  void sort() {
    const size_t older = older_.size(), all = older + newer_.size();
    const auto at = [&](size_t i) -> Event& { return i < older ? older_[i] : newer_[i - older]; };
    std::vector<size_t> places(all);
    std::iota(places.begin(), places.end(), size_t{0});
    std::ranges::stable_sort(places, {}, [&](size_t i) { return at(i).lane; });
    std::vector<size_t> sorted = places;
    std::ranges::stable_sort(sorted, {},
                             [&](size_t i) { return std::pair(at(i).lane, at(i).time); });
    std::vector<Event> events;
    events.reserve(all);
    for (const size_t i : sorted) events.push_back(std::move(at(i)));
    for (size_t i = 0; i < all; ++i) at(places[i]) = std::move(events[i]);
    is_ordered_ = true;
  }

  std::vector<Event> older_, newer_;
  LargeVector<Time> last_times_;  // by lane
  bool is_ordered_ = true;
};

}  // namespace weft::formats::stacks
