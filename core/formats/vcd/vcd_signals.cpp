#include "core/formats/vcd/vcd_signals.h"

#include <algorithm>

#include "core/base/text.h"

namespace weft::formats::vcd {
namespace {

using trace::Category;

constexpr uint32_t kUndefinedRgb = 0xB5523B, kNotDrivenRgb = 0xC9A227;

bool is_any_of(std::string_view bits, std::string_view digits) {
  return bits.find_first_of(digits) != std::string_view::npos;
}

// Of more than 64 bits the highest are as good as a double holds.
double value_of(std::string_view bits) {
  double value = 0;
  for (const char bit : bits) value = value * 2 + (bit == '1' ? 1 : 0);
  return value;
}

}  // namespace

void Signals::enter_scope(std::string_view kind, std::string_view name) {
  const LaneId parent = scopes_.empty() ? LaneId::none() : scopes_.back();
  const std::string text = valid_utf8(name.empty() ? kind : name);
  scopes_.push_back(sink_.add_lane({.name = text, .parent = parent}));
}

void Signals::leave_scope() {
  if (!scopes_.empty()) scopes_.pop_back();
}

void Signals::declare(std::string_view code, std::string_view name, uint32_t bits) {
  const LaneId parent = scopes_.empty() ? LaneId::none() : scopes_.back();
  by_code_[std::string(code)].push_back(static_cast<uint32_t>(signals_.size()));
  const LaneId lane = sink_.add_lane(
      {.name = valid_utf8(name), .parent = parent, .kind = trace::LaneKind::kCounter});
  signals_.push_back({.lane = lane, .is_bit = bits == 1, .since = {}});
}

bool Signals::set_bits(std::string_view code, std::string_view bits, Time time, uint64_t offset) {
  const auto* const signals = find(code);
  if (signals == nullptr) return false;
  const bool is_undefined = is_any_of(bits, "xXuUwW-");
  const bool is_not_driven = !is_undefined && is_any_of(bits, "zZ");
  for (const uint32_t i : *signals) {
    Signal& signal = signals_[i];
    EventTypeId state = EventTypeId::none();
    if (is_undefined || is_not_driven) {
      state = sink_.type(Category::kState, is_undefined ? "undefined" : "not driven");
      sink_.set_type_color(state, is_undefined ? kUndefinedRgb : kNotDrivenRgb);
    } else if (signal.is_bit) {
      if (is_any_of(bits, "1hH")) state = sink_.type(Category::kState, "1");
    } else {
      sample(signal, value_of(bits), time);
    }
    change_state(signal, state, time, offset);
  }
  return true;
}

bool Signals::set_real(std::string_view code, double value, Time time) {
  const auto* const signals = find(code);
  if (signals == nullptr) return false;
  for (const uint32_t i : *signals) sample(signals_[i], value, time);
  return true;
}

bool Signals::set_text(std::string_view code, std::string_view text, Time time, uint64_t offset) {
  const auto* const signals = find(code);
  if (signals == nullptr) return false;
  for (const uint32_t i : *signals) {
    const EventTypeId state =
        text.empty() ? EventTypeId::none() : sink_.type(Category::kState, valid_utf8(text), "text");
    change_state(signals_[i], state, time, offset);
  }
  return true;
}

void Signals::finish(Time end) {
  for (Signal& signal : signals_) change_state(signal, EventTypeId::none(), end, signal.offset);
}

void Signals::change_state(Signal& signal, EventTypeId state, Time time, uint64_t offset) {
  if (signal.state == state) return;
  if (!signal.state.is_none()) {
    const trace::StateEvent event{.begin = signal.since,
                                  .duration = std::max(time, signal.since) - signal.since,
                                  .lane = signal.lane,
                                  .type = signal.state};
    sink_.states({&event, 1});
  }
  signal.state = state;
  signal.since = time;
  signal.offset = offset;
}

void Signals::sample(const Signal& signal, double value, Time time) {
  const trace::VariableSample event{.time = time,
                                    .value = value,
                                    .lane = signal.lane,
                                    .type = sink_.type(Category::kVariable, "value")};
  sink_.variables({&event, 1});
}

std::vector<uint32_t>* Signals::find(std::string_view code) {
  code_ = code;
  const auto it = by_code_.find(code_);
  return it == by_code_.end() ? nullptr : &it->second;
}

}  // namespace weft::formats::vcd
