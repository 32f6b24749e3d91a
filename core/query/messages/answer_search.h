// Looks for the answers to messages (answer_filter.h), for all of a trace's messages in turn.
//
// What follows from a message is followed from many others, too: it is found once and kept, 12
// bytes for each message of the trace that was met. So a message costs what it costs to look at
// kMostFollowed places in memory, and all of them O(n log n). Thread-safe; work for workers.
//
// The trace must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/large_vector.h"
#include "core/query/messages/causality.h"

namespace weft::query {

// How many messages are looked at that may have followed from one.
inline constexpr size_t kMostFollowed = 64;

class AnswerSearch {
 public:
  explicit AnswerSearch(const store::Trace& trace);

  // Calls take(type) for the messages that may have followed from one with these ends and go back
  // from its receiver to its sender, nearest first, until it returns false.
  void for_each_answer(const LinkEnds& ends, const std::function<bool(EventTypeId)>& take) const;

 private:
  // Messages by number: of all rows of sends, one behind the other.
  struct Run {
    uint64_t first = 0;
    uint64_t count = 0;
    LaneId sender;
  };
  // The messages of a part of a row are numbered from `base`.
  struct Part {
    uint64_t base = 0;
    RowId row;
    uint32_t part = 0;
  };
  struct Freed {
    void operator()(void* memory) const { free_large(memory); }
  };
  template <class Number>
  using Zeros = std::unique_ptr<Number[], Freed>;  // pages that are never touched cost nothing

  const Part& part_of(uint64_t message) const;
  store::Record record_of(uint64_t message) const;
  // The number of one with these ends; none where so many are sent at that time that it would be
  // as quick to look at what follows.
  std::optional<uint64_t> message_with(const LinkEnds& ends) const;
  // Where it is received; what its handling sent is appended to `runs`.
  LaneId follow(uint64_t message, std::vector<Run>& runs) const;
  void append_sent(LaneId lane, Time receive, std::vector<Run>& runs) const;

  const store::Trace* trace_;
  Elements elements_;
  std::vector<Part> parts_;             // in order of base
  std::vector<uint32_t> first_of_row_;  // of parts_, by row
  uint64_t messages_ = 0;
  Zeros<uint64_t> runs_;     // by message: what follows from it, packed; 0: not yet known
  Zeros<uint32_t> targets_;  // by message, where runs_ is known
};

}  // namespace weft::query
