// weftscope tour: flies a fixed tour through a trace and measures the frames.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/picture.h"
#include "app/cli/report.h"
#include "app/cli/table.h"
#include "core/base/text.h"

namespace weft::cli {
namespace {

struct TourOptions {
  Picture picture;
  uint32_t frames = 600;
  bool is_json = false;
};

nlohmann::ordered_json percentiles_json(const Percentiles& p) {
  return {{"p50", p.p50}, {"p95", p.p95}, {"p99", p.p99}, {"max", p.max}};
}

nlohmann::ordered_json report_json(const app::TourReport& report) {
  return {{"frames", report.frames},
          {"cpu_ms", percentiles_json(report.cpu_ms)},
          {"gpu_ms", percentiles_json(report.gpu_ms)},
          {"tile_ms", percentiles_json(report.tile_ms)},
          {"stale_share", report.stale_share},
          {"tiles_made", report.tiles_made},
          {"gpu_bytes", report.gpu_bytes},
          {"page_faults", report.page_faults},
          {"renderer", report.renderer}};
}

void print_report(const app::TourReport& report, Output& output) {
  const auto milliseconds = [](const Percentiles& p) {
    return fmt::format("p50 {:.3f}  p95 {:.3f}  p99 {:.3f}  max {:.3f} ms", p.p50, p.p95, p.p99,
                       p.max);
  };
  Table table({{""}, {""}});
  table.add({"Renderer", report.renderer});
  table.add({"Frames", format_count(report.frames)});
  table.add({"CPU per frame", milliseconds(report.cpu_ms)});
  table.add({"GPU per frame", milliseconds(report.gpu_ms)});
  table.add({"Tile ready after", milliseconds(report.tile_ms)});
  table.add({"Drawn from a coarser tile", fmt::format("{:.2f} %", 100 * report.stale_share)});
  table.add({"Tiles made", format_count(report.tiles_made)});
  table.add({"GPU memory", format_bytes(report.gpu_bytes)});
  table.add({"Page faults", format_count(report.page_faults)});
  table.print(output);
}

Result<int> run_tour_command(const TourOptions& options) {
  WEFT_TRY_ASSIGN(const int code, options.picture.check_input());
  if (code == kUsage) return kUsage;
  WEFT_TRY_ASSIGN(const app::TourReport report,
                  app::run_tour({.picture = options.picture.options(), .frames = options.frames}));
  Output output;
  if (options.is_json) {
    print_json(output, report_json(report));
  } else {
    print_report(report, output);
  }
  WEFT_TRY(output.finish());
  if (!report.note.empty()) complain(report.note);
  return exit_code_of(report.damage);
}

}  // namespace

Run declare_tour(CLI::App& app) {
  auto options = std::make_shared<TourOptions>();
  options->picture.declare(app);
  app.add_option("--frames", options->frames, "How many frames (default 600)")
      ->check(CLI::Range(1u, 1'000'000u))
      ->type_name("N");
  app.add_flag("--json", options->is_json, "One JSON object");
  return [options] { return run_tour_command(*options); };
}

}  // namespace weft::cli
