#include "core/formats/firefox/firefox_table.h"

#include <cmath>
#include <limits>

namespace weft::formats::firefox {

Table::Column Table::column(std::string_view name) const {
  Column out;
  const auto schema = json::member(table_, "schema");
  if (!schema) {
    json::for_each_element(json::member(table_, name),
                           [&](json::Element value) { out.emplace_back(value); });
    return out;
  }
  const auto index = json::integer(json::member(schema, name));
  if (!index || *index < 0) return out;
  json::for_each_element(json::member(table_, "data"), [&](json::Element row) {
    int64_t i = 0;
    out.emplace_back(std::nullopt);  // rows end behind their last value
    json::for_each_element(row, [&](json::Element value) {
      if (i++ == *index) out.back() = value;
    });
  });
  return out;
}

std::vector<int64_t> Table::indices(std::string_view name) const {
  std::vector<int64_t> out;
  for (const auto& value : column(name))
    out.push_back(json::integer(value).value_or(json::kNoIndex));
  return out;
}

std::vector<double> Table::numbers(std::string_view name) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> out;
  for (const auto& value : column(name)) out.push_back(json::number(value).value_or(kNone));
  return out;
}

std::vector<double> Table::times() const {
  std::vector<double> times = numbers("time");
  if (!times.empty()) return times;
  times = numbers("timeDeltas");
  double at = 0;
  for (double& time : times) time = at += std::isnan(time) ? 0 : time;
  return times;
}

}  // namespace weft::formats::firefox
