// The variables of a value change dump, and what their changes become.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_list.h"
#include "core/formats/base/by_name.h"
#include "core/formats/stacks/by_id.h"
#include "core/trace/event_sink.h"

namespace weft::formats::vcd {

// Whether `digit` is a bit value: 0, 1, x, z and the like.
bool is_bit(char digit);

// Converts a port's drivers from either side ("D", "U", "T") to the resulting bits.
std::string bits_of_port(std::string_view states);

// Undoes C escapes: texts contain no spaces, so GTKWave's writers escape them.
std::string without_escapes(std::string_view text);

// Names of an enumeration's values, by their bits.
using ValueNames = std::map<std::string, std::string, std::less<>>;

class Signals {
 public:
  explicit Signals(trace::EventSink& sink) : sink_(sink) {}

  void enter_scope(std::string_view kind, std::string_view name);
  void leave_scope();
  enum class Shape : uint8_t { kBit, kNumber, kEvent };
  // `code` names it in changes; several variables may share one. An event's changes are instants.
  // `sign_bits` is the width (up to 64) of signed numbers; 0: unsigned. `names` are those of its
  // values, if they have names.
  void declare(std::string_view code, std::string_view name, Shape shape, uint32_t sign_bits = 0,
               std::shared_ptr<const ValueNames> names = nullptr);

  bool is_declared(std::string_view code) { return find(code) != nullptr; }
  // "1", "0", "x", "z"; "1011x"; the digits of a real; the text itself. False: no such code.
  bool set_bits(std::string_view code, std::string_view bits, Time time, uint64_t offset);
  bool set_real(std::string_view code, double value, Time time, uint64_t offset);
  bool set_text(std::string_view code, std::string_view text, Time time, uint64_t offset);

  // Ends the trace. Variables that never had a value are undefined from the first change of others
  // on.
  void finish(Time end);

 private:
  struct Signal {
    LaneId lane;
    Shape shape = Shape::kNumber;
    uint32_t sign_bits = 0;
    std::shared_ptr<const ValueNames> names;
    // The open state; none(): nothing to show.
    EventTypeId state = EventTypeId::none();
    // Of the state, where only some of the bits are undefined or not driven: all of them, and their
    // hash, since a sink may give equal parameters other ids. Otherwise none() and 0.
    ParamsId params = ParamsId::none();
    size_t mixed_hash = 0;
    // Its type as a variable; none(): no value.
    EventTypeId variable = EventTypeId::none();
    bool is_told = false;
    Time since;
    uint64_t offset = 0;
    Signal* next = nullptr;  // that shares its code
    Signal* last = nullptr;  // of those; only the first has it
  };

  // none(): the value has no name.
  EventTypeId name_of(const ValueNames& names, std::string_view bits);
  // The state that the levels of the bits stand for; none(): nothing to show.
  EventTypeId state_of(uint8_t levels, bool is_bit);
  EventTypeId colored_type(EventTypeId& known, std::string_view name, uint32_t rgb);
  EventTypeId type_of(EventTypeId& known, trace::Category category, std::string_view name,
                      std::string_view group = "");
  void change_state(Signal& signal, EventTypeId state, Time time, uint64_t offset) {
    signal.is_told = true;
    first_ = std::min(first_, time);
    if (signal.state != state) begin_state(signal, state, time, offset);
  }
  // The same of bits some or all of which are undefined or not driven.
  void change_unknown(Signal& signal, std::string_view bits, uint8_t levels, Time time,
                      uint64_t offset);
  // Ends the one before it.
  void begin_state(Signal& signal, EventTypeId state, Time time, uint64_t offset);
  void sample_bits(Signal& signal, std::string_view bits, Time time);
  // The exact value as parameters, if a double cannot hold it; otherwise none().
  ParamsId exact_value(const Signal& signal, std::string_view bits);
  void sample(Signal& signal, double value, EventTypeId type, Time time, ParamsId params);
  // Ends the value, where there is one, with a sample of not-a-number.
  void end_value(Signal& signal, Time time) {
    if (!signal.variable.is_none()) sample_end(signal, time);
  }
  void sample_end(Signal& signal, Time time);
  // Shows the wires that were 0 all the time as states.
  void show_zeros(const TimeRange& range);
  // The first of the signals that share a code; null: there is none.
  Signal* find(std::string_view code);

  trace::EventSink& sink_;
  std::vector<LaneId> scopes_;
  LargeList<Signal> signals_;
  stacks::ById by_number_;    // of a code, where it is one: the first of its signals
  ByName<uint32_t> by_code_;  // of others
  Time first_ = Time::max();
  bool has_events_ = false;  // something was given
  // Created at first use.
  EventTypeId high_ = EventTypeId::none(), undefined_ = EventTypeId::none();
  EventTypeId not_driven_ = EventTypeId::none();
  EventTypeId value_ = EventTypeId::none(), word_ = EventTypeId::none();
  EventTypeId event_ = EventTypeId::none();
};

}  // namespace weft::formats::vcd
