// The variables of a value change dump, and what their changes become.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/formats/stacks/by_id.h"
#include "core/trace/event_sink.h"

namespace weft::formats::vcd {

// Whether it is one of the values of a bit: 0, 1, x, z and their like.
bool is_bit(char digit);

// What drives a port from either side ("D", "U", "T"), as the bits that come of it.
std::string bits_of_port(std::string_view states);

// Texts have no spaces: GTKWave's writers put what C would write for them.
std::string without_escapes(std::string_view text);

// Of the values of an enumeration, by their bits.
using ValueNames = std::map<std::string, std::string, std::less<>>;

class Signals {
 public:
  explicit Signals(trace::EventSink& sink) : sink_(sink) {}

  void enter_scope(std::string_view kind, std::string_view name);
  void leave_scope();
  enum class Shape : uint8_t { kBit, kNumber, kEvent };
  // `code` names it in changes; several variables may share one. An event's changes are instants.
  // `sign_bits`: how many bits (up to 64) a negative number has; 0: there are none.
  // `names`: what its values are called, where they are.
  void declare(std::string_view code, std::string_view name, Shape shape, uint32_t sign_bits = 0,
               std::shared_ptr<const ValueNames> names = nullptr);

  bool is_declared(std::string_view code) { return find(code) != nullptr; }
  // "1", "0", "x", "z"; "1011x"; the digits of a real; the text itself. False: no such code.
  bool set_bits(std::string_view code, std::string_view bits, Time time, uint64_t offset);
  bool set_real(std::string_view code, double value, Time time, uint64_t offset);
  bool set_text(std::string_view code, std::string_view text, Time time, uint64_t offset);

  // What was never told is undefined from the first change of others on.
  void finish(Time end);

 private:
  struct Signal {
    LaneId lane;
    Shape shape = Shape::kNumber;
    uint32_t sign_bits = 0;
    std::shared_ptr<const ValueNames> names;
    // The state that goes on; none: nothing to show.
    EventTypeId state = EventTypeId::none();
    // What it is as a variable; none: it has no value.
    EventTypeId variable = EventTypeId::none();
    bool is_told = false;
    Time since;
    uint64_t offset = 0;
  };

  // None: the value has no name.
  EventTypeId name_of(const ValueNames& names, std::string_view bits);
  // What the levels of bits say; none: nothing to show.
  EventTypeId state_of(uint8_t levels, bool is_bit);
  EventTypeId type_of(EventTypeId& known, trace::Category category, std::string_view name,
                      std::string_view group = "");
  void change_state(Signal& signal, EventTypeId state, Time time, uint64_t offset);
  // What a value is that a double does not hold; none where it does.
  ParamsId exact_value(const Signal& signal, std::string_view bits);
  void sample(Signal& signal, double value, EventTypeId type, Time time, ParamsId params);
  // A sample that is not a number says that there is none any more.
  void end_value(Signal& signal, Time time);
  // All that share a code; null where there are none.
  std::vector<uint32_t>* find(std::string_view code);

  trace::EventSink& sink_;
  std::vector<LaneId> scopes_;
  std::vector<Signal> signals_;
  std::vector<std::vector<uint32_t>> sharing_;  // the signals of each code
  stacks::ById by_number_;                      // of a code, where it is one: its place in these
  ByName<uint32_t> by_code_;                    // of others
  Time first_ = Time::max();
  // Made when they are met first.
  EventTypeId high_ = EventTypeId::none(), undefined_ = EventTypeId::none();
  EventTypeId not_driven_ = EventTypeId::none();
  EventTypeId value_ = EventTypeId::none(), word_ = EventTypeId::none();
  EventTypeId event_ = EventTypeId::none();
};

}  // namespace weft::formats::vcd
