// The kinds of panels, as layouts and commands know them: their names and places.
// app/panels/panels.cpp draws them.
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
  std::string_view id;  // id of the kind; instances are "gantt", "gantt-2"
  std::string_view title;
  PanelPlace place;
  float size_px;       // height, or width at the right; 0: takes the rest
  bool has_time_axis;  // right of the gutter; its picture covers the rest
  bool has_table;      // a main table, which table.export writes
  bool is_of_range;    // its content belongs to a range, which others can show, too
  bool is_of_trace;    // it shows nothing without one
};

// All kinds: those of the default layout from top to bottom, then the others in the order of menus.
std::span<const PanelKind> panel_kinds();
const PanelKind* find_panel_kind(std::string_view id);
// The kind with this id; an error lists the existing ones.
Result<const PanelKind*> panel_kind_named(std::string_view id);

// Overview and timeline, with panels of these kinds at their places; unknown kinds are left out.
PanelLayout default_layout(std::span<const std::string> panels);
// The layout for most types of traces, and for no trace.
PanelLayout default_layout();
// Arranges panels for the type of the current trace, whatever the user has arranged; reports kinds
// that do not exist.
void arrange_as_at_first(Session& session);
// Arranges panels for the current trace as the user has for its kind: unless panels stay with a
// trace, or the user has arranged them for this trace, or before there was any.
void arrange_for_current(Session& session);
// The same if this trace, which has been opened, is the current one (Host::on_opened).
void arrange_for_opened(Session& session, const OpenTrace& trace);
// Focuses the first panel of this kind, or opens one at its place. Returns its id; nullopt if there
// are too many panels.
std::optional<std::string> open_panel(PanelLayout& layout, const PanelKind& kind);

// Always opens another panel of this kind, as a tab beside the first one.
std::optional<std::string> open_another(PanelLayout& layout, const PanelKind& kind);
// Whether the layout may hold `wanted` panels of this kind; if not, the session tells the user what
// would allow it.
Status room_for(Session& session, const PanelLayout& layout, const PanelKind& kind, size_t wanted);

}  // namespace weft::app
