// Shows a trace under names from its program's sources (core/symbols): the same events, with names
// for numbers. No event is read, so the cost does not depend on their number.
//
// SymbolNames does this for an open trace, on a thread of its own; it is used on the frame thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/messages.h"
#include "core/base/latest.h"
#include "core/store/trace.h"
#include "core/symbols/naming.h"

namespace weft::app {

struct NamedTrace {
  store::TracePtr trace;                              // never null
  std::shared_ptr<const symbols::Symbols> symbols{};  // null if they could not be read
  std::string error{};                                // why they could not be read
  symbols::Naming naming{};

  std::string news() const;  // what to tell the user, in one line
};

// O(lanes + types + constants).
NamedTrace with_names(const store::TracePtr& trace,
                      std::shared_ptr<const symbols::Symbols> symbols);

class SymbolNames {
 public:
  // From now on names come from `paths`, read anew as symbols::read_symbols() does; empty: there
  // are none. `wake` is called when a result can be fetched.
  void set_paths(std::vector<std::filesystem::path> paths, std::function<void()> wake);
  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  // Null until they have been read.
  const std::shared_ptr<const symbols::Symbols>& symbols() const { return symbols_; }

  // The newest result for `trace` or an older snapshot of it: the trace itself if there are no
  // names, null before the first.
  store::TracePtr of(const store::TracePtr& trace);
  // Whether the result for the trace last asked for is not there yet.
  bool is_pending() const { return is_pending_; }
  // What of() has learned since the last call: what to tell the user; an empty text: nothing.
  Message take_news() { return std::exchange(news_, {}); }

 private:
  using Key = store::TracePtr;

  std::vector<std::filesystem::path> paths_;
  std::unique_ptr<Latest<Key, NamedTrace>> named_;  // null: there are no names
  bool is_pending_ = false;
  std::shared_ptr<const symbols::Symbols> symbols_;
  std::string told_;  // what was last said of them
  Message news_;
};

}  // namespace weft::app
