// The files of one run of Charm++: NAME.sts, which says what numbers mean, and a log for each
// processing element (PE) beside it: NAME.0.log, NAME.1.log.gz, …
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::projections {

// "pingpong" of "pingpong.sts", "pingpong.12.log" and "pingpong.12.log.gz"; empty where the file is
// none of a run.
std::string run_of(std::string_view file_name);

struct RunFiles {
  struct Log {
    uint32_t pe = 0;
    std::filesystem::path path;
  };
  std::filesystem::path table;  // the .sts; empty: there is none
  std::vector<Log> logs;        // by PE
};

// Finds the files of a run beside one of them. A log with another form of name is the only file of
// its run, that of PE 0.
RunFiles files_beside(const std::filesystem::path& path);

}  // namespace weft::formats::projections
