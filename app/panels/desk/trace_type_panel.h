// Edits a trace type of the user's own beside the result for a sample: the beginning of a file, or
// a pasted text. (XC-33)
//
//   ┌ form ──────┬ the sample's records, each part in the colour of what it says ┐
//   │ rules …    ├ the events that come of them ─────────────────────────────────┤
//   └────────────┴───────────────────────────────────────────────────────────────┘
//
// If the panel is narrow, its parts lie one below the other. The edited values are options of the
// panel ("definition", "sample", "pasted", "name"), changed by panel.set, so that a journal replays
// the editing. Without a definition, one is guessed. Pointing at a part of a line sets its meaning.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/desk/trace_type_form.h"
#include "app/panels/desk/trace_type_preview.h"
#include "app/panels/element/sample_records.h"
#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "core/base/latest.h"

namespace weft::app {

class TraceTypePanel final : public Panel {
 public:
  explicit TraceTypePanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  void read_options(const PanelInput& input);
  Area draw_bar(const PanelInput& input, const std::string& file, PanelOutput& output);
  void draw_form(const PanelInput& input, const Area& area, PanelOutput& output);
  void draw_records(const PanelInput& input, const Area& area, PanelOutput& output);
  void use(const PanelInput& input, const formats::custom::Definition& edited, uint32_t gesture,
           PanelOutput& output);
  void draw_events(const PanelInput& input, const Area& area, PanelOutput& output);

  TraceTypeForm form_;
  SampleRecords records_;
  TableView view_;
  Latest<SampleKey, Sample> sample_;
  Latest<TraceTypeKey, TraceTypePreview> preview_;
  Json shown_;  // the option that definition_ was read from or written to
  std::optional<formats::custom::Definition> definition_;  // nullopt: it is guessed
  std::string problem_;                                    // of the option; empty: none
  std::shared_ptr<const TraceTypePreview> made_;           // possibly for an older definition
};

}  // namespace weft::app
