// What undo restores of one trace: its view, the lanes that it shows and its cuts, each with the
// steps that led there. Steps of all three are undone in the order in which they were made; those
// of one gesture of the lanes and the view, together.
//
// Knows no limits: what a view may be is decided by whoever moves it. Plain values, used on one
// thread; a step keeps a copy of what it replaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/view/view_history.h"
#include "core/base/time.h"

namespace weft::app {

// A number for steps that are to be undone together, greater than all before.
uint64_t new_step();

// What is cut out: stretches in which nothing lies that counts.
struct CutRule {
  Duration least;          // the shortest stretch
  std::string where = {};  // what counts, docs/filter-language.md; empty: whatever is shown
  bool operator==(const CutRule&) const = default;
};

// How a trace is looked at.
struct TraceLook {
  View view;
  LaneViewPtr lanes;
  std::optional<CutRule> cut_rule;
};

class TraceHistory {
 public:
  TraceLook look() const { return {view(), lanes_, cut_rule_}; }
  const ViewHistory& views() const { return views_; }
  const View& view() const { return views_.view; }

  // Moves the view. Changes within one gesture (other than 0) form one step of undo.
  void navigate(const View& view, uint32_t gesture, uint64_t step);
  // The same, but a view that follows its trace keeps following it.
  void change_in_place(const View& view, uint32_t gesture);
  // Records a step of another trace that is undone together with this one's; nothing changes here.
  void share_step(uint32_t gesture, uint64_t step);
  // Moves the window without a step.
  void place(const TimeWindow& window) { views_.view.window = window; }
  void follow(Follow what) { views_.follow = what; }
  // Exchanges the view with all its steps: see PinnedScope.
  void swap_views(ViewHistory& other) { std::swap(views_, other); }

  // Never null, replaced with every change.
  const LaneViewPtr& lanes() const { return lanes_; }
  void show_lanes(LaneView lanes, uint32_t gesture);
  void return_to(LaneViewPtr lanes, uint64_t step);  // to those of another time
  void restore_lanes(LaneView lanes);                // without a step

  // nullopt: nothing is cut.
  const std::optional<CutRule>& cut_rule() const { return cut_rule_; }
  void cut(std::optional<CutRule> rule, uint64_t step);
  void restore_cut(std::optional<CutRule> rule) { cut_rule_ = std::move(rule); }  // without a step

  // The numbers of the steps that undo() and redo() would take; nullopt: none.
  std::optional<uint64_t> undo_step() const;
  std::optional<uint64_t> redo_step() const;
  void undo();  // there is a step
  void redo();
  void drop_redo();

 private:
  ViewHistory views_;
  LaneViewPtr lanes_ = std::make_shared<const LaneView>();
  Steps<LaneViewPtr> lane_steps_;
  std::optional<CutRule> cut_rule_;
  Steps<std::optional<CutRule>> cut_steps_;
};

}  // namespace weft::app
