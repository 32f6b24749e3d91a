// A fixed flight over a trace, measured: from the whole trace to one event and back, with pans.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/window/frame_cost.h"
#include "app/window/host_offscreen.h"
#include "app/window/run.h"
#include "core/base/percentiles.h"

namespace weft::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kRows = 200;  // visible at once, where the trace has them

uint64_t thread_page_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<uint64_t>(usage.ru_minflt) + static_cast<uint64_t>(usage.ru_majflt);
}

// The event that the tour flies to: the one in the middle of the row with most of them.
TimeRange target_of(const store::Trace& trace) {
  const store::Row* most = nullptr;
  for (const store::Row& row : trace.rows()) {
    if (!most || row.count > most->count) most = &row;
  }
  if (!most || most->count == 0) return trace.range();
  const store::Record record = trace.record(*most, most->count / 2);
  const bool is_state = most->kind == store::RowKind::kState;
  return {record.begin, is_state ? std::max(record.end(), record.begin + Duration{1})
                                 : record.begin + Duration{1}};
}

// The window of the tour at `progress`, 0 to 1:
//   0.00 … 0.40   from the whole trace into the target, as fast at every zoom
//   0.40 … 0.60   there, a screen to the left and two to the right and back
//   0.60 … 1.00   out again, half a screen beside the way in
TimeWindow position(const TimeWindow& whole, const TimeRange& target, double progress) {
  TimeWindow closest = TimeWindow::from_range(target);
  closest = closest.zoomed(0.25, 0.5);  // the event fills a quarter
  const double depth = std::log(whole.length / closest.length);
  const auto zoomed_in = [&](double share) {
    const double factor = std::exp(std::clamp(share, 0.0, 1.0) * depth);
    // The target's middle keeps its place while zooming.
    const Time middle = closest.time_from_fraction(0.5);
    return whole.zoomed(factor, whole.fraction_from_time(middle));
  };
  if (progress < 0.4) return zoomed_in(progress / 0.4);
  if (progress < 0.6) {
    const TimeWindow there = zoomed_in(1);
    return there.panned(-std::sin((progress - 0.4) / 0.2 * 2 * M_PI) * there.length);
  }
  const TimeWindow back = zoomed_in(1 - (progress - 0.6) / 0.4);
  const double aside = std::sin((progress - 0.6) / 0.4 * M_PI) * 0.5;
  return back.panned(aside * back.length);
}

// Rows so low that kRows of them fit.
Status show_many_rows(OffscreenHost& host, const PictureOptions& picture) {
  const double px = std::max(3.0, std::floor(picture.height / kRows));
  return host.workbench().run({"row_height", {{"px", px}}});
}

}  // namespace

Result<TourReport> run_tour(const TourOptions& options) {
  OffscreenHost::Options size;
  size.width = options.picture.width;
  size.height = options.picture.height;
  WEFT_TRY_ASSIGN(const auto host, OffscreenHost::create(size));
  TourReport report;
  WEFT_TRY_ASSIGN(report.note, set_up_picture(*host, options.picture));
  WEFT_TRY(show_many_rows(*host, options.picture));
  WEFT_TRY(host->settle());
  Workbench& workbench = host->workbench();
  const OpenTrace& trace = *workbench.session().trace();
  const TimeRange target = target_of(*trace.trace());
  const TimeWindow whole = trace.view().window;

  std::vector<double> cpu_ms, gpu_ms;
  workbench.reset_tile_stats();
  const uint64_t faults_before = thread_page_faults();
  const Clock::time_point start = Clock::now();
  const uint32_t frames = std::max(1u, options.frames);
  for (uint32_t i = 0; i < frames; ++i) {
    const double progress = frames > 1 ? static_cast<double>(i) / (frames - 1) : 0;
    const FrameCost cost = measure_frame(*host, [&] {
      (void)workbench.run(view_set_command(position(whole, target, progress)));  // cannot fail
    });
    cpu_ms.push_back(cost.cpu_ms);
    gpu_ms.push_back(cost.gpu_ms);
    // As on a display: workers get the rest of the frame's time.
    std::this_thread::sleep_until(start +
                                  std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>((i + 1) * kFrameSeconds)));
  }

  report.page_faults = thread_page_faults() - faults_before;
  report.frames = frames;
  report.cpu_ms = percentiles_of(std::move(cpu_ms));
  report.gpu_ms = percentiles_of(std::move(gpu_ms));
  const render::TileStats tiles = workbench.tile_stats();
  report.tile_ms = tiles.ready_ms;
  report.stale_share =
      tiles.drawn == 0 ? 0 : static_cast<double>(tiles.stale) / static_cast<double>(tiles.drawn);
  report.tiles_made = tiles.made;
  report.gpu_bytes = host->renderer().gpu_bytes();
  report.renderer = host->renderer().name();
  report.damage = host->damage();
  return report;
}

}  // namespace weft::app
