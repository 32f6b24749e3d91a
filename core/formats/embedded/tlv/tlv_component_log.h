// Converts the call logs of TECS components (the TOPPERS project's component system) into the terms
// of a standard log, by TLV's own conversion rules.
//
//   time=44868us Reader->Can.enter(read; len=1)
//   time=54892us Reader->Can.leave(read; retval=0; buf=65)
//
// Each becomes an event of both components: `call` and `called`, `return` and `callback`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/formats/embedded/tlv/tlv_kernel_log.h"

namespace weft::formats::tlv {

struct ComponentLine {
  std::string_view time;
  TimeBase unit = TimeBase::kMicroseconds;
  std::string_view caller, callee;
  std::string_view function;
  std::string_view arguments;  // between semicolons
  bool is_enter = false;
};

// Returns false if it is no such line.
bool parse_component_line(std::string_view text, ComponentLine& out);

// Returns the time unit given by the log's first line; nullopt if it is another kind of line.
std::optional<TimeBase> unit_of_component_log(std::string_view head);

class ComponentLog {
 public:
  // Returns the events of the next line, valid until the next call.
  const std::vector<KernelEvent>& events_of(const ComponentLine& line);

 private:
  void behave(std::string_view component, std::string_view name, std::string_view other,
              const ComponentLine& line);

  std::vector<KernelEvent> events_;
};

}  // namespace weft::formats::tlv
