// The console: what was done, in the notation of journals, and what the program had to say, errors
// included; below it a line in which commands and filters are typed. (TM-25)
//
//   │ {"command":"filter.set","args":{"text":"dur > 5ms"}}   │
//   │ symbols: names of 7 lanes …                            │   ↑ ↓ what was typed before
//   │ > marker.add at=50%                                    │   Tab completes
#pragma once

#include <array>
#include <optional>
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
  void paint() override {}
  void present(int) const override {}

 private:
  void draw_log(const PanelInput& input, const Area& area);
  void draw_line(const PanelInput& input, const Area& area, PanelOutput& output);
  // Below the line while it is typed: what can follow, or what is wrong.
  void draw_hint(const PanelInput& input, const Area& area) const;
  void run(PanelOutput& output);
  static int on_text(ImGuiInputTextCallbackData* data);
  void complete(ImGuiInputTextCallbackData& data) const;

  std::array<char, query::kMostExpressionBytes + 1> typed_{};
  LineHistory history_;
  const trace::Dictionary* dictionary_ = nullptr;  // of this frame
  std::string complaint_;
  std::string complained_of_;  // the line
  size_t seen_ = 0;            // lines of the log: more have come where there are more
  bool takes_focus_ = false;
  FieldFocus focus_;
};

}  // namespace weft::app
