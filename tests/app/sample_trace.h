// Small traces for the tests of the workbench, made by the store's own builder.
#pragma once

#include <filesystem>
#include <string>

#include "core/store/trace.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
class Opening;
}

namespace weft::app::testing {

using test::ScratchFolder;

// No event at all: one lane.
std::filesystem::path write_empty_trace(const std::filesystem::path& folder);
// One state of 10 ticks at 100.
std::filesystem::path write_one_event(const std::filesystem::path& folder);
// One link between two lanes, sent at 3, that takes so long.
std::filesystem::path write_one_link(const std::filesystem::path& folder, int64_t latency);
// Two processes with two threads each: nested states (of hostile names, too), punctual events,
// messages between threads (one lost), a variable. 100 000 ns long.
std::filesystem::path write_sample(const std::filesystem::path& folder);
// A state of a thousand ticks and, on its lane, four punctual events of one type: three at 150, of
// which two are alike in everything, and one at 900.
std::filesystem::path write_twins(const std::filesystem::path& folder);
// The sample, as if read from a trace of that type.
std::filesystem::path write_sample_of(const std::filesystem::path& folder,
                                      const std::string& format);

store::TracePtr opened(const std::filesystem::path& path);
// The number of events read so far.
uint64_t events_of(const Opening& opening);

// Lines of the kernel's log, one a second: every second one ends a state "work" that the previous
// one began.
std::string marks(int from, int to);

// An ftrace of one CPU: bash runs, waits from 1 to 5 ms while make runs for 3 ms and cc for 1, and
// runs again. make wakes cc at 3 ms.
std::string schedule_of_three();

}  // namespace weft::app::testing
