// Searches for the answers to messages (answer_filter.h), efficiently even for all messages of a
// trace.
//
// Effects are shared by many messages, so they are found once and kept: 12 bytes for each message
// visited. A query then costs kMostFollowed memory accesses, and queries of all messages O(n log
// n). Thread-safe; use it on workers.
//
// The trace must outlive this object.
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

// The number of possible effects of a message that are examined.
inline constexpr size_t kMostFollowed = 64;

class AnswerSearch {
 public:
  explicit AnswerSearch(const store::Trace& trace);

  // Calls take(type), nearest first, until it returns false, for the messages that may have
  // followed from one with these ends and that go from its receiver back to its sender.
  void for_each_answer(const LinkEnds& ends, const std::function<bool(EventTypeId)>& take) const;

 private:
  // A run of messages, numbered through all rows of sends, row after row.
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
  // Returns the number of the message with these ends; nullopt if so many are sent at that time
  // that following it anew would be as quick.
  std::optional<uint64_t> message_with(const LinkEnds& ends) const;
  // Returns the lane that receives the message, and appends what its handling sent to `runs`.
  LaneId follow(uint64_t message, std::vector<Run>& runs) const;
  void append_sent(LaneId lane, Time receive, std::vector<Run>& runs) const;

  const store::Trace* trace_;
  Elements elements_;
  std::vector<Part> parts_;             // in order of base
  std::vector<uint32_t> first_of_row_;  // index into parts_, by row
  uint64_t messages_ = 0;
  Zeros<uint64_t> runs_;     // by message: its effects, packed; 0: not yet known
  Zeros<uint32_t> targets_;  // by message, if runs_ is known
};

}  // namespace weft::query
