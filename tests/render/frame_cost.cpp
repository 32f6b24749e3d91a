// Measures a frame of rows, by zoom and by way of drawing: a table for render/README.md.
//
//   frame_cost [events per lane = 5000]
//
// 64 lanes, up to 4 states deep, on 1920 x 1080 in rows of 5 px: about 200 rows. `layout` is
// draw_rows; `frame thread` is drawing the picture and copying it to the screen, in processor time
// of the calling thread; `all threads` the same in that of the whole program (divide by the cores
// for the time that passes on an idle machine). Each is the best of ten.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "render/opengl/egl_context.h"
#include "render/opengl/offscreen_target.h"
#include "render/opengl/opengl_renderer.h"
#include "render/timeline.h"
#include "tests/bench/cpu_time.h"
#include "tests/render/small_trace.h"

namespace weft::render {
namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kRepeats = 10;

double milliseconds(clockid_t clock) { return bench::cpu_seconds(clock) * 1e3; }

// The least that `body` took on a clock.
template <class Body>
double best_of(clockid_t clock, const Body& body) {
  double best = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    const double begin = milliseconds(clock);
    body();
    best = std::min(best, milliseconds(clock) - begin);
  }
  return best;
}

class Bench {
 public:
  Bench(Renderer& renderer, store::TracePtr trace)
      : renderer_(renderer),
        trace_(std::move(trace)),
        palette_(layout::Palette::make(trace_->dictionary(), layout::Theme::kDark)),
        lanes_(layout::Lanes::build(trace_->dictionary(), trace_->rows(), {}, kRows)),
        cache_(renderer),
        picture_(renderer.make_picture()) {
    cache_.set_source(trace_, palette_);
  }

  void run() {
    std::printf("%s\n%-8s %7s %7s %9s %13s %12s\n", renderer_.name().c_str(), "zoom", "strips",
                "boxes", "layout ms", "frame thread", "all threads");
    for (int zoom = 0; zoom <= 15; zoom += 3) measure(zoom);
    const TileStats stats = cache_.stats();
    std::printf("%llu tiles made, %.1f nodes read each, %.1f KiB each\n\n",
                static_cast<unsigned long long>(stats.made),
                static_cast<double>(stats.nodes_read) / static_cast<double>(stats.made),
                static_cast<double>(stats.bytes) / 1024 / static_cast<double>(stats.tiles));
  }

 private:
  static constexpr layout::LaneHeights kRows{
      .header = 5, .state = 5, .punctual = 5, .variable = 5, .summary = 5, .gap = 0};

  void measure(int zoom) {
    const TimeRange all = trace_->range();
    const Duration length{std::max<int64_t>(all.length().ticks >> zoom, kWidth)};
    const Time begin = all.begin + Duration{(all.length().ticks - length.ticks) / 3};
    const TimelineView view{layout::TimeScale({begin, begin + length}, kWidth), 0, kHeight};
    do lay_out(view);
    while (items_.is_stale && cache_.wait_until_idle());

    const double layout_ms = best_of(CLOCK_THREAD_CPUTIME_ID, [&] { lay_out(view); });
    const auto show = [&] {
      picture_->draw(batch_, kWidth, kHeight);
      screen_.bind();
      picture_->blit(0, 0, kHeight);
      renderer_.finish();
    };
    const double frame_ms = best_of(CLOCK_THREAD_CPUTIME_ID, show);
    const double all_ms = best_of(CLOCK_PROCESS_CPUTIME_ID, show);
    std::printf("2^%-6d %7zu %7zu %9.3f %13.2f %12.2f\n", zoom, batch_.strips.size(),
                batch_.boxes.size(), layout_ms, frame_ms, all_ms);
  }

  void lay_out(const TimelineView& view) {
    batch_.clear();
    items_.clear();
    cache_.begin_frame();
    draw_rows(*trace_, lanes_, *palette_, view, cache_, batch_, items_);
    cache_.end_frame();
  }

  Renderer& renderer_;
  store::TracePtr trace_;
  std::shared_ptr<const layout::Palette> palette_;
  layout::Lanes lanes_;
  TileCache cache_;
  std::unique_ptr<Picture> picture_;
  opengl::OffscreenTarget screen_{kWidth, kHeight};
  DrawBatch batch_;
  TimelineItems items_;
};

int run(int events) {
  const auto trace = random_trace(1, 64, events);
  const auto context = opengl::EglContext::create();
  if (!context) {
    std::fprintf(stderr, "%s\n", context.error().message.c_str());
    return 1;
  }
  for (const auto drawing : {opengl::Drawing::kShaders, opengl::Drawing::kProcessor}) {
    const auto renderer = opengl::create_renderer(drawing);
    if (!renderer) {
      std::fprintf(stderr, "%s\n", renderer.error().message.c_str());
      return 1;
    }
    Bench(**renderer, trace).run();
  }
  return 0;
}

}  // namespace
}  // namespace weft::render

int main(int argc, char** argv) { return weft::render::run(argc > 1 ? std::atoi(argv[1]) : 5000); }
