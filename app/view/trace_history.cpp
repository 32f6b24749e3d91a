#include "app/view/trace_history.h"

#include <algorithm>

namespace weft::app {

uint64_t new_step() {
  static uint64_t last = 0;  // views move on one thread
  return ++last;
}

void TraceHistory::navigate(const View& view, uint32_t gesture, uint64_t step) {
  if (view == views_.view) return;
  drop_redo();
  const bool is_of_lanes = lane_steps_.is_of(gesture) && lane_steps_.undo_number() == undo_step();
  views_.steps.leave(views_.view, gesture, is_of_lanes ? *undo_step() : step);
  views_.follow = Follow::kNothing;
  views_.view = view;
}

void TraceHistory::change_in_place(const View& view, uint32_t gesture) {
  const Follow followed = views_.follow;
  navigate(view, gesture, new_step());
  views_.follow = followed;
}

void TraceHistory::share_step(uint32_t gesture, uint64_t step) {
  if (undo_step() == step) return;
  drop_redo();
  views_.steps.leave(views_.view, gesture, step);
}

void TraceHistory::show_lanes(LaneView lanes, uint32_t gesture) {
  drop_redo();
  const bool is_of_view = views_.steps.is_of(gesture) && views_.steps.undo_number() == undo_step();
  lane_steps_.leave(lanes_, gesture, is_of_view ? *undo_step() : new_step());
  restore_lanes(std::move(lanes));
}

void TraceHistory::return_to(LaneViewPtr lanes, uint64_t step) {
  if (lanes == lanes_) return;
  drop_redo();
  lane_steps_.leave(std::exchange(lanes_, std::move(lanes)), 0, step);
}

void TraceHistory::restore_lanes(LaneView lanes) {
  lanes_ = std::make_shared<const LaneView>(std::move(lanes));
}

void TraceHistory::cut(std::optional<CutRule> rule, uint64_t step) {
  if (rule == cut_rule_) return;
  drop_redo();
  cut_steps_.leave(std::exchange(cut_rule_, std::move(rule)), 0, step);
}

std::optional<uint64_t> TraceHistory::undo_step() const {
  return std::max(
      {views_.steps.undo_number(), lane_steps_.undo_number(), cut_steps_.undo_number()});
}

std::optional<uint64_t> TraceHistory::redo_step() const {
  return first_of(first_of(views_.steps.redo_number(), lane_steps_.redo_number()),
                  cut_steps_.redo_number());
}

void TraceHistory::undo() {
  const std::optional<uint64_t> step = undo_step();
  if (lane_steps_.undo_number() == step) lane_steps_.undo(lanes_);
  if (cut_steps_.undo_number() == step) cut_steps_.undo(cut_rule_);
  if (views_.steps.undo_number() != step) return;
  views_.steps.undo(views_.view);
  views_.follow = Follow::kNothing;
}

void TraceHistory::redo() {
  const std::optional<uint64_t> step = redo_step();
  if (lane_steps_.redo_number() == step) lane_steps_.redo(lanes_);
  if (cut_steps_.redo_number() == step) cut_steps_.redo(cut_rule_);
  if (views_.steps.redo_number() != step) return;
  views_.steps.redo(views_.view);
  views_.follow = Follow::kNothing;
}

void TraceHistory::drop_redo() {
  views_.steps.drop_redo();
  lane_steps_.drop_redo();
  cut_steps_.drop_redo();
}

}  // namespace weft::app
