#include "app/session/pinned_scope.h"

#include <utility>

namespace weft::app {
namespace {

struct PanelView {
  OpenTrace* trace = nullptr;      // null: it is linked, or its trace is not open
  ViewHistory* history = nullptr;  // null: that of the trace
};

PanelView view_of(Session& session, std::string_view panel) {
  PanelInstance* instance = session.desk.layout.find(panel);
  if (!instance) return {};
  if (const auto group = session.desk.groups.find(instance->group);
      group != session.desk.groups.end()) {
    return {session.find_trace(group->second.trace), &group->second.history};
  }
  if (!instance->pinned) return {};
  auto& history = instance->pinned->history;
  return {session.find_trace(instance->pinned->trace_id), history ? &*history : nullptr};
}

}  // namespace

PinnedScope::PinnedScope(Session& session, std::string_view panel)
    : session_(session), panel_(panel) {
  const PanelView own = view_of(session_, panel_);
  if (!own.trace) return;
  trace_id_ = own.trace->id();
  current_id_ = session_.trace()->id();
  if (own.history) {
    has_own_view_ = true;
    shared_ = std::exchange(*own.history, {});
    own.trace->history().swap_views(shared_);
  }
  session_.select_trace(trace_id_);
}

PinnedScope::~PinnedScope() {
  if (trace_id_ == 0) return;
  // Found anew: a command may have closed the trace or the panel, or unpinned it.
  OpenTrace* trace = session_.find_trace(trace_id_);
  if (has_own_view_ && trace) {
    trace->history().swap_views(shared_);
    const PanelView own = view_of(session_, panel_);
    if (own.trace == trace && own.history) *own.history = std::move(shared_);
  }
  session_.select_trace(current_id_);
}

std::optional<ShownView> shown_in(const Session& session, std::string_view panel) {
  const PanelView own = view_of(const_cast<Session&>(session), panel);  // it is only read
  const OpenTrace* trace = own.trace ? own.trace : session.trace();
  if (!trace) return std::nullopt;
  return ShownView{trace, own.trace && own.history ? own.history->view : trace->view()};
}

}  // namespace weft::app
