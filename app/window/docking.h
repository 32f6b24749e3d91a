// The frame around panels: tabs, splitters, the menu of a panel, and moving panels by dragging.
//
//   ┌ Timeline │ Events × ┐      A group of one panel with a time axis has no tabs; its menu (•••)
//   │                     ├──┐   appears at its top right while the pointer is over it.
//   │                     │  │
//
// Like panels, it reads the session and answers with commands.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/session/panel_kinds.h"
#include "app/view/tiling.h"
#include "app/window/chrome.h"

namespace weft::app {

// A panel in front of its group, and its place without the tabs.
struct PlacedPanel {
  const PanelInstance* instance = nullptr;
  const PanelKind* kind = nullptr;
  Area area;
  float gutter_px = 0;  // all time axes in a column begin at the same x
};

// Begins an ImGui window that neither moves nor covers what is below it; end it by ImGui::End().
void begin_fixed_window(const std::string& label, const Area& area);

// The title of a panel: "Timeline", "Timeline 2", in a group "Timeline 2 · boot"; if it stays with
// a trace, "run.json  +1.5 ms". Made safe to show.
std::string title_of(const Session& session, const PanelInstance& instance);

class Docking {
 public:
  std::vector<PlacedPanel> arrange(const Session& session, const Area& area, float scale);
  // Draws tabs, splitters and a drag under way; call it after the panels.
  void draw(const ChromeInput& input);
  // Call once a frame, with the commands that it runs: where keys have moved the focus, a panel
  // without a tab shows that it has it, until the mouse is used.
  void mark_focus(std::span<const Command> commands);
  // Draws a panel's menu button and the edge of its gutter over what it drew; call within the
  // panel's window.
  void draw_over(const ChromeInput& input, const PlacedPanel& placed);

 private:
  void draw_tabs(const ChromeInput& input, const PlacedGroup& placed);
  float draw_tab(const ChromeInput& input, const PanelInstance& instance, bool is_active, ImVec2 at,
                 float width);
  void draw_splitter(const ChromeInput& input, const Splitter& splitter, size_t index);
  void draw_gutter_edge(const ChromeInput& input, const PlacedPanel& placed);
  void draw_menu(const ChromeInput& input, const PanelInstance& instance);
  void draw_group_menu(const ChromeInput& input, const PanelInstance& instance);
  void begin_drag(const std::string& id);
  void draw_drag(const ChromeInput& input);

  Tiling tiling_;
  Area area_;
  float strip_px_ = 0;
  uint32_t gesture_ = 0;  // gesture of a splitter drag
  std::string dragged_;   // the panel being dragged; empty: none
  std::string menu_of_;   // the panel whose menu is open
  bool marks_focus_ = false;
  std::string pressed_;  // the panel whose ••• is held down
};

}  // namespace weft::app
