// An answer in SQL as a table of a panel: sorted, filtered, written out; a click leads to what its
// row names.
//
// A page of statistics is there to be read: its columns have titles, figures are in groups of
// digits, instants read as times do everywhere, and what only leads somewhere (lane_id, dur)
// is no column. What is asked in SQL stands as it is.
//
// A row names an element where it has lane_id, type_id and begin (or time); a time where it has one
// of begin, time or send. A double click shows the element close, where its length (dur) is there.
#pragma once

#include <memory>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/tables/event_table.h"
#include "app/panels/tables/table_view.h"
#include "app/session/sql_answer.h"
#include "render/latest.h"

namespace weft::app {

// Which rows of an answer are shown, in which order.
struct SqlOrderKey {
  std::shared_ptr<const SqlAnswer> answer;
  TableOptions options;
  TableTimes times = {};
  bool operator==(const SqlOrderKey&) const = default;
};
struct SqlOrder {
  SqlOrderKey key;
  std::vector<TableColumn> columns;  // whose texts are the answer's
  std::vector<size_t> places;        // of these in the answer
  std::vector<uint32_t> rows;        // of the answer

  std::string cell(uint32_t row, size_t column) const;
};
SqlOrder arrange_answer(const SqlOrderKey& key);

class AnswerTable {
 public:
  explicit AnswerTable(const PanelServices& services);

  // Within the panel's ImGui window. `is_asking`: another answer is on its way. `menu`: the panel's
  // own entries; `more` is added to the footer where there are more rows than the limit.
  TableAnswer draw(const PanelInput& input, const Area& area,
                   const std::shared_ptr<const SqlAnswer>& answer, bool is_asking,
                   std::span<const char* const> menu, std::string_view more, PanelOutput& output);

 private:
  TableView view_;
  render::Latest<SqlOrderKey, SqlOrder> order_;
};

}  // namespace weft::app
