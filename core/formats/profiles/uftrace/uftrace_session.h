// Resolves addresses to names, from what uftrace wrote beside its records: processes and threads
// (task.txt), memory maps (sid-….map), and symbols (NAME.sym).
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::uftrace {

// "63939.298992299": seconds. Returns nullopt if it is none.
std::optional<Time> time_of(std::string_view text);

// A program that ran in a process, from a time on.
struct Session {
  Time begin;
  int32_t process = 0;
  std::string id;
  std::string program;  // its path
};

class Sessions {
 public:
  // `folder` is the one that holds `info`; missing files are ignored. `are_relative`: symbols count
  // from the begin of their binary.
  Sessions(const std::filesystem::path& folder, bool are_relative);

  const std::vector<Session>& all() const { return sessions_; }
  // The number of sessions without a map: their functions have no names.
  uint64_t without_map() const {
    return static_cast<uint64_t>(
        std::ranges::count_if(maps_, [](const auto& each) { return each.second.empty(); }));
  }
  // The number of symbols that the files of symbols say to have, and do not.
  uint64_t missing_symbols() const { return missing_symbols_; }
  // Whether task.txt names the thread.
  bool knows(int32_t thread) const { return process_of_thread_.contains(thread); }
  // The process of a thread; the thread itself where it is unknown.
  int32_t process_of(int32_t thread) const;
  // The parent of a process; 0: unknown.
  int32_t parent_of(int32_t process) const;
  // The number of forks that lead to the process.
  int generation_of(int32_t process) const;
  struct Place {
    std::string name;    // "main"; "libc.so.6+0x10" or "0x7f10" where there is no symbol
    std::string binary;  // where there is one
    uint64_t symbol = 0;
  };
  Place place_of(int32_t process, Time time, uint64_t address) const;
  std::string name_of(int32_t process, Time time, uint64_t address) const {
    return place_of(process, time, address).name;
  }

 private:
  struct Binary {
    uint64_t end = 0;
    std::string name;  // its file's
  };
  using Map = std::map<uint64_t, Binary>;  // by where it begins
  struct Symbol {
    uint64_t size_bytes = 0;
    std::string name;
  };
  using Symbols = std::map<uint64_t, Symbol>;

  void read_tasks(const std::filesystem::path& file);
  void read_map(const std::filesystem::path& file, Map& map);
  void read_symbols(const std::filesystem::path& file, Symbols& symbols);

  std::filesystem::path folder_;
  bool are_relative_;
  uint64_t missing_symbols_ = 0;
  std::vector<Session> sessions_;
  std::map<int32_t, int32_t> process_of_thread_;
  std::map<int32_t, int32_t> parent_of_process_;
  std::map<std::string, Map, std::less<>> maps_;         // by the session's id
  std::map<std::string, Symbols, std::less<>> symbols_;  // by the binary's name
};

}  // namespace weft::formats::uftrace
