// The events of a profile of rustc, once its texts are known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/profiles/measureme/string_table.h"
#include "core/trace/event_sink.h"

namespace weft::formats::measureme {

class Events {
 public:
  Events(trace::EventSink& sink, const StringTable& texts, Encoding encoding)
      : sink_(sink), texts_(texts), encoding_(encoding) {}

  // Adds the profile's own metadata; call before the first event.
  void add_metadata();
  // One of Encoding::event_bytes().
  void add(std::string_view event, uint64_t offset);
  void finish();

 private:
  // The name and arguments in an event's text.
  struct Named {
    EventTypeId type;
    ParamsId params;
  };
  struct Thread {
    LaneId lane;
    // Pending states with equal begin and end: inner ones come first.
    std::vector<trace::StateEvent> equal;
  };

  Named named(trace::Category category, uint64_t kind, uint64_t id, uint64_t offset);
  std::string text(uint64_t id, uint64_t offset);
  Thread& thread_of(uint32_t id);
  LaneId counter_of(uint64_t kind, uint64_t offset);
  void add_interval(uint32_t thread, uint64_t begin, uint64_t end, const Named& named);
  void give(Thread& thread);

  trace::EventSink& sink_;
  const StringTable& texts_;
  Encoding encoding_;
  LaneId process_ = LaneId::none();
  std::map<uint32_t, Thread> threads_;
  std::map<std::string, LaneId> counters_;  // by the kind of what they count
  struct NamedKey {
    trace::Category category;
    uint64_t kind, id;
    auto operator<=>(const NamedKey&) const = default;
  };
  std::map<NamedKey, Named> named_;
  Time last_;
};

}  // namespace weft::formats::measureme
