// Updates what is known of each trace that is shown, before a frame is drawn: its lanes, its cuts,
// and what filters leave.
#include <utility>

#include "app/window/workbench.h"

namespace weft::app {

uint64_t Workbench::import_memory() {
  if (session_.memory.limit() == 0) return options_.memory_bytes;
  const uint64_t used = measure_memory().own_bytes + stage_.renderer->gpu_bytes();
  return session_.memory.for_import(options_.memory_bytes, used, session_.import_bytes());
}

TraceScene* Workbench::scene_of(const OpenTrace* trace) {
  if (!trace) return nullptr;
  auto& scene = stage_.scenes[trace->id()];
  if (!scene) scene = std::make_unique<TraceScene>(*stage_.renderer, question_pool_, options_.wake);
  return scene.get();
}

// Before anything is drawn of the trace in a frame: what its lanes are, and how its time is cut.
void Workbench::update_scene(OpenTrace& trace) {
  TraceScene* scene = scene_of(&trace);
  due_.is_stale |= scene->update(session_, trace, options_.scale) || trace.finder().is_busy();
  if (!trace.is_coupled()) trace.set_cuts(scene->cuts());
  trace.cut_problem = scene->cut_problem();
  // The status bar is drawn before. A picture has a scene of its own, which may not know it.
  const double share = scene->empty_share().value_or(trace.empty_share);
  due_.is_stale |= std::exchange(trace.empty_share, share) != share;
}

// If empty lanes are hidden, so are those in which nothing passes the filter of the linked view,
// once everything is counted; until then, lanes stay as they are. Call it outside of any
// PinnedScope.
void Workbench::update_passing_rows() {
  for (const auto& trace : session_.traces) {
    const ViewFilter& filter = trace->view().filter;
    if (!trace->arrangement().hides_empty || !filter.is_set() || filter.mode == FilterMode::kOff) {
      trace->set_passing_rows(nullptr);
      continue;
    }
    const auto scene = stage_.filters.find(trace->id());
    if (scene == stage_.filters.end() || !scene->second) continue;  // no linked panel shows it
    const ShownFilter& shown = scene->second->shown();
    const bool is_counting = shown.id != 0 && !shown.passing;
    if (!is_counting) trace->set_passing_rows(shown.passing);
    due_.is_stale |= is_counting;
  }
}

// An expression that parses may still ask for what its trace does not have, such as a message of an
// unknown id. The status bar, which says so, is drawn before the panels that ask for the filter.
// Outside of any PinnedScope.
void Workbench::note_filter_problems() {
  for (const auto& trace : session_.traces) {
    const auto scene = stage_.filters.find(trace->id());
    const bool is_shown = scene != stage_.filters.end() && scene->second;
    const auto compiled = is_shown ? scene->second->shown().compiled : nullptr;
    const bool fails = compiled && compiled->error && compiled->text == trace->view().filter.text;
    const std::string problem = fails ? compiled->error->one_line(compiled->text) : "";
    due_.is_stale |= std::exchange(trace->filter_problem, problem) != problem;
  }
}

// How time is to be cut: by the filter of the linked view, whichever view a panel has. Traces on
// one line are cut alike, whether a panel shows them or not. Outside of any PinnedScope.
void Workbench::update_cuts() {
  for (const auto& trace : session_.traces) trace->cut_where = session_.cut_where(*trace);
  std::vector<OpenTrace*> cut;
  std::vector<IdleTrace> idle;
  double least_ps = 0;
  for (const auto& trace : session_.traces) {
    if (!trace->is_coupled()) continue;
    const auto least = session_.cut_from(*trace);
    if (!least) {
      trace->set_cuts(nullptr);
      continue;
    }
    update_scene(*trace);
    cut.push_back(trace.get());
    idle.push_back({trace->on_line(), trace->range(), scene_of(trace.get())->cuts()});
    least_ps = ticks_on_line(static_cast<double>(least->ticks), trace->on_line(),
                             {TimeBase::kPicoseconds, {}});
  }
  const auto& cuts = stage_.line_cuts.find(std::move(idle), least_ps);
  for (size_t i = 0; i < cut.size(); ++i) cut[i]->set_cuts(cuts[i]);
}

const ShownFilter& Workbench::shown_filter(LivePanel* own, const OpenTrace* trace) {
  static const ShownFilter nothing;
  if (!trace) return nothing;
  const bool is_set = trace->view().filter.is_set();
  auto& filter = own ? own->filter : stage_.filters[trace->id()];
  if (!filter && is_set) filter = std::make_unique<FilterScene>(question_pool_, options_.wake);
  if (!filter) return nothing;
  TraceScene* scene = scene_of(trace);
  due_.is_stale |= filter->update(scene->model() ? scene->model()->trace : nullptr,
                                  trace->view().filter, trace->element(), scene->filtered_rows());
  return filter->shown();
}

}  // namespace weft::app
