// Behaviours of a TLV log that are the begin and the end of a call, as nested states:
//
//   enterSVC(wai_sem,semid=1)   leaveSVC(wai_sem,ercd=0)    on "service calls" below the resource
//   call(Can,read,len=1)        callback(Can,read,retval=0)   on "calls" below it
//   called(Main,read,len=1)     return(Main,read,retval=0)    on the resource's own lane
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/text_numbers.h"
#include "core/formats/base/args_text.h"
#include "core/formats/embedded/tlv/by_two.h"
#include "core/formats/stacks/open_states.h"
#include "core/trace/event_sink.h"

namespace weft::formats::tlv {

class Calls {
 public:
  explicit Calls(trace::EventSink& sink) : sink_(sink), open_(sink) {}

  struct At {
    LaneId resource;
    Time time;
    uint64_t offset = 0;
  };
  // Returns false if the behaviour is no part of a call.
  bool add(std::string_view behavior, std::span<const std::string_view> arguments, const At& at);
  // Ends the service calls of a task that ends, of which none comes back.
  void end_all(LaneId resource, Time time);
  void finish(Time end) { open_.finish(end); }

 private:
  struct Half {
    bool is_begin = false;
    std::string_view lane;  // empty: the resource's own
    std::string_view group;
    size_t name_at = 0;           // which argument names the call
    std::string_view other = {};  // what the first argument is, if not the name
  };
  static bool find_half(std::string_view behavior, Half& half);
  LaneId lane_of(LaneId resource, std::string_view name);
  EventTypeId type_of(std::string_view name, std::string_view group);
  std::string_view params(const Half& half, std::span<const std::string_view> arguments);
  void add_argument(std::string_view argument, std::string_view otherwise);

  trace::EventSink& sink_;
  stacks::OpenStates open_;
  TextNumbers names_;  // of calls, their groups and lanes
  ByTwo lanes_;        // by resource and number of the name
  ByTwo types_;        // by the numbers of group and name
  ArgsText params_;
};

}  // namespace weft::formats::tlv
