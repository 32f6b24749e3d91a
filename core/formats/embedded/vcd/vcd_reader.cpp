#include "core/formats/embedded/vcd/vcd_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/embedded/vcd/vcd_signals.h"
#include "core/formats/embedded/vcd/vcd_time_scale.h"

namespace weft::formats {
namespace {

using vcd::TimeScale;

// "1 ns", "10us", "0.1ps", "41666667 fs" (sigrok's, a period)
std::optional<TimeScale> parse_scale(std::string_view text) {
  struct Unit {
    std::string_view name;
    TimeBase base;
    int64_t divided_by;
  };
  constexpr std::array<Unit, 6> kUnits = {{{"s", TimeBase::kSeconds, 1},
                                           {"ms", TimeBase::kMilliseconds, 1},
                                           {"us", TimeBase::kMicroseconds, 1},
                                           {"ns", TimeBase::kNanoseconds, 1},
                                           {"ps", TimeBase::kPicoseconds, 1},
                                           {"fs", TimeBase::kPicoseconds, 1000}}};
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parse_number<double>(text.substr(0, digits));
  text.remove_prefix(digits);
  const auto* const unit = std::ranges::find(kUnits, take_word(text), &Unit::name);
  constexpr double kLeastTimes = 0.001, kMostTimes = 1e12;
  if (!number || *number < kLeastTimes || *number > kMostTimes || unit == kUnits.end())
    return std::nullopt;
  const auto times = static_cast<int64_t>(*number);
  if (static_cast<double>(times) == *number) return TimeScale{unit->base, times, unit->divided_by};
  constexpr int64_t kThousand = 1000;
  return TimeScale{unit->base, std::llround(*number * kThousand), unit->divided_by * kThousand};
}

// "nan", "-inf", as C prints them.
bool is_not_finite(std::string_view real) {
  const size_t sign = real.starts_with('-') || real.starts_with('+') ? 1 : 0;
  const std::string_view word = real.substr(sign, 3);
  return equals_ignoring_case(word, "nan") || equals_ignoring_case(word, "inf");
}

class VcdReader {
 public:
  explicit VcdReader(trace::EventSink& sink) : sink_(sink), signals_(sink) {}

  void add(const io::Line& line) {
    offset_ = line.offset;
    std::string_view rest = line.text;
    while (!rest.empty()) {
      const std::string_view word = take_word(rest);
      if (word.empty()) return;
      if (!command_.empty()) {
        add_to_command(word);
      } else if (!value_.empty() && take_variable(word)) {
        continue;
      } else if (word.front() == '$') {
        begin_command(word);
      } else {
        add_change(word, rest);
      }
    }
  }

  void finish() {
    if (!value_.empty()) sink_.loss("value without a variable", value_offset_);
    if (!command_.empty()) sink_.loss("command without an end", offset_);
    if (!has_end_ && !has_values_) sink_.loss("end of the input within the declarations", offset_);
    if (!has_end_ && has_values_) sink_.note("declarations without an end", values_offset_);
    signals_.finish(last_);
  }

 private:
  void begin_command(std::string_view word) {
    // Values stand between these and their $end.
    constexpr std::string_view kAroundValues[] = {"$dumpvars",    "$dumpall",      "$dumpon",
                                                  "$dumpoff",     "$dumpports",    "$dumpportsall",
                                                  "$dumpportson", "$dumpportsoff", "$end"};
    if (std::ranges::find(kAroundValues, word) != std::end(kAroundValues)) return;
    command_ = word;
    words_.clear();
  }

  void add_to_command(std::string_view word) {
    constexpr size_t kMostWords = 64;
    if (word != "$end") {
      if (words_.size() < kMostWords) words_.emplace_back(word);
      return;
    }
    run_command();
    command_.clear();
  }

  void run_command() {
    const auto word = [&](size_t i) {
      return i < words_.size() ? std::string_view(words_[i]) : std::string_view();
    };
    if (command_ == "$scope") {
      signals_.enter_scope(word(0), word(1));
    } else if (command_ == "$upscope") {
      signals_.leave_scope();
    } else if (command_ == "$var") {
      add_variable();
    } else if (command_ == "$timescale" || command_ == "$timeScale") {
      const auto scale = parse_scale(joined(0));
      if (!scale) return sink_.loss("time scale without meaning", offset_);
      scale_ = *scale;
      vcd::say(scale_, sink_);
    } else if (command_ == "$timezero") {
      set_zero(word(0));
    } else if (command_ == "$vcdclose") {  // "#30": what holds then, though nothing changes
      if (word(0).starts_with('#')) set_time(word(0).substr(1));
    } else if (command_ == "$enddefinitions") {
      has_end_ = true;
    } else if (command_ == "$date" || command_ == "$version") {
      sink_.set_metadata(std::string_view(command_).substr(1), valid_utf8(joined(0)));
    }
  }

  // wire 8 # data [7:0]
  void add_variable() {
    constexpr size_t kFields = 4;
    if (words_.size() < kFields) return sink_.loss("variable with too few fields", offset_);
    using Shape = vcd::Signals::Shape;
    const bool is_range = words_[1].starts_with('[');  // "[7:0]", of a port
    const auto bits = parse_number<uint32_t>(words_[1]);
    if (!bits && !is_range) return sink_.loss("variable without a width", offset_);
    const bool is_number = words_[0] == "integer" || words_[0] == "real" || words_[0] == "string";
    const Shape shape = words_[0] == "event"                    ? Shape::kEvent
                        : !is_number && !is_range && *bits == 1 ? Shape::kBit
                                                                : Shape::kNumber;
    constexpr uint32_t kMostSignedBits = 64;
    constexpr std::array<std::string_view, 5> kSigned = {"integer", "int", "shortint", "longint",
                                                         "byte"};
    const bool is_signed = bits.value_or(kMostSignedBits + 1) <= kMostSignedBits &&
                           std::ranges::find(kSigned, words_[0]) != kSigned.end();
    signals_.declare(words_[2], joined(3), shape, is_signed ? *bits : 0);
  }

