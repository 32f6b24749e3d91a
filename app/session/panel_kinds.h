// The kinds of panels there are, as layouts and commands know them: what they are called and where
// they are put. What draws them stands in app/panels/panels.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/session/session.h"
#include "app/view/panel_layout.h"
#include "core/base/result.h"

namespace weft::app {

// Where a panel is put when it is opened.
enum class PanelPlace : uint8_t {
  kColumn,  // among those of the default layout, in the order of the table
  kOver,    // a tab in front of the timeline where that is wide, else kBottom
  kBottom,  // with the tabs at the bottom
  kRight,   // with the tabs at the right
  kBeside,  // a column of its own at the right
};

struct PanelKind {
  std::string_view id;  // of the kind; instances are "gantt", "gantt-2"
  std::string_view title;
  PanelPlace place;
  float size_px;       // height, or width at the right; 0: takes what is left
  bool has_time_axis;  // right of the gutter; its picture covers all but that
  bool has_table;      // a main one, that table.export writes
  bool is_of_range;    // what it shows is that of a range of time, which others can show, too
};

// Those of the default layout from top to bottom, then the others as menus list them.
std::span<const PanelKind> panel_kinds();
const PanelKind* find_panel_kind(std::string_view id);
// An error names those that there are.
Result<const PanelKind*> panel_kind_named(std::string_view id);

// Overview and timeline, and at their places the panels of these kinds; what is no kind is left
// out.
PanelLayout default_layout(std::span<const std::string> panels);
// For traces of most types, and for no trace.
PanelLayout default_layout();
// For the type of the current trace, where the user has not arranged panels otherwise: so it is
// when a file is opened.
void arrange_for_type(Session& session);
// The same, unless the user has arranged them or looks at another trace (Host::on_opened).
void arrange_for_opened(Session& session, const OpenTrace& trace);
// Focuses the first of its kind, or opens one at its place; its id, or nothing where there are too
// many.
std::optional<std::string> open_panel(PanelLayout& layout, const PanelKind& kind);

// The same, but always opens one, as a tab beside the first of its kind.
std::optional<std::string> open_another(PanelLayout& layout, const PanelKind& kind);
// Whether the layout may hold so many panels of the kind; where not, the session is told what would
// allow it.
Status room_for(Session& session, const PanelLayout& layout, const PanelKind& kind, size_t wanted);

}  // namespace weft::app
