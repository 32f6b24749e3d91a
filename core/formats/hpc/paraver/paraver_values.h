// Turns events with named values into states that last until the next value, if 0 ends them, and
// otherwise into instants. 0 is known to end them by its name in the .pcf file ("End", "Outside
// MPI"), or if a 0 without a name occurs: a type's events are held until the first.
//
//   1 2 0       the 2 replaces the 1
//   1 2 0 0     the 2 lies within the 1: as many ends as begins, so the type's states nest
//
// A type's events are held from the first value that follows another until it is known which of the
// two holds; if that takes too long, or the trace ends, they do not nest. Memory: kMostKept events
// in total.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/hpc/paraver/paraver_labels.h"
#include "core/formats/hpc/paraver/paraver_lanes.h"
#include "core/trace/event_sink.h"

namespace weft::formats::paraver {

class Values {
 public:
  struct Event {
    ThreadId thread;
    int64_t value = 0;
    int64_t time = 0;
    uint64_t offset = 0;
  };

  Values(trace::EventSink& sink, const Labels& labels, Lanes& lanes)
      : sink_(sink), labels_(labels), lanes_(lanes) {}

  void add(int64_t type, const Event& event);
  // Ends what is open.
  void finish(int64_t time);

 private:
  static constexpr size_t kMostKept = 1 << 17;

  enum class Kind : uint8_t { kUndecided, kState, kPerhapsNested, kFlat, kNested, kInstant };
  struct Type {
    Kind kind = Kind::kUndecided;
    std::string name;
    const EventLabels* labels = nullptr;
    std::vector<Event> kept;
  };
  using Key = std::pair<ThreadId, int64_t>;  // and type
  struct Depth {
    size_t now = 0, most = 0;
  };

  Type& type_of(int64_t type);
  void keep(Type& type, const Event& event);
  void change(int64_t number, Type& type, const Event& event);
  void replace(int64_t number, const Type& type, const Event& event);
  void nest(int64_t number, const Type& type, const Event& event);
  // Whether the event shows that those of its type nest.
  bool shows_nesting(int64_t number, const Event& event);
  void decide(int64_t number, Type& type, Kind kind);
  void end(int64_t number, const Type& type, const Event& open, int64_t time);
  // Gives the held events as instants, since nothing has decided.
  void give_kept();
  void give_instant(const Type& type, const Event& event);

  trace::EventSink& sink_;
  const Labels& labels_;
  Lanes& lanes_;
  std::map<int64_t, Type> types_;
  size_t kept_ = 0;  // of all types
  LargePool memory_;
  std::pmr::map<Key, std::vector<Event>> open_{&memory_};  // the outermost first
  std::pmr::map<Key, Depth> depths_{&memory_};             // of what perhaps nests
};

}  // namespace weft::formats::paraver
