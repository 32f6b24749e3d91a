// Prepares a view's filter for drawing: compiles it for the current snapshot of the trace, and
// counts its hits. One for each view that is shown. Used on the frame thread; workers compile,
// count and rank.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/view/view_filter.h"
#include "core/aggregate/filtered_rows.h"
#include "core/base/latest.h"
#include "core/base/thread_pool.h"
#include "core/layout/filtered_tile.h"
#include "core/layout/lane_order.h"
#include "core/query/element.h"
#include "core/query/filter/filter_expression.h"
#include "core/query/search.h"
#include "core/store/trace.h"

namespace weft::app {

struct CompiledFilter {
  store::TracePtr trace;
  std::string text;
  aggregate::FilterPtr filter;  // null if there is an error
  std::optional<query::FilterError> error;
  // Whether the expression uses `dur`, which only states have, although the trace has links, whose
  // field is `latency`.
  bool misses_links = false;
  bool hides_only_types = false;  // nothing is looked for: types are out of sight (the legend)
};

// A view's filter as panels see it: immutable values, and counts that may be polled.
struct ShownFilter {
  FilterMode mode = FilterMode::kOff;
  uint64_t id = 0;                                 // of the expression; 0: none, or it has an error
  std::shared_ptr<const CompiledFilter> compiled;  // null: no filter, or not compiled yet
  std::shared_ptr<const query::Search> hits;       // null if nothing is compiled
  layout::RowSet passing;        // rows in which something passes; null: all, or unknown
  std::optional<uint64_t> rank;  // the number of hits before the selected one
  std::shared_ptr<aggregate::FilteredRows> rows;

  bool dims() const { return id != 0 && mode == FilterMode::kDim; }
  bool hides() const { return id != 0 && mode == FilterMode::kHide; }
  // Whether its hits are marked and counted by lane.
  bool marks_hits() const { return compiled && compiled->filter && !compiled->hides_only_types; }
  // Null if everything passes, or if it is not compiled yet.
  aggregate::FilterPtr filter() const { return compiled ? compiled->filter : nullptr; }
  layout::TileFilter tiles() const {
    return dims() || hides() ? layout::TileFilter{id, dims(), filter()} : layout::TileFilter{};
  }
};

class FilterScene {
 public:
  // `pool` must outlive the scene.
  FilterScene(ThreadPool& pool, std::function<void()> wake);

  // Call once a frame. Returns true while the filter is being compiled.
  bool update(const store::TracePtr& trace, const ViewFilter& filter,
              const std::optional<query::ElementRef>& element,
              const std::shared_ptr<aggregate::FilteredRows>& rows);
  const ShownFilter& shown() const { return shown_; }
  // Whether hits are still being counted; the frame thread is not woken as the count grows.
  bool is_counting() const { return shown_.hits && !shown_.hits->is_done(); }

 private:
  struct CompileKey {
    store::TracePtr trace;
    std::string text;
    bool operator==(const CompileKey&) const = default;
  };
  struct RankKey {
    store::TracePtr trace;
    std::shared_ptr<const query::Search> hits;
    query::ElementRef element;
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
  Latest<CompileKey, CompiledFilter> compiled_;
  Latest<SearchPtr, bool> counter_;
  static std::optional<std::optional<uint64_t>> rank(const RankKey& key, const query::Work& work);

  Latest<RankKey, std::optional<uint64_t>> rank_;
};

}  // namespace weft::app
