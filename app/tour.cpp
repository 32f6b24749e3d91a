// A fixed flight over a trace, measured: from the whole trace to one event and back, with pans.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "app/host_offscreen.h"
#include "app/run.h"

namespace weft::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kRows = 200;  // visible at once, where the trace has them

double thread_cpu_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

uint64_t thread_page_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<uint64_t>(usage.ru_minflt) + static_cast<uint64_t>(usage.ru_majflt);
}

Percentiles percentiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.95), at(0.99), values.back()};
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

// Where the flight is at `progress`, 0 to 1:
//   0.00 … 0.40   from the whole trace into the target, as fast at every zoom
//   0.40 … 0.60   there, a screen to the left and two to the right and back
//   0.60 … 1.00   out again, half a screen beside the way in
TimeWindow position(const TimeWindow& whole, const TimeRange& target, double progress) {
  TimeWindow closest = TimeWindow::from_range(target);
  closest = closest.zoomed(0.25, 0.5);  // the event fills a quarter
  const double depth = std::log(whole.length / closest.length);
  const auto zoomed_in = [&](double share) {
    const double factor = std::exp(std::clamp(share, 0.0, 1.0) * depth);
    // What keeps its place while zooming is the target's middle.
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

struct FrameCost {
  double cpu_ms = 0;
  double gpu_ms = 0;
};

// Where pixels are made by this thread, making them is the renderer's time, not the frame's.
FrameCost measured_frame(OffscreenHost& host, const TimeWindow& window) {
  Workbench& workbench = host.workbench();
  const double start = thread_cpu_ms();
  (void)workbench.run(view_set_command(window));  // cannot fail: there is a trace
  draw_frame(workbench, host.gui(), {}, {}, host.width(), host.height());
  const double built = thread_cpu_ms();
  const Clock::time_point painting = Clock::now();
  workbench.paint();
  host.present();
  const double painted = thread_cpu_ms();
  const Clock::time_point drawing = Clock::now();
  host.gui().draw();
  const double submitted = thread_cpu_ms();
  const Clock::time_point finishing = Clock::now();
  host.renderer().finish();
  Clock::duration gpu = Clock::now() - finishing;
  double cpu = (built - start) + (submitted - painted);
  if (host.renderer().is_software()) {
    gpu += drawing - painting;
  } else {
    cpu += painted - built;
  }
  return {cpu, std::chrono::duration<double, std::milli>(gpu).count()};
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
  WEFT_TRY(set_up_picture(*host, options.picture));
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
  const uint32_t frames = std::max(2u, options.frames);
  for (uint32_t i = 0; i < frames; ++i) {
    const double progress = static_cast<double>(i) / (frames - 1);
    const FrameCost cost = measured_frame(*host, position(whole, target, progress));
    cpu_ms.push_back(cost.cpu_ms);
    gpu_ms.push_back(cost.gpu_ms);
    // As on a display: workers have the rest of the frame.
    std::this_thread::sleep_until(start +
                                  std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>((i + 1) * kFrameSeconds)));
  }

  TourReport report;
  report.page_faults = thread_page_faults() - faults_before;
  report.frames = frames;
  report.cpu_ms = percentiles(std::move(cpu_ms));
  report.gpu_ms = percentiles(std::move(gpu_ms));
  const render::TileStats tiles = workbench.tile_stats();
  report.tile_ms = {tiles.ready_p50_ms, tiles.ready_p95_ms, tiles.ready_p99_ms, tiles.ready_max_ms};
  report.stale_share =
      tiles.drawn == 0 ? 0 : static_cast<double>(tiles.stale) / static_cast<double>(tiles.drawn);
  report.tiles_made = tiles.made;
  report.gpu_bytes = host->renderer().gpu_bytes();
  report.renderer = host->renderer().name();
  return report;
}

}  // namespace weft::app
