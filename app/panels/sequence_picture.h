// The inside of the sequence diagram: lanes, arrows, bars of traffic and what is written at them.
// Drawing and hovering read the same items.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/canvas.h"
#include "app/panels/time_axis.h"
#include "core/layout/hit.h"
#include "core/layout/sequence.h"
#include "core/layout/sequence_order.h"

namespace weft::app {

// The lanes of a diagram, made by a worker.
struct DiagramLanes {
  std::shared_ptr<const TraceModel> model;
  std::shared_ptr<const layout::ShownLanes> shown;  // the same one for the same model
  layout::SequenceOrder order;
};

// What the picture shows; equal ones look the same.
struct SequenceContent {
  std::shared_ptr<const DiagramLanes> lanes;
  std::shared_ptr<const layout::Messages> messages;
  TimeWindow window;
  std::shared_ptr<const TimeCuts> cuts;
  ThemeName theme = ThemeName::kDark;
  double left_px = 0;     // of the first lane's column, from the left edge
  double pitch_px = 1;    // of the lanes
  bool is_strip = false;  // small: lines only
  bool operator==(const SequenceContent&) const = default;
};

// The colour of a lane: that of its name, the same in every trace.
ImU32 lane_color(const TraceModel& model, LaneId lane);

class SequencePicture {
 public:
  explicit SequencePicture(render::Renderer& renderer) : canvas_(renderer) {}

  void hide() { canvas_.hide(); }
  // Shows it there, drawn anew where it must be.
  void place(const PanelInput& input, const TimeAxis& axis, const Area& area,
             const SequenceContent& content);
  void paint() { canvas_.paint(); }
  void present(int framebuffer_height) const { canvas_.present(framebuffer_height); }

  // Over the picture, every frame.
  void draw_counts(const PanelInput& input) const;
  // Around the arrow that a hit is about.
  void draw_arrow_outline(const PanelInput& input, const layout::PlacedArrow& arrow) const;

  const Area& area() const { return area_; }
  const SequenceContent& content() const { return drawn_; }
  const layout::SequenceLanes& lanes() const { return lanes_; }
  const layout::PlacedArrow* arrow_at(ImVec2 mouse) const;
  layout::Hit hit_of(const layout::PlacedArrow& arrow) const;
  // The traffic that no arrow shows; null: none there.
  const layout::TrafficBar* bar_at(ImVec2 mouse) const;

 private:
  struct CountLabel {
    float x = 0, y = 0;  // its middle, from the picture's top left
    std::string text;
  };
  struct PlacedBar {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    size_t index = 0;
  };

  void add_lanes(const PanelInput& input, const TimeAxis& axis, render::DrawBatch& batch) const;
  void add_bars(const PanelInput& input, const TimeAxis& axis, render::DrawBatch& batch);
  void add_arrows(const PanelInput& input, render::DrawBatch& batch);
  void add_arrow(const PanelInput& input, const layout::PlacedArrow& placed, float alpha,
                 render::DrawBatch& batch) const;
  void add_glyphs(const PanelInput& input, const layout::PlacedArrow& placed,
                  render::DrawBatch& batch) const;
  void add_counts(const PanelInput& input);
  ImU32 color_of(const PanelInput& input, const layout::PlacedArrow& placed) const;

  Canvas canvas_;
  Area area_;
  SequenceContent drawn_;
  layout::SequenceLanes lanes_;
  std::vector<layout::ArrowEnds> ends_;
  std::vector<layout::PlacedArrow> arrows_;
  std::vector<PlacedBar> bars_;
  std::vector<CountLabel> counts_;
  std::vector<ImU32> colors_;  // by place of the lane
  float glyph_px_ = 9;
};

}  // namespace weft::app
