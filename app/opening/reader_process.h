// Reads a trace in a process of its own, so that hostile bytes can harm only that process, not this
// one. The process (weftscope-reader) may read files and write to a folder of its own, but neither
// start nor reach anything; it sends what it reads through a pipe (core/trace/event_wire.h).
//
//   this process                      weftscope-reader
//   EventSink ◀── WirePlayer ◀─ pipe ─ WireWriter ◀── the format's read()
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "app/opening/child_process.h"
#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::app {

struct ReaderJob {
  std::filesystem::path program;  // from reader_program()
  std::filesystem::path path;     // a file or a folder
  std::string format;             // id
  std::filesystem::path origin;   // the file that defines the format
  std::map<std::string, std::string> options;
  uint64_t memory_bytes = 0;  // for the reader's own buffers
  int input = -1;             // the descriptor of its standard input; negative: none
  std::chrono::milliseconds patience = kUsualPatience;
};

// Blocks until everything is read, or the sink wants no more (then the process is killed). An error
// of the reader is returned. If the process dies (by a crash, a signal or an endless loop), what it
// has sent is kept and a loss is added, and the result says how it died; if it has sent no event,
// that is an error. Otherwise the result is empty. If it dies of one of several parts (it says
// which), before it has sent anything, it is started again: without that part, which is a loss.
Result<std::string> read_apart(const ReaderJob& job, trace::EventSink& sink);
// The same for what comes from a pipe, which another process cannot open: it is read from a
// temporary file, once the source has ended. The job's path is not used.
Result<std::string> read_copy_apart(ReaderJob job, io::Source& source, trace::EventSink& sink);

}  // namespace weft::app
