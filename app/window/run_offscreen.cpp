// Pictures and journals without a window; see app/window/run.h.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "app/base/text_file.h"
#include "app/session/journal.h"
#include "app/session/panel_kinds.h"
#include "app/window/frame_cost.h"
#include "app/window/host_offscreen.h"
#include "app/window/run.h"
#include "core/base/percentiles.h"

namespace weft::app {

namespace {

// The other traces below the first, each in a panel of its own.
Status stack_traces(OffscreenHost& host, const PictureOptions& options) {
  Workbench& workbench = host.workbench();
  for (const auto& file : options.also) WEFT_TRY(host.open(file, options.type));
  Json args = Json::object();
  if (options.panel != "workbench") {
    const Json layout = {{"panels", {{{"id", options.panel}, {"kind", options.panel}}}},
                         {"root", {{"tabs", {options.panel}}}}};
    WEFT_TRY(workbench.run({"layout.load", {{"layout", layout}}}));
    workbench.leave_out_bars();
    args["panel"] = options.panel;
  }
  WEFT_TRY(workbench.run({"trace.select", {{"index", 0}}}));
  WEFT_TRY(workbench.run({"trace.stack", std::move(args)}));
  if (options.align != "clock") WEFT_TRY(workbench.run({"trace.align", {{"by", options.align}}}));
  return workbench.run({"view.fit"});
}

// Shows the range as the sub-commands read it: not as a user types it who looks at rulers. A window
// has limits; returns what to say where it is another one than that.
Result<std::string> show_range(Workbench& workbench, const PictureOptions& options) {
  const OpenTrace& trace = *workbench.session().trace();
  const TimeRange reach = trace.reach();
  TimeRange range = {reach.begin, reach.end - Duration{1}};
  for (const auto& [text, end] :
       {std::pair(&options.from, &range.begin), std::pair(&options.to, &range.end)}) {
    if (text->empty()) continue;
    WEFT_TRY_ASSIGN(*end,
                    parse_time(*text, {reach.begin, reach.end - Duration{1}}, trace.time_base()));
  }
  WEFT_TRY(workbench.run({"view.set", {{"from", range.begin.ticks}, {"to", range.end.ticks}}}));
  const TimeRange shown = trace.view().window.range();
  if (shown == range) return std::string();
  return fmt::format(
      "{}: drawn from {} to {} (in ticks): a picture shows 4 ticks at least, at most twice the "
      "trace, and some of it",
      trace.name(), shown.begin.ticks, shown.end.ticks);
}

}  // namespace

std::vector<std::string> picture_panels() {
  std::vector<std::string> ids = {"workbench"};
  for (const PanelKind& kind : panel_kinds()) ids.emplace_back(kind.id);
  return ids;
}

Result<std::string> set_up_picture(OffscreenHost& host, const PictureOptions& options) {
  Workbench& workbench = host.workbench();
  WEFT_TRY(workbench.run({"theme", {{"name", options.theme}}}));
  WEFT_TRY(host.open(options.file, options.type));
  const auto& traces = workbench.session().traces;  // an archive may hold several
  const bool has_all_in_one = options.panel == "compare";
  if (has_all_in_one) {
    for (const auto& file : options.also) WEFT_TRY(host.open(file, options.type));
    WEFT_TRY(workbench.run({"trace.select", {{"index", 0}}}));
    workbench.show_only(options.panel);
  } else if (!options.also.empty() || traces.size() > 1) {
    WEFT_TRY(stack_traces(host, options));
  } else {
    workbench.show_only(options.panel == "workbench" ? "" : options.panel);
  }
  for (size_t i = 0; !options.symbols.empty() && i < traces.size(); ++i) {
    Json args = symbols_args(options.symbols);
    args["index"] = i;
    WEFT_TRY(workbench.run({"symbols.load", std::move(args)}));
  }
  std::string note;
  if (!options.from.empty() || !options.to.empty()) {
    WEFT_TRY_ASSIGN(note, show_range(workbench, options));
  }
  if (!options.where.empty()) {
    WEFT_TRY(workbench.run({"filter.set", {{"text", options.where}, {"mode", options.filter}}}));
  }
  return note;
}

Result<SnapshotReport> run_snapshot(const PictureOptions& options) {
  OffscreenHost::Options size;
  size.width = options.width;
  size.height = options.height;
  WEFT_TRY_ASSIGN(size.is_vector, is_vector_picture(options.output));
  WEFT_TRY_ASSIGN(const auto host, OffscreenHost::create(size));
  SnapshotReport report;
  WEFT_TRY_ASSIGN(report.note, set_up_picture(*host, options));
  WEFT_TRY(host->settle());
  if (size.is_vector) {
    WEFT_TRY(write_text(host->svg().document(), options.output));
  } else {
    WEFT_TRY(write_png(host->picture(), options.output));
  }
  report.damage = host->damage();
  return report;
}

namespace {

struct PlayedCommand {
  std::vector<double> cpu_ms;  // of each frame
  double settled_ms = 0;
};
using FrameTimes = std::map<std::string, PlayedCommand>;  // by name

// An error that came after a command had succeeded: a table that no panel has, a file that cannot
// be written. Not the damage of a trace, which the whole run tells of at its end.
Status told_since(const Session& session, uint64_t serial) {
  const auto is_damage = [&](const Message& message) {
    return std::ranges::any_of(session.traces, [&](const auto& trace) {
      return !trace->damage().empty() && message.text.contains(trace->damage());
    });
  };
  for (const Message& message : session.messages.all) {
    if (message.serial > serial && message.is_error && !is_damage(message))
      return fail(message.text);
  }
  return {};
}

// The command's own frame, and those until nothing is stale, and the pictures it asked for are
// written.
Status play(OffscreenHost& host, const Command& command, PlayedCommand& played) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kTimeout = std::chrono::minutes(5);
  Workbench& workbench = host.workbench();
  Status status;
  const uint64_t told_before = workbench.session().messages.last.serial;
  const Clock::time_point begun = Clock::now();
  const auto run = [&] {
    status = workbench.run(command);
    // Before the frame: what cannot be opened is gone behind it.
    if (status && command.name == "open") status = workbench.wait_until_loaded();
  };
  played.cpu_ms.push_back(measure_frame(host, run).cpu_ms);
  WEFT_TRY(status);
  const auto draw_pictures = [&] {
    host.snapshots().step(workbench, host.gui(), host.width(), host.height());
  };
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the workers' turn
    played.cpu_ms.push_back(measure_frame(host, draw_pictures).cpu_ms);
    if (Clock::now() > begun + kTimeout) return fail("the frame was never complete");
  } while (!workbench.is_ready() || host.snapshots().is_busy());
  const std::chrono::duration<double, std::milli> took = Clock::now() - begun;
  played.settled_ms = std::max(played.settled_ms, took.count());
  // Messages about a trace that was opened, such as damaged markers, do not stop the run.
  return command.name == "open" ? Status() : told_since(workbench.session(), told_before);
}

