// The event table: every event as a row, in order of time or of a column, filtered by column.
// (FS-15 to FS-18, FS-58, B-13)
//
// 10^8 rows scroll at frame rate: a worker knows where the n-th event lies and reads the rows
// around those seen; until they are there, the old ones stay, marked.
#pragma once

#include "app/panels/event_table.h"
#include "app/panels/panels.h"
#include "app/panels/table_view.h"
#include "render/latest.h"

namespace weft::app {

class EventPanel final : public Panel {
 public:
  explicit EventPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

 private:
  struct ExportKey {
    std::shared_ptr<const EventTable> table;
    TableExport to;
    bool operator==(const ExportKey& other) const { return to.serial == other.to.serial; }
  };
  struct Exported {
    std::string text;
    bool is_error = false;
  };
  static Exported make_export(const ExportKey& key, const std::stop_token& stop);

  void draw_table(const PanelInput& input, const Area& area, const EventTableKey& key,
                  PanelOutput& output);
  void export_rows(const PanelInput& input, const std::shared_ptr<const EventTable>& table,
                   TableInput& shown, PanelOutput& output);
  void answer(const PanelInput& input, const TableAnswer& answer, const EventPage& page,
              PanelOutput& output);

  TableView view_;
  render::Latest<EventTableKey, EventTable> table_;
  render::Latest<EventPageKey, EventPage> page_;
  render::Latest<ExportKey, Exported> export_;
  std::optional<ExportKey> exporting_;
};

}  // namespace weft::app
