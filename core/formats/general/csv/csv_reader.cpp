#include "core/formats/general/csv/csv_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/base/own_csv.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/time_form.h"
#include "core/formats/general/csv/csv_cells.h"
#include "core/formats/general/csv/csv_columns.h"
#include "core/formats/general/csv/csv_row_joiner.h"
#include "core/formats/general/csv/csv_units.h"
#include "core/formats/general/csv/measured_calls.h"
#include "core/formats/stacks/open_states.h"

namespace weft::formats {
namespace {

using csv::Column;
using csv::Meaning;
using trace::Category;

// "00ff": bytes; empty where it is none.
std::vector<std::byte> bytes_from(std::string_view hexadecimal) {
  std::vector<std::byte> bytes;
  for (; hexadecimal.size() >= 2; hexadecimal.remove_prefix(2)) {
    const auto byte = parse_number<uint8_t>(hexadecimal.substr(0, 2), 16);
    if (!byte) return {};
    bytes.push_back(std::byte{*byte});
  }
  return bytes;
}

constexpr size_t kMostRowBytes = size_t{1} << 20;
constexpr char kQuote = '"';

// By what stands in the first rows.
struct LikelyUnits {
  bool has_seconds = false;
  std::optional<DecimalUnit> since_1970;
};

class CsvReader {
 public:
  // `columns`: empty where only the header says them. `likely`: where nobody names a unit.
  CsvReader(trace::EventSink& sink, std::vector<Column> columns, bool has_header,
            LikelyUnits likely)
      : sink_(sink),
        known_(std::move(columns)),
        has_header_(has_header),
        likely_(likely),
        lanes_(sink),
        calls_(sink),
        measured_calls_(sink) {}

  void add(const io::Line& line) {
    if (columns_.empty()) {
      if (csv::is_note(line.text)) return;
      begin(line.text);
      if (has_header_) return;
    }
    if (!held_.empty()) release();
    rows_.add(line, separator_, kQuote, *this);
  }

  // Called by the joiner.
  void take_row(const csv::Row& row) {
    if (!held_.empty()) {
      release();
      cells_.split(row.text, separator_);
    }
    offset_ = row.offset;
    if (cells_.size() < cells_before_) {
      held_ = row.text;
      is_held_open_ = row.is_open;
    } else {
      add_row();
    }
    cells_before_ = cells_.size();
  }
  void lose_row(uint64_t offset) { sink_.loss("row whose quotes stay open", offset); }

  void finish() {
    rows_.finish(*this);
    if (!held_.empty() && is_held_open_) {
      sink_.loss("row that the end of the input cuts off", offset_);
    } else if (!held_.empty()) {
      release();
    }
    if (latest_ != Time::min()) calls_.finish(latest_);
    measured_calls_.finish(latest_);
    for (const Unended& unended : unended_) {
      trace::StateEvent state = unended.state;
      state.duration = std::max(latest_, state.begin) - state.begin;
      sink_.note("state without an end", {unended.offset, state.lane, state.begin});
      sink_.give(state);
    }
  }

 private:
  void begin(std::string_view header) {
    separator_ = csv::separator_of(header);
    columns_ = known_.empty() ? csv::columns_of(header, separator_) : known_;
    has_only_values_ = !csv::is_trace(columns_);
    is_own_ = header.starts_with(kOwnCsvColumns);
    column_of_.fill(kNoColumn);
    for (size_t i = columns_.size(); i-- > 0;)
      column_of_[static_cast<size_t>(columns_[i].meaning)] = i;
    cells_before_ = columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Meaning meaning = columns_[i].meaning;
      const bool is_one_of_values = has_only_values_ && meaning == Meaning::kValue;
      if (meaning == Meaning::kParameter || meaning == Meaning::kParams ||
          meaning == Meaning::kCall || is_one_of_values)
        param_columns_.push_back(i);
      const bool says_what = meaning == Meaning::kLane || meaning == Meaning::kType ||
                             (has_only_values_ && meaning == Meaning::kParameter) ||
                             is_one_of_values;
      if (says_what) fewest_cells_ = std::min(fewest_cells_, i + 1);
    }
  }

