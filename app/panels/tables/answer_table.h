// An SQL answer as a table in a panel: sorted, filtered, exported; a click goes to what its row
// names.
//
// A page of statistics is made for reading: its columns have titles, digits are grouped, instants
// are written like all times, and columns that only identify an element (lane_id, dur) are hidden.
// The answer to a user's own query is shown as it is.
//
// A row names an element if it has lane_id, type_id and begin (or time), and a time if it has
// begin, time or send. A double click shows the element close up, if its length (dur) is there.
#pragma once

#include <memory>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/tables/event_table.h"
#include "app/panels/tables/table_view.h"
#include "app/session/sql_answer.h"
#include "core/base/latest.h"

namespace weft::app {

// The order in which rows of an answer are shown, and which are.
struct SqlOrderKey {
  std::shared_ptr<const SqlAnswer> answer;
  TableOptions options;
  TableTimes times = {};
  bool operator==(const SqlOrderKey&) const = default;
};
struct SqlOrder {
  SqlOrderKey key;
  std::vector<TableColumn> columns;  // their texts belong to the answer
  std::vector<size_t> places;        // their places in the answer
  std::vector<uint32_t> rows;        // indices of rows of the answer
  bool is_as_answered = true;        // neither filtered nor sorted

  std::string cell(uint32_t row, size_t column) const;
};
// The rows in that order; all rows of the query if they are as answered.
Sheet sheet_of(const std::shared_ptr<const SqlOrder>& order);
SqlOrder arrange_answer(const SqlOrderKey& key);

class AnswerTable {
 public:
  explicit AnswerTable(const PanelServices& services);

  // Call within the panel's ImGui window. `is_asking`: another answer is on its way. `menu`: the
  // panel's own entries; `more` is added to the footer if there are more rows than the limit.
  TableAnswer draw(const PanelInput& input, const Area& area,
                   const std::shared_ptr<const SqlAnswer>& answer, bool is_asking,
                   std::span<const char* const> menu, std::string_view more, PanelOutput& output);

 private:
  TableView view_;
  Latest<SqlOrderKey, SqlOrder> order_;
};

}  // namespace weft::app
