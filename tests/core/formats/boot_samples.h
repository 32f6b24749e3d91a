// Writes what bootchart's collector records of a small boot: a folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace weft::test {

inline void write_bootchart(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  write("header", "version = 0.8\nsystem.uname = Linux 2.6.29\n");
  write("proc_stat.log",
        "100\ncpu  10 0 10 80 0 0 0\nprocs_running 6\n\n"
        "200\ncpu  30 10 20 120 10 5 5\nprocs_running 1\nprocs_blocked 2\n\n");
  write("proc_diskstats.log",
        "100\n   8    0 sda 1 0 100 0 0 0 0 0 0 10 0\n   8    1 sda1 1 0 1 0 0 0 0 0 0 1 0\n\n"
        "200\n   8    0 sda 9 0 300 0 0 0 50 0 0 510 0\n\n");
  const auto process = [](const char* head, const char* start) {
    return std::string(head) + " 0 1 1 0 1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + start + " 0 0\n";
  };
  write("proc_ps.log", "100\n" + process("1 (init) S", "50") + process("7 (a) b) R", "90") +
                           "what is this\n\n200\n" + process("1 (init) D", "50") +
                           process("7 (new) S", "190") + "\n300\n" + process("1 (init) D", "50") +
                           "\n");
}

}  // namespace weft::test
