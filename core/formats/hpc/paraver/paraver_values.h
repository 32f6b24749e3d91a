// What events with values that have names become: states that last until the next value, where 0
// ends them, else instants. That 0 ends them is said by its name in the .pcf file ("End", "Outside
// MPI"), or by a 0 without a name in the trace: events of a type are kept until the first.
//
//   1 2 0       the 2 took the place of the 1
//   1 2 0 0     the 2 lies in the 1: as many ends as begins, so the type's states nest
//
// A type's events are kept from the first value that follows another until one of the two is known;
// where that takes too long, or the trace ends, they do not nest. Memory: kMostKept of all.
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
  // What is open ends here.
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
  // What is kept: nothing told what it is.
  void give_kept();
  void give_instant(const Type& type, const Event& event);

  trace::EventSink& sink_;
  const Labels& labels_;
  Lanes& lanes_;
  std::map<int64_t, Type> types_;
  size_t kept_ = 0;                         // of all types
  std::map<Key, std::vector<Event>> open_;  // the outermost first
  std::map<Key, Depth> depths_;             // of what perhaps nests
};

}  // namespace weft::formats::paraver
