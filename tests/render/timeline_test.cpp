#include "render/timeline.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/trace/words.h"
#include "render/recording/recording_renderer.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

using layout::Hit;
using layout::Lanes;
using layout::Palette;
using layout::Theme;
using layout::TimeScale;

// Everything that a panel needs to draw a trace, without a window.
class Stage {
 public:
  explicit Stage(store::TracePtr trace)
      : trace_(std::move(trace)),
        palette_(Palette::make(trace_->dictionary(), Theme::kDark)),
        lanes_(Lanes::build(trace_->dictionary(), trace_->rows(), {})) {
    cache_.set_source(trace_, palette_);
  }

  // Draws until nothing is stale.
  void draw(TimeRange view, double width, float height = 2000) {
    for (int i = 0; i < 5; ++i) {
      frame(view, width, height);
      if (!items_.is_stale) return;
      ASSERT_TRUE(cache_.wait_until_idle());
    }
    FAIL() << "still stale";
  }

  void frame(TimeRange view, double width, float height = 2000) {
    batch_.clear();
    items_.clear();
    const TimelineView timeline{TimeScale(view, width), 0, height};
    cache_.begin_frame();
    draw_rows(*trace_, lanes_, *palette_, timeline, cache_, batch_, items_);
    cache_.end_frame();
    draw_links(layout::links_in(*trace_, timeline.scale), middle_of(lanes_, timeline.scroll_y),
               *palette_, timeline, batch_, items_);
  }

  // The element at a time in a row.
  std::optional<Hit> hit(RowId row, Time t, const TimeScale& scale) const {
    for (const layout::DisplayRow& line : lanes_.rows()) {
      if (line.row != row) continue;
      const auto x = static_cast<float>(scale.x_from_time(t) + 1e-3);
      return layout::hit(items_.tiles, items_.boxes, {}, scale, x, static_cast<float>(line.y) + 1,
                         0);
    }
    return std::nullopt;
  }

  const store::Trace& trace() const { return *trace_; }
  const DrawBatch& batch() const { return batch_; }
  const TimelineItems& items() const { return items_; }
  TileCache& cache() { return cache_; }

 private:
  store::TracePtr trace_;
  std::shared_ptr<const Palette> palette_;
  Lanes lanes_;
  RecordingRenderer renderer_;
  TileCache cache_{renderer_};
  DrawBatch batch_;
  TimelineItems items_;
};

