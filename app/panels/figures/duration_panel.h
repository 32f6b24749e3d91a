// Durations of states, or latencies of messages: a histogram for chosen types, with quantiles; a
// click on a bin, or a drag over several, lists the events in them: beside the bars where the panel
// is low. (FS-45, B-07)
//
//   ┌ types ┬ bars ──────────────────┐   a click chooses a type, with Ctrl another one;
//   │ ■ a   │   ▂▅█▃▁      ▁    p99  │   none chosen: all
//   │ ■ b   ├ what is in a bin ──────┤
//   └───────┴────────────────────────┘
#pragma once

#include "app/panels/events_menu.h"
#include "app/panels/figures/length_bars.h"
#include "app/panels/figures/slices.h"
#include "app/panels/panels.h"
#include "app/panels/steady_question.h"
#include "app/panels/tables/event_list.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"
#include "core/query/metrics/duration_bins.h"

namespace weft::app {

struct DurationKey : Scope {
  std::set<std::string> types;  // names; empty: all
  query::LengthsOf of = query::LengthsOf::kStates;
  query::BinScale scale = query::BinScale::kLogarithmic;
  bool operator==(const DurationKey&) const = default;
};

class DurationPanel final : public Panel {
 public:
  explicit DurationPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  uint64_t table_bytes() const override { return list_.table_bytes(); }

 private:
  struct Shown {
    DurationKey key;
    query::DurationBins bins;
  };
  // A bin as in the options: lengths in [least, end).
  struct Bin {
    int64_t least = 0;
    int64_t end = 0;
    bool operator==(const Bin&) const = default;
  };
  struct ListKey {
    DurationKey of;
    Bin bin;
    bool operator==(const ListKey&) const = default;
  };

  void draw_types(const PanelInput& input, const Area& area, const DurationKey& key,
                  PanelOutput& output);
  void draw_bars(const PanelInput& input, const Area& area, const Shown& shown, bool is_density,
                 const std::optional<Bin>& chosen, PanelOutput& output);
  // Draws the bars; a click or a drag chooses some, the right button opens their menu.
  void handle_bars(const Shown& shown, LengthBars bars, PanelOutput& output);
  void open_menu(const PanelInput& input, const DurationKey& key, const Bin& bin, uint64_t count,
                 bool is_listed);
  void draw_list(const PanelInput& input, const Area& area, const ListKey& key,
                 PanelOutput& output);
  static std::optional<Bin> chosen_bin(const Json& options);

  Latest<MeasureKey, Measured> types_;
  Latest<DurationKey, Shown> bins_;
  SteadyQuestion<MeasureKey> types_question_;
  SteadyQuestion<DurationKey> bins_question_;
  TableView types_view_;
  EventList list_;
  EventsMenu menu_;
  std::optional<size_t> dragged_from_;  // a bar, while the button is down
  std::optional<ListKey> listed_;
  aggregate::FormulaPtr formula_;  // filter of `listed_`
};

}  // namespace weft::app
