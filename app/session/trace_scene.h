// What drawing a trace needs besides the trace: the model of its lanes, and its tiles. One for each
// trace that a panel shows. Used on the frame thread; workers make models and find cuts.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/session/session.h"
#include "app/session/trace_model.h"
#include "core/aggregate/filtered_rows.h"
#include "core/base/latest.h"
#include "core/base/time_cuts.h"
#include "render/renderer.h"
#include "render/tile_cache.h"

namespace weft::app {

class TraceScene {
 public:
  TraceScene(render::Renderer& renderer, std::function<void()> wake);
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
  // The cuts: stretches without events on the lanes that are shown; null: nothing is to be cut, or
  // not yet known.
  const std::shared_ptr<const TimeCuts>& cuts() const { return cuts_; }
  // For a complete trace: the share of its time that would be cut out, 0 to 1. nullopt: unknown,
  // for example if time was cut before it was determined.
  std::optional<double> empty_share() const { return empty_share_; }
  // The filtered rows, shared with all who need them.
  const std::shared_ptr<aggregate::FilteredRows>& filtered_rows() const { return filtered_rows_; }

 private:
  struct CutsKey {
    std::shared_ptr<const TraceModel> model;
    Duration least;
    bool operator==(const CutsKey&) const = default;
  };

  bool update_model(const Session& session, const OpenTrace& trace, float scale);
  bool update_cuts(std::optional<Duration> least);
  bool update_empty_share();
  Latest<CutsKey, TimeCuts>::Found idle_of_at_least(Duration least);

  render::Renderer& renderer_;
  std::function<void()> wake_;
  std::unique_ptr<Latest<ModelKey, TraceModel>> model_;
  std::shared_ptr<const TraceModel> shown_;
  std::shared_ptr<aggregate::FilteredRows> filtered_rows_ =
      std::make_shared<aggregate::FilteredRows>();
  std::unique_ptr<render::TileCache> tiles_;
  MemoryShares shares_;
  std::unique_ptr<Latest<CutsKey, TimeCuts>> cutter_;
  std::shared_ptr<const TimeCuts> cuts_;
  std::optional<double> empty_share_;
};

}  // namespace weft::app