TEST(Timeline, AWideStateInTwoTilesIsOneBox) {
  SmallTrace small;
  small.state(small.lane("a"), "long", 100, 10'000);
  Stage stage(small.finish());
  stage.draw({Time{0}, Time{11'000}}, 2000);  // 8 ticks a column: five tiles
  ASSERT_EQ(stage.batch().boxes.size(), 1u);
  EXPECT_NEAR(stage.batch().boxes[0].x0, 100 / 5.5, 0.01);
  EXPECT_NEAR(stage.batch().boxes[0].x1, 10'100 / 5.5, 0.01);
  EXPECT_TRUE(stage.batch().boxes[0].has_edge);
  EXPECT_TRUE(stage.batch().strips.empty());
}

TEST(Timeline, ABoxThatBeganBeforeTheViewHasNoEdge) {
  SmallTrace small;
  small.state(small.lane("a"), "long", 0, 10'000);
  Stage stage(small.finish());
  stage.draw({Time{5000}, Time{6000}}, 1000);
  ASSERT_EQ(stage.batch().boxes.size(), 1u);
  EXPECT_EQ(stage.batch().boxes[0].x0, 0);
  EXPECT_EQ(stage.batch().boxes[0].x1, 1000);
  EXPECT_FALSE(stage.batch().boxes[0].has_edge);
}

TEST(Timeline, WordsOfBitsAreFramesWithTheirValues) {
  SmallTrace small;
  const LaneId bus = small.lane("data [31:0]");
  small.sample(bus, "value", 100, 0xDEAD6001, trace::kWordGroup);
  small.sample(bus, "value", 600, 0xDEAD6001, trace::kWordGroup);  // the same: no border
  small.sample(bus, "value", 4000, 7, trace::kWordGroup);
  for (int64_t t = 6000; t < 6100; ++t)  // too many to be told apart
    small.sample(bus, "value", t, static_cast<double>(t), trace::kWordGroup);
  small.sample(small.lane("curve"), "value", 9000, 1);
  Stage stage(small.finish());
  stage.draw({Time{0}, Time{10'000}}, 1000);
  const auto& values = stage.items().values;
  ASSERT_EQ(values.size(), 3u);
  const double first[] = {10, 400, 610}, last[] = {400, 600, 900}, said[] = {0xDEAD6001, 7, 6099};
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i].x0, first[i], 1.5) << i;
    EXPECT_NEAR(values[i].x1, last[i], 1.5) << i;
    EXPECT_EQ(values[i].value, said[i]) << i;
    EXPECT_FALSE(values[i].is_many) << i;
  }
  ASSERT_EQ(stage.batch().boxes.size(), 7u) << "a frame and its inside each, and what is many";
  EXPECT_NEAR(stage.batch().boxes[4].x1 - stage.batch().boxes[4].x0, 10, 2);
  EXPECT_FALSE(stage.batch().strips.empty()) << "of the curve";
}

TEST(Timeline, AVariableWithoutAValueHasTheStateOfItsLaneInItsPlace) {
  SmallTrace small;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const LaneId bus = small.lane("data [31:0]");
  small.sample(bus, "value", 1000, none, trace::kWordGroup);
  small.sample(bus, "value", 2000, 7, trace::kWordGroup);
  small.sample(bus, "value", 4000, none, trace::kWordGroup);
  small.state(bus, "not driven", 4000, 2000);
  small.sample(bus, "value", 6000, 7, trace::kWordGroup);
  const LaneId curve = small.lane("curve");
  small.sample(curve, "value", 1000, 3, trace::kSignalGroup);
  small.sample(curve, "value", 5000, none, trace::kSignalGroup);
  small.state(curve, "undefined", 5000, 5000);
  Stage stage(small.finish());
  EXPECT_EQ(stage.trace().row(RowId(1)).min_value, 7) << "nothing is not a value";
  stage.draw({Time{0}, Time{10'000}}, 1000);
  const auto& values = stage.items().values;
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NEAR(values[0].x0, 200, 1.5);
  EXPECT_NEAR(values[0].x1, 400, 1.5);
  EXPECT_NEAR(values[1].x0, 600, 1.5);
  const auto& states = stage.items().boxes;
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].y, values[0].y) << "in the same line";
  EXPECT_NEAR(states[0].x0, 400, 1.5);
  EXPECT_NEAR(states[0].x1, 600, 1.5);
  ASSERT_FALSE(stage.batch().strips.empty());
  const Strip& last = stage.batch().strips.back();
  EXPECT_NEAR(last.x1, 500, 5) << "the curve ends where it has no value";
  EXPECT_EQ(states[1].y, last.y);
}

TEST(Timeline, AGlitchOnABusIsNotDrawnUntilTheNextValue) {
  SmallTrace small;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const LaneId bus = small.lane("data [31:0]");
  small.sample(bus, "value", 1000, 7, trace::kWordGroup);
  small.sample(bus, "value", 1001, none, trace::kWordGroup);  // in the same column
  small.sample(bus, "value", 7005, 8, trace::kWordGroup);
  small.sample(bus, "value", 9000, none, trace::kWordGroup);
  Stage stage(small.finish());
  stage.draw({Time{0}, Time{10'000}}, 1000);
  ASSERT_EQ(stage.items().values.size(), 1u);
  EXPECT_NEAR(stage.items().values[0].x0, 700, 1.5);
  ASSERT_EQ(stage.batch().boxes.size(), 3u) << "the glitch, a frame and its inside";
  EXPECT_NEAR(stage.batch().boxes[0].x0, 100, 2);
  EXPECT_LT(stage.batch().boxes[0].x1, 103);
}

TEST(Timeline, AWireIsALineWhereItIsLow) {
  SmallTrace small;
  small.state(small.lane("worker"), "long", 0, 5000);
  const LaneId wire = small.wire("clk");
  small.wire("reset");  // always low
  small.state(wire, "1", 1000, 2000);
  Stage stage(small.finish());
  stage.draw({Time{0}, Time{10'000}}, 1000);
  std::vector<BoxShape> low;
  for (const BoxShape& shape : stage.batch().backdrops) {
    if (shape.x1 < 1000) low.push_back(shape);  // lines between lanes go on
  }
  ASSERT_EQ(low.size(), 2u);
  EXPECT_EQ(low[0].x0, 0);
  EXPECT_EQ(low[0].x1, 500) << "as long as the trace";
  EXPECT_EQ(low[0].y1, stage.items().boxes[1].y + stage.items().boxes[1].height);
}

TEST(Timeline, StripsLieWithinThePicture) {
  Stage stage(random_trace(3, 4, 200));
  const TimeRange all = stage.trace().range();
  for (int zoom = 0; zoom < 20; ++zoom) {
    const Duration length{std::max<int64_t>(all.length().ticks >> zoom, 2)};
    const Time begin = all.begin + Duration{all.length().ticks / 3};
    stage.draw({begin, begin + length}, 1000);
    for (const Strip& strip : stage.batch().strips) {
      EXPECT_GE(strip.x0, 0);
      EXPECT_LE(strip.x1, 1000);
      EXPECT_LT(strip.x0, strip.x1);
      EXPECT_GE(strip.column0, 0);
      EXPECT_LE(strip.column1, layout::kTileColumns);
    }
  }
}

// covers FS-48, B-14: what was drawn, asked at the place of each event, tells of it.
TEST(Timeline, EveryEventIsFoundUnderThePointerAtEveryZoom) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    Stage stage(random_trace(seed, 3, 150));
    const TimeRange all = stage.trace().range();
    for (int zoom = 0; (all.length().ticks >> zoom) > 16; ++zoom) {
      const Duration length{all.length().ticks >> zoom};
      const TimeRange view{all.begin, all.begin + length + Duration{1}};
      const TimeScale scale(view, 1000);
      stage.draw(view, 1000);
      for (uint32_t id = 0; id < stage.trace().rows().size(); ++id) {
        const store::Row& row = stage.trace().row(RowId(id));
        if (row.kind == store::RowKind::kLinkOut || row.kind == store::RowKind::kLinkIn) continue;
        stage.trace().for_each(row, view, [&](const store::Record& record) {
          if (!view.contains(record.begin)) return true;
          // In the middle of its column, all of which is covered by what is drawn.
          const int level = scale.level();
          const Time middle =
              layout::time_of_column(layout::column_of(record.begin, level), level) +
              Duration{layout::column_width(level).ticks / 2};
          const Time asked = record.duration >= layout::wide_from(level)
                                 ? record.begin + Duration{record.duration.ticks / 2}
                                 : middle;
          if (!view.contains(asked)) return true;
          const auto found = stage.hit(RowId(id), asked, scale);
          EXPECT_TRUE(found) << "seed " << seed << " zoom " << zoom << " row " << id << " at "
                             << record.begin.ticks;
          return !testing::Test::HasFailure();
        });
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST(Timeline, EveryLinkIsUnderAnArrow) {
  Stage stage(random_trace(5, 4, 300));
  const TimeRange all = stage.trace().range();
  stage.draw({all.begin, all.end + Duration{1}}, 1000, 100'000);
  uint64_t drawn = 0;
  for (const layout::PlacedLink& link : stage.items().links) drawn += link.link.count;
  EXPECT_EQ(drawn, stage.trace().counts()[trace::Category::kLink]);
  EXPECT_EQ(stage.items().links.size(), stage.batch().lines.size());
}

TEST(Timeline, ALinkThatNeverArrivedIsAStub) {
  SmallTrace small;
  const LaneId a = small.lane("a"), b = small.lane("b");
  small.state(a, "x", 0, 1000);
  small.state(b, "x", 0, 1000);
  small.link(a, 100, LaneId::none(), 0);
  small.link(LaneId::none(), 0, b, 500);
  small.link(a, 300, b, 700);
  Stage stage(small.finish());
  stage.draw({Time{0}, Time{1000}}, 1000);
  ASSERT_EQ(stage.batch().lines.size(), 3u);
  int stubs = 0;
  for (const LineShape& line : stage.batch().lines) {
    const bool is_short = std::abs(line.x1 - line.x0) < 20;
    stubs += is_short ? 1 : 0;
  }
  EXPECT_EQ(stubs, 2);
}

TEST(Timeline, TheFirstFrameIsStaleAndSaysSo) {
  Stage stage(random_trace(7, 2, 100));
  stage.frame(stage.trace().range(), 1000);
  EXPECT_TRUE(stage.items().is_stale);
  stage.draw(stage.trace().range(), 1000);
  EXPECT_FALSE(stage.items().is_stale);
}

TEST(Timeline, PanningKeepsColumnsWhereTheyAre) {
  Stage stage(random_trace(9, 1, 300));
  const Time begin = stage.trace().range().begin;
  stage.draw({begin, begin + Duration{100'000}}, 1000);
  const size_t made = stage.cache().stats().made;
  stage.draw({begin + Duration{777}, begin + Duration{100'777}}, 1000);
  EXPECT_LE(stage.cache().stats().made - made, stage.trace().rows().size() * 2)
      << "only the tiles at the border are new";
}

TEST(Timeline, AnEmptyTraceIsAnEmptyPicture) {
  SmallTrace small;
  Stage stage(small.finish());
  stage.draw({Time{0}, Time{100}}, 100);
  EXPECT_TRUE(stage.batch().strips.empty());
  EXPECT_TRUE(stage.batch().boxes.empty());
}

}  // namespace
}  // namespace weft::render
