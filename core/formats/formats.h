// The registered trace types: one row each. Adding a format is one file and one row (formats.cpp).
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

struct ReadContext {
  ThreadPool& pool;  // for readers that parse in parallel; the sink is called from one thread only
  uint64_t memory_bytes = 128ull << 20;  // for the reader's own buffers
  std::map<std::string, std::string> options;
};

// Writes what it is given as a trace of a format. Its file appears when finish() is done; what
// fails on the way is told there.
class Writer : public trace::EventSink {
 public:
  virtual Status finish() = 0;
  // Events that the format has no words for.
  virtual uint64_t left_out() const { return 0; }
};

struct Format {
  std::string_view id;                       // "chrome-json"
  std::string_view name;                     // "Chrome Trace Event JSON"
  std::string_view category;                 // "General", "Embedded", …
  std::vector<std::string_view> extensions;  // without the dot
  bool reads = true;
  // How sure the format is that it can read what begins with `head` (decompressed; up to 64 KiB, or
  // the whole file if it is shorter): 0 no … 100 a magic number. The content decides, not the name.
  int (*sniff)(std::span<const std::byte> head);
  // Streams the trace into the sink. An error means that nothing can be read; a bad record is not a
  // bad file: it is skipped and counted by sink.loss(). Stops early, without error, when
  // sink.keep_going() turns false.
  Status (*read)(io::Source& source, trace::EventSink& sink, const ReadContext& context);
  // Where a trace is a folder: how sure the format is of one, by its files. `sniff` then knows one
  // of these files, and opening it opens its folder; `read` is given folders only. Null: traces are
  // files.
  int (*sniff_folder)(const io::Source& folder) = nullptr;
  // Read by a library that may end the process on bytes that it does not expect: always read in a
  // process of its own.
  bool is_foreign = false;
  // A writer of a file of the format; null: it cannot be written.
  Result<std::unique_ptr<Writer>> (*create_writer)(const std::filesystem::path& path) = nullptr;
  // Bumped when reading changes, so that cached imports are made again.
  int version = 1;
};

std::span<const Format> formats();
const Format* format_from_id(std::string_view id);

// The format that is surest of the source's content; an error says what was looked for and what the
// content looks like instead.
Result<const Format*> recognise(io::Source& source);

// What a path names, and how it is read.
struct Input {
  std::unique_ptr<io::Source> source;
  const Format* format = nullptr;
};
// Recognises what was opened, or takes it for the format of this id. A file of a trace that is a
// folder is opened as that folder.
Result<Input> recognise(std::unique_ptr<io::Source> source, std::string_view id);

}  // namespace weft::formats
