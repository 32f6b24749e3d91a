// Opens a trace: a .weft is mapped; anything else is recognised by content and imported into the
// cache (import_cache.h), so that the second opening is instant. All of this, from the first look
// at the file on, happens on a thread of its own, and can be watched, cancelled and waited for. The
// traces in an archive or a folder of several are joined if a .weft is made of them (like those in
// `also`); otherwise each becomes a trace of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/opening/recorder.h"
#include "capture/host/asker.h"
#include "capture/host/feed.h"
#include "capture/host/ssh_way.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/store/trace.h"

namespace weft::app {

// The type as which a file is read, with options. The path may be an address on another machine,
// ssh://[user@]host[:port]/path (capture/host/ssh_address.h).
struct TypeChoice {
  std::string format;                          // id; empty: recognised by content
  std::map<std::string, std::string> options;  // options of the format
  bool follows = false;                        // keeps reading what is appended, until cancelled
  capture::SshWay way = {};                    // how to reach the other machine
  bool operator==(const TypeChoice&) const = default;
};

struct OpenOptions {
  TypeChoice type;
  uint64_t memory_bytes = store::kUsualMemoryBytes;
  bool use_cache = true;
  std::filesystem::path output;  // path of the .weft; empty: in the cache
  // Further files to read into the same trace; each file's lanes then lie below a lane with its
  // name.
  std::vector<std::filesystem::path> also;
  bool takes_several = false;   // opens each trace of an archive or folder: take_parts()
  bool is_watched = false;      // publishes snapshots while it grows
  bool may_be_stopped = false;  // by cancel(), even while a pipe pauses; implied by is_watched
  Recording recording;          // for data from a pipe
  // Answers questions of connections; null: nobody can be asked.
  std::shared_ptr<capture::Asker> asker = nullptr;
  std::function<void()>
      wake;  // called on any thread when trace() has changed or it is done. May be empty
};

class Opening {
 public:
  static std::unique_ptr<Opening> start(const std::filesystem::path& path, OpenOptions options,
                                        ThreadPool& pool);
  ~Opening();  // cancels and waits

  // The newest snapshot of the trace; null until there is one. Thread-safe and cheap (frame-safe).
  store::TracePtr trace() const;
  const std::filesystem::path& path() const;
  const TypeChoice& type() const;  // as requested
  uint64_t memory_bytes() const;   // that the import may take
  std::string format() const;      // id of the recognised type; empty: not known yet
  // After is_done(): whether no trace type recognised what was opened.
  bool is_unrecognised() const;
  bool may_get_type() const;  // and a trace type of the user's could read that file
  // Bytes of the file on disk read so far, and in all; a total of 0: unknown.
  uint64_t bytes_done() const;
  uint64_t bytes_total() const;
  // Whether the trace comes through a pipe that has paused: it grows as it is written, and may have
  // no end. There is no need to poll: `wake` is called whenever trace() changes.
  bool is_live() const;
  // Whether it ends early: by cancel(), an event, or a limit. It is not done yet.
  bool is_stopping() const;
  // Once all is read: the part that is put in order, 0 … 1, which cannot be stopped. Until then and
  // when it is done: nullopt. Thread-safe.
  std::optional<double> ordered_share() const;
  // Sets what is kept of the trace, and what ends the reading, from now on.
  void record(Recording recording);
  Recording recording() const;
  std::optional<TriggerHit> hit() const;  // the event that ends, or has ended, the reading
  bool is_done() const;
  // The state of a feed, from another machine or from a followed file; nullopt if there is none.
  std::optional<capture::FeedState> feed() const;
  // After is_done(): an error, in one line with the path, if the file does not exist, cannot be
  // read, or is recognised by no trace type.
  Status status() const;
  // After is_done(): why the file was not read completely, or what was read could not be written,
  // in a few words; empty if it was, or if it was cancelled.
  std::string shortfall() const;
  // After is_done(), and only once: the openings of the traces in an archive or a folder of
  // several, each with a path that continues behind this one's; status() then says how many there
  // are. Empty for any other file.
  std::vector<std::unique_ptr<Opening>> take_parts();
  void cancel();  // keeps what was read; returns immediately

  // Waits until it is done. Returns the trace, or the error of status().
  Result<store::TracePtr> wait();

 private:
  struct Impl;
  static std::unique_ptr<Opening> start(std::shared_ptr<Impl> impl);
  explicit Opening(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace weft::app
