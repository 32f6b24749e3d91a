// The lanes over time: states by depth, punctual events, variables as bands, links as arrows, and
// the tree of lanes at their left. (FS-22, FS-23, FS-26, FS-48, FS-60)
//
//   | filter    | ruler: drag selects a range, Shift+drag zooms,|
//   |           | Ctrl+drag moves a trace among several         |
//   | ▾ pinned  |-----------------------------------------------|
//   | ▾ process |-----------------------------------------------|
//   |   thread  | canvas: wheel zooms, drag does as the mouse   |
//   |           | mode says, Shift+drag selects, right drag     |
//   |           | zooms, click selects an element               |
//
// The canvas consists of one picture for the pinned lanes and one for the others, each redrawn when
// its content has changed; names, selection, markers and crosshair are drawn over them in every
// frame.
#pragma once

#include <memory>
#include <optional>

#include "app/panels/element/element_details.h"
#include "app/panels/element/element_facts.h"
#include "app/panels/element_menu.h"
#include "app/panels/filter_sign.h"
#include "app/panels/panels.h"
#include "app/panels/tables/scroll_bar.h"
#include "app/panels/time_menu.h"
#include "app/panels/timeline/chain_links.h"
#include "app/panels/timeline/hit_marks.h"
#include "app/panels/timeline/lane_band.h"
#include "app/panels/timeline/lane_tree.h"
#include "app/panels/timeline/loss_marks.h"
#include "app/panels/timeline/marker_layer.h"
#include "app/panels/timeline/offset_drag.h"
#include "app/panels/timeline/range_drag.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/timeline/torn_ends.h"
#include "core/base/latest.h"

namespace weft::app {

class GanttPanel final : public Panel {
 public:
  explicit GanttPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override;
  void present(int framebuffer_height) const override;

 private:
  struct LinksKey {
    store::TracePtr trace;
    TimeRange view;
    double width_px = 0;
    std::shared_ptr<const TimeCuts> cuts;
    aggregate::FilterPtr filter;  // null: all links
    std::shared_ptr<aggregate::FilteredRows> rows;
    std::shared_ptr<const layout::MessageRules> rules;
    std::shared_ptr<const TraceModel> lanes;  // that are shown; null: all of them
    bool has_all = false;                     // drawn even if there are many
    bool operator==(const LinksKey&) const = default;
  };
  static std::optional<layout::LinkItems> make_links(const LinksKey& key,
                                                     const std::stop_token& stop);
  static layout::LinkItems make_own_links(const ElementFactsKey& key);
  struct Places {
    Area ruler, corner;
    Area gutter, canvas;                // left and right parts below the ruler
    Area pinned_gutter, pinned_canvas;  // their upper parts
    Area main_gutter, main_canvas;      // the rest of them
    Area note;                          // for the note about links, at the bottom; empty: none
  };

  Places arrange(const PanelInput& input, bool has_note) const;
  void draw_pictures(const PanelInput& input, const TimeAxis& axis, const Places& places,
                     BandContent content, PanelOutput& output);
  void draw_over(const PanelInput& input, const TimeAxis& axis, const Places& places,
                 const std::vector<layout::RulerTick>& ticks, PanelOutput& output);
  // Marks of the filter's hits, below the ruler's labels.
  void draw_hits(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                 PanelOutput& output);
  void find_links(const PanelInput& input, const TimeAxis& axis, BandContent& content,
                  PanelOutput& output);
  // Facts about the selected element; null: nothing is selected, or not yet known.
  std::shared_ptr<const ElementFacts> find_facts(const PanelInput& input, PanelOutput& output);
  // Says where the filter is still at work.
  void draw_filter_sign(const PanelInput& input, const Places& places, PanelOutput& output);
  void draw_element(const PanelInput& input, const TimeAxis& axis);
  // Answers a request for the row height that fills the panel (Orders::fit_rows_in).
  void fit_rows(const PanelInput& input, const Area& canvas, PanelOutput& output) const;
  // Scrolls to the lane that is to be shown (OpenTrace::last_reveal()).
  void follow_reveal(const PanelInput& input, PanelOutput& output);
  bool shows_classes() const;
  // `in_chain`: of the links in view, those that are drawn as the chain's.
  std::string links_note(const PanelInput& input, const BandContent& content,
                         uint64_t in_chain) const;
  uint64_t find_chain(const PanelInput& input, const TimeAxis& axis, const BandContent& content,
                      PanelOutput& output);

  void handle_mouse(const PanelInput& input, const TimeAxis& axis, const Places& places,
                    PanelOutput& output);
  void handle_canvas(const PanelInput& input, const TimeAxis& axis, const Places& places,
                     PanelOutput& output);
  void hover(const PanelInput& input, const TimeAxis& axis, const LaneBand& band,
             const layout::Hit& hit, PanelOutput& output);
  // Draws the links of the element under the pointer, in every mode.
  void draw_own_links(const PanelInput& input, const TimeAxis& axis, const layout::Hit& hit,
                      PanelOutput& output);
  void handle_scroll(const PanelInput& input, const Area& gutter, PanelOutput& output);
  // Draws the scroll bar at the right if not all lanes are visible. Returns whether it has the
  // mouse.
  bool draw_scroll_bar(const PanelInput& input, PanelOutput& output);
  void scroll_to(const PanelInput& input, double px, uint32_t gesture, PanelOutput& output) const;
  // The values of variables at the crosshair: "4", or "0 … 7" for samples that are drawn as one.
  static LaneTree::ValueOf values_in(const PanelInput& input, const TimeAxis& axis,
                                     const LaneBand& band);
  const LaneBand& band_at(ImVec2 mouse) const;
  // The lanes in [y0, y1) of the screen.
  std::vector<LaneId> lanes_between(float y0, float y1) const;

  Latest<LinksKey, layout::LinkItems> links_, rest_links_;
  HitFinder hits_;
  LatestDetails details_;
  Latest<ElementFactsKey, ElementFacts> facts_;
  Latest<ElementFactsKey, layout::LinkItems> own_links_;
  Latest<ChainKey, uint64_t> chain_in_view_;
  // The links in view, even if there are too many to draw; null: not yet known, or not needed.
  std::shared_ptr<const layout::LinkItems> links_in_view_;
  LaneBand pinned_, main_;
  LaneTree tree_;
  MarkerHandles markers_;
  FilterSign filter_sign_;
  LossMarks losses_;
  TornEnds torn_ends_;
  ElementMenu element_menu_;
  TimeMenu time_menu_;
  AxisGestures gestures_;
  RangeDrag range_drag_;
  OffsetDrag offset_drag_;
  RunGesture scroll_wheel_;
  ScrollBar scroll_bar_{ScrollBar::Way::kDown};
  uint32_t scroll_bar_gesture_ = 0;
  uint64_t tiles_frame_ = 0;  // TileCache::frame of the pictures
  double scroll_at_drag_ = 0;
  uint64_t revealed_ = 0;  // the last OpenTrace::last_reveal() that was followed
};

}  // namespace weft::app
