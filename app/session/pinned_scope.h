// While it exists, the trace of a pinned panel is the current one and, if the panel has a view of
// its own or belongs to a group that has, that view is the trace's. A panel is drawn, and a command
// with "in" applied, as if there were no other view, so neither panels nor commands need to know
// that panels can be pinned. Create and destroy it on the frame thread. For a panel that is linked,
// or whose trace was closed, it does nothing.
#pragma once

#include <string>

#include "app/session/session.h"

namespace weft::app {

class PinnedScope {
 public:
  PinnedScope(Session& session, std::string_view panel);
  ~PinnedScope();
  PinnedScope(const PinnedScope&) = delete;
  PinnedScope& operator=(const PinnedScope&) = delete;

  bool is_pinned() const { return trace_id_ != 0; }
  bool has_own_view() const { return has_own_view_; }

 private:
  Session& session_;
  std::string panel_;
  uint64_t trace_id_ = 0;  // 0: not pinned
  bool has_own_view_ = false;
  ViewHistory shared_;  // the trace's view meanwhile, if the panel has its own
  uint64_t current_id_ = 0;
};

// The trace and view that the panel shows, for use outside of any scope; nullopt if no trace is
// open.
struct ShownView {
  const OpenTrace* trace;
  View view;
};
std::optional<ShownView> shown_in(const Session& session, std::string_view panel);

}  // namespace weft::app
