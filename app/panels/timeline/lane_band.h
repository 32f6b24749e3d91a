// A band of lanes over time, as a picture with labels: the timeline has one for its pinned lanes
// and one for the others. Drawing and hovering read the same items.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/element/element_facts.h"
#include "app/panels/panels.h"
#include "app/panels/timeline/canvas.h"
#include "app/panels/timeline/time_axis.h"
#include "core/layout/links.h"
#include "render/timeline.h"

namespace weft::app {

// The content of the picture; equal contents look the same.
struct BandContent {
  std::shared_ptr<const TraceModel> model;
  bool is_pinned = false;                               // shows the model's pinned lanes
  std::vector<float> grid;                              // x of the grid lines
  layout::TileFilter filter;                            // decides which events stand out
  std::shared_ptr<const layout::LinkItems> links;       // links that pass the filter
  std::shared_ptr<const layout::LinkItems> rest_links;  // all, dimmed; null: they are left out
  std::shared_ptr<const ElementFacts> facts;  // of the selected element, whose links stand out
  TimeWindow window;
  std::shared_ptr<const TimeCuts> cuts;
  double scroll_px = 0;  // scroll of the main lanes
  double pinned_px = 0;  // visible height of the pinned lanes, above the others
  bool operator==(const BandContent&) const = default;

  const layout::Lanes& lanes() const { return is_pinned ? model->pinned : model->lanes; }
  double scroll() const { return is_pinned ? 0 : scroll_px; }  // scroll of this band
  // The y of lanes in the band's own picture, including lanes of the other band.
  render::LaneY lane_y() const;
};

class LaneBand {
 public:
  explicit LaneBand(render::Renderer& renderer) : canvas_(renderer) {}

  // Hides the band; until it is placed again, nothing in it can be pointed at.
  void hide() {
    canvas_.hide();
    area_ = {};
  }
  // Places the picture; false if it must be redrawn.
  bool place(const Area& area, const BandContent& content);
  // Redraws the picture. Call after begin_frame() of the tiles; the workbench ends their frame when
  // all panels are drawn.
  void redraw(const PanelInput& input, const TimeAxis& axis);
  void paint() { canvas_.paint(); }
  void present(int framebuffer_height) const { canvas_.present(framebuffer_height); }

  // Draws labels over the picture, in every frame.
  void draw_labels(const PanelInput& input);
  // Veils what is still shown as it was before the filter.
  void draw_veil(const PanelInput& input) const;
  // Draws a frame around the element that a tooltip describes.
  void draw_hit(const PanelInput& input, const TimeAxis& axis, const layout::Hit& hit) const;
  // Draws the links that the pointer asks for.
  void draw_over(const PanelInput& input, const TimeAxis& axis,
                 const layout::LinkItems& links) const;

  const Area& area() const { return area_; }
  const BandContent& content() const { return drawn_; }
  std::span<const layout::PlacedBox> boxes() const { return items_.boxes; }
  bool is_stale() const { return items_.is_stale; }
  // Whether something is shown as it was before the filter.
  bool awaits_filter() const { return items_.awaits_filter; }
  std::optional<layout::Hit> hit_at(const TimeAxis& axis, ImVec2 mouse) const;
  // What is drawn in a row at a time, except boxes and links.
  std::optional<layout::Hit> hit_in(const layout::DisplayRow& row, const TimeAxis& axis,
                                    Time time) const;
  // The begin or end nearest to the pointer: in the row under it or, above the band, in any row.
  std::optional<Time> edge_near(const TimeAxis& axis, ImVec2 mouse) const;
  // The row at a y of the screen; null: none.
  const layout::DisplayRow* row_at(float y) const;

 private:
  // A type's name, ready to be drawn.
  struct Label {
    std::string text;
    float width = -1;        // < 0: not yet measured
    float number_width = 0;  // of the digits at its end, which its neighbours lack
  };

  void add_links(const PanelInput& input, const render::TimelineView& view,
                 render::DrawBatch& batch);
  void mark_message(const PanelInput& input, const layout::PlacedLink& placed, size_t line,
                    render::DrawBatch& batch) const;
  const Label& label_of(const PanelInput& input, EventTypeId type);
  void draw_values(const PanelInput& input, float shift) const;

  Canvas canvas_;
  Area area_;
  BandContent drawn_;
  render::TimelineItems items_;
  std::vector<Label> labels_;  // by type
  std::shared_ptr<const TraceModel> labels_model_;
  float labels_font_px_ = 0;
  size_t labels_letters_ = 0;  // letters that the fonts had
};

}  // namespace weft::app
