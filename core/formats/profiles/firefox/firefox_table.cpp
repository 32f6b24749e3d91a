#include "core/formats/profiles/firefox/firefox_table.h"

#include <cmath>
#include <limits>

namespace weft::formats::firefox {
namespace {

std::optional<json::Element> rows_of(std::optional<json::Element> table, std::string_view name) {
  return json::member(table, json::member(table, "schema") ? std::string_view("data") : name);
}

}  // namespace

Column::Column(std::optional<json::Element> table, std::string_view name) : rows_(std::nullopt) {
  const auto schema = json::member(table, "schema");
  if (schema) in_row_ = json::integer(json::member(schema, name)).value_or(-1);
  if (!schema || in_row_ >= 0) rows_ = json::Elements(rows_of(table, name));
}

bool Column::next() {
  const auto row = rows_.next();
  if (in_row_ < 0 || !row) {
    value_ = row;
  } else {
    json::Elements values(row);
    value_ = values.next();  // rows end behind their last value
    for (int64_t i = 0; i < in_row_ && value_; ++i) value_ = values.next();
  }
  return row.has_value();
}

double Column::number() const {
  return json::number(value_).value_or(std::numeric_limits<double>::quiet_NaN());
}

Times::Times(std::optional<json::Element> table)
    : column_(table, "time"), are_deltas_(!Column(table, "time").next()) {
  if (are_deltas_) column_ = Column(table, "timeDeltas");
}

bool Times::next() {
  if (!column_.next()) return false;
  const double number = column_.number();
  if (!are_deltas_) {
    at_ = number;
  } else if (!std::isnan(number)) {
    at_ += number;
  }
  return true;
}

std::vector<int64_t> Table::indices(std::string_view name) const {
  std::vector<int64_t> out;
  for (Column values = column(name); values.next();) out.push_back(values.index());
  return out;
}

Strings::Strings(std::optional<json::Element> array) {
  json::Elements strings(array);
  while (const auto each = strings.next()) {
    document_ = &each->document();
    at_.push_back(each->at());
  }
}

std::string_view Strings::at(int64_t index) const {
  if (!has(index)) return {};
  return json::text(json::Element(*document_, at_[static_cast<size_t>(index)]));
}

}  // namespace weft::formats::firefox
