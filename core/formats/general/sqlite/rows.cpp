#include "core/formats/general/sqlite/rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"

namespace weft::formats::sqlite {

using trace::Category;
using trace::LaneKind;

namespace {

constexpr std::string_view kUnreadable = "time that cannot be read",
                           kOutOfRange = "time out of range";

int64_t power_of_ten(DecimalUnit unit) {
  int64_t power = 1;
  for (int i = 0; i < static_cast<int>(unit); ++i) power *= 10;
  return power;
}

}  // namespace

void Rows::take_columns(const Query& query, const TableQuery& table) {
  column_.fill(-1);
  has_dates_ = table.has_dates;
  before_.reset();
  units_.fill(std::nullopt);
  for (const auto& [role, unit] : table.units)
    units_[static_cast<size_t>(std::ranges::find(kNames, role) - kNames.begin())] = unit;
  parameters_.clear();
  for (int i = 0; i < query.columns(); ++i) {
    const auto* const role = std::ranges::find(kNames, query.name(i));
    if (role == kNames.end()) {
      parameters_.push_back(i);
    } else {
      column_[static_cast<size_t>(role - kNames.begin())] = i;
    }
  }
}

bool Rows::play(Query& query, const TableQuery& table) {
  take_columns(query, table);
  constexpr uint64_t kRowsBetweenLooks = 4096;
  for (row_ = 0;; ++row_) {
    const auto is_row = query.next();
    if (!is_row)
      lose(fmt::format("table {}: {}", printable(table.table, 64), is_row.error().message));
    if (!is_row || !*is_row) break;
    add_row(query);
    if (row_ % kRowsBetweenLooks == 0 && !sink_.keep_going()) return false;
  }
  return sink_.keep_going();
}

std::optional<int64_t> Rows::ticks(const Query& query, Role role) {
  if (!has(query, role)) return std::nullopt;
  const int column = column_[role];
  switch (query.type(column)) {
    case SQLITE_INTEGER:
      return ticks_of_integer(query.integer(column), role);
    case SQLITE_FLOAT:
      return ticks_of_real(query.real(column), role);
    case SQLITE_TEXT:
      return ticks_of_text(trimmed(query.bytes(column)), role);
    default:
      lose(kUnreadable);
      return std::nullopt;
  }
}

std::optional<int64_t> Rows::ticks_of_integer(int64_t value, Role role) {
  const int64_t scale = power_of_ten(units_[role].value_or(DecimalUnit::kNanoseconds));
  if (!__builtin_mul_overflow(value, scale, &value)) return value;
  lose(kOutOfRange);
  return std::nullopt;
}

std::optional<int64_t> Rows::ticks_of_real(double value, Role role) {
  constexpr long double kMost = 9.2e18L;
  const bool is_counted = base_ == TimeBase::kTicks;
  const DecimalUnit known = is_counted ? DecimalUnit::kNanoseconds : DecimalUnit::kSeconds;
  // More digits than a double has: what a real says in seconds since 1970 is kept to the
  // nanosecond.
  const long double scale = power_of_ten(units_[role].value_or(known));
  const long double exact = value * scale;
  if (!std::isfinite(exact) || std::abs(exact) > kMost) {
    lose(kOutOfRange);
    return std::nullopt;
  }
  if (is_finer_than_ticks(exact)) sink_.note(rounding(), row_);
  return static_cast<int64_t>(std::round(exact));
}

std::optional<int64_t> Rows::ticks_of_text(std::string_view text, Role role) {
  const auto time = parse_decimal_time(text, units_[role].value_or(DecimalUnit::kNanoseconds));
  if (time) {
    if (!time->is_exact()) sink_.note(rounding(), row_);
    return time->nearest().ticks;
  }
  std::optional<Time> date;
  if (has_dates_ && form_) date = form_->parse(text, before_);
  if (has_dates_ && !date) {
    form_ = TimeForm::of(text);
    if (form_) date = form_->parse(text, before_);
  }
  if (date) return date->ticks;
  lose(time.error() == DecimalError::kOutOfRange ? kOutOfRange : kUnreadable);
  return std::nullopt;
}

void Rows::add_row(const Query& query) {
  if (!has(query, kTime)) return lose("row without a time");
  const auto at = ticks(query, kTime);
  if (!at) return;
  const Time time{*at};
  before_ = time;
  end_ = std::max(end_, time);
  if (has(query, kToLane) || has(query, kToTime)) return add_link(query, time);
  if (has(query, kValue)) return add_sample(query, time);
  const LaneId lane = lane_of(query);
  if (has(query, kIsBegin)) {
    if (query.integer(column_[kIsBegin]) == 0) return open_.end(lane, time, row_);
    return open_.begin(lane, type_of(query, Category::kState), time, params_of(query), row_);
  }
  if (has(query, kCauses) || has(query, kCausedBy)) add_cause(query, time, lane);
  const auto end = ticks(query, kEnd), duration = ticks(query, kDuration);
  if (end || duration) {
    constexpr double kStillOpen = -1;
    if (has(query, kDuration) && query.real(column_[kDuration]) == kStillOpen)
      return open_.begin(lane, type_of(query, Category::kState), time, params_of(query), row_);
    return add_state(query, time, end ? Time{*end} : time + Duration{*duration}, lane);
  }
  sink_.give(trace::PunctualEvent{.time = time,
                                  .params = params_of(query),
                                  .lane = lane,
                                  .type = type_of(query, Category::kPunctual)});
}

void Rows::add_state(const Query& query, Time begin, Time end, LaneId lane) {
  if (end < begin) return lose("state that ends before it begins");
  end_ = std::max(end_, end);
  sink_.give(trace::StateEvent{.begin = begin,
                               .duration = end - begin,
                               .params = params_of(query),
                               .lane = lane,
                               .type = type_of(query, Category::kState)});
}

// On a lane of its own, called as it is, below where it was.
void Rows::add_sample(const Query& query, Time time) {
  if (query.type(column_[kValue]) == SQLITE_TEXT) return lose("value that is not a number");
  const bool has_place = has(query, kProcess) || has(query, kLane);
  sink_.give(trace::VariableSample{.time = time,
                                   .value = query.real(column_[kValue]),
                                   .params = params_of(query),
                                   .lane = lane_in(has_place ? lane_of(query) : LaneId::none(),
                                                   text(query, kType), LaneKind::kCounter),
                                   .type = type_of(query, Category::kVariable)});
}

void Rows::add_link(const Query& query, Time time) {
  const auto receive = ticks(query, kToTime);
  sink_.give(trace::LinkEvent{.send = time,
                              .receive = receive ? Time{*receive} : time,
                              .params = params_of(query),
                              .source = lane_of(query),
                              .target = other_lane_of(query),
                              .type = type_of(query, Category::kLink)});
}

void Rows::add_cause(const Query& query, Time time, LaneId lane) {
  if (has(query, kCauses)) {
    if (causes_.size() >= most_causes_)
      return sink_.note("call beyond the memory for links", {row_, lane, time});
    // A later run in the same file counts anew and takes precedence.
    causes_.insert_or_assign(query.integer(column_[kCauses]), Cause{time, lane});
    return;
  }
  const auto it = causes_.find(query.integer(column_[kCausedBy]));
  if (it == causes_.end()) return;
  sink_.give(trace::LinkEvent{.send = it->second.time,
                              .receive = time,
                              .source = it->second.lane,
                              .target = lane,
                              .type = sink_.type(Category::kLink, "launch")});
}

LaneId Rows::lane_of(std::string_view process, std::string_view lane, std::string_view below) {
  LaneId found = process_of(process);
  if (found.is_none() || !lane.empty()) found = lane_in(found, lane, LaneKind::kThread);
  return below.empty() ? found : lane_in(found, below, LaneKind::kThread);
}

LaneId Rows::process_of(std::string_view process) {
  if (process.empty()) return LaneId::none();
  LaneId& known = value_of(processes_, process, LaneId::none());
  if (known.is_none())
    known = sink_.add_lane({.name = valid_utf8(process), .kind = LaneKind::kProcess});
  return known;
}

LaneId Rows::lane_in(LaneId parent, std::string_view name, LaneKind kind) {
  if (name.empty()) name = "trace";
  const uint32_t above = parent.is_none() ? UINT32_MAX : parent.value();
  LaneId& known = value_of(lanes_[above], name, LaneId::none());
  if (known.is_none())
    known = sink_.add_lane({.name = valid_utf8(name), .parent = parent, .kind = kind});
  return known;
}

EventTypeId Rows::type_of(const Query& query, Category category) {
  const std::string_view name = text(query, kType);
  const EventTypeId type = sink_.type(category, name.empty() ? "event" : valid_utf8(name),
                                      valid_utf8(text(query, kGroup)));
  if (has(query, kColor) && colored_.insert(type.value()).second)
    sink_.set_type_color(type, static_cast<uint32_t>(query.integer(column_[kColor])) & 0xFFFFFF);
  return type;
}

ParamsId Rows::params_of(const Query& query) {
  ArgsText json;
  if (has(query, kArgs)) {
    ArgsText args;
    args.json(text(query, kArgs));
    const std::string object = args.take_value();
    if (object.starts_with("{\"")) json.continue_object(object);
  }
  for (const int column : parameters_) {
    if (query.is_null(column)) continue;
    json.name(query.name(column));
    switch (query.type(column)) {
      case SQLITE_INTEGER:
        json.number(query.integer(column));
        break;
      case SQLITE_FLOAT:
        json.number(query.real(column));
        break;
      case SQLITE_BLOB:
        json.text(hexadecimal(std::as_bytes(std::span(query.bytes(column)))));
        break;
      default:
        json.text(query.bytes(column));
    }
  }
  return sink_.params(json.take(), std::as_bytes(std::span(text(query, kPayload))));
}

}  // namespace weft::formats::sqlite
