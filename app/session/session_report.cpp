#include "app/session/session_report.h"

#include <utility>

#include "app/session/commands.h"
#include "app/session/palette_entries.h"

namespace weft::app {
namespace {

SessionReport::Section section_of(const OpenTrace& trace) {
  const TimeBase base = trace.time_base();
  const auto time = [&](Time at) {
    return time_label(trace.time_display, at, trace.reach(), base, trace.reach().length(),
                      Duration{1});
  };
  const auto range = [&](TimeRange of) {
    if (of.is_empty()) return time(of.begin);  // a marker of one instant
    return time(of.begin) + " to " + time(of.end) + ", " +
           length_label(trace.time_display, of.length(), base);
  };
  SessionReport::Section section{trace.name(), {}};
  section.lines.push_back({"file", trace.path().string()});
  section.lines.push_back({"shown", range(trace.view().window.range())});
  if (trace.selection) section.lines.push_back({"selected", range(*trace.selection)});
  if (trace.view().filter.is_set()) section.lines.push_back({"filter", trace.view().filter.text});
  for (const Marker& marker : trace.markers.all()) {
    section.lines.push_back(
        {"marker " + marker.name,
         range(marker.range) + (marker.note.empty() ? "" : ": " + marker.note)});
  }
  return section;
}

}  // namespace

SessionReport gather_report(const Session& session) {
  SessionReport report;
  for (const auto& trace : session.traces) report.traces.push_back(section_of(*trace));
  report.items = session.report.items;
  for (const JournalEntry& entry : session.journal) {
    const CommandRow* row = find_command(entry.command);
    std::string step(row ? row->title : std::string_view(entry.command));
    if (!entry.args.empty()) step += ": " + text_from_arguments(entry.args);
    report.steps.push_back(std::move(step));
    const bool is_picture = entry.command == "snapshot";
    if (!is_picture && entry.command != "table.export") continue;
    const auto file = entry.args.find(is_picture ? "output" : "file");
    if (file == entry.args.end() || !file->is_string()) continue;
    report.saved.push_back(
        {entry.args.value("panel", "the window"), file->get<std::string>(), is_picture});
  }
  return report;
}

}  // namespace weft::app
