// A histogram of the begins of events in the window, exact to the event, below the selected range
// and the markers. (FS-08 to FS-10)
//
// A drag to the right zooms to the range dragged over; a drag to the left shows the whole trace
// again.
#pragma once

#include <optional>

#include "app/panels/filter_sign.h"
#include "app/panels/panels.h"
#include "app/panels/time_menu.h"
#include "app/panels/timeline/canvas.h"
#include "app/panels/timeline/histogram.h"
#include "core/base/latest.h"

namespace weft::app {

class DensityPanel final : public Panel {
 public:
  explicit DensityPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override { canvas_.paint(); }
  void present(int framebuffer_height) const override { canvas_.present(framebuffer_height); }

 private:
  struct Drawn {
    std::shared_ptr<const Histogram> histogram;
    TimeWindow window;
    std::shared_ptr<const TimeCuts> cuts;
    DensityScale scale = DensityScale::kLinear;
    layout::Theme theme = layout::Theme::kDark;
    bool operator==(const Drawn&) const = default;
  };

  void draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& area,
                    const std::shared_ptr<const Histogram>& histogram);
  void draw_scale(const PanelInput& input, const Area& area, const Histogram& histogram) const;
  void draw_hover(const PanelInput& input, const TimeAxis& axis, const Area& area,
                  const Histogram& histogram) const;
  void handle_drag(const PanelInput& input, const TimeAxis& axis, const Area& area, bool is_hovered,
                   PanelOutput& output);

  Latest<HistogramKey, Histogram> histogram_;
  Canvas canvas_;
  Drawn drawn_;
  FilterSign filter_sign_;
  AxisGestures gestures_;
  std::optional<float> drag_from_x_;
  TimeMenu time_menu_;
};

}  // namespace weft::app