  // The row that was held back.
  void release() {
    cells_.split(held_, separator_);
    add_row();
    held_.clear();
  }

  // Where commas separate no cells they may stand before a fraction.
  void use_points() {
    for (size_t i = 0; i < std::min(cells_.size(), columns_.size()); ++i) {
      const Meaning meaning = columns_[i].meaning;
      if (csv::is_time(meaning) || meaning == Meaning::kValue || has_only_values_)
        cells_.use_points(i);
    }
  }

  std::string_view cell(Meaning meaning) const {
    const size_t i = column_of_[static_cast<size_t>(meaning)];
    if (i >= cells_.size()) return {};
    return is_own_ ? cells_[i] : trimmed(cells_[i]);
  }

  // For a table that Weftscope wrote.
  void use_names() {
    for (const Meaning meaning :
         {Meaning::kLane, Meaning::kType, Meaning::kTargetLane, Meaning::kTypeGroup}) {
      const size_t i = column_of_[static_cast<size_t>(meaning)];
      if (i < cells_.size() && cells_[i].contains('\\'))
        cells_.replace(i, name_from_visible(cells_[i]));
    }
  }

  void add_row() {
    if (cells_.size() > columns_.size()) sink_.note("row with more cells than columns", offset_);
    if (separator_ != ',') use_points();
    if (is_own_) use_names();
    const bool is_whole = cells_.size() >= columns_.size();
    if (cell(Meaning::kTime).empty())
      return sink_.loss("row without a time", offset_, 1, !is_whole);
    if (!unit_ && csv::unit_named(cell(Meaning::kTime))) return take_units();
    if (!unit_) choose_unit();
    if (cells_.size() < fewest_cells_) return sink_.loss("row with too few cells", offset_);
    const auto time = time_from(Meaning::kTime);
    if (!time) return;
    before_ = *time;
    latest_ = std::max(latest_, *time);
    if (column_of_[static_cast<size_t>(Meaning::kCall)] != kNoColumn)
      begins_call_ = csv::begins_call(cell(Meaning::kCall));
    if (begins_call_) return add_call(*time);
    const Category what = has_only_values_ ? Category::kVariable : category();
    if (what != Category::kState) note_order(*time, *time);
    if (has_only_values_) return add_values(*time);
    switch (what) {
      case Category::kState:
        return add_state(*time);
      case Category::kLink:
        return add_link(*time);
      case Category::kVariable:
        return add_sample(*time);
      case Category::kPunctual:
        return add_event(*time);
    }
  }

  // A row of units instead of the first.
  void take_units() {
    for (size_t i = 0; i < std::min(cells_.size(), columns_.size()); ++i) {
      const std::string_view word = csv::without_brackets(trimmed(cells_[i]));
      const auto unit = csv::unit_named(word);
      if (unit) columns_[i].unit = unit;
      if (!unit && !word.empty()) columns_[i].name += fmt::format(" ({})", valid_utf8(word));
    }
  }

  // A trace that was exported says what its ticks are.
  void choose_unit() {
    if (const auto base = time_base_from_name(cell(Meaning::kTimeBase))) {
      unit_ = DecimalUnit::kNanoseconds;
      return sink_.set_time_base(*base);
    }
    learn_units();
    auto named = csv::unit_of_times(columns_);
    if (!named) named = unit_since_1970();
    if (!named && likely_.since_1970) {
      named = likely_.since_1970;
      sink_.set_metadata("times",
                         fmt::format("{} since 1970, by their size: no column names a unit",
                                     csv::name_of(*named)));
    }
    form_ = TimeForm::of(dated(cell(Meaning::kTime)));
    is_dated_ = form_ && !cell(Meaning::kDate).empty();
    if (!is_dated_) {
      form_ = TimeForm::of(cell(Meaning::kTime));
      keep_dates();
    }
    const bool is_counted = !named && !likely_.has_seconds && !form_;
    unit_ = named.value_or(is_counted ? DecimalUnit::kNanoseconds : DecimalUnit::kSeconds);
    if (!is_counted) rounding_ = "time rounded to nanoseconds";
    sink_.set_time_base(is_counted ? TimeBase::kTicks : TimeBase::kNanoseconds);
  }

