// A tree of calls as lines say it, one after the other: how deep each is, and how much it weighs
// with all that it called, or by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/profiles/stack_text/stack_output.h"

namespace weft::formats::stack_text {

class CallTree {
 public:
  enum class Order : uint8_t {
    kCallersFirst,  // what is deeper was called
    kCalleesFirst   // what is deeper called
  };
  explicit CallTree(StackOutput& output, Order order = Order::kCallersFirst)
      : output_(output), order_(order) {}

  // The next line. `self`: by itself; none: what is left of `total` for those below it.
  // False: it is deeper by more than one than the line before, or too deep, and left out.
  bool add(size_t depth, EventTypeId frame, int64_t total, std::optional<int64_t> self);
  // Ends the open tree; the next line begins another, whose stacks lie on this lane.
  void begin(std::string_view lane);

 private:
  static constexpr size_t kMostDepth = 4096;
  struct Node {
    int64_t total = 0;
    std::optional<int64_t> self;
    int64_t below = 0;  // sum of those that it has
  };
  void close(size_t depth);

  StackOutput& output_;
  Order order_;
  std::string lane_ = "stacks";
  std::vector<Node> open_;
  std::vector<EventTypeId> frames_;  // of those
};

}  // namespace weft::formats::stack_text
