// Shows a trace under names from its program's sources (core/symbols): the same events, with names
// for numbers. No event is read, so the cost does not depend on their number.
//
// SymbolNames does this for an open trace, on a thread of its own; it is used on the frame thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/latest.h"
#include "core/store/trace.h"
#include "core/symbols/naming.h"

namespace weft::app {

struct NamedTrace {
  std::shared_ptr<const store::Trace> trace;          // never null
  std::shared_ptr<const symbols::Symbols> symbols{};  // null if they could not be read
  std::string error{};                                // why they could not be read
  symbols::Naming naming{};

  std::string news() const;  // what to tell the user, in one line
};

// O(lanes + types + constants).
NamedTrace with_names(const std::shared_ptr<const store::Trace>& trace,
                      std::shared_ptr<const symbols::Symbols> symbols);

class SymbolNames {
 public:
  // Reads `paths` anew, as symbols::read_symbols() does. `wake` is called when a result can be
  // fetched.
  SymbolNames(std::vector<std::filesystem::path> paths, std::function<void()> wake);

  const std::vector<std::filesystem::path>& paths() const { return paths_; }

  // Asks for `trace` under names. Returns the newest result, for it or for an older snapshot of it;
  // null before the first.
  std::shared_ptr<const NamedTrace> of(const std::shared_ptr<const store::Trace>& trace);
  // Whether the result for the trace last asked for is not there yet.
  bool is_pending() const { return is_pending_; }

 private:
  using Key = std::shared_ptr<const store::Trace>;

  std::vector<std::filesystem::path> paths_;
  bool is_pending_ = true;
  Latest<Key, NamedTrace> named_;
};

}  // namespace weft::app
