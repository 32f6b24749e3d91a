// The line of controls at the top of a panel. Choices are options of the panel (panel.set); figures
// cover the window, the whole trace or the selected range.
#pragma once

#include <string>
#include <string_view>

#include "app/panels/panels.h"
#include "app/session/choice.h"
#include "app/session/scope.h"

namespace weft::app {

// The option as a text; `otherwise` if it is not set.
std::string text_option(const PanelInput& input, const char* option, std::string_view otherwise);
// A text for one of `choices`, the first by default: never another.
std::string choice_option(const PanelInput& input, const char* option, Choices choices);

// Whether the scope chosen by Toolbar::choose_scope() moves with the view.
bool has_scope_of_window(const PanelInput& input);

// Controls that do not fit go to another line. Between its calls, the state of ImGui is unchanged.
class Toolbar {
 public:
  // Begins at the top of the panel's area. The panel must have a trace.
  Toolbar(const PanelInput& input, PanelOutput& output);

  // Offers buttons, one of which is pressed, or a list if they do not fit. The first choice is the
  // default.
  std::string choose(const char* option, Choices choices);
  // Always offers a list.
  std::string choose_from_list(const char* option, Choices choices);
  // Offers the scope of the figures, the option "scope": the window, the whole trace, or the
  // selected range and lanes. Until one is chosen, it is the selected range if there is one,
  // otherwise the window.
  Scope choose_scope();
  // Offers one of the open traces by its place. There must be more than `otherwise`, which is the
  // default.
  const OpenTrace* choose_trace(const char* option, size_t otherwise);
  // Offers which events the figures cover: those that pass the view's filter (the default), or all
  // (null). Nothing to choose if the view has no filter, or only marks hits.
  aggregate::FormulaPtr choose_filter();
  bool button(const char* title, bool is_enabled = true);
  // Writes a text. If it does not fit, it writes `shorter` instead, on the next line if need be, or
  // cuts it; then a tooltip has the whole text.
  void say(std::string_view text, std::string_view shorter = {});
  void gap();  // leaves a gap between groups of controls
  void space(float px);

  // The area of the panel below the toolbar.
  Area below() const;

 private:
  // Sets its font and button style while it exists.
  class Look;

  // `now`: the choice pressed at present.
  void offer(const char* option, Choices choices, std::string_view now);
  void offer_list(const char* option, Choices choices, std::string_view now);
  void begin_line(float y);
  void make_room(float width);  // goes to the next line if this one has too little
  float right() const;
  void advance(float width);
  bool press(const char* title, bool is_pressed, const char* help = nullptr);

  const PanelInput& input_;
  PanelOutput& output_;
  float x_, y_, height_;
};

// Says why the panel's scope has none of `what`, and what to do: "No states in the window: zoom
// out, or choose Whole trace"; if the trace has no events of `category`, only that.
std::string nothing_here(const PanelInput& input, std::string_view what,
                         std::optional<trace::Category> category = {});
// The same for latencies, which the trace may not know.
std::string no_latencies_here(const PanelInput& input, std::string_view what);
// Draws a notice in the middle of an area with nothing to show, broken into lines if it is narrow.
void draw_notice(const PanelInput& input, const Area& area, std::string_view text);
// Begins a scrolling child window in an area, with padding; end it by ImGui::EndChild().
void begin_content(const Area& area, ImVec2 padding);

}  // namespace weft::app
