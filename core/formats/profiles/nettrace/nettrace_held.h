// Events of a .NET trace that have stacks, and their stacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/profiles/nettrace/nettrace_stacks.h"
#include "core/formats/stacks/held_stacks.h"

namespace weft::formats::nettrace {

class Held final : public stacks::StackNames {
 public:
  Held(trace::EventSink& sink, uint64_t most_bytes)
      : sink_(sink), stacks_(most_bytes / 4), events_(sink, *this, most_bytes / 4 * 3) {}

  Stacks& stacks() { return stacks_; }
  Methods& methods() { return methods_; }
  // The stack of the file as one of ours; where there is no memory it is a loss.
  uint64_t stack_of(std::string_view bytes, uint64_t offset) {
    bool is_full = false;
    const uint64_t stack = stacks_.add(bytes, is_full);
    if (is_full) sink_.loss("stack beyond the reader's memory (--memory)", offset);
    return stack;
  }
  void add(stacks::HeldEvent event) { events_.add(std::move(event)); }
  void add_sample(const stacks::HeldSample& sample) { events_.add_sample(sample); }
  void finish() { events_.finish(); }

  std::vector<std::string> names_of(uint64_t process, uint64_t stack) const override {
    std::vector<std::string> names;
    for (const uint64_t address : stacks_.addresses(stack))
      names.push_back(methods_.name_of(process, address));
    return names;
  }

 private:
  trace::EventSink& sink_;
  Stacks stacks_;
  Methods methods_;
  stacks::HeldStacks events_;
};

}  // namespace weft::formats::nettrace
