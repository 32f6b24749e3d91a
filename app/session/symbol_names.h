// A trace seen through what its program's sources know (core/symbols): the same events, with names
// for numbers. No event is read for it, so it costs the same for 10^8 of them.
//
// SymbolNames does it for a trace that is open, on a thread of its own; used on the frame thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/store/trace.h"
#include "core/symbols/naming.h"
#include "render/latest.h"

namespace weft::app {

struct NamedTrace {
  std::shared_ptr<const store::Trace> trace;          // never null
  std::shared_ptr<const symbols::Symbols> symbols{};  // null: they could not be read …
  std::string error{};                                // … which this says
  symbols::Naming naming{};

  std::string news() const;  // what there is to tell, in one line
};

// O(lanes + types + constants).
NamedTrace with_names(const std::shared_ptr<const store::Trace>& trace,
                      std::shared_ptr<const symbols::Symbols> symbols);

class SymbolNames {
 public:
  // `paths`: as symbols::read_symbols; they are read anew. `wake`: there is something to fetch.
  SymbolNames(std::vector<std::filesystem::path> paths, std::function<void()> wake);

  const std::vector<std::filesystem::path>& paths() const { return paths_; }

  // The newest that is done, of that trace or of an older snapshot of it; null before the first.
  std::shared_ptr<const NamedTrace> of(const std::shared_ptr<const store::Trace>& trace);
  // What was asked for last is not there yet.
  bool is_pending() const { return is_pending_; }

 private:
  using Key = std::shared_ptr<const store::Trace>;

  std::vector<std::filesystem::path> paths_;
  bool is_pending_ = true;
  render::Latest<Key, NamedTrace> named_;
};

}  // namespace weft::app