  // Where the cells of the first row name what no column does.
  void learn_units() {
    for (size_t i = 0; i < std::min(cells_.size(), columns_.size()); ++i) {
      Column& column = columns_[i];
      if (csv::is_time(column.meaning) && !column.unit)
        column.unit = csv::unit_in(trimmed(cells_[i]));
    }
  }

  // What a number counts that is named as one since 1970, or stands in a log as if it was: by how
  // large it is.
  std::optional<DecimalUnit> unit_since_1970() const {
    const std::string& name = columns_[column_of_[static_cast<size_t>(Meaning::kTime)]].name;
    constexpr std::string_view kNames[] = {"epoch", "unix_time", "unix time"};
    const std::string_view number = cell(Meaning::kTime);
    const size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    constexpr size_t kSeconds = 10, kMilliseconds = 13, kMicroseconds = 16, kNanoseconds = 19;
    const bool is_named = std::ranges::any_of(
        kNames, [&](std::string_view each) { return equals_ignoring_case(name, each); });
    const bool is_of_log = csv::is_log(columns_) && digits == number.size() &&
                           number.starts_with('1') &&
                           (digits == kSeconds || digits == kMilliseconds ||
                            digits == kMicroseconds || digits == kNanoseconds);
    // As clocks count that are read by JavaScript: other numbers as large have no fractions.
    const bool is_of_clock = digits == kMilliseconds && number.starts_with('1') &&
                             number.substr(digits).starts_with('.');
    if (!is_named && !is_of_log && !is_of_clock) return std::nullopt;
    return digits <= kSeconds        ? DecimalUnit::kSeconds
           : digits <= kMilliseconds ? DecimalUnit::kMilliseconds
           : digits <= kMicroseconds ? DecimalUnit::kMicroseconds
                                     : DecimalUnit::kNanoseconds;
  }

  // The time with its date before it, where that is in a column of its own.
  std::string dated(std::string_view time) const {
    const std::string_view date = cell(Meaning::kDate);
    return date.empty() ? std::string(time) : fmt::format("{} {}", date, time);
  }

  // Dates in a form that is not known are parameters.
  void keep_dates() {
    const size_t column = std::exchange(column_of_[static_cast<size_t>(Meaning::kDate)], kNoColumn);
    if (column != kNoColumn && !has_only_values_) param_columns_.push_back(column);
  }

  // Returns nullopt if the cell is empty, or says none: that is a loss.
  std::optional<Time> time_from(Meaning meaning) {
    const std::string_view text = cell(meaning);
    if (text.empty()) return std::nullopt;
    const bool is_of_day = form_ && meaning != Meaning::kDuration;
    if (is_of_day) {
      const bool has_date = is_dated_ && meaning == Meaning::kTime;
      const auto time = has_date ? time_of_day(dated(text)) : time_of_day(text);
      if (!time) sink_.loss("time that cannot be read", offset_);
      return time;
    }
    const Column& column = columns_[column_of_[static_cast<size_t>(meaning)]];
    const auto time = csv::time_in(text, column.unit.value_or(*unit_));
    if (!time) {
      const bool is_beyond = time.error() == DecimalError::kOutOfRange;
      sink_.loss(is_beyond ? "time out of range" : "time that cannot be read", offset_);
      return std::nullopt;
    }
    if (!time->is_exact()) sink_.note(rounding_, offset_);
    return time->nearest();
  }

