// The pixels of the two ways of drawing: shaders on the present driver (llvmpipe in the tests), and
// the processor.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "render/look.h"
#include "render/opengl/egl_context.h"
#include "render/opengl/offscreen_target.h"
#include "render/opengl/opengl_renderer.h"
#include "render/timeline.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

using layout::Lanes;
using layout::Palette;
using layout::Theme;
using layout::TimeScale;
using opengl::Drawing;

// One context for all tests: making one takes longer than most of them.
opengl::EglContext* context() {
  static const auto made = opengl::EglContext::create();
  return made ? made->get() : nullptr;
}

class PictureTest : public testing::TestWithParam<Drawing> {
 protected:
  void SetUp() override {
    ASSERT_NE(context(), nullptr) << "no offscreen OpenGL: is libegl-mesa0 installed?";
    auto renderer = opengl::create_renderer(GetParam());
    ASSERT_TRUE(renderer) << renderer.error().message;
    renderer_ = std::move(*renderer);
  }

  std::unique_ptr<Renderer> renderer_;
};

struct Scene {
  Image image;
  Lanes lanes;
};

// A trace drawn until nothing is stale; without links.
Scene draw_trace(Renderer& renderer, const store::TracePtr& trace, TimeRange view, int width,
                 int height) {
  const auto palette = Palette::make(trace->dictionary(), Theme::kDark);
  Scene scene{.image = {}, .lanes = Lanes::build(trace->dictionary(), trace->rows(), {})};
  TileCache cache(renderer);
  cache.set_source(trace, palette);
  DrawBatch batch;
  TimelineItems items;
  do {
    batch.clear();
    items.clear();
    cache.begin_frame();
    draw_rows(*trace, scene.lanes, *palette,
              {TimeScale(view, width), 0, static_cast<float>(height)}, cache, batch, items);
    cache.end_frame();
  } while (items.is_stale && cache.wait_until_idle());
  const auto picture = renderer.make_picture();
  picture->draw(batch, width, height);
  scene.image = picture->read();
  return scene;
}

// Whether anything but background is in the pixel column of the row.
bool is_inked(const Image& image, const layout::DisplayRow& line, int x) {
  const Color background = color_from_rgb(layout::theme_colors(Theme::kDark).row);
  for (int y = static_cast<int>(line.y); y < static_cast<int>(line.y + line.height) - 1; ++y) {
    if (image.at(x, y) != background) return true;
  }
  return false;
}

