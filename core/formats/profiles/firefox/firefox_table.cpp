#include "core/formats/profiles/firefox/firefox_table.h"

#include <cmath>

namespace weft::formats::firefox {

Column::Column(std::optional<json::Element> table, std::string_view name) : rows_(std::nullopt) {
  const auto schema = json::member(table, "schema");
  if (schema) in_row_ = json::integer(json::member(schema, name)).value_or(-1);
  if (!schema) values_ = json::Numbers(json::member(table, name));
  if (in_row_ >= 0) rows_ = json::Elements(json::member(table, "data"));
}

bool Column::next_row() {
  const auto row = rows_.next();
  values_ = json::Numbers(row);
  bool has_value = values_.next();  // rows end behind their last value
  for (int64_t i = 0; i < in_row_ && has_value; ++i) has_value = values_.next();
  return row.has_value();
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