  // Rows are in the order of their begins, or of their ends; a table may be sorted by lanes before.
  void note_order(Time begin, Time end) {
    const std::string_view lane = cell(Meaning::kLane);
    if (lane != last_lane_) {
      last_lane_ = lane;
    } else if (begin < last_.begin && end < last_.end) {
      sink_.note("time runs backwards", offset_);
    }
    last_ = {begin, end};
  }

  std::optional<Time> time_of_day(std::string_view text) const {
    if (const auto time = form_->parse(text, before_)) return time;
    const auto other = TimeForm::of(text);  // some leave a fraction of 0 out
    return other ? other->parse(text, before_) : std::nullopt;
  }

  Category category() {
    said_ = csv::category_named(cell(Meaning::kCategory));
    if (said_) return *said_;
    if (!cell(Meaning::kTargetLane).empty()) return Category::kLink;
    if (!cell(Meaning::kDuration).empty() || !cell(Meaning::kEnd).empty()) return Category::kState;
    return cell(Meaning::kValue).empty() || has_named_value() ? Category::kPunctual
                                                              : Category::kVariable;
  }

  void add_state(Time begin) {
    // Perfetto's queries say so of what had not ended when the trace did.
    const bool is_unended = cell(Meaning::kDuration) == "-1";
    const auto duration = time_from(Meaning::kDuration);
    const auto end = is_unended ? begin
                     : duration ? begin + Duration{duration->ticks}
                                : time_from(Meaning::kEnd);
    const bool has_end = !cell(Meaning::kDuration).empty() || !cell(Meaning::kEnd).empty();
    if (!end && !has_end) sink_.loss("state without an end", offset_);
    if (!end) return;
    if (*end < begin) return sink_.loss("state that ends before it begins", offset_);
    latest_ = std::max(latest_, *end);
    note_order(begin, *end);
    if (is_unended && unended_.size() == kMostUnended)
      return sink_.loss("state without an end, beyond the most that are kept", offset_);
    const trace::StateEvent state{.begin = begin,
                                  .duration = *end - begin,
                                  .params = params(Category::kState),
                                  .lane = lane(cell(Meaning::kLane)),
                                  .type = type(Category::kState),
                                  .nesting = depth()};
    if (is_unended) {
      unended_.push_back({state, offset_});
    } else {
      sink_.give(state);
    }
  }

  // The begin or the end of a state.
  void add_call(Time time) {
    const std::string_view params = params_text(Category::kState);
    std::vector<std::byte> payload = bytes_from(cell(Meaning::kPayload));
    const LaneId of = lane(cell(Meaning::kLane));
    const bool has_durations = column_of_[static_cast<size_t>(Meaning::kDuration)] != kNoColumn;
    if (has_durations) return add_measured(of, time, params);
    if (*begins_call_)
      return calls_.begin(of, type(Category::kState), time, params, offset_, std::move(payload));
    if (cell(Meaning::kType).empty())
      return calls_.end(of, time, offset_, params, std::move(payload));
    calls_.end_of(of, type(Category::kState), time, offset_, params, {}, std::move(payload));
  }

  // In a table whose ends have durations.
  void add_measured(LaneId of, Time time, std::string_view params) {
    const bool has_type = *begins_call_ || !cell(Meaning::kType).empty();
    const csv::MeasuredCalls::Row row{of, has_type ? type(Category::kState) : EventTypeId::none(),
                                      time, params, offset_};
    if (*begins_call_) return measured_calls_.begin(row);
    const auto duration = time_from(Meaning::kDuration);
    measured_calls_.end(row, duration ? std::optional(*duration - Time{}) : std::nullopt);
  }

  // Pajé has fractions.
  uint32_t depth() const {
    constexpr double kMost = 1e6;
    return static_cast<uint32_t>(
        std::clamp(parse_number<double>(cell(Meaning::kDepth)).value_or(0), 0.0, kMost));
  }

