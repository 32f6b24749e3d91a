// While it lives, a pinned panel's trace is the current one and, where the panel has a view of its
// own or is of a group that has, is looked at as the panel does: a panel is drawn, and a command
// with "in" applied, as if there were no other view. So neither panels nor commands need to know
// that panels can be pinned. Ends on the frame thread that made it; a panel that is linked, or
// whose trace was closed, changes nothing.
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
  ViewHistory shared_;  // of the trace, meanwhile, where the panel has its own
  uint64_t current_id_ = 0;
};

// What the panel shows, outside of any scope; nothing where no trace is open.
struct ShownView {
  const OpenTrace* trace;
  View view;
};
std::optional<ShownView> shown_in(const Session& session, std::string_view panel);

}  // namespace weft::app
