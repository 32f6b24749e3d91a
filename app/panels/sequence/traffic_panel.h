// Traffic: the links of a scope by pair of lanes or by type, in a table with messages, bytes,
// latencies and unanswered messages, beside a chord diagram or a matrix of the pairs. A click
// chooses a pair or a type. (TM-53)
//
//   ┌ pairs, or types ──┬ picture ─┐   a double click on a row filters to its messages
//   │ ■ a   b   12  p50 │    ◯     │
//   ├───────────────────┤          │
//   │ ▂▅█▃▁ latencies   │          │   of what is chosen, or of all
//   └───────────────────┴──────────┘
//
// Everything is read in one pass; meanwhile the panel shows what has been read so far, and how much
// that is.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "app/panels/events_menu.h"
#include "app/panels/panels.h"
#include "app/panels/sequence/traffic_figures.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"

namespace weft::app {

class TrafficPanel final : public Panel {
 public:
  explicit TrafficPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

  struct ShownKey {
    std::shared_ptr<const TrafficFigures> of;
    bool is_by_type = false;
    TableOptions options;
    TimeDisplay display;
    bool operator==(const ShownKey&) const = default;
  };
  // The latencies in one column of the table.
  struct Lengths {
    Duration low, most;  // above 0; a quarter are shorter than `low`; 0: there are none
  };
  struct Shown {
    ShownKey key;
    std::vector<size_t> rows;          // pairs or types that pass the filters, in the table's order
    std::array<Lengths, 3> latencies;  // of all of them, by column
  };

 private:
  static Shown arrange(const ShownKey& key);
  void draw_table(const PanelInput& input, const Area& area,
                  const std::shared_ptr<const TrafficFigures>& newest, bool is_stale,
                  PanelOutput& output);
  // The latencies of the pair or type that is chosen, or of all.
  void draw_chosen(const PanelInput& input, const Area& area, const TrafficFigures& figures,
                   PanelOutput& output);
  void draw_picture(const PanelInput& input, const Area& area, const TrafficFigures& figures,
                    PanelOutput& output);

  std::shared_ptr<const TrafficFigures> find_figures(const PanelInput& input, const TrafficKey& key,
                                                     bool& is_stale);

  // The figures of what has been read so far, published by the reading worker.
  std::atomic<std::shared_ptr<const TrafficFigures>> so_far_;
  std::shared_ptr<const TrafficFigures> shown_so_far_;
  Latest<TrafficKey, TrafficFigures> figures_;
  SteadyQuestion<TrafficKey> question_;
  Latest<ShownKey, Shown> shown_;
  TableView view_;
  EventsMenu menu_;
};

}  // namespace weft::app
