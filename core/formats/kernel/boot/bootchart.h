// Reads the output of bootchart's collector from a system's boot: repeated copies of the kernel's
// own files, each preceded by the time (in hundredths of a second since the start).
//
//   1261                                        (proc_ps.log: /proc/*/stat)
//   1 (init) S 0 1 1 34816 1 4194560 2004 …
//
// A process is in the state of a copy until the next one says another, or has it no more.
#pragma once

#include <optional>
#include <string>

#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::boot {

// Returns where the collector's files lie in the folder; nullopt: nowhere.
std::optional<std::string> chart_folder(const io::Source& folder);

void read_chart(const io::Source& source, const std::string& folder, trace::EventSink& sink);

}  // namespace weft::formats::boot
