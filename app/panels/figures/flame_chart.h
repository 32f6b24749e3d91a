// Calls in the order of time: the states of every lane over time, one row for each depth, below the
// groups of the lanes. (B-08, XC-11)
//
//   |           | ruler                       |   of the scope of its panel, with the lanes as they
//   | ▾ process |                             |   are arranged, or those that are selected. Where
//   the |   thread  | main                        |   scope is the window, the wheel zooms and a
//   drag |           |   read │ write │            |   moves it as in the timeline
//
// Punctual events, variables and links, which the timeline also shows, are left out. Drawn by
// tiles, so that the cost depends on the pixels, whatever the scope.
#pragma once

#include <memory>
#include <vector>

#include "app/panels/element/element_details.h"
#include "app/panels/element_menu.h"
#include "app/panels/filter_sign.h"
#include "app/panels/panels.h"
#include "app/panels/tables/scroll_bar.h"
#include "app/panels/time_menu.h"
#include "app/panels/timeline/lane_band.h"
#include "app/panels/timeline/lane_tree.h"
#include "app/panels/timeline/time_axis.h"
#include "app/session/scope.h"
#include "core/base/latest.h"

namespace weft::app {

class FlameChart {
 public:
  explicit FlameChart(const PanelServices& services);
  void hide() { band_.hide(); }
  // The panel must have a trace and a model. `is_window`: the scope is the window of its view.
  void draw(const PanelInput& input, const Area& area, const Scope& scope, bool is_window,
            PanelOutput& output);
  void paint() { band_.paint(); }
  void present(int framebuffer_height) const { band_.present(framebuffer_height); }

 private:
  struct ChartKey {
    std::shared_ptr<const TraceModel> model;
    std::vector<LaneId> lanes;  // including the lanes below; empty: all
    bool operator==(const ChartKey&) const = default;
  };
  // The model reduced to rows of states.
  static TraceModel make_chart(const ChartKey& key);

  void draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& canvas,
                    const std::shared_ptr<const TraceModel>& chart, PanelOutput& output);
  bool draw_scroll_bar(const PanelInput& input, const Area& canvas, double all);
  void handle_mouse(const PanelInput& input, const TimeAxis& axis, const Area& gutter,
                    bool is_window, PanelOutput& output);
  void hover(const PanelInput& input, const TimeAxis& axis, PanelOutput& output);

  Latest<ChartKey, TraceModel> charts_;
  LatestDetails details_;
  LaneBand band_;
  FilterSign filter_sign_;
  LaneTree tree_;
  ElementMenu element_menu_;
  TimeMenu time_menu_;
  AxisGestures gestures_;
  ScrollBar scroll_bar_{ScrollBar::Way::kDown};
  double scroll_px_ = 0;
  double scroll_at_drag_ = 0;
  uint64_t tiles_frame_ = 0;  // TileCache::frame of the picture
};

}  // namespace weft::app
