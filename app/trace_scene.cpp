#include "app/trace_scene.h"

namespace weft::app {

TraceScene::TraceScene(render::Renderer& renderer, std::function<void()> wake)
    : renderer_(renderer),
      wake_(std::move(wake)),
      model_([maker =
                  std::make_shared<ModelMaker>()](const ModelKey& key) { return maker->make(key); },
             wake_) {}

bool TraceScene::update(const Session& session, const OpenTrace& trace, float scale) {
  if (!trace.trace()) return trace.is_loading();
  if (!collapsed_ || collapse_generation_ != trace.collapse_generation) {
    collapsed_ = std::make_shared<const layout::CollapsedLanes>(trace.collapsed);
    arrangement_ = std::make_shared<const layout::LaneArrangement>(trace.arrangement);
    collapse_generation_ = trace.collapse_generation;
  }
  const auto found =
      model_.find({trace.id(), trace.trace(), trace.collapse_generation, collapsed_, arrangement_,
                   session.theme, session.has_safe_colors, session.has_patterns,
                   session.type_colors, lane_heights(session.row_height_px, scale)});
  if (!found.value || found.value == shown_) return found.is_stale;
  const bool is_same_source =
      shown_ && shown_->trace == found.value->trace && shown_->palette == found.value->palette;
  shown_ = found.value;
  if (!tiles_) {
    render::TileCacheOptions options;
    options.on_ready = wake_;
    tiles_ = std::make_unique<render::TileCache>(renderer_, std::move(options));
  }
  if (!is_same_source) tiles_->set_source(shown_->trace, shown_->palette);
  return found.is_stale;
}

}  // namespace weft::app
