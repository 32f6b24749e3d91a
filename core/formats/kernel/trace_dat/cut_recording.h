// What is left of a recording of version 7 whose end is missing. Behind its sections stands where
// the data of each CPU lie; without that, libtracecmd reads nothing. Data that are compressed say
// themselves where they end:
//
//   head, sections that describe the events, options (to the next: behind the end)
//   buffer: "flyrecord", then at a page for each CPU that has data: chunks, each a size and bytes
//
// Source: trace-cmd's manual page trace-cmd.dat.v7(5), and files that trace-cmd wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace weft::formats::trace_dat {

struct Patch {
  uint64_t at = 0;
  std::string bytes;
};

struct Remains {
  bool is_whole = false;  // nothing is missing
  // To be written to a copy, from which the whole of what is there can then be read.
  std::vector<Patch> patches = {};
  // Which CPU is which is known; else they are numbered in the order of their data.
  bool has_all_cpus = false;
};

// By its first bytes.
inline constexpr size_t kVersionBytes = 12;
bool is_version_7(std::string_view recording);

// Fails, and says why, where nothing can be read.
Result<Remains> remains_of(std::string_view recording);

}  // namespace weft::formats::trace_dat
