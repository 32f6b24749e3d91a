#include "core/formats/embedded/vcd/vcd_signals.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/base/text_hash.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/trace/words.h"

namespace weft::formats::vcd {
namespace {

using trace::Category;

// Muted: both often last for most of a trace, and what is driven is what is looked at.
constexpr uint32_t kUndefinedRgb = 0x8C5652, kNotDrivenRgb = 0x6F7480;

enum Level : uint8_t { kNoBit = 0, kLow = 1, kHigh = 2, kNotDriven = 4, kUndefined = 8 };

// Levels by character; those of several bits are combined by "or".
constexpr auto kLevels = [] {
  std::array<uint8_t, 256> levels{};
  const auto set = [&](std::string_view digits, Level level) {
    for (const char digit : digits) levels[static_cast<uint8_t>(digit)] = level;
  };
  set("0lL", kLow);
  set("1hH", kHigh);
  set("zZ", kNotDriven);
  set("xXuUwW-", kUndefined);
  return levels;
}();

// The next eight bits of a value as a number, where all of them are 0 or 1.
std::optional<uint8_t> next_byte(std::string_view bits) {
  constexpr uint64_t kOnes = 0x0101010101010101, kGathered = 0x8040201008040201;
  uint64_t word = 0;
  if (bits.size() < sizeof word) return std::nullopt;
  std::memcpy(&word, bits.data(), sizeof word);
  if ((word & ~kOnes) != '0' * kOnes) return std::nullopt;
  return static_cast<uint8_t>((word & kOnes) * kGathered >> 56);  // the first is the highest
}

uint8_t levels_of(std::string_view bits) {
  uint8_t levels = kNoBit;
  while (const auto byte = next_byte(bits)) {
    if (*byte != 0) levels |= kHigh;
    if (*byte != 0xFF) levels |= kLow;
    bits.remove_prefix(8);
  }
  for (const char bit : bits) levels |= kLevels[static_cast<uint8_t>(bit)];
  return levels;
}

constexpr size_t kWordBits = 64;

// Of more bits than a word has: the first that count, and whether another is set, which is all that
// rounding asks of the rest.
double value_of_many(std::string_view bits) {
  bits.remove_prefix(std::min(bits.find('1'), bits.size()));
  const size_t count = std::min(bits.size(), kWordBits);
  uint64_t word = 0;
  for (const char bit : bits.substr(0, count)) word = word * 2 + (bit == '1' ? 1 : 0);
  if (bits.find('1', count) != std::string_view::npos) word |= 1;
  return std::ldexp(static_cast<double>(word), static_cast<int>(bits.size() - count));
}

// Only negative numbers are written in full width and begin with a one.
double value_of(std::string_view bits, uint32_t sign_bits) {
  if (bits.size() > kWordBits) return value_of_many(bits);
  std::string_view rest = bits;
  uint64_t word = 0;
  for (; const auto byte = next_byte(rest); rest.remove_prefix(8)) word = word << 8 | *byte;
  for (const char bit : rest) word = word * 2 + (bit == '1' ? 1 : 0);
  const bool is_negative = sign_bits > 0 && bits.size() == sign_bits && bits.front() == '1';
  if (!is_negative) return static_cast<double>(word);
  const uint64_t sign = uint64_t{1} << (sign_bits - 1);
  return static_cast<double>(static_cast<int64_t>((word ^ sign) - sign));
}

// Whether a double has all of them: no more lie between the first and the last that is set.
bool fits_double(std::string_view bits) {
  constexpr size_t kDigits = std::numeric_limits<double>::digits;
  if (bits.size() <= kDigits) return true;
  const size_t first = bits.find('1'), last = bits.rfind('1');
  return first == std::string_view::npos || last - first < kDigits;
}

// Codes are numbers whose digits are the printable signs, the lowest first, that writers count up.
// Returns nullopt if it is no such number, or too long a one.
std::optional<int64_t> number_of(std::string_view code) {
  constexpr size_t kMostDigits = 9;
  constexpr uint8_t kDigits = '~' - '!' + 1;
  if (code.size() > kMostDigits) return std::nullopt;
  int64_t number = 0;
  for (size_t i = code.size(); i-- > 0;) {
    const auto digit = static_cast<uint8_t>(code[i] - '!');
    if (digit >= kDigits) return std::nullopt;
    number = number * kDigits + digit + 1;  // of each length there are others
  }
  return number;
}

// "0xfe", of "11111110".
std::string hexadecimal(std::string_view bits) {
  constexpr size_t kDigitBits = 4;
  std::string text = "0x";
  bits.remove_prefix(std::min(bits.find('1'), bits.size()));
  while (!bits.empty()) {
    const size_t count = (bits.size() - 1) % kDigitBits + 1;
    size_t digit = 0;
    for (const char bit : bits.substr(0, count)) digit = digit * 2 + (bit == '1' ? 1 : 0);
    text += "0123456789abcdef"[digit];
    bits.remove_prefix(count);
  }
  return text;
}

}  // namespace

bool is_bit(char digit) { return kLevels[static_cast<uint8_t>(digit)] != kNoBit; }

std::string bits_of_port(std::string_view states) {
  std::string bits;
  for (const char state : states) {
    const auto is_one_of = [&](std::string_view all) {
      return all.find(state) != std::string_view::npos;
    };
    bits += is_one_of("DdLl0") ? '0' : is_one_of("UuHh1") ? '1' : is_one_of("ZTFf") ? 'z' : 'x';
  }
  return bits;
}

std::string without_escapes(std::string_view text) {
  constexpr std::string_view kNames = "abfnrtv\\\"'?", kMeant = "\a\b\f\n\r\t\v\\\"'?";
  constexpr size_t kOctalDigits = 3, kHexDigits = 2;
  std::string plain;
  while (!text.empty()) {
    const size_t escape = std::min(text.find('\\'), text.size());
    plain += text.substr(0, escape);
    text.remove_prefix(escape);
    if (text.size() < 2) return plain.append(text);
    const bool is_hex = text[1] == 'x';
    std::string_view digits = text.substr(is_hex ? 2 : 1, is_hex ? kHexDigits : kOctalDigits);
    const auto byte = take_number<uint8_t>(digits, is_hex ? 16 : 8);
    const size_t name = kNames.find(text[1]);
    if (byte) {
      plain += static_cast<char>(*byte);
      text = {digits.begin(), text.end()};
    } else if (name != std::string_view::npos) {
      plain += kMeant[name];
      text.remove_prefix(2);
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

void Signals::enter_scope(std::string_view kind, std::string_view name) {
  const LaneId parent = scopes_.empty() ? LaneId::none() : scopes_.back();
  const std::string text = valid_utf8(name.empty() ? kind : name);
  scopes_.push_back(sink_.add_lane({.name = text, .parent = parent}));
}

void Signals::leave_scope() {
  if (!scopes_.empty()) scopes_.pop_back();
}

void Signals::declare(std::string_view code, std::string_view name, Shape shape, uint32_t sign_bits,
                      std::shared_ptr<const ValueNames> names) {
  const LaneId parent = scopes_.empty() ? LaneId::none() : scopes_.back();
  Signal* const first = find(code);
  const auto place = static_cast<uint32_t>(signals_.size());
  const LaneId lane = sink_.add_lane(
      {.name = valid_utf8(name), .parent = parent, .kind = trace::LaneKind::kCounter});
  Signal& signal = signals_.emplace_back(Signal{.lane = lane,
                                                .shape = shape,
                                                .sign_bits = sign_bits,
                                                .names = std::move(names),
                                                .since = {}});
  if (first != nullptr) {
    std::exchange(first->last, &signal)->next = &signal;
    return;
  }
  signal.last = &signal;
  if (const auto number = number_of(code)) {
    by_number_.try_emplace(*number, place);
  } else {
    by_code_[code] = place;
  }
}

bool Signals::set_bits(std::string_view code, std::string_view bits, Time time, uint64_t offset) {
  Signal* const first = find(code);
  const uint8_t levels =
      bits.size() == 1 ? kLevels[static_cast<uint8_t>(bits.front())] : levels_of(bits);
  const bool is_value = (levels & (kUndefined | kNotDriven)) == 0;
  for (Signal* each = first; each != nullptr; each = each->next) {
    Signal& signal = *each;
    if (signal.shape == Shape::kEvent) {
      const EventTypeId type = type_of(event_, Category::kPunctual, "event");
      const trace::PunctualEvent event{.time = time, .lane = signal.lane, .type = type};
      if (is_value) sink_.give(event);
      has_events_ |= is_value;
      continue;
    }
    const auto named = signal.names ? name_of(*signal.names, bits) : EventTypeId::none();
    if (!named.is_none()) {
      end_value(signal, time);
      change_state(signal, named, time, offset);
      continue;
    }
    if (!is_value) {
      end_value(signal, time);
      change_unknown(signal, bits, levels, time, offset);
      continue;
    }
    const bool is_bit = signal.shape == Shape::kBit;
    if (!is_bit) sample_bits(signal, bits, time);
    change_state(signal, state_of(levels, is_bit), time, offset);
  }
  return first != nullptr;
}

void Signals::sample_bits(Signal& signal, std::string_view bits, Time time) {
  const EventTypeId type = signal.sign_bits > 0
                               ? type_of(value_, Category::kVariable, "value", trace::kSignalGroup)
                               : type_of(word_, Category::kVariable, "value", trace::kWordGroup);
  sample(signal, value_of(bits, signal.sign_bits), type, time, exact_value(signal, bits));
}

void Signals::change_unknown(Signal& signal, std::string_view bits, uint8_t levels, Time time,
                             uint64_t offset) {
  const bool is_mixed = !std::has_single_bit(levels);
  const size_t hash = is_mixed ? TextHash()(bits) : 0;
  const EventTypeId state = state_of(levels, false);
  if (hash != signal.mixed_hash) begin_state(signal, state, time, offset);
  change_state(signal, state, time, offset);
  if (!is_mixed || !signal.params.is_none()) return;
  ArgsText params;
  params.add("bits", bits);
  signal.params = sink_.params(params.take());
  signal.mixed_hash = hash;
}

EventTypeId Signals::name_of(const ValueNames& names, std::string_view bits) {
  const auto it = names.find(bits);
  return it == names.end() ? EventTypeId::none()
                           : sink_.type(Category::kState, it->second, "enumeration");
}

EventTypeId Signals::state_of(uint8_t levels, bool is_bit) {
  if ((levels & kUndefined) != 0) return colored_type(undefined_, "undefined", kUndefinedRgb);
  if ((levels & kNotDriven) != 0) return colored_type(not_driven_, "not driven", kNotDrivenRgb);
  const bool is_high = is_bit && (levels & kHigh) != 0;
  return is_high ? type_of(high_, Category::kState, "1") : EventTypeId::none();
}

EventTypeId Signals::colored_type(EventTypeId& known, std::string_view name, uint32_t rgb) {
  if (!known.is_none()) return known;
  known = sink_.type(Category::kState, name);
  sink_.set_type_color(known, rgb);
  return known;
}

EventTypeId Signals::type_of(EventTypeId& known, Category category, std::string_view name,
                             std::string_view group) {
  if (known.is_none()) known = sink_.type(category, name, group);
  return known;
}

bool Signals::set_real(std::string_view code, double value, Time time, uint64_t offset) {
  Signal* const first = find(code);
  for (Signal* signal = first; signal != nullptr; signal = signal->next) {
    const EventTypeId type = type_of(value_, Category::kVariable, "value", trace::kSignalGroup);
    sample(*signal, value, type, time, ParamsId::none());
    change_state(*signal, EventTypeId::none(), time, offset);
  }
  return first != nullptr;
}

bool Signals::set_text(std::string_view code, std::string_view text, Time time, uint64_t offset) {
  Signal* const first = find(code);
  for (Signal* signal = first; signal != nullptr; signal = signal->next) {
    const EventTypeId state =
        text.empty() ? EventTypeId::none() : sink_.type(Category::kState, valid_utf8(text), "text");
    end_value(*signal, time);
    change_state(*signal, state, time, offset);
  }
  return first != nullptr;
}

void Signals::finish(Time end) {
  const Time begin = std::min(first_, end);
  for (Signal& signal : signals_) {
    const bool is_told = signal.is_told || signal.shape == Shape::kEvent || begin == end;
    if (!is_told) change_state(signal, state_of(kUndefined, false), begin, signal.offset);
    change_state(signal, EventTypeId::none(), end, signal.offset);
  }
  if (!has_events_ && begin < end) show_zeros({begin, end});
  sink_.set_end(end);
}

// Where nothing but these wires were recorded, the trace would show nothing, and have no length.
void Signals::show_zeros(const TimeRange& range) {
  for (const Signal& signal : signals_) {
    if (signal.shape != Shape::kBit || !signal.is_told) continue;
    sink_.give(trace::StateEvent{.begin = range.begin,
                                 .duration = range.length(),
                                 .lane = signal.lane,
                                 .type = sink_.type(Category::kState, "0")});
  }
}

void Signals::begin_state(Signal& signal, EventTypeId state, Time time, uint64_t offset) {
  if (!signal.state.is_none()) {
    sink_.give(trace::StateEvent{.begin = signal.since,
                                 .duration = std::max(time, signal.since) - signal.since,
                                 .params = signal.params,
                                 .lane = signal.lane,
                                 .type = signal.state});
    has_events_ = true;
  }
  signal.state = state;
  signal.params = ParamsId::none();
  signal.mixed_hash = 0;
  signal.since = time;
  signal.offset = offset;
}

ParamsId Signals::exact_value(const Signal& signal, std::string_view bits) {
  if (signal.sign_bits > 0 || fits_double(bits)) return ParamsId::none();
  return sink_.params(fmt::format(R"({{"exact":"{}"}})", hexadecimal(bits)));
}

void Signals::sample(Signal& signal, double value, EventTypeId type, Time time, ParamsId params) {
  sink_.give(trace::VariableSample{
      .time = time, .value = value, .params = params, .lane = signal.lane, .type = type});
  has_events_ = true;
  signal.variable = type;
}

void Signals::sample_end(Signal& signal, Time time) {
  sample(signal, std::numeric_limits<double>::quiet_NaN(), signal.variable, time, ParamsId::none());
  signal.variable = EventTypeId::none();
}

Signals::Signal* Signals::find(std::string_view code) {
  if (const auto number = number_of(code)) {
    const auto place = by_number_.find(*number);
    return place ? &signals_[static_cast<size_t>(*place)] : nullptr;
  }
  const auto* const known = by_code_.find(code);
  return known == nullptr ? nullptr : &signals_[known->second];
}

}  // namespace weft::formats::vcd
