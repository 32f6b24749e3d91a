// Options of a recording of version 6 whose number meant something else to the trace-cmd that wrote
// it: 8, today how many CPUs there are, was the list of the tasks and their processes, as text.
// libtracecmd takes its first letters for a number of CPUs, and reads nothing.
//
// Source: trace-cmd's manual page trace-cmd.dat.v6(5).
#pragma once

#include <string_view>
#include <vector>

#include "core/formats/kernel/trace_dat/cut_recording.h"

namespace weft::formats::trace_dat {

// What makes of each of them an option that the library passes over; empty: there is none.
std::vector<Patch> patches_of_older_options(std::string_view recording);

}  // namespace weft::formats::trace_dat
