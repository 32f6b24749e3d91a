// The report of what was done as one HTML file that needs no other: panels as pictures and tables,
// notes, markers, pictures that were saved on the way, and every step.
//
// Gathered on the frame thread, made by a job: tables are read, files are opened. Text from traces
// is escaped; pictures are data, so that nothing in them runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/base/job.h"
#include "app/session/session.h"

namespace weft::app {

struct HtmlReport {
  struct Line {
    std::string name, text;
  };
  struct Section {  // of a trace
    std::string title;
    std::vector<Line> lines;
  };
  struct Saved {
    std::string title;
    std::filesystem::path picture;
  };
  std::vector<Section> traces;
  std::vector<ReportItem> items;
  std::vector<Saved> saved;
  std::vector<std::string> steps;
};

HtmlReport gather_report(const Session& session);

// Tables are cut after kMostReportRows rows, which is said.
inline constexpr uint64_t kMostReportRows = 1'000;
std::string html_of(const HtmlReport& report, Job::Progress& progress);

}  // namespace weft::app
