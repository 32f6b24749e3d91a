#include "app/window/frame_cost.h"

#include <chrono>
#include <ctime>

namespace weft::app {
namespace {

using Clock = std::chrono::steady_clock;

double thread_cpu_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

}  // namespace

FrameCost measure_frame(OffscreenHost& host, const std::function<void()>& act) {
  Workbench& workbench = host.workbench();
  const double start = thread_cpu_ms();
  act();
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

}  // namespace weft::app