// covers FS-48: every event of a trace has left ink in the pixel in which it begins, or in the one
// beside it to which its column was widened.
TEST_P(PictureTest, EveryEventLeavesInkAtEveryZoom) {
  constexpr int kWidth = 640;
  const auto trace = random_trace(11, 3, 200);
  const TimeRange all = trace->range();
  for (int zoom = 0; (all.length().ticks >> zoom) > 32; zoom += 2) {
    const Duration length{(all.length().ticks >> zoom) + 1};
    const TimeRange view{all.begin - Duration{length.ticks / 50}, all.begin + length};
    const TimeScale scale(view, kWidth);
    const Scene scene = draw_trace(*renderer_, trace, view, kWidth, 600);
    for (const layout::DisplayRow& line : scene.lanes.rows()) {
      if (line.row.is_none() || line.y + line.height > 600) continue;
      trace->for_each(trace->row(line.row), view, [&](const store::Record& record) {
        if (!view.contains(record.begin)) return true;
        const int level = scale.level();
        const Time column = layout::time_of_column(layout::column_of(record.begin, level), level);
        const double px = scale.px_from_duration(layout::column_width(level));
        const double x0 = scale.x_from_time(column);
        // A column that the picture's border cuts may have no pixel's centre left.
        if (x0 < 0 || x0 + px > kWidth) return true;
        bool has_ink = false;
        for (int x = static_cast<int>(std::floor(x0)); x <= static_cast<int>(x0 + px); ++x) {
          if (x >= 0 && x < kWidth) has_ink |= is_inked(scene.image, line, x);
        }
        EXPECT_TRUE(has_ink) << "zoom " << zoom << " x " << x0 << " row " << line.row.value()
                             << " begin " << record.begin.ticks << " length "
                             << record.duration.ticks;
        return !HasFailure();
      });
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Far enough from its neighbours that their ink cannot be taken for its own.
TEST_P(PictureTest, ALoneEventNeverVanishesBetweenPixels) {
  constexpr int kWidth = 640;
  SmallTrace small;
  const LaneId lane = small.lane("a");
  std::vector<int64_t> begins;
  for (int64_t i = 0; i < 200; ++i) {
    begins.push_back(i * 1000 + i * i % 577);
    small.state(lane, "x", begins.back(), 1);
  }
  const auto trace = small.finish();
  for (int64_t step = 0; step < 40; ++step) {
    // From 14 to 50 ticks a pixel, beginning anywhere.
    const Time begin{step * 313};
    const TimeRange view{begin, begin + Duration{9000 + step * 577}};
    const TimeScale scale(view, kWidth);
    const Scene scene = draw_trace(*renderer_, trace, view, kWidth, 40);
    for (const int64_t t : begins) {
      const double x = scale.x_from_time(Time{t});
      if (x < 3 || x > kWidth - 3) continue;
      bool has_ink = false;
      for (int i = -2; i <= 2; ++i) {
        has_ink |= is_inked(scene.image, scene.lanes.rows()[0], static_cast<int>(x) + i);
      }
      ASSERT_TRUE(has_ink) << "step " << step << " x " << x;
    }
  }
}

TEST_P(PictureTest, AWideStateDoesNotCoverItsNarrowNeighbours) {
  constexpr int kWidth = 640;
  SmallTrace small;
  const LaneId lane = small.lane("a");
  for (int64_t t = 0; t < 20'000; t += 1000) {
    small.state(lane, "narrow", t, 1);
    small.state(lane, "wide", t + 1, 600);
    small.state(lane, "narrow", t + 601, 1);
  }
  const auto trace = small.finish();
  const Color narrow = color_from_rgb(layout::color_of_name("narrow", Theme::kDark));
  for (int64_t step = 0; step < 40; ++step) {
    const Time begin{step * 31};
    const TimeRange view{begin, begin + Duration{3000 + step * 177}};
    const TimeScale scale(view, kWidth);
    const Scene scene = draw_trace(*renderer_, trace, view, kWidth, 40);
    const int y = static_cast<int>(scene.lanes.rows()[0].y) + 2;
    for (int64_t t = 0; t < 20'000; t += 1000) {
      for (const int64_t event : {t, t + 601}) {
        const double x = scale.x_from_time(Time{event});
        if (x < 3 || x > kWidth - 3) continue;
        bool is_seen = false;
        for (int i = -2; i <= 2; ++i)
          is_seen |= scene.image.at(static_cast<int>(x) + i, y) == narrow;
        ASSERT_TRUE(is_seen) << "step " << step << " x " << x << " time " << event;
      }
    }
  }
}

// More than 2^63 ticks lie between the first event and the last.
TEST_P(PictureTest, EventsOfAllTimesAreDrawn) {
  constexpr int kWidth = 640;
  constexpr int64_t kStep = 1'000'000'000'000'000'000, kLength = kStep / 5 * 2;
  SmallTrace small;
  const LaneId lane = small.lane("a");
  for (int64_t i = -9; i <= 8; ++i) small.state(lane, "x", i * kStep, kLength);
  const auto trace = small.finish();
  for (const TimeRange view :
       {trace->range(), TimeRange{Time::min(), Time::max()}, TimeRange{Time{-1}, Time::max()}}) {
    const TimeScale scale(view, kWidth);
    const Scene scene = draw_trace(*renderer_, trace, view, kWidth, 40);
    for (int x = 0; x < kWidth; ++x) {
      const Time time = scale.time_from_x(x + 0.5);
      const int64_t since = ((time.ticks % kStep) + kStep) % kStep;
      const int64_t margin = static_cast<int64_t>(3 * scale.ticks_per_px());
      if (time < trace->range().begin || time > trace->range().end) continue;
      if (since < margin || std::abs(since - kLength) < margin || since > kStep - margin) continue;
      EXPECT_EQ(is_inked(scene.image, scene.lanes.rows()[0], x), since < kLength)
          << view.begin.ticks << " x " << x;
    }
  }
}

TEST_P(PictureTest, NothingIsDrawnWhereNothingIs) {
  SmallTrace small;
  const LaneId lane = small.lane("a");
  small.state(lane, "x", 0, 10);
  small.state(lane, "x", 9'990, 10);
  const auto trace = small.finish();
  const Scene scene = draw_trace(*renderer_, trace, {Time{0}, Time{10'000}}, 500, 40);
  const layout::DisplayRow& line = scene.lanes.rows()[0];
  EXPECT_TRUE(is_inked(scene.image, line, 0));
  EXPECT_TRUE(is_inked(scene.image, line, 499));
  for (int x = 3; x < 496; ++x) EXPECT_FALSE(is_inked(scene.image, line, x)) << x;
}

TEST_P(PictureTest, ABlitPutsThePictureUprightInItsPlace) {
  DrawBatch batch;
  batch.background = 0xFF000000;
  batch.boxes.push_back({0, 0, 4, 2, 0xFF0000FF, 0});  // red, at the top left
  const auto picture = renderer_->make_picture();
  picture->draw(batch, 10, 6);
  DrawBatch below;
  below.background = 0xFFFF0000;
  const auto ground = renderer_->make_picture();
  ground->draw(below, 30, 20);
  const opengl::OffscreenTarget target(30, 20);
  target.bind();
  ground->blit(0, 0, 20);
  picture->blit(5, 3, 20);
  const Image image = target.read();
  EXPECT_EQ(image.at(4, 3), 0xFFFF0000u) << "outside: as it was";
  EXPECT_EQ(image.at(5, 3), 0xFF0000FFu);
  EXPECT_EQ(image.at(8, 4), 0xFF0000FFu);
  EXPECT_EQ(image.at(9, 4), 0xFF000000u);
  EXPECT_EQ(image.at(5, 5), 0xFF000000u);
  EXPECT_EQ(image.at(14, 8), 0xFF000000u);
  EXPECT_EQ(image.at(15, 8), 0xFFFF0000u);
  EXPECT_EQ(image.at(5, 9), 0xFFFF0000u);
}

// covers B-26
TEST_P(PictureTest, BoxesHaveTheirPattern) {
  constexpr Color kColor = 0xFF4080C0;
  DrawBatch batch;
  batch.background = 0xFF000000;
  for (uint32_t pattern = 0; pattern < layout::kPatternCount; ++pattern) {
    const auto y = static_cast<float>(10 * pattern);
    batch.boxes.push_back({0, y, 40, y + 10, kColor, 0, pattern});
  }
  const auto picture = renderer_->make_picture();
  picture->draw(batch, 40, 10 * layout::kPatternCount);
  const Image image = picture->read();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const bool is_plain = image.at(x, y) == kColor;
      EXPECT_EQ(is_plain, !is_on_pattern(static_cast<uint32_t>(y / 10), x, y)) << x << "," << y;
    }
  }
}

// More at once than an atlas takes by one transfer, some of them twice: what came last stays.
TEST_P(PictureTest, TilesThatComeTogetherAreEachInTheirSlot) {
  constexpr int kTiles = 1500, kTwice = 100;
  using Tile = std::array<layout::Texel, layout::kTileColumns>;
  const auto color_of = [](int tile) { return 0xFF000000 | static_cast<Color>(tile * 0x9E3B); };
  std::vector<Tile> tiles(kTiles + kTwice);
  DrawBatch batch;
  for (int i = 0; i < kTiles + kTwice; ++i) {
    const Color color = color_of(i);
    const auto channel = [color](int shift) { return static_cast<uint8_t>(color >> shift); };
    tiles[static_cast<size_t>(i)].fill({channel(0), channel(8), channel(16), 0xFA});
    const auto slot = static_cast<uint32_t>(i % kTiles);
    renderer_->upload(slot, tiles[static_cast<size_t>(i)]);
    if (i < kTiles) {
      batch.strips.push_back({.x0 = 0,
                              .x1 = 4,
                              .y = static_cast<float>(i),
                              .height = 1,
                              .column0 = 252,
                              .column1 = 256,
                              .slot = slot});
    }
  }
  const auto picture = renderer_->make_picture();
  picture->draw(batch, 4, kTiles);
  const Image image = picture->read();
  for (int i = 0; i < kTiles; ++i) {
    ASSERT_EQ(image.at(0, i), color_of(i < kTwice ? kTiles + i : i)) << i;
    ASSERT_EQ(image.at(3, i), image.at(0, i)) << i;
  }
}

TEST_P(PictureTest, APictureCanChangeItsSize) {
  const auto picture = renderer_->make_picture();
  DrawBatch batch;
  for (const int size : {10, 300, 1, 20}) {
    batch.background = 0xFF000000 | static_cast<Color>(size);
    picture->draw(batch, size, size);
    const Image image = picture->read();
    ASSERT_EQ(image.width, size);
    EXPECT_EQ(image.at(size - 1, size - 1), batch.background);
  }
}

TEST_P(PictureTest, LinesAndMarkersAreWhereTheyShouldBe) {
  DrawBatch batch;
  batch.background = 0xFF000000;
  batch.lines.push_back({10, 50, 90, 50, 3, 9, 0xFFFFFFFF});
  batch.markers.push_back({50, 20, 5, 0xFF00FF00});
  const auto picture = renderer_->make_picture();
  picture->draw(batch, 100, 100);
  const Image image = picture->read();
  EXPECT_EQ(image.at(40, 50), 0xFFFFFFFFu);
  EXPECT_EQ(image.at(40, 60), 0xFF000000u);
  EXPECT_EQ(image.at(50, 20), 0xFF00FF00u);
  EXPECT_EQ(image.at(54, 16), 0xFF000000u) << "a diamond, not a square";
  EXPECT_EQ(image.at(95, 50), 0xFF000000u) << "the arrow ends at its tip";
  EXPECT_EQ(image.at(80, 53), 0xFFFFFFFFu) << "its head is wider than the line";
}

INSTANTIATE_TEST_SUITE_P(Both, PictureTest, testing::Values(Drawing::kShaders, Drawing::kProcessor),
                         [](const auto& param) {
                           return param.param == Drawing::kShaders ? "Shaders" : "Processor";
                         });

// The share of pixels whose channels differ by more than rounding.
double difference(const Image& a, const Image& b) {
  size_t different = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    for (int shift = 0; shift < 24; shift += 8) {
      const int x = static_cast<int>(a.pixels[i] >> shift & 0xFF);
      const int y = static_cast<int>(b.pixels[i] >> shift & 0xFF);
      if (std::abs(x - y) > 3) {
        ++different;
        break;
      }
    }
  }
  return static_cast<double>(different) / static_cast<double>(a.pixels.size());
}

TEST(Pictures, BothWaysOfDrawingAgree) {
  ASSERT_NE(context(), nullptr);
  const auto trace = random_trace(13, 4, 400);
  const TimeRange all = trace->range();
  auto shaders = opengl::create_renderer(Drawing::kShaders);
  auto processor = opengl::create_renderer(Drawing::kProcessor);
  ASSERT_TRUE(shaders && processor);
  for (int zoom = 0; zoom < 18; zoom += 3) {
    const Time begin = all.begin + Duration{all.length().ticks / 3};
    const TimeRange view{begin, begin + Duration{(all.length().ticks >> zoom) + 1}};
    const Image a = draw_trace(**shaders, trace, view, 800, 400).image;
    const Image b = draw_trace(**processor, trace, view, 800, 400).image;
    ASSERT_EQ(a.pixels.size(), b.pixels.size());
    // If an edge falls on a pixel's centre, rounding decides.
    EXPECT_LT(difference(a, b), 0.002) << "zoom " << zoom;
  }
}

TEST(Pictures, TheDriverDecides) {
  ASSERT_NE(context(), nullptr);
  const auto renderer = opengl::create_renderer();
  ASSERT_TRUE(renderer);
  EXPECT_FALSE((*renderer)->name().empty());
  if ((*renderer)->name().find("llvmpipe") != std::string::npos) {
    EXPECT_TRUE((*renderer)->is_software());
  }
}

}  // namespace
}  // namespace weft::render
