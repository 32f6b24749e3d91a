#include "core/formats/embedded/sigrok/sigrok_csv_reader.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/embedded/sigrok/sigrok_rate.h"
#include "core/formats/embedded/vcd/vcd_signals.h"

namespace weft::formats {
namespace {

constexpr std::string_view kChannels = "Channels (", kRate = "Samplerate: ", kFrom = "from ",
                           kLogic = "logic";

constexpr size_t kMostChannels = 512;

std::optional<DecimalUnit> unit_of_times(std::string_view title) {
  for (const auto& [word, unit] : {std::pair("seconds", DecimalUnit::kSeconds),
                                   std::pair("milliseconds", DecimalUnit::kMilliseconds),
                                   std::pair("microseconds", DecimalUnit::kMicroseconds),
                                   std::pair("nanoseconds", DecimalUnit::kNanoseconds)})
    if (title == word) return unit;
  return std::nullopt;
}

class SigrokCsvReader {
 public:
  explicit SigrokCsvReader(trace::EventSink& sink) : sink_(sink), signals_(sink) {}

  void add(const io::Line& line) {
    std::string_view text = trimmed(line.text);
    if (text.empty()) return;
    offset_ = line.offset;
    if (take_prefix(text, ";")) return add_note(trimmed(text));
    cells_.clear();
    while (!text.empty()) cells_.push_back(trimmed(take_to(text, ',')));
    const bool is_row = parse_number<double>(cells_.front()).has_value();
    const bool is_whole = cells_.size() == names_.size() || cells_.size() == names_.size() + 1;
    const bool is_first = columns_.empty() && is_whole;
    if (is_first) begin(is_row);
    if (is_row) return add_row();
    if (!is_first) sink_.loss("line of no kind", offset_);
  }

  // The last sample lasts as long as any.
  void finish() {
    const Duration sample = rate_ == 0 ? Duration{} : time_of(1) - Time{};
    signals_.finish(times_ ? last_ + sample : time_of(rows_));
  }

 private:
  struct Column {
    std::string code;
    bool is_logic = false;
    std::string last;  // of its cells
  };

  void add_note(std::string_view text) {
    if (take_prefix(text, kChannels)) {
      take_to(text, ':');
      while (!text.empty() && names_.size() < kMostChannels)
        names_.emplace_back(valid_utf8(trimmed(take_to(text, ','))));
    } else if (take_prefix(text, kRate)) {
      sink_.set_metadata("samplerate", valid_utf8(text));
      rate_ = sigrok::rate_of(text);
    } else if (take_prefix(text, kFrom)) {
      sink_.set_metadata("from", valid_utf8(text));
    }
  }

  // Sets up columns from the line of titles or, without one, from the first row. Titles are units
  // or names.
  void begin(bool is_row) {
    const bool has_times = cells_.size() == names_.size() + 1;
    if (has_times && !is_row) times_ = unit_of_times(cells_.front());
    first_ = has_times ? 1 : 0;
    sink_.set_time_base(times_ || rate_ != 0 ? TimeBase::kNanoseconds : TimeBase::kTicks);
    for (size_t i = 0; i < names_.size(); ++i) {
      const std::string_view title =
          first_ + i < cells_.size() ? cells_[first_ + i] : std::string_view();
      const bool is_logic = title == kLogic || title == "0" || title == "1";
      Column& column = columns_.emplace_back(Column{fmt::format("{}", i), is_logic, {}});
      signals_.declare(column.code, names_[i],
                       is_logic ? vcd::Signals::Shape::kBit : vcd::Signals::Shape::kNumber);
    }
  }

  void add_row() {
    const uint64_t row = rows_++;
    if (cells_.size() != first_ + columns_.size())
      return sink_.loss("row with another number of cells than there are channels", offset_);
    Time time = time_of(row);
    if (times_) {
      const auto said = nearest_time(cells_.front(), *times_);
      if (!said) return sink_.loss("row without a time", offset_);
      time = *said;
    }
    if (time < last_) return sink_.loss("row before the one before it", offset_);
    last_ = time;
    for (size_t i = 0; i < columns_.size(); ++i) set(columns_[i], cells_[first_ + i], time);
  }

  void set(Column& column, std::string_view cell, Time time) {
    if (cell == column.last) return;
    const auto value = parse_number<double>(cell);
    const bool is_bit = cell == "0" || cell == "1";
    if (column.is_logic ? !is_bit : !value)
      return sink_.loss("value that is not a number", offset_);
    column.last = cell;
    if (column.is_logic) {
      signals_.set_bits(column.code, cell, time, offset_);
    } else {
      signals_.set_real(column.code, *value, time, offset_);
    }
  }

  Time time_of(uint64_t row) const {
    if (rate_ == 0) return {static_cast<int64_t>(row)};
    return {saturating_scale(row, kNsPerSecond, rate_)};
  }

  trace::EventSink& sink_;
  vcd::Signals signals_;
  std::vector<std::string> names_;  // of channels
  std::vector<Column> columns_;
  std::vector<std::string_view> cells_;
  std::optional<DecimalUnit> times_;  // what the first column says
  size_t first_ = 0;                  // column of a channel
  uint64_t rate_ = 0, rows_ = 0, offset_ = 0;
  Time last_;
};

}  // namespace

int sniff_sigrok_csv(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const std::string_view first = text.substr(0, text.find('\n'));
  const bool is_sigrok = first.starts_with("; CSV") && first.contains("libsigrok");
  return is_sigrok && text.contains("\n; Channels (") ? 95 : 0;
}

Status read_sigrok_csv(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  SigrokCsvReader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
