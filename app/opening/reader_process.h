// Reads a trace in a process of its own: what hostile bytes do to a reader, or to the library that
// it uses, they do there. The process (weftscope-reader) may read files and write to a folder
// of its own, but neither start nor reach anything; it sends what it reads
// (core/trace/event_wire.h).
//
// A plugin is known by what the process says of it, too: the program itself loads none.
//
//   this process                      weftscope-reader
//   EventSink ◀── WirePlayer ◀─ pipe ─ WireWriter ◀── the format's read()
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/event_sink.h"

namespace weft::app {

struct ReaderJob {
  std::filesystem::path program;  // of reader_program()
  std::filesystem::path path;     // a file or a folder
  std::string format;             // id
  std::filesystem::path origin;   // of the format
  std::map<std::string, std::string> options;
  uint64_t memory_bytes = 0;  // for the reader's own buffers
  // Of processor time, in which the reader neither says anything nor touches memory that it had
  // not: it goes round in circles, and is killed as if it had died.
  std::chrono::milliseconds patience = std::chrono::seconds(5);
};

// Beside this program, or where it is installed; nothing: it is not there.
std::optional<std::filesystem::path> reader_program();

// Asks `weftscope-reader WORDS…`, with `input` as its standard input: what it answered. An error:
// how it ended, or that it took too long.
Result<std::string> ask_reader(const std::filesystem::path& program, std::vector<std::string> words,
                               std::span<const std::byte> input = {});

// Blocks until all is read, or the sink wants no more: then the process is killed. An error of the
// reader is this one's; a process that dies (it crashed, was killed, ran in circles) leaves what it
// has sent and a loss, or an error where it has sent no event. Of one that died: how; else empty.
Result<std::string> read_apart(const ReaderJob& job, trace::EventSink& sink);

}  // namespace weft::app
