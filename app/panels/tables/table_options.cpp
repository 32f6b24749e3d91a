// Implements the options, filters and columns of table_view.h.
#include <algorithm>

#include "app/panels/tables/table_view.h"

namespace weft::app {

TableOptions table_options(const Json& options, std::string_view prefix) {
  TableOptions table;
  const auto name = [&](const char* option) { return std::string(prefix) + option; };
  if (const auto sort = options.find(name("sort")); sort != options.end() && sort->is_string()) {
    table.sort = sort->get<std::string>();
    table.is_descending = table.sort.starts_with('-');
    if (table.is_descending) table.sort.erase(0, 1);
  }
  if (const Json* filters = find_object(options, name("filters"))) {
    for (const auto& [column, filter] : filters->items()) {
      if (filter.is_string() && !filter.get_ref<const std::string&>().empty()) {
        table.filters[column] = filter.get<std::string>();
      }
    }
  }
  return table;
}

std::vector<bool> hidden_columns(const Json& options, std::string_view prefix,
                                 std::span<const TableColumn> columns) {
  std::vector<bool> hidden(columns.size());
  const auto ids = options.find(std::string(prefix) + "hidden");
  const bool is_chosen = ids != options.end() && ids->is_array();
  for (size_t i = 1; i < columns.size(); ++i) {
    hidden[i] = is_chosen ? std::ranges::find(*ids, Json(columns[i].id)) != ids->end()
                          : columns[i].says_nothing;
  }
  return hidden;
}

std::optional<size_t> sort_column(const TableOptions& options,
                                  std::span<const TableColumn> columns) {
  const auto column = std::ranges::find(columns, std::string_view(options.sort), &TableColumn::id);
  if (options.sort.empty() || column == columns.end()) return std::nullopt;
  return static_cast<size_t>(column - columns.begin());
}

TableFilters::TableFilters(const TableOptions& options, std::span<const TableColumn> columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto filter = options.filters.find(std::string(columns[i].id));
    if (filter == options.filters.end()) continue;
    if (auto compiled = ColumnFilter::compile(filter->second))
      filters_.emplace(i, std::move(*compiled));
  }
}

Command set_option(const PanelInput& panel, std::string_view option, Json value, uint32_t gesture) {
  return set_option_of(panel.id, option, std::move(value), gesture);
}

Command set_option_of(std::string_view panel, std::string_view option, Json value,
                      uint32_t gesture) {
  return {
      "panel.set", {{"panel", panel}, {"option", option}, {"value", std::move(value)}}, gesture};
}

std::vector<std::string> column_ids(std::span<const TableColumn> columns) {
  std::vector<std::string> ids;
  for (const TableColumn& column : columns) ids.emplace_back(column.id);
  return ids;
}

}  // namespace weft::app
