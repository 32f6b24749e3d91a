#include "app/session/trace_scene.h"

#include <optional>
#include <tuple>
#include <vector>

#include "core/base/dispose.h"
#include "core/query/filter/filter_compiler.h"
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

TraceScene::TraceScene(render::Renderer& renderer, ThreadPool& pool, std::function<void()> wake)
    : renderer_(renderer),
      pool_(pool),
      wake_(std::move(wake)),
      model_(std::make_unique<Latest<ModelKey, TraceModel>>(
          [maker = std::make_shared<ModelMaker>()](const ModelKey& key) {
            return maker->make(key);
          },
          wake_)) {}

// The scene is destroyed within a frame, when another trace is shown: workers are not waited for,
// and large values are freed elsewhere. Only the cutter, which uses the pool, is told to stop, and
// ends here.
TraceScene::~TraceScene() {
  if (tiles_) tiles_->release_slots();
  dispose_of(std::tuple(std::move(model_), std::move(shown_), std::move(tiles_),
                        std::move(filtered_rows_), std::move(asked_), std::move(cuts_)));
}

bool TraceScene::update(const Session& session, const OpenTrace& trace, float scale) {
  const bool is_coming = update_model(session, trace, scale);
  const auto least = session.cut_from(trace);
  if (!least && shown_ && !trace.is_loading()) return update_empty_share() || is_coming;
  return update_cuts(least, trace.cut_where) || is_coming;
}

bool TraceScene::update_cuts(std::optional<Duration> least, const std::string& where) {
  if (!least || !shown_) {
    take_cuts(nullptr);
    return false;
  }
  const auto found = find_idle({*least, where});
  // While lanes come and go, or a filter is applied, the cuts of before stay.
  if (!found.is_stale || (found.key != nullptr && found.key->rule.least == *least))
    take_cuts(found.value);
  return found.is_stale;
}

void TraceScene::take_cuts(const std::shared_ptr<const FoundCuts>& found) {
  cuts_ = found ? std::shared_ptr<const TimeCuts>(found, &found->cuts) : nullptr;
  cut_problem_ = found ? found->problem : std::string();
}

bool TraceScene::update_empty_share() {
  take_cuts(nullptr);
  const auto length = static_cast<double>(shown_->trace->range().length().ticks);
  const auto found = find_idle({Duration{static_cast<int64_t>(length * OpenTrace::kLeastCut)}});
  if (!found.is_stale && length > 0)
    empty_share_ = static_cast<double>(found.value->cuts.length().ticks) / length;
  return found.is_stale;
}

// The stretches on the lanes that are shown in which nothing passes the expression. Under one, all
// records may be read: of a trace that grows, a question is answered before the next is asked.
Latest<TraceScene::CutsKey, TraceScene::FoundCuts>::Found TraceScene::find_idle(CutRule rule) {
  if (!cutter_) {
    cutter_ = std::make_unique<Latest<CutsKey, FoundCuts>>(
        [&pool = pool_](const CutsKey& key, const std::stop_token& stop) {
          return find_cuts(key, {pool, stop});
        },
        wake_);
  }
  CutsKey key{shown_, std::move(rule)};
  if (asked_ && asked_->rule == key.rule && !(*asked_ == key)) {
    auto found = cutter_->find(*asked_);
    if (found.is_stale) return found;
  }
  asked_ = std::move(key);
  return cutter_->find(*asked_);
}

// Nullopt if stopped. An expression that does not compile leaves everything as it is, as it does on
// the time line.
std::optional<TraceScene::FoundCuts> TraceScene::find_cuts(const CutsKey& key,
                                                           const query::Work& work) {
  const TraceModel& model = *key.model;
  const auto& [least, where] = key.rule;
  aggregate::FilterPtr filter;
  std::string problem;
  if (!where.empty()) {
    auto compiled = query::compile_filter(where, *model.trace, work.stop);
    if (compiled) {
      filter = std::move(*compiled);
    } else {
      problem = compiled.error().one_line(where);
    }
  }
  auto idle = query::idle_stretches(*model.trace, rows_seen(model), least, filter, work);
  if (work.stop.stop_requested()) return std::nullopt;
  return FoundCuts{TimeCuts(std::move(idle)), std::move(problem)};
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