  void add_link(Time time) {
    const std::string_view source = cell(Meaning::kLane), target = cell(Meaning::kTargetLane);
    auto receive = time_from(Meaning::kTargetTime);
    if (!receive) receive = time_from(Meaning::kEnd);
    if (source.empty() && target.empty()) return sink_.loss("link without ends", offset_);
    sink_.give(trace::LinkEvent{.send = time,
                                .receive = receive.value_or(time),
                                .params = params(Category::kLink),
                                .source = source.empty() ? LaneId::none() : lane(source),
                                .target = target.empty() ? LaneId::none() : lane(target),
                                .type = type(Category::kLink)});
  }

  void add_sample(Time time) {
    const auto value = csv::number_in(cell(Meaning::kValue));
    if (!value) return sink_.loss("value that is not a number", offset_);
    sink_.give(trace::VariableSample{.time = time,
                                     .value = *value,
                                     .params = params(Category::kVariable),
                                     .lane = lane(cell(Meaning::kLane)),
                                     .type = type(Category::kVariable)});
  }

  // Each column of its own.
  void add_values(Time time) {
    for (const size_t i : param_columns_) {
      const std::string_view text = i < cells_.size() ? trimmed(cells_[i]) : std::string_view();
      if (text.empty()) continue;
      const auto value = csv::number_in(text);
      if (!value) {
        sink_.loss("value that is not a number", offset_);
        continue;
      }
      sink_.give(trace::VariableSample{.time = time,
                                       .value = *value,
                                       .lane = lanes_.lane_of(columns_[i].name),
                                       .type = sink_.type(Category::kVariable, "value")});
    }
  }

  void add_event(Time time) {
    sink_.give(trace::PunctualEvent{.time = time,
                                    .params = params(Category::kPunctual),
                                    .lane = lane(cell(Meaning::kLane)),
                                    .type = type(Category::kPunctual)});
  }

  LaneId lane(std::string_view name) {
    lane_path_.clear();
    add_to_path(cell(Meaning::kOuterLane), Meaning::kOuterLane);
    add_to_path(name, Meaning::kLane);
    return lanes_.lane_of(lane_path_);
  }

  // A number alone says nothing: "tid 7".
  void add_to_path(std::string_view name, Meaning meaning) {
    if (name.empty()) return;
    if (!lane_path_.empty()) lane_path_ += '/';
    const size_t column = column_of_[static_cast<size_t>(meaning)];
    if (column != kNoColumn && columns_[column].name != "lane" && parse_number<int64_t>(name))
      (lane_path_ += columns_[column].name) += ' ';
    lane_path_ += name;
  }

  // A value that is not a number says what is so, of a type that says of what: Pajé's states.
  bool has_named_value() const {
    const std::string_view value = cell(Meaning::kValue);
    return !value.empty() && !csv::number_in(value);
  }

  EventTypeId type(Category category) {
    std::string_view name = cell(Meaning::kType), group = cell(Meaning::kTypeGroup);
    if (!said_) group = cell(Meaning::kCategory);
    if (category != Category::kVariable && has_named_value()) {
      if (group.empty()) group = name;
      name = cell(Meaning::kValue);
    }
    const std::string_view key =
        group.empty() ? name : (type_key_ = name).append(1, '\n').append(group);
    EventTypeId& type = value_of(types_[static_cast<size_t>(category)], key, EventTypeId::none());
    if (type.is_none())
      type = sink_.type(category, name.empty() && !is_own_ ? "event" : valid_utf8(name),
                        valid_utf8(group));
    return type;
  }

  // Most is plain JSON; what has escapes, or more than ASCII, is looked at more closely.
  bool is_filled_object(std::string_view text) {
    if (text.size() <= 2 || text.front() != '{' || text.back() != '}') return false;
    padded_.assign(text).append(json::kTextPadding, '\0');
    json::Cursor cursor(padded_.data());
    json::RawValue object;
    const bool is_plain = cursor.value(object) && object.text.size() == text.size() &&
                          (object.traits & ~json::kHasSpace) == 0;
    return is_plain || nlohmann::json::accept(text);
  }

