// A trace type of one's own, edited beside what it makes of a sample: the begin of a file, or a
// text that was pasted. (XC-33)
//
//   ┌ form ──────┬ the sample's records, each part in the colour of what it says ┐
//   │ rules …    ├ the events that come of them ─────────────────────────────────┤
//   └────────────┴───────────────────────────────────────────────────────────────┘
//
// Where the panel is narrow, the parts lie below each other. What is edited are options of the
// panel ("definition", "sample", "pasted", "name"), changed by panel.set: a journal replays it.
// Without a definition one is guessed. What a part of a line says can be told by pointing at it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/panels/desk/trace_type_form.h"
#include "app/panels/desk/trace_type_preview.h"
#include "app/panels/element/sample_records.h"
#include "app/panels/panels.h"
#include "app/panels/tables/table_view.h"
#include "render/latest.h"

namespace weft::app {

class TraceTypePanel final : public Panel {
 public:
  explicit TraceTypePanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override {}
  void present(int) const override {}

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
  render::Latest<SampleKey, Sample> sample_;
  render::Latest<TraceTypeKey, TraceTypePreview> preview_;
  Json shown_;  // of the option, that definition_ was read from or written to
  std::optional<formats::custom::Definition> definition_;  // none: it is guessed
  std::string problem_;                                    // of the option
  std::shared_ptr<const TraceTypePreview> made_;           // may be of an older definition
};

}  // namespace weft::app
