// What an Opening does on its thread. Internal to app/opening: open.cpp has its beginning and what
// others ask of it, import.cpp how a foreign file becomes a .weft.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/opening/destination.h"
#include "app/opening/open.h"
#include "core/formats/formats.h"
#include "core/io/mapped_file.h"
#include "core/io/source.h"
#include "core/io/watch.h"
#include "core/store/builder.h"

namespace weft::app {

struct Opening::Impl {
  // A foreign file to read.
  struct Input {
    std::filesystem::path path;
    std::unique_ptr<io::Source> source;   // until it is read
    std::shared_ptr<capture::Feed> feed;  // that brings its bytes; null: they are here
    formats::FormatPtr format;
  };

  std::filesystem::path path;
  OpenOptions options;
  ThreadPool* pool = nullptr;
  std::thread thread;

  // The thread's own.
  std::vector<Input> inputs;
  std::optional<io::MappedFile> unpacked_weft;  // that came out of something
  uint64_t other_files = 0;                     // of archives, that are not traces
  Destination destination;
  // When it was last asked whether to wait: the bytes that had been read. And when what waits for
  // its order was given last.
  uint64_t bytes_when_asked = UINT64_MAX;
  std::chrono::steady_clock::time_point given = {};

  std::unique_ptr<Recorder> recorder;  // once it is read

  mutable std::mutex mutex;  // guards what is below; never held while working
  std::condition_variable finished;
  std::unique_ptr<store::StoreBuilder> builder;  // while it imports
  store::TracePtr trace;                // once it is done, and while what is shown is read again
  bool is_anew = false;                 // it is: the cache had no room
  std::shared_ptr<capture::Feed> feed;  // the newest
  std::string format;                   // id; empty: not known yet
  Status status;
  std::string shortfall;  // the reading thread writes it, before it is done
  std::vector<std::unique_ptr<Opening>> parts;
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;
  bool is_done = false;
  std::atomic<bool> is_live = false;
  std::atomic<bool> is_unrecognised = false;
  std::atomic<bool> may_get_type = false;
  std::atomic<bool> is_cancelled = false;  // what was read is kept
  std::atomic<bool> is_unwanted = false;   // nothing is
  // A pipe is read of which no event has come, perhaps because it is taken as a whole before it is
  // understood. Cancelling then ends the input, and what came of it is still read.
  std::atomic<bool> is_gathering = false;
  std::atomic<bool> has_ended_input = false;  // it did: more would have been read

  static Error named(const std::filesystem::path& path, Error error);
  // What the reader opens: a folder of which one file was named, but that file where it tells which
  // of the folder's traces is read.
  static std::filesystem::path opened_path(const Input& input) {
    const std::string named = input.source->named_file();
    const bool is_named = input.format->reads_named_file && !named.empty();
    return is_named ? input.source->path() / named : input.source->path();
  }
  // The path that identifies an import.
  static std::filesystem::path identity(const Input& input) {
    const io::Source& source = *input.source;
    return source.is_folder() && !source.is_unpacked() ? opened_path(input) : input.path;
  }

  void run();
  Result<store::TracePtr> open();
  bool wait_on();
  bool read_on(uint64_t bytes_read, uint64_t bytes_in_all);
  Result<store::TracePtr> open_weft();
  Status map_copy(io::Source& source);
  Status open_inputs();
  Status open_input(const std::filesystem::path& file);
  Status open_input(const std::filesystem::path& file,
                    const std::shared_ptr<capture::Feed>& brought_by);
  Result<std::shared_ptr<capture::Feed>> start_feed(const std::filesystem::path& file);
  Result<std::unique_ptr<io::Source>> open_source(const std::filesystem::path& file,
                                                  const std::shared_ptr<capture::Feed>& brought_by);
  bool is_joined() const { return !options.output.empty() || !options.also.empty(); }
  std::unexpected<Error> open_parts();
  store::TracePtr open_cached();
  Status start_import();
  Result<std::unique_ptr<store::StoreBuilder>> make_builder();
  Result<store::TracePtr> import();
  Result<store::TracePtr> import_anew();
  // Whether less was read than there is: once it is being read.
  bool is_stopped() const { return has_ended_input || builder->is_cancelled(); }
  Status read();
  Status read_joined();
  Status read(Input& input, trace::EventSink& sink);
  Result<std::string> read_here_or_apart(Input& input, trace::EventSink& sink);
  Result<store::TracePtr> finish_import();
  void finish(Result<store::TracePtr> result);
};

}  // namespace weft::app
