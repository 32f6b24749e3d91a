// A report as one self-contained HTML file. Text from traces is escaped, and pictures are embedded
// as data, so that nothing in them can run.
#pragma once

#include <cstdint>
#include <string>

#include "app/base/job.h"
#include "app/session/session_report.h"

namespace weft::app {

// Tables are cut after kMostReportRows rows, and say so. Reads tables and files: for a job.
inline constexpr uint64_t kMostReportRows = 1'000;
std::string html_of(const SessionReport& report, Job::Progress& progress);

}  // namespace weft::app
