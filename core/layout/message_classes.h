// Marks of a message: the class that the user's rules assign, and whether the log says it was
// dropped. Determined by workers, record by record.
#pragma once

#include <cstdint>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::layout {

inline constexpr size_t kMostMessageClasses = 32;

struct MessageRule {
  aggregate::FilterPtr filter;  // null: matches nothing, as it does not fit the trace
  int importance = 0;           // if arrows are too many, more important ones stay
};
// The class of a message is the first rule that matches. At most kMostMessageClasses.
using MessageRules = std::vector<MessageRule>;

struct MessageMark {
  static constexpr uint8_t kNoClass = 0xFF;
  uint8_t class_index = kNoClass;  // index into MessageRules
  bool is_dropped = false;         // never received, and discarded (trace/message_id.h)
  bool has_class() const { return class_index != kNoClass; }
  bool operator==(const MessageMark&) const = default;
};

// Marks the records of one row; the row, the trace and the rules must outlive it. Reads the
// parameters of messages that were never received.
class MessageMarker {
 public:
  MessageMarker(const store::Trace& trace, const store::Row& row, const MessageRules& rules);
  MessageMark mark_of(const store::Record& record) const;

 private:
  const store::Trace& trace_;
  bool is_out_;
  std::vector<std::pair<uint8_t, aggregate::RowFilter>> filters_;  // those that may match
};

}  // namespace weft::layout