void add_damage(const OffscreenHost& host, DamageLines& lines) {
  for (std::string& line : host.damage()) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
}

ReplayReport report_of(FrameTimes times, std::string renderer) {
  ReplayReport report;
  report.renderer = std::move(renderer);
  for (auto& [command, played] : times) {
    const uint64_t frames = played.cpu_ms.size();
    report.commands.push_back(
        {command, frames, percentiles_of(std::move(played.cpu_ms)), played.settled_ms});
  }
  std::ranges::stable_sort(report.commands, std::ranges::greater(),
                           [](const CommandCost& cost) { return cost.cpu_ms.max; });
  return report;
}

}  // namespace

Result<ReplayReport> run_replay(const ReplayOptions& options) {
  WEFT_TRY_ASSIGN(const std::vector<JournalLine> lines, read_journal(options.journal));
  OffscreenHost::Options size;
  size.width = options.width;
  size.height = options.height;
  WEFT_TRY_ASSIGN(const auto host, OffscreenHost::create(size));
  for (const auto& file : options.files) WEFT_TRY(host->open(file));
  WEFT_TRY(host->settle());
  FrameTimes times;
  DamageLines damage;
  add_damage(*host, damage);
  const auto play_all = [&]() -> Status {
    for (const auto& [place, command] : lines) {
      Status status = command ? play(*host, *command, times[command->name]) : fail(command.error());
      if (!status) return fail(std::move(status).error().context(place));
      add_damage(*host, damage);
      if (host->workbench().session().orders.is_quitting) break;
    }
    if (options.report.empty()) return {};
    const Command report = {"journal.report", {{"file", options.report.string()}}};
    return play(*host, report, times[report.name]);
  };
  Status status = play_all();
  ReplayReport report = report_of(std::move(times), host->renderer().name());
  report.damage = std::move(damage);
  report.status = std::move(status);
  return report;
}

}  // namespace weft::app
