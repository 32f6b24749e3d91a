// A report as Markdown, with links to pictures and tables that lie in files of their own.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "app/base/job.h"
#include "app/session/session_report.h"
#include "core/base/result.h"

namespace weft::app {

// Writes `file` and, beside it, what its panels showed: `items` has the names of each panel's
// picture and table, without .svg and .csv (files_beside.h). Text from traces stands in it as code,
// so that it acts as nothing. For a job.
Status write_markdown(const SessionReport& report, const std::filesystem::path& file,
                      std::span<const std::filesystem::path> items, Job::Progress& progress);

// How a link in it names a file.
std::string markdown_target(const std::filesystem::path& file);

}  // namespace weft::app
