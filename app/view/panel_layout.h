// Which panels are open and how they share the window: a tree of columns, rows and tab groups.
//
//   column ─┬─ tabs: overview          76 px high
//           ├─ row ─┬─ tabs: gantt     the rest, by weight
//           │       └─ tabs: events, statistics
//           └─ tabs: density           132 px high
//
// A plain value: no pixel is known here beyond the wished sizes, which are logical; tiling.h finds
// the places. Panels are named by instance ("gantt", "gantt-2"); an operation on one that is not
// there answers false and changes nothing. No empty group and no split of one is ever left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/json.h"
#include "app/view/view_history.h"
#include "core/base/result.h"

namespace weft::app {

// What a panel stays with, whatever the others show: one trace, or one trace's view of its own.
struct PinnedView {
  uint64_t trace_id = 0;
  std::optional<ViewHistory> history;  // nothing: looks at the trace as all do
};

struct PanelInstance {
  std::string id;
  std::string kind;                  // an id of the table in panels/panels.cpp
  Json options = Json::object();     // of the panel itself, by panel.set
  std::optional<PinnedView> pinned;  // nothing: linked to the current trace
  std::string group;                 // whose view it shows (Desk::groups); empty: of none

  bool is_linked() const { return !pinned && group.empty(); }
  bool has_own_view() const { return !group.empty() || (pinned && pinned->history); }
  bool stays_with_trace() const { return pinned && !pinned->history; }
};

// Panels under a name that show the same, apart from the others: one trace in one view. Which of
// those that are open belong to it, they say themselves.
struct ViewGroup {
  std::filesystem::path trace;  // while it is not open, they are linked
  ViewHistory history;
  std::vector<PanelInstance> closed;  // to be opened together
};

// A side of a group of panels, or its middle.
enum class Side : uint8_t { kTab, kLeft, kRight, kTop, kBottom };
std::optional<Side> side_from_name(std::string_view name);  // "tab", "left", …
std::string_view name_of(Side side);

struct LayoutNode {
  enum class Kind : uint8_t { kTabs, kColumn, kRow };
  Kind kind = Kind::kTabs;
  double px = 0;                     // height in a column, width in a row; 0: by weight
  double weight = 1;                 // of what the siblings of fixed size leave
  std::vector<LayoutNode> children;  // of a column or a row: two or more
  std::vector<std::string> tabs;     // of a tab group: one or more instances
  size_t active = 0;                 // which of the tabs is in front
};

// Of a split that has them, parts of no fixed size have at least so much.
inline constexpr double kLeastFlexible = 0.45;

class PanelLayout {
 public:
  static constexpr size_t kMaxPanels = 48;  // of all kinds together

  const std::vector<PanelInstance>& panels() const { return panels_; }
  const std::optional<LayoutNode>& root() const { return root_; }
  // The one that was clicked or opened last; empty: none.
  const std::string& focused() const { return focused_; }
  // Panels that have had the focus, the last one last.
  const std::vector<std::string>& focus_order() const { return focus_order_; }

  PanelInstance* find(std::string_view id);
  const PanelInstance* find(std::string_view id) const;
  const PanelInstance* first_of(std::string_view kind) const;
  size_t count_of(std::string_view kind) const;
  const LayoutNode* group_of(std::string_view id) const;
  // All ids, from the left and the top on; tabs in their order.
  std::vector<std::string> in_places() const;

  // A new instance of the kind, beside `target` (empty: at a side of the whole). Its size is `px`
  // or, where that is 0, half of what it is put beside. The id; nothing where there are too many.
  std::optional<std::string> open(std::string_view kind, std::string_view target, Side side,
                                  double px = 0);
  bool move(std::string_view id, std::string_view target, Side side);
  bool close(std::string_view id);
  // Brings it to the front of its tabs and gives it the focus.
  bool focus(std::string_view id);
  // The two parts that meet where `id` and `beside` part: `share` of both together goes to the
  // part of `id`. Where one of them has a size of its own, resize_px is meant.
  bool resize_share(std::string_view id, std::string_view beside, double share);
  bool resize_px(std::string_view id, std::string_view beside, double px);
  // All parts of a column (a row), by a panel of each: as high (wide) as they are to be shown.
  // Where those of fixed size get more than they may have, the largest has none from then on.
  bool resize(const std::map<std::string, double>& px_by_panel);
  // The part of a column (a row) that `id` is in becomes so high (wide), if it is smaller and has a
  // size of its own.
  bool grow(std::string_view id, LayoutNode::Kind along, double px);

  // Of one panel: id, kind, options, group. Without what belongs to a trace: a pinned panel comes
  // back linked.
  static Json json_from(const PanelInstance& panel);
  static Result<PanelInstance> panel_from(const Json& json);
  // Of all.
  Json to_json() const;
  static Result<PanelLayout> from_json(const Json& json);

 private:
  void insert(std::string_view id, std::string_view target, Side side, double px);
  void detach(std::string_view id);
  void give_focus(const std::string& id);

  std::vector<PanelInstance> panels_;
  std::optional<LayoutNode> root_;
  std::string focused_;
  std::vector<std::string> focus_order_;
};

}  // namespace weft::app
