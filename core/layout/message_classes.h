// What is said of a message besides its ends: the class that the user's rules put it in, and that
// the log says it was dropped. Read by workers, record by record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/aggregate/filter.h"
#include "core/store/trace.h"

namespace weft::layout {

inline constexpr size_t kMostMessageClasses = 32;

struct MessageRule {
  aggregate::FilterPtr filter;  // null: takes none, it does not fit the trace
  int importance = 0;           // where arrows are too many, the higher stay
};
// In the order in which they are asked: the first that takes a message is its class. At most
// kMostMessageClasses.
using MessageRules = std::vector<MessageRule>;

struct MessageMark {
  static constexpr uint8_t kNoClass = 0xFF;
  uint8_t class_index = kNoClass;  // of the rules
  bool is_dropped = false;         // never received, and thrown away (trace/message_id.h)
  bool has_class() const { return class_index != kNoClass; }
  bool operator==(const MessageMark&) const = default;
};

// For the records of one row, which with the trace and the rules outlives it. Reads the parameters
// of what was never received.
class MessageMarker {
 public:
  MessageMarker(const store::Trace& trace, const store::Row& row, const MessageRules& rules);
  MessageMark mark_of(const store::Record& record) const;

 private:
  const store::Trace& trace_;
  bool is_out_;
  std::vector<std::pair<uint8_t, aggregate::RowFilter>> filters_;  // those that may take something
};

}  // namespace weft::layout
