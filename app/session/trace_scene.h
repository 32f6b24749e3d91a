// What drawing a trace needs besides the trace: the model of its lanes, and its tiles. One for each
// trace that a panel shows. Used on the frame thread; workers make models and find cuts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/session.h"
#include "app/session/trace_model.h"
#include "core/aggregate/filtered_rows.h"
#include "core/base/latest.h"
#include "core/base/thread_pool.h"
#include "core/base/time_cuts.h"
#include "core/query/work.h"
#include "render/renderer.h"
#include "render/tile_cache.h"

namespace weft::app {

class TraceScene {
 public:
  // `pool` must outlive the scene.
  TraceScene(render::Renderer& renderer, ThreadPool& pool, std::function<void()> wake);
  ~TraceScene();
  TraceScene(const TraceScene&) = delete;
  TraceScene& operator=(const TraceScene&) = delete;

  // Asks workers for what the session needs of the trace; true while something is on its way.
  bool update(const Session& session, const OpenTrace& trace, float scale);
  void set_shares(const MemoryShares& shares);
  // The newest model that is ready; null: none yet.
  const std::shared_ptr<const TraceModel>& model() const { return shown_; }
  // Null if the model is.
  render::TileCache* tiles() const { return tiles_.get(); }
  // The cuts: stretches without events on the lanes that are shown or, while OpenTrace::cut_where
  // is set, without any that passes it; null: nothing is to be cut, or not yet known.
  const std::shared_ptr<const TimeCuts>& cuts() const { return cuts_; }
  // Why OpenTrace::cut_where cannot be applied, so that cuts are as without it; empty: it can.
  const std::string& cut_problem() const { return cut_problem_; }
  // For a complete trace: the share of its time that would be cut out, 0 to 1. nullopt: unknown,
  // for example if time was cut before it was determined.
  std::optional<double> empty_share() const { return empty_share_; }
  // The filtered rows, shared with all who need them.
  const std::shared_ptr<aggregate::FilteredRows>& filtered_rows() const { return filtered_rows_; }

 private:
  struct CutsKey {
    std::shared_ptr<const TraceModel> model;
    CutRule rule;
    bool operator==(const CutsKey&) const = default;
  };

  struct FoundCuts {
    TimeCuts cuts;
    std::string problem;
  };

  static std::optional<FoundCuts> find_cuts(const CutsKey& key, const query::Work& work);
  bool update_model(const Session& session, const OpenTrace& trace, float scale);
  bool update_cuts(std::optional<Duration> least, const std::string& where);
  bool update_empty_share();
  void take_cuts(const std::shared_ptr<const FoundCuts>& found);
  Latest<CutsKey, FoundCuts>::Found find_idle(CutRule rule);

  render::Renderer& renderer_;
  ThreadPool& pool_;
  std::function<void()> wake_;
  std::unique_ptr<Latest<ModelKey, TraceModel>> model_;
  std::shared_ptr<const TraceModel> shown_;
  std::shared_ptr<aggregate::FilteredRows> filtered_rows_ =
      std::make_shared<aggregate::FilteredRows>();
  std::unique_ptr<render::TileCache> tiles_;
  MemoryShares shares_;
  std::unique_ptr<Latest<CutsKey, FoundCuts>> cutter_;
  std::optional<CutsKey> asked_;  // of the cutter
  std::shared_ptr<const TimeCuts> cuts_;
  std::string cut_problem_;
  std::optional<double> empty_share_;
};

}  // namespace weft::app
