// Distinct call stacks by number. Their frames get their names when they are asked for: what names
// are given behind a stack counts for it, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/call_stacks.h"
#include "core/formats/general/perfetto/symbols.h"
#include "core/trace/event_sink.h"

namespace weft::formats::perfetto {

class StackTable {
 public:
  // `group`: of the types of frames of which it is not known where they lie.
  StackTable(trace::EventSink& sink, const Symbols& symbols, std::string_view group)
      : sink_(sink), symbols_(symbols), group_(group) {}

  // That of the empty stack where it would take more than `room_bytes`.
  uint32_t number_of(std::vector<StackFrame> frames, uint64_t room_bytes);
  bool is_empty(uint32_t number) const { return frames_[number]->empty(); }
  uint64_t bytes() const { return bytes_; }
  void clear();

  struct Shown {
    std::vector<EventTypeId> types;  // the outermost first; never empty
    ArgsText sources;                // where they lie in their sources; empty: nobody says
  };
  // By the names that are known by now, which the stack then has for good.
  const Shown& shown(uint32_t number);

 private:
  trace::EventSink& sink_;
  const Symbols& symbols_;
  const std::string_view group_;
  std::map<std::vector<StackFrame>, uint32_t> numbers_;
  std::vector<const std::vector<StackFrame>*> frames_;
  std::map<uint32_t, Shown> shown_;
  uint64_t bytes_ = 0;
};

}  // namespace weft::formats::perfetto
