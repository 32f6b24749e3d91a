// The files that strace -ff writes: out.123, one for each process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/io/source.h"

namespace weft::formats::strace {

inline constexpr Duration kDay{86'400'000'000'000};

struct TaskFile {
  int64_t pid = 0;
  std::filesystem::path path;
  Time first;  // of its first line; of a time of day, since the first midnight of all files
};
struct TaskFiles {
  std::vector<TaskFile>
      files;            // in order of their first times; none: the file is a trace by itself
  uint64_t others = 0;  // named so, but of another kind
};

// "out" of "out.123"; empty: the name is no such.
std::string run_of(std::string_view file_name);

// The one that is given and those beside it, where their lines say when, but not whose they are.
TaskFiles task_files(io::Source& source);

}  // namespace weft::formats::strace