  // Whether the word is the variable of the value that the line before ended with.
  bool take_variable(std::string_view word) {
    const std::string value = std::exchange(value_, {});
    const bool is_variable = signals_.is_declared(word);
    if (is_variable)
      add_value(value.front(), std::string_view(value).substr(1), word);
    else
      sink_.loss("value without a variable", value_offset_);
    return is_variable;
  }

  // A change, or the time of those that follow.
  void add_change(std::string_view word, std::string_view& rest) {
    const std::string_view value = word.substr(1);
    if (!has_values_) values_offset_ = offset_;
    has_values_ = true;
    switch (word.front()) {
      case '#':
        return set_time(value);
      case 'b':
      case 'B':
      case 'r':
      case 'R':
      case 's':
      case 'S': {
        // The code is the next word, on the same line in every file seen.
        const std::string_view code = take_word(rest);
        if (code.empty()) {
          value_ = word;
          value_offset_ = offset_;
          return;
        }
        return add_value(word.front(), value, code);
      }
      case 'p': {  // of a port: states, strengths of both sides, the code
        (void)take_word(rest);
        (void)take_word(rest);
        const std::string_view code = take_word(rest);
        if (code.empty()) return sink_.loss("value without a variable", offset_);
        return add_value('b', vcd::bits_of_port(value), code);
      }
      default: {
        if (!vcd::is_bit(word.front())) return sink_.loss("word without meaning", offset_);
        const std::string_view code = value.empty() ? take_word(rest) : value;  // some have a space
        if (code.empty()) return sink_.loss("value without a variable", offset_);
        if (!signals_.set_bits(code, word.substr(0, 1), now_, offset_))
          sink_.loss("change of a variable that is not declared", offset_);
      }
    }
  }

  void add_value(char kind, std::string_view value, std::string_view code) {
    bool is_known = true;
    if (kind == 'b' || kind == 'B') {
      is_known = signals_.set_bits(code, value, now_, offset_);
    } else if (kind == 's' || kind == 'S') {
      is_known = signals_.set_text(code, vcd::without_escapes(value), now_, offset_);
    } else if (is_not_finite(value)) {
      is_known = signals_.set_bits(code, "x", now_, offset_);
    } else {
      const auto real = parse_number<double>(value);
      if (!real) return sink_.loss("real that is not a number", offset_);
      is_known = signals_.set_real(code, *real, now_, offset_);
    }
    if (!is_known) sink_.loss("change of a variable that is not declared", offset_);
  }

  // Of GTKWave: what is added to all times, in their unit.
  void set_zero(std::string_view text) {
    const auto zero = parse_number<int64_t>(text);
    const auto ticks = zero ? scale_.ticks_of(*zero) : std::nullopt;
    if (!ticks) return sink_.loss("time zero without meaning", offset_);
    zero_ = *zero;
    now_ = last_ = ticks->time;
  }

  // The standard has whole numbers; some writers put fractions of the unit behind a point.
  void set_time(std::string_view text) {
    const auto value = take_number<int64_t>(text);
    const auto ticks = value ? scale_.ticks_of(saturating_add(*value, zero_)) : std::nullopt;
    const bool is_whole = text.empty();
    const bool has_fraction = take_prefix(text, ".");
    if (!ticks || !(is_whole || has_fraction) ||
        text.find_first_not_of("0123456789") != std::string_view::npos)
      return sink_.loss("time that is not a number", offset_);
    if (ticks->is_rounded || text.find_first_not_of('0') != std::string_view::npos)
      sink_.note("time rounded down to the unit", offset_);
    if (ticks->time < now_) sink_.note("time that runs backwards", offset_);
    now_ = std::max(ticks->time, now_);
    last_ = now_;
  }

  std::string joined(size_t from) const {
    std::string text;
    for (size_t i = from; i < words_.size(); ++i)
      text.append(text.empty() ? "" : " ").append(words_[i]);
    return text;
  }

  trace::EventSink& sink_;
  vcd::Signals signals_;
  TimeScale scale_;
  int64_t zero_ = 0;
  std::string command_;             // being read; empty: none
  std::vector<std::string> words_;  // of it
  std::string value_;               // whose variable comes next; empty: none
  uint64_t value_offset_ = 0;
  bool has_end_ = false;     // of the declarations
  bool has_values_ = false;  // the first at values_offset_
  uint64_t values_offset_ = 0;
  Time now_, last_;
  uint64_t offset_ = 0;  // of the line
};

}  // namespace

int sniff_vcd(std::span<const std::byte> head) {
  std::string_view text = trimmed(as_chars(head));
  if (take_prefix(text, "#0 $dumpon")) text = trimmed(text);  // by the debugger of Efinix
  constexpr std::array<std::string_view, 6> kCommands = {"$date",  "$version", "$timescale",
                                                         "$scope", "$comment", "$var"};
  const bool is_command =
      std::ranges::any_of(kCommands, [&](std::string_view name) { return text.starts_with(name); });
  return is_command && text.find("$end") != std::string_view::npos ? 90 : 0;
}

Status read_vcd(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  VcdReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
