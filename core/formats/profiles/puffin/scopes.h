// The scopes of a thread in one frame, as puffin writes them while they run:
//
//   '(' id time data bytes  children  ')' time
//
// Since packets PFD4 the id is a number that details were told of before; until then it is the name
// and the place. Texts are a byte that says how long they are, and so many bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/event_sink.h"

namespace weft::formats::puffin {

struct ScopeDetails {
  std::string name, function, file;
  uint64_t line = 0;
};

class Scopes {
 public:
  explicit Scopes(trace::EventSink& sink) : sink_(sink) {}

  void add_details(uint32_t id, ScopeDetails details);
  // `offset`: of the frame.
  void play(std::string_view stream, bool has_ids, LaneId lane, uint64_t offset);

 private:
  struct Scope {
    EventTypeId type;
    ParamsId params;
    Time begin;
  };
  struct Known {
    ScopeDetails details;
    EventTypeId type;
  };
  bool take_begin(std::string_view& rest, bool has_ids, uint64_t offset, Scope& scope);
  bool take_end(std::string_view& rest, LaneId lane, uint64_t offset);
  void end(Time time, LaneId lane, uint64_t offset);

  trace::EventSink& sink_;
  std::map<uint32_t, Known> known_;
  std::vector<Scope> open_;
  uint64_t too_deep_ = 0;  // of those that are open
  Time last_;
};

}  // namespace weft::formats::puffin
