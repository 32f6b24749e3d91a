// The line of controls at the top of a panel, and what they have in common: choices are options of
// the panel (panel.set), and figures are of the window, the whole trace or the selected range.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/panels.h"
#include "app/session/scope.h"

namespace weft::app {

struct Choice {
  std::string_view id;  // the option's value
  const char* title;
  const char* help = nullptr;  // a tooltip; null where the title says all
};
inline constexpr Choice kTypeOrLane[] = {{"type", "By type"}, {"lane", "By lane"}};

// A text among the options; `otherwise` where there is none.
std::string text_option(const PanelInput& input, const char* option, std::string_view otherwise);
// A text for one of `choices`, the first by default: never another.
std::string choice_option(const PanelInput& input, const char* option,
                          std::span<const Choice> choices);

// What is chosen by Toolbar::choose_scope moves with the view.
bool has_scope_of_window(const PanelInput& input);

// Where a line is full, another one begins. Between its calls ImGui is as it was before.
class Toolbar {
 public:
  // Begins at the top of the panel's area. The panel has a trace.
  Toolbar(const PanelInput& input, PanelOutput& output);

  // Buttons, one of which is pressed; a list where they do not fit. The first is the default.
  std::string choose(const char* option, std::span<const Choice> choices);
  // Always a list.
  std::string choose_from_list(const char* option, std::span<const Choice> choices);
  // What part of the trace the figures are of: the window, all of it, or the selected range and
  // lanes; the option "scope". Until one is chosen, the selected range where there is one, else the
  // window.
  Scope choose_scope();
  // One of the open traces, of which there are more than `otherwise`, the default; by its place.
  const OpenTrace* choose_trace(const char* option, size_t otherwise);
  // What of the view's filter the figures are of: all events (null) or those that pass, which is
  // what they are of at first. Nothing to choose where the view has none, or only marks.
  aggregate::FormulaPtr choose_filter();
  bool button(const char* title, bool is_enabled = true);
  // Where it does not fit `shorter` is said, on the next line if need be, or it is cut; then a
  // tooltip has all of it.
  void say(std::string_view text, std::string_view shorter = {});
  void gap();  // between groups
  void space(float px);

  // What is left of the panel below.
  Area below() const;

 private:
  // Its letters and buttons, while this lives.
  class Look;

  // With the choice that is pressed now.
  void offer(const char* option, std::span<const Choice> choices, std::string_view now);
  void offer_list(const char* option, std::span<const Choice> choices, std::string_view now);
  void begin_line(float y);
  void make_room(float width);  // on the next line, where this one has too little
  float right() const;
  void advance(float width);
  bool press(const char* title, bool is_pressed, const char* help = nullptr);

  const PanelInput& input_;
  PanelOutput& output_;
  float x_, y_, height_;
};

// Why there are none of them in the panel's scope, and what to do: "No states in the window: zoom
// out, or choose Whole trace"; of a category that the trace has no events of, only that.
std::string nothing_here(const PanelInput& input, std::string_view what,
                         std::optional<trace::Category> category = {});
// The same of latencies, which the trace may not know.
std::string no_latencies_here(const PanelInput& input, std::string_view what);
// Some words in the middle of an area where there is nothing to show; broken into lines where it is
// narrow.
void draw_notice(const PanelInput& input, const Area& area, std::string_view text);
// What scrolls in an area, with room around it, up to ImGui::EndChild().
void begin_content(const Area& area, ImVec2 padding);

}  // namespace weft::app