  ParamsId params(Category category) {
    const std::string_view text = params_text(category);
    return sink_.params(text, bytes_from(cell(Meaning::kPayload)));
  }

  // Until the next.
  std::string_view params_text(Category category) {
    json_ = '{';
    const std::string_view object = cell(Meaning::kParams);
    const bool is_object = is_filled_object(object);
    if (is_object) json_ += trimmed(object.substr(1, object.size() - 2));
    for (const size_t i : param_columns_) {
      if (i >= cells_.size() || (is_object && columns_[i].meaning == Meaning::kParams)) continue;
      if (begins_call_ && columns_[i].meaning == Meaning::kCall) continue;
      const std::string_view text = trimmed(cells_[i]);
      if (!text.empty()) append_member(json_, columns_[i].name, text);
    }
    if (category != Category::kVariable && !has_named_value() && !cell(Meaning::kValue).empty())
      append_member(json_, columns_[column_of_[static_cast<size_t>(Meaning::kValue)]].name,
                    cell(Meaning::kValue));
    if (json_.size() == 1) return {};
    return json_ += '}';
  }

  // A state that lasts until the end of the trace.
  struct Unended {
    trace::StateEvent state;
    uint64_t offset = 0;
  };
  static constexpr size_t kMostUnended = 1 << 16;

  static constexpr size_t kNoColumn = std::numeric_limits<size_t>::max();
  trace::EventSink& sink_;
  char separator_ = ',';
  const std::vector<Column> known_;
  const bool has_header_;
  std::vector<Column> columns_;
  std::array<size_t, csv::kMeanings> column_of_{};  // the first of each meaning
  std::vector<size_t> param_columns_;               // that may become parameters
  std::optional<DecimalUnit> unit_;
  std::optional<TimeForm> form_;  // of times of day
  bool is_dated_ = false;         // with their dates before them
  const LikelyUnits likely_;
  std::string_view rounding_ = "time rounded to whole ticks";
  std::optional<Time> before_;                // of the last row
  TimeRange last_{Time::min(), Time::min()};  // of the last event
  std::string last_lane_;                     // likewise
  bool has_only_values_ = false;              // columns of numbers beside the time
  bool is_own_ = false;                       // written by Weftscope
  csv::Cells cells_;                          // of the row
  csv::RowJoiner rows_{cells_, kMostRowBytes};
  std::optional<Category> said_;     // by it
  std::optional<bool> begins_call_;  // it, or it ends one
  std::string
      held_;  // with fewer cells than the row before: cut off where the input ends behind it
  bool is_held_open_ = false;
  size_t cells_before_ = 0;
  size_t fewest_cells_ = kNoColumn;  // of a row that says what was, or where
  uint64_t offset_ = 0;              // of the row
  Time latest_ = Time::min();        // that a row names
  std::vector<Unended> unended_;
  LanePaths lanes_;
  std::string lane_path_;                             // kept for its memory
  ByName<EventTypeId> types_[trace::kCategoryCount];  // by name and group
  std::string type_key_;
  std::string json_;    // the row's parameters
  std::string padded_;  // JSON that is looked at
  stacks::OpenStates calls_;
  csv::MeasuredCalls measured_calls_;
};

}  // namespace

Status read_csv(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  if (sniff_csv(head) == 0)
    return fail(
        "has no header that names a time, and a lane, a type or columns of numbers "
        "(`weftscope trace-type guess` makes a type of a table without names)");
  auto columns = csv::nameless_columns(as_chars(head));
  const bool has_header = columns.empty();
  if (has_header) columns = csv::columns_in(as_chars(head));
  const LikelyUnits likely{.has_seconds = csv::are_seconds(as_chars(head), columns),
                           .since_1970 = csv::unit_since_1970(as_chars(head), columns)};
  CsvReader reader(sink, std::move(columns), has_header, likely);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
