// Reads a trace for a test and gives what came out of it as text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tests/core/formats/recording_sink.h"

namespace weft::test {

struct Reading {
  RecordingSink sink;
  std::string error;  // of opening, recognising or reading; empty: none

  // The dump of the trace, or the error.
  std::string text() const { return error.empty() ? sink.dump() : "error: " + error + '\n'; }
};

struct ReadingOptions {
  std::string format;      // id; empty: by content
  size_t chunk_bytes = 0;  // 0: the reader's own choice
  uint64_t memory_bytes = 128ull << 20;
  std::map<std::string, std::string> of_format = {};  // its own options, by name
  std::optional<Time> changed = {};                   // ReadContext::changed
};

Status read_to(trace::EventSink& sink, const std::filesystem::path& path,
               const ReadingOptions& options = {});
std::unique_ptr<Reading> read(const std::filesystem::path& path,
                              const ReadingOptions& options = {});

}  // namespace weft::test
