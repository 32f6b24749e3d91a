// Events as rows of a table in a panel: scrolled, filtered, selected, revealed and exported.
//
// 10^8 rows scroll at frame rate: a worker knows where the n-th event lies, and reads the rows
// around the visible ones; until they are there, the old rows stay, marked as stale. The table
// scrolls to an element that is selected elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/tables/event_table.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"

namespace weft::app {

class EventList {
 public:
  explicit EventList(const PanelServices& services);
  // Call within the panel's ImGui window; the panel must have a trace.
  void draw(const PanelInput& input, const Area& area, EventTableKey key, PanelOutput& output);
  uint64_t table_bytes() const { return table_bytes_; }

 private:
  // The row of an element in a table.
  struct PlaceKey {
    std::shared_ptr<const EventTable> table;
    query::ElementRef element;
    bool operator==(const PlaceKey&) const = default;
  };
  struct Place {
    PlaceKey key;
    std::optional<uint64_t> row;
  };

  const EventColumns& columns_of(const EventTableKey& key);
  static Place find_place(const PlaceKey& key);
  void follow(const PanelInput& input, const std::shared_ptr<const EventTable>& table,
              EventTableKey key, PanelOutput& output);
  // Whether the same element was followed last, and the table has since only been sorted
  // differently, by a column other than the time.
  bool is_sorted_only(const EventTableKey& key, const query::ElementRef& element,
                      const EventTable& table) const;
  static void answer(const PanelInput& input, const TableAnswer& answer, const EventPage& page,
                     PanelOutput& output);

  TableView view_;
  std::optional<TableAnswer> awaited_;  // what was chosen, until its row has been read
  Latest<EventTableKey, EventTable> table_;
  Latest<EventPageKey, EventPage> page_;
  Latest<PlaceKey, Place> place_;
  std::optional<std::pair<EventTableKey, query::ElementRef>> followed_;
  // Columns of the trace shown last.
  struct Header {
    std::weak_ptr<const store::Trace> trace;
    TableTimes times;
    EventColumnsPtr columns;
  };
  Header header_;
  uint64_t table_bytes_ = 0;  // size of the newest table
};

}  // namespace weft::app
