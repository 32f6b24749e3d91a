#include "app/session/statistics_pages.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/query/metrics/metrics.h"
#include "core/trace/type_names.h"

namespace weft::app {
namespace {

constexpr uint64_t kMostRows = 100'000;  // a page is for reading; SQL is for more

std::map<uint32_t, uint64_t> counts_by_type(const store::Trace& trace, TimeRange range,
                                            const query::Work& work) {
  query::Selection selection = query::Selection::all(trace);
  selection.range = range;
  const auto counted =
      query::metric_from_id("count")->measure(trace, selection, query::GroupBy::kType, work);
  std::map<uint32_t, uint64_t> counts;
  for (const query::Group& group : counted.groups) counts[group.id] = group.count;
  return counts;
}

Cell share(uint64_t part, uint64_t whole) {
  if (whole == 0) return {};
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return std::round(percent * 100) / 100;  // as much as is read
}

SqlAnswer count_events(const PageKey& key, ThreadPool& pool, const std::stop_token& stop) {
  const store::Trace& trace = *key.trace;
  const query::Work work{pool, stop};
  const auto all = counts_by_type(trace, query::Selection::all(trace).range, work);
  const auto some = counts_by_type(trace, key.range, work);
  SqlAnswer answer;
  answer.key.trace = key.trace;
  answer.columns = {"type", "category", "events", "%", "in range", "% of range"};
  answer.is_number = {false, false, true, true, true, true};
  uint64_t total = 0, total_in_range = 0;
  for (const auto& [type, count] : all) total += count;
  for (const auto& [type, count] : some) total_in_range += count;
  std::vector<std::pair<uint64_t, uint32_t>> largest;  // first
  for (const auto& [type, count] : all) largest.emplace_back(count, type);
  std::ranges::sort(largest, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  const auto add = [&](std::string name, Cell category, uint64_t all_of_it, uint64_t in_range) {
    answer.rows.push_back({std::move(name), std::move(category), static_cast<int64_t>(all_of_it),
                           share(all_of_it, total), static_cast<int64_t>(in_range),
                           share(in_range, total_in_range)});
  };
  add("all events", {}, total, total_in_range);
  std::vector<const trace::EventType*> types;
  for (const auto& [count, type] : largest) types.push_back(&trace.dictionary().types[type]);
  std::vector<std::string> names = trace::distinct_names(types);
  for (size_t i = 0; i < largest.size(); ++i) {
    const auto in_range = some.find(largest[i].second);
    add(std::move(names[i]), std::string(name_of(types[i]->category)), largest[i].first,
        in_range == some.end() ? 0 : in_range->second);
  }
  return answer;
}

// "never_received": "Never received".
std::string title_of(std::string column) {
  if (column == "cpu") return "CPU";
  std::ranges::replace(column, '_', ' ');
  if (!column.empty()) column[0] = to_upper(column[0]);
  return column;
}

}  // namespace

std::vector<formats::Page> pages_of(const store::Trace& trace) {
  std::vector<formats::Page> pages = {{std::string(kEventsPage), "Events", ""}};
  if (const auto format = formats::format_from_id(trace.dictionary().format))
    pages.insert(pages.end(), format->pages.begin(), format->pages.end());
  return pages;
}

std::optional<PageAnswer> answer_page(const PageKey& key, ThreadPool& pool,
                                      const std::stop_token& stop) {
  std::optional<SqlAnswer> answer;
  if (key.page == kEventsPage) {
    answer = count_events(key, pool, stop);
  } else {
    const auto pages = pages_of(*key.trace);
    const auto page = std::ranges::find(pages, key.page, &formats::Page::id);
    if (page == pages.end()) {
      answer.emplace();
      answer->error = fmt::format("'{}' is not a page of this trace", printable(key.page));
    } else {
      answer = answer_sql({key.trace, page->sql, kMostRows, key.range}, stop);
      for (size_t i = 0; answer && i < answer->columns.size(); ++i)
        answer->is_duration.push_back(std::ranges::count(page->durations, answer->columns[i]) > 0);
    }
  }
  if (!answer || stop.stop_requested()) return std::nullopt;
  for (const std::string& column : answer->columns) answer->titles.push_back(title_of(column));
  return PageAnswer{key, std::make_shared<const SqlAnswer>(std::move(*answer))};
}

}  // namespace weft::app
