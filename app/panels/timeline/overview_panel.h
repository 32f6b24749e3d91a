// The whole trace as a strip, with the window of the other panels drawn over it.
//
// Dragging changes the window's edges or moves it; a click elsewhere centres it there. (B-12)
#pragma once

#include "app/panels/panels.h"
#include "app/panels/time_menu.h"
#include "app/panels/timeline/canvas.h"
#include "app/panels/timeline/histogram.h"
#include "core/base/latest.h"

namespace weft::app {

class OverviewPanel final : public Panel {
 public:
  explicit OverviewPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override { canvas_.paint(); }
  void present(int framebuffer_height) const override { canvas_.present(framebuffer_height); }

 private:
  enum class Grip : uint8_t { kNone, kBegin, kEnd, kWindow, kElsewhere };
  struct Drag {
    Grip grip = Grip::kNone;
    float from_x = 0;
    TimeWindow window;
    uint32_t gesture = 0;
    bool has_moved = false;
  };
  struct Drawn {
    std::shared_ptr<const Histogram> histogram;
    TimeWindow window;  // the window of the axis
    DensityScale scale = DensityScale::kLinear;
    layout::Theme theme = layout::Theme::kDark;
    bool operator==(const Drawn&) const = default;
  };

  void draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& area,
                    const std::shared_ptr<const Histogram>& histogram, DensityScale scale);
  void draw_window(const PanelInput& input, const TimeAxis& axis, const Area& area) const;
  void draw_hits(const PanelInput& input, const TimeAxis& axis, const Area& area,
                 PanelOutput& output) const;
  void draw_gutter(const PanelInput& input, DensityScale scale) const;
  Grip grip_at(const TimeAxis& axis, const TimeWindow& window, float x, float scale) const;
  void handle_mouse(const PanelInput& input, const TimeAxis& axis, const Area& area,
                    PanelOutput& output);
  void follow_drag(const PanelInput& input, const TimeAxis& axis, PanelOutput& output);

  Latest<HistogramKey, Histogram> histogram_;
  Canvas canvas_;
  Drawn drawn_;
  Drag drag_;
  RunGesture wheel_;
  TimeMenu time_menu_;
};

}  // namespace weft::app
