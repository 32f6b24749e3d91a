// The content of a report on a session: the open traces with their markers, the panels that the
// user added to the report, the pictures and tables that were saved during the session, and every
// step.
//
// gather_report() runs on the frame thread. A job then writes the result to a file (html_report.h,
// markdown_report.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace weft::app {

struct SessionReport {
  struct Line {
    std::string name, text;
  };
  struct Section {  // one per trace
    std::string title;
    std::vector<Line> lines;
  };
  struct Saved {
    std::string title;  // the panel's
    std::filesystem::path file;
    bool is_picture = true;  // false: it is a table
  };
  std::vector<Section> traces;
  std::vector<ReportItem> items;
  std::vector<Saved> saved;
  std::vector<std::string> steps;
};

SessionReport gather_report(const Session& session);

}  // namespace weft::app
