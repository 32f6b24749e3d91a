// The console: the commands run so far, in the notation of journals, and the program's messages,
// including errors; below them a line for typing commands and filters. (TM-25)
//
//   │ {"command":"filter.set","args":{"text":"dur > 5ms"}}   │
//   │ symbols: names of 7 lanes …                            │   ↑ ↓ what was typed before
//   │ > marker.add at=50%                                    │   Tab completes
#pragma once

#include <array>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/text_field.h"
#include "app/session/console_line.h"
#include "core/query/filter/filter_expression.h"

namespace weft::app {

class ConsolePanel final : public Panel {
 public:
  explicit ConsolePanel(const PanelServices&) {}
  void draw(const PanelInput& input, PanelOutput& output) override;

 private:
  void draw_log(const PanelInput& input, const Area& area);
  void draw_line(const PanelInput& input, const Area& area, PanelOutput& output);
  // Below the line while it is being typed: what can follow, or what is wrong.
  void draw_hint(const PanelInput& input, const Area& area) const;
  void run(PanelOutput& output);
  static int on_text(ImGuiInputTextCallbackData* data);
  void complete(ImGuiInputTextCallbackData& data) const;

  std::array<char, query::kMostExpressionBytes + 1> typed_{};
  LineHistory history_;
  const trace::Dictionary* dictionary_ = nullptr;  // of this frame's trace
  std::string complaint_;
  std::string complained_of_;  // the line to which `complaint_` refers
  size_t seen_ = 0;            // number of lines of the log already seen
  bool takes_focus_ = false;
  FieldFocus focus_;
};

}  // namespace weft::app
