// The list of a trace's markers: where they are, their names, notes and colours, to be edited, gone
// to and removed; and the cursors A and B. (B-06, B-11, TV-29)
#pragma once

#include <array>
#include <cstdint>

#include "app/panels/panels.h"
#include "app/session/markers.h"

namespace weft::app {

class MarkersPanel final : public Panel {
 public:
  explicit MarkersPanel(const PanelServices&) {}
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  using Text = std::array<char, Markers::kMostTextBytes + 1>;

  void draw_marker(const PanelInput& input, const Marker& marker, const Marker* before,
                   PanelOutput& output);  // before: the one above, or null
  void draw_editor(const PanelInput& input, const Marker& marker, PanelOutput& output);
  void edit(const Marker& marker);

  uint32_t edited_ = 0;  // the marker whose editor is open; 0: none
  bool takes_focus_ = false;
  Text name_ = {}, note_ = {}, every_ = {};
};

}  // namespace weft::app
