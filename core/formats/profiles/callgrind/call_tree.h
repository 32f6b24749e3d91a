// A tree of calls made of a graph of calls. Who called a function is known, but not what those had
// called that it called in turn: as in KCachegrind, each caller has of what is below the share that
// it has of the function.
//
// The whole is as wide as the self costs: where calls cost more than the function that was called
// has, they share what it has. What no caller accounts for is a root, as wide as that. Functions
// that call each other in a circle are one frame, "<cycle 1>", in which each lies with what it
// called outside.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/formats/profiles/callgrind/call_graph.h"
#include "core/trace/event_sink.h"

namespace weft::formats::callgrind {

class CallTree {
 public:
  // Makes the tree for one event's costs. `graph` must outlive it.
  CallTree(trace::EventSink& sink, const CallGraph& graph, const std::vector<std::string>& events,
           size_t event);

  // Draws it from there on; returns its end.
  Time draw(LaneId lane, Time begin);

  // Where a function was first drawn, and the width of its self cost there.
  struct Place {
    Time begin;
    int64_t own_width = 0;
  };
  const std::optional<Place>& place_of(uint32_t function) const { return places_[function]; }
  // The inclusive cost that the file gives, without recursive calls.
  int64_t inclusive(uint32_t function) const {
    return saturating_add(self_[function], called_[function]);
  }

 private:
  struct Group {
    std::vector<uint32_t> members;
    int64_t own = 0;    // what no member accounts for
    int64_t whole = 0;  // with all that is below
    int64_t root = 0;   // of that, what no caller accounts for
    uint32_t cycle = 0;
  };
  struct Span {
    int64_t begin, width;
  };

  void make_groups();
  void measure(Group& group, std::span<const uint32_t> calls_into);
  int64_t width_of(uint32_t function) const {
    return saturating_add(self_[function], width_of_calls_[function]);
  }
  int64_t cost_of(uint32_t call) const;
  bool leaves_group(uint32_t call) const;
  bool count_or_draw(bool is_drawn);
  bool draw_group(uint32_t group, std::optional<uint32_t> call, Span span, uint32_t depth);
  bool draw_function(uint32_t function, std::optional<uint32_t> call, int64_t whole, Span span,
                     uint32_t depth);
  bool is_too_narrow(int64_t width);
  void give(EventTypeId type, Span span, uint32_t depth, ParamsId params);
  ParamsId params_of(std::optional<uint32_t> call);
  EventTypeId type_of(uint32_t function);

  trace::EventSink& sink_;
  const CallGraph& graph_;
  const std::vector<std::string>& events_;
  size_t event_;
  std::vector<int64_t> self_, called_;                    // by function
  std::vector<int64_t> width_of_calls_;                   // by function, of those that are drawn
  std::vector<int64_t> widths_;                           // by call; 0: it is not drawn
  std::vector<std::vector<uint32_t>> calls_of_function_;  // the costliest first
  std::vector<uint32_t> group_of_;
  std::vector<Group> groups_;
  std::vector<uint32_t> roots_;  // groups, the costliest first
  std::vector<std::optional<Place>> places_;
  std::vector<ParamsId> params_;    // by call
  std::vector<EventTypeId> types_;  // by function
  LaneId lane_;
  int64_t begin_ = 0, least_ = 1;
  bool is_drawn_ = false;
  uint64_t frames_ = 0, narrow_ = 0, deep_ = 0;
};

}  // namespace weft::formats::callgrind
