// What a report says of a session: traces with what was marked on them, the panels that the user
// put into it, pictures and tables that were saved on the way, and every step.
//
// Gathered on the frame thread; a job then makes a file of it (html_report.h, markdown_report.h).
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
    std::string title;  // of the panel
    std::filesystem::path file;
    bool is_picture = true;  // else a table
  };
  std::vector<Section> traces;
  std::vector<ReportItem> items;
  std::vector<Saved> saved;
  std::vector<std::string> steps;
};

SessionReport gather_report(const Session& session);

}  // namespace weft::app
