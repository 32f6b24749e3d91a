// The lanes over time: states by depth, punctual events, variables as bands, links as arrows, and
// the tree of lanes at their left. (FS-22, FS-26, FS-48, FS-60)
//
//   |           | ruler: drag selects a range              |
//   | ▾ process |------------------------------------------|
//   |   thread  | canvas: wheel zooms, drag moves,         |
//   |           | double click zooms to what was clicked   |
//
// The canvas is a picture, redrawn when what it shows changed; names, selection and crosshair are
// drawn over it every frame. Drawing and hovering read the same items.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/canvas.h"
#include "app/panels/element_details.h"
#include "app/panels/panels.h"
#include "app/panels/time_axis.h"
#include "core/layout/links.h"
#include "render/latest.h"
#include "render/timeline.h"

namespace weft::app {

class GanttPanel final : public Panel {
 public:
  explicit GanttPanel(const PanelServices& services);
  void draw(const PanelInput& input, PanelOutput& output) override;
  void paint() override { canvas_.paint(); }
  void present(int framebuffer_height) const override { canvas_.present(framebuffer_height); }

 private:
  struct LinksKey {
    std::shared_ptr<const store::Trace> trace;
    TimeRange view;
    double width_px = 0;
    bool operator==(const LinksKey&) const = default;
  };
  // What the picture shows; equal ones look the same.
  struct Drawn {
    std::shared_ptr<const TraceModel> model;
    std::shared_ptr<const layout::LinkItems> links;
    TimeWindow window;
    double scroll_px = 0;
    bool operator==(const Drawn&) const = default;
  };
  // A type's name, ready to be drawn.
  struct Label {
    std::string text;
    float width = -1;  // < 0: not yet measured
  };

  void draw_picture(const PanelInput& input, const TimeAxis& axis, const Area& area,
                    PanelOutput& output);
  void add_grid(const PanelInput& input, const TimeAxis& axis, const Area& area,
                render::DrawBatch& batch) const;
  std::shared_ptr<const layout::LinkItems> find_links(const PanelInput& input, const TimeAxis& axis,
                                                      PanelOutput& output);
  void draw_box_labels(const PanelInput& input, const Area& area);
  const Label& label_of(const PanelInput& input, EventTypeId type);
  void draw_selection(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                      const Area& canvas) const;
  void draw_links_note(const PanelInput& input, const Area& canvas) const;
  void handle_canvas(const PanelInput& input, const TimeAxis& axis, const Area& canvas,
                     PanelOutput& output);
  void handle_ruler(const PanelInput& input, const TimeAxis& axis, const Area& ruler,
                    PanelOutput& output);
  void handle_scroll(const PanelInput& input, const Area& gutter, PanelOutput& output);
  void scroll_to(const PanelInput& input, double px, uint32_t gesture, PanelOutput& output) const;
  void draw_hit(const PanelInput& input, const TimeAxis& axis, const Area& canvas,
                const layout::Hit& hit) const;
  std::optional<layout::Hit> hit_at(const TimeAxis& axis, const Area& canvas, ImVec2 mouse) const;

  render::Latest<LinksKey, layout::LinkItems> links_;
  render::Latest<DetailsKey, Details> details_;
  Canvas canvas_;
  render::TimelineItems items_;
  Drawn drawn_;
  std::vector<Label> labels_;  // by type
  std::shared_ptr<const TraceModel> labels_model_;
  float labels_font_px_ = 0;

  AxisGestures gestures_;
  WheelGesture scroll_wheel_;
  double scroll_at_drag_ = 0;
  struct RangeDrag {
    Time from;
    float from_x = 0;
    uint32_t gesture = 0;
  };
  std::optional<RangeDrag> range_drag_;
};

}  // namespace weft::app
