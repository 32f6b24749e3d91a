// The frame that panels live in: tabs, splitters, the menu of a panel, and moving panels by drag.
//
//   ┌ Timeline │ Events × ┐      A group of one panel with a time axis has no tabs; its menu (•••)
//   │                     ├──┐   appears at its top right while the pointer is over it.
//   │                     │  │
//
// Like panels, it reads the session and answers with commands.
#pragma once

#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/session/panel_kinds.h"
#include "app/view/tiling.h"
#include "app/window/chrome.h"

namespace weft::app {

// A panel that is in front of its group, and its place without the tabs.
struct PlacedPanel {
  const PanelInstance* instance = nullptr;
  const PanelKind* kind = nullptr;
  Area area;
  float gutter_px = 0;  // time axes that begin in one column begin at one x
};

// A window of ImGui that neither moves nor covers what is below it. Ends with ImGui::End.
void begin_fixed_window(const std::string& label, const Area& area);

// "Timeline", "Timeline 2", of a group "Timeline 2 · boot"; of a panel that stays with a trace
// "run.json  +1.5 ms". Made safe to show.
std::string title_of(const Session& session, const PanelInstance& instance);

class Docking {
 public:
  std::vector<PlacedPanel> arrange(const Session& session, const Area& area, float scale);
  // Tabs, splitters and a drag under way; after the panels.
  void draw(const ChromeInput& input);
  // Within the window of a panel, over what it drew: its menu and the edge of its gutter.
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
  uint32_t gesture_ = 0;  // of a splitter
  std::string dragged_;   // a panel on its way to another place; empty: none
  std::string menu_of_;   // whose menu is open
  std::string pressed_;   // the panel whose ••• is held down
};

}  // namespace weft::app
