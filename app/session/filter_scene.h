// What a view's filter is made of: compiled for the trace as it is now, and its hits counted. One
// for each view that is shown. Lives on the frame thread; workers compile, count and rank.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/view/find_step.h"
#include "app/view/view_filter.h"
#include "core/aggregate/filtered_rows.h"
#include "core/base/thread_pool.h"
#include "core/layout/filtered_tile.h"
#include "core/layout/lane_order.h"
#include "core/query/filter/filter_expression.h"
#include "core/query/search.h"
#include "core/store/trace.h"
#include "render/latest.h"

namespace weft::app {

struct CompiledFilter {
  std::shared_ptr<const store::Trace> trace;
  std::string text;
  aggregate::FilterPtr filter;  // null where there is an error
  std::optional<query::FilterError> error;
  // It asks for the length of states alone, where there are links, too: how long these take is
  // another field.
  bool misses_links = false;
};

// A view's filter, for panels. Immutable values and what may be polled.
struct ShownFilter {
  FilterMode mode = FilterMode::kOff;
  uint64_t id = 0;  // of the expression; 0: there is none, or it has an error
  std::shared_ptr<const CompiledFilter> compiled;  // null: there is none, or not yet
  std::shared_ptr<const query::Search> hits;       // null where nothing is compiled
  layout::RowSet passing;  // rows in which something passes; null: all, or it is not known yet
  std::optional<uint64_t> rank;  // of the hit that was stepped to: how many come before it
  std::shared_ptr<aggregate::FilteredRows> rows;

  bool dims() const { return id != 0 && mode == FilterMode::kDim; }
  bool hides() const { return id != 0 && mode == FilterMode::kHide; }
  // Null: everything passes, or it is not known yet.
  aggregate::FilterPtr filter() const { return compiled ? compiled->filter : nullptr; }
  layout::TileFilter tiles() const {
    return dims() || hides() ? layout::TileFilter{id, dims(), filter()} : layout::TileFilter{};
  }
};

class FilterScene {
 public:
  // The pool outlives it.
  FilterScene(ThreadPool& pool, std::function<void()> wake);

  // True while the filter is being compiled.
  bool update(const std::shared_ptr<const store::Trace>& trace, const ViewFilter& filter,
              const std::optional<FoundHit>& hit,
              const std::shared_ptr<aggregate::FilteredRows>& rows);
  const ShownFilter& shown() const { return shown_; }
  // Nobody wakes the frame thread while the count grows.
  bool is_counting() const { return shown_.hits && !shown_.hits->is_done(); }

 private:
  struct CompileKey {
    std::shared_ptr<const store::Trace> trace;
    std::string text;
    bool operator==(const CompileKey&) const = default;
  };
  struct RankKey {
    std::shared_ptr<const query::Search> hits;
    query::EventPlace place;
    bool operator==(const RankKey&) const = default;
  };
  using SearchPtr = std::shared_ptr<query::Search>;

  void count(const CompiledFilter& compiled);

  ShownFilter shown_;
  std::string text_;
  uint64_t id_ = 0;  // of the text
  SearchPtr search_;
  std::shared_ptr<const CompiledFilter> counted_;
  layout::RowSet passing_;  // of what is counted
  render::Latest<CompileKey, CompiledFilter> compiled_;
  render::Latest<SearchPtr, bool> counter_;
  render::Latest<RankKey, uint64_t> rank_;
};

}  // namespace weft::app
