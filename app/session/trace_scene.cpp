#include "app/session/trace_scene.h"

#include <optional>
#include <tuple>
#include <vector>

#include "core/base/dispose.h"
#include "core/query/idle.h"

namespace weft::app {
namespace {

// The rows whose events are seen, as boxes or as ends of links.
std::vector<RowId> rows_seen(const TraceModel& model) {
  std::vector<RowId> rows;
  for (const layout::Lanes* lanes : {&model.pinned, &model.lanes}) {
    for (const layout::DisplayRow& line : lanes->rows()) {
      if (line.kind == layout::DisplayRow::Kind::kRow) rows.push_back(line.row);
      if (line.has_states) rows.push_back(line.row_of_states());
      if (!line.is_summary()) continue;
      const auto& strips = lanes->summary(line).rows;
      rows.insert(rows.end(), strips.begin(), strips.end());
    }
  }
  const auto all = model.trace->rows();
  for (uint32_t i = 0; i < all.size(); ++i) {
    const bool is_link =
        all[i].kind == store::RowKind::kLinkOut || all[i].kind == store::RowKind::kLinkIn;
    const bool is_seen = model.lanes.line_of(all[i].lane) || model.pinned.line_of(all[i].lane);
    if (is_link && is_seen) rows.push_back(RowId(i));
  }
  return rows;
}

}  // namespace

TraceScene::TraceScene(render::Renderer& renderer, std::function<void()> wake)
    : renderer_(renderer),
      wake_(std::move(wake)),
      model_(std::make_unique<Latest<ModelKey, TraceModel>>(
          [maker = std::make_shared<ModelMaker>()](const ModelKey& key) {
            return maker->make(key);
          },
          wake_)) {}

// The scene is destroyed within a frame, when another trace is shown: workers are not waited for,
// and large values are freed elsewhere.
TraceScene::~TraceScene() {
  if (tiles_) tiles_->release_slots();
  dispose_of(std::tuple(std::move(model_), std::move(shown_), std::move(tiles_),
                        std::move(filtered_rows_), std::move(cutter_), std::move(cuts_)));
}

bool TraceScene::update(const Session& session, const OpenTrace& trace, float scale) {
  const bool is_coming = update_model(session, trace, scale);
  const auto least = session.cut_from(trace);
  if (!least && shown_ && !trace.is_loading()) return update_empty_share() || is_coming;
  return update_cuts(least) || is_coming;
}

bool TraceScene::update_cuts(std::optional<Duration> least) {
  if (!least || !shown_) {
    cuts_.reset();
    return false;
  }
  const auto found = idle_of_at_least(*least);
  // While lanes come and go the cuts of before stay.
  if (!found.is_stale || (found.key != nullptr && found.key->least == *least)) cuts_ = found.value;
  return found.is_stale;
}

bool TraceScene::update_empty_share() {
  cuts_.reset();
  const auto length = static_cast<double>(shown_->trace->range().length().ticks);
  const auto found = idle_of_at_least({static_cast<int64_t>(length * OpenTrace::kLeastCut)});
  if (!found.is_stale && length > 0)
    empty_share_ = static_cast<double>(found.value->length().ticks) / length;
  return found.is_stale;
}

// The stretches without events on the lanes that are shown.
Latest<TraceScene::CutsKey, TimeCuts>::Found TraceScene::idle_of_at_least(Duration least) {
  if (!cutter_) {
    cutter_ = std::make_unique<Latest<CutsKey, TimeCuts>>(
        [](const CutsKey& key, const std::stop_token& stop) -> std::optional<TimeCuts> {
          auto idle =
              query::idle_stretches(*key.model->trace, rows_seen(*key.model), key.least, stop);
          if (stop.stop_requested()) return std::nullopt;
          return TimeCuts(std::move(idle));
        },
        wake_);
  }
  return cutter_->find({shown_, least});
}

void TraceScene::set_shares(const MemoryShares& shares) {
  if (shares == shares_) return;
  shares_ = shares;
  if (tiles_) tiles_->set_max_bytes(shares_.tiles_bytes);
  dispose_of(filtered_rows_->set_max_bytes(shares_.filtered_bytes));
}

bool TraceScene::update_model(const Session& session, const OpenTrace& trace, float scale) {
  if (!trace.trace()) return trace.is_loading();
  const auto found = model_->find({trace.id(), trace.trace(), trace.lanes(), session.look.theme,
                                   session.look.has_safe_colors, session.look.has_patterns,
                                   session.look.colors_by_duration, session.look.type_colors,
                                   session.look.lane_colors, message_classes_of(session, trace),
                                   lane_heights(session.look.row_height_px, scale)});
  if (!found.value || found.value == shown_) return found.is_stale;
  const bool is_same_source =
      shown_ && shown_->trace == found.value->trace && shown_->palette == found.value->palette;
  shown_ = found.value;
  if (!tiles_) {
    render::TileCacheOptions options;
    options.on_ready = wake_;
    options.max_bytes = shares_.tiles_bytes;
    options.make = render::TileMaker(filtered_rows_);
    tiles_ = std::make_unique<render::TileCache>(renderer_, std::move(options));
  }
  if (!is_same_source) tiles_->set_source(shown_->trace, shown_->palette);
  return found.is_stale;
}

}  // namespace weft::app
