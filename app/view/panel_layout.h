// Which panels are open and how they share the window: a tree of columns, rows and tab groups.
//
//   column ─┬─ tabs: overview          76 px high
//           ├─ row ─┬─ tabs: gantt     the rest, by weight
//           │       └─ tabs: events, statistics
//           └─ tabs: density           132 px high
//
// A plain value. Sizes are logical pixels; tiling.h computes the places on the screen. Panels are
// identified by instance ("gantt", "gantt-2"). An operation on an unknown instance returns false
// and changes nothing. A layout never contains an empty group or a split with one part.
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

// What a pinned panel stays with, whatever the others show: a trace, or a view of its own on a
// trace.
struct PinnedView {
  uint64_t trace_id = 0;
  std::optional<ViewHistory> history;  // nullopt: shares the trace's view
};

struct PanelInstance {
  std::string id;
  std::string kind;                  // an id of the table in panels/panels.cpp
  Json options = Json::object();     // set by panel.set
  std::optional<PinnedView> pinned;  // nullopt: follows the current trace
  std::string group;                 // of Desk::groups, whose view it shows; empty: none

  bool is_linked() const { return !pinned && group.empty(); }
  bool has_own_view() const { return !group.empty() || (pinned && pinned->history); }
  bool stays_with_trace() const { return pinned && !pinned->history; }
};

// A named group of panels that show one trace in one view, independently of the others. The panels
// themselves say whether they belong to it (PanelInstance::group).
struct ViewGroup {
  std::filesystem::path trace;  // while it is not open, the panels are linked
  ViewHistory history;
  std::vector<PanelInstance> closed;  // reopened together
};

// Where to put a panel relative to a group of panels: at a side, or as one of its tabs.
enum class Side : uint8_t { kTab, kLeft, kRight, kTop, kBottom };
std::optional<Side> side_from_name(std::string_view name);  // "tab", "left", …
std::string_view name_of(Side side);

struct LayoutNode {
  enum class Kind : uint8_t { kTabs, kColumn, kRow };
  Kind kind = Kind::kTabs;
  double px = 0;                     // height in a column, width in a row; 0: by weight
  double weight = 1;                 // share of what siblings of fixed size leave
  std::vector<LayoutNode> children;  // of a column or a row: two or more
  std::vector<std::string> tabs;     // of a tab group: one or more instances
  size_t active = 0;                 // index of the tab in front
};

// The share of a split that parts without a fixed size always keep.
inline constexpr double kLeastFlexible = 0.45;

class PanelLayout {
 public:
  static constexpr size_t kMaxPanels = 48;  // of all kinds together

  const std::vector<PanelInstance>& panels() const { return panels_; }
  const std::optional<LayoutNode>& root() const { return root_; }
  // The panel that was clicked or opened last; empty: none.
  const std::string& focused() const { return focused_; }
  // Panels that have had the focus, the most recent one last.
  const std::vector<std::string>& focus_order() const { return focus_order_; }

  PanelInstance* find(std::string_view id);
  const PanelInstance* find(std::string_view id) const;
  const PanelInstance* first_of(std::string_view kind) const;
  size_t count_of(std::string_view kind) const;
  const LayoutNode* group_of(std::string_view id) const;
  // All ids, from left to right and top to bottom; tabs in their order.
  std::vector<std::string> in_places() const;

  // Adds a new instance of the kind beside `target` (empty: at a side of the whole layout). Its
  // size is `px` or, if that is 0, half of what it is put beside. Returns its id; nullopt if there
  // are kMaxPanels already.
  std::optional<std::string> open(std::string_view kind, std::string_view target, Side side,
                                  double px = 0);
  bool move(std::string_view id, std::string_view target, Side side);
  bool close(std::string_view id);
  // Closes the panel; what it had of a split that it shares with `heir` goes to the part of that
  // one, so that the others keep their sizes.
  bool close_into(std::string_view id, std::string_view heir);
  // The kind of the split in whose different parts both lie; nullopt: they are tabs of one group.
  std::optional<LayoutNode::Kind> split_between(std::string_view a, std::string_view b) const;
  // Brings the panel to the front of its tabs and gives it the focus.
  bool focus(std::string_view id);
  // Resizes the two parts that meet at the border between `id` and `beside`: `share` of their sum
  // goes to the part of `id`. If one of them has a fixed size, use resize_px().
  bool resize_share(std::string_view id, std::string_view beside, double share);
  bool resize_px(std::string_view id, std::string_view beside, double px);
  // Sets the heights (widths) of all parts of a column (row), each identified by one of its panels.
  // If those of fixed size get more than they may have, the largest of them becomes flexible.
  bool resize(const std::map<std::string, double>& px_by_panel);
  // Enlarges the part of a column (row) that contains `id` to `px`, if it has a fixed size and is
  // smaller.
  bool grow(std::string_view id, LayoutNode::Kind along, double px);

  // One panel: id, kind, options, group. Nothing that belongs to a trace: a pinned panel comes back
  // linked.
  static Json json_from(const PanelInstance& panel);
  static Result<PanelInstance> panel_from(const Json& json);
  // The whole layout.
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
