// Plays the events of a Pajé trace in order: containers come and go, states are pushed and popped,
// variables added to, ends of links put together by their key. What comes out are lanes and events.
//
// Memory: what is open. States, containers and links that wait for their other end; of the last, as
// many as memory allows: then all that wait are given as they are, and counted.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_list.h"
#include "core/formats/base/by_name.h"
#include "core/formats/hpc/paje/paje_header.h"
#include "core/trace/event_sink.h"

namespace weft::formats::paje {

class Player {
 public:
  // Is given the name of a file that has more of the trace, and where the trace says so.
  using OnFile = std::function<void(std::string_view name, uint64_t offset)>;

  Player(trace::EventSink& sink, uint64_t memory_bytes, OnFile on_file);

  void add(const Event& event);
  // Ends what is open: states where the trace ends, links without their other end.
  void finish();

 private:
  enum class TypeKind : uint8_t { kContainer, kState, kEvent, kVariable, kLink };
  struct Type {
    TypeKind kind;
    std::string name;
    std::optional<uint32_t> rgb;  // of values without a colour of their own
    ByName<EventTypeId> values;   // by alias, and by what stands in events
  };
  struct OpenState {
    Time begin;
    EventTypeId type;
    ParamsId params;
    uint64_t offset;
  };
  struct Container {
    Container(LaneId on, std::pmr::memory_resource* memory)
        : lane(on), states(memory), variables(memory) {}
    LaneId lane;
    std::pmr::map<uint32_t, std::vector<OpenState>> states;  // by type, outermost first
    std::pmr::map<uint32_t, double> variables;               // by type
    std::vector<uint32_t> inner;                             // containers that end with it
    std::optional<Time> destroyed = {};
  };
  // One end of a link that waits for the other.
  struct LinkEnd {
    bool is_start;
    Time time;
    LaneId lane;
    EventTypeId type;
    std::string extras;  // extras_of() its event
    uint64_t offset;
  };

  // Returns its number.
  uint32_t add_container(LaneId lane);
  void define_type(const Event& event, TypeKind kind);
  void define_value(const Event& event);
  void create_container(const Event& event);
  void destroy_container(const Event& event);
  void add_punctual(const Event& event);
  void change_state(const Event& event);
  void change_variable(const Event& event);
  void add_link_end(const Event& event);

  // Counted as losses where they are not there.
  bool take_time(const Event& event);
  bool find_type(const Event& event, TypeKind kind);
  bool find_container(const Event& event, std::string_view name);
  bool find_both(const Event& event, TypeKind kind);

  void name_file(const Event& event);
  EventTypeId type_of(Type& type, std::string_view value);
  // Add to `json_`, an object that is not closed yet.
  void separate();
  void append_member(std::string_view name, std::string_view value, bool is_number);
  // What the header defines beyond Pajé's own fields, as members without braces; until the next.
  std::string_view extras_of(const Event& event);
  ParamsId params_from_json();
  ParamsId params_of(const Event& event);
  // The key, what the start has, and below "end" what its end has of its own.
  ParamsId params_of_link(std::string_view key, const LinkEnd* start, const LinkEnd* end);
  // Ends the states from a depth on.
  void end_states(LaneId lane, std::vector<OpenState>& states, size_t depth, Time end);
  void give_link(std::string_view key, const LinkEnd* start, const LinkEnd* end);
  void give_waiting();

  trace::EventSink& sink_;
  size_t most_waiting_bytes_;
  OnFile on_file_;
  std::vector<Type> types_;
  ByName<uint32_t> type_by_name_;  // by alias, and by name where no alias is in the way
  LargePool memory_;
  LargeList<Container> containers_;
  ByName<uint32_t> container_by_name_;
  PassingByName<std::list<LinkEnd>> waiting_;  // by type, container and key
  size_t waiting_count_ = 0, waiting_bytes_ = 0;

  // The latest look-ups. Many events that follow each other are of one type, or in one container.
  const ByName<uint32_t>::Entry* last_type_ = nullptr;
  const ByName<uint32_t>::Entry* last_container_ = nullptr;

  // Of the current event.
  Time now_;
  uint32_t type_ = 0;
  uint32_t container_ = 0;

  Time last_;  // of all
  bool has_time_ = false;
  std::string json_, key_;  // kept for their memory
};

}  // namespace weft::formats::paje
