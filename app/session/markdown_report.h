// A report as Markdown, with links to pictures and tables that lie in files of their own.
#pragma once

#include <filesystem>

#include "app/base/job.h"
#include "app/session/session_report.h"
#include "core/base/result.h"

namespace weft::app {

// Writes `file` and, beside it, what its panels showed: NAME-1.svg and NAME-1.csv of the first.
// Text from traces stands in it as code, so that it acts as nothing. For a job.
Status write_markdown(const SessionReport& report, const std::filesystem::path& file,
                      Job::Progress& progress);

}  // namespace weft::app
