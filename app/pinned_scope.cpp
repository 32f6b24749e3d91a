#include "app/pinned_scope.h"

namespace weft::app {

PinnedScope::PinnedScope(Session& session, std::string_view panel)
    : session_(session), panel_(panel) {
  PanelInstance* instance = session_.layout.find(panel_);
  if (!instance || !instance->pinned) return;
  OpenTrace* trace = session_.find_trace(instance->pinned->trace_id);
  if (!trace) return;
  trace_id_ = trace->id();
  current_id_ = session_.trace()->id();
  has_own_view_ = instance->has_own_view();
  if (has_own_view_) trace->swap_history(*instance->pinned->history);
  session_.select_trace(trace_id_);
}

PinnedScope::~PinnedScope() {
  if (trace_id_ == 0) return;
  // Found anew: a command may have closed the trace or the panel, or unpinned it.
  OpenTrace* trace = session_.find_trace(trace_id_);
  PanelInstance* instance = session_.layout.find(panel_);
  if (has_own_view_ && trace && instance && instance->has_own_view()) {
    trace->swap_history(*instance->pinned->history);
  }
  session_.select_trace(current_id_);
}

}  // namespace weft::app
