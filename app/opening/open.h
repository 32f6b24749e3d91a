// Opens a trace: a .weft is mapped; anything else is recognised by content and imported into the
// cache ($XDG_CACHE_HOME/weftscope, keyed by path, size, modification time, inode and reader
// version), so that the second opening is instant. All of it, from the first look at the file on,
// happens on a thread of its own, and can be watched, cancelled and waited for. What is in an
// archive or a folder of several traces is joined where a .weft is made of it (as `also` is), else
// each is a trace.
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

// As which type of trace a file is read, and how. Its path may be an address of another machine,
// ssh://[user@]host[:port]/path (capture/host/ssh_address.h).
struct TypeChoice {
  std::string format;                          // id; empty: by content
  std::map<std::string, std::string> options;  // of the format
  bool follows = false;      // also what is added to the file, until it is cancelled
  capture::SshWay way = {};  // to the other machine
  bool operator==(const TypeChoice&) const = default;
};

struct OpenOptions {
  TypeChoice type;
  uint64_t memory_bytes = 400ull << 20;
  bool use_cache = true;
  std::filesystem::path output;  // where the .weft goes; empty: the cache
  // Read into the same trace after the first; each file's lanes then lie below a lane of its name.
  std::vector<std::filesystem::path> also;
  bool takes_several = false;   // of an archive or a folder each is opened: take_parts()
  bool is_watched = false;      // publish snapshots while it grows
  bool may_be_stopped = false;  // by cancel(), also while a pipe pauses; so may what is watched
  Recording recording;          // of what comes through a pipe
  // Whom a connection asks; null: nobody is there.
  std::shared_ptr<capture::Asker> asker = nullptr;
  std::function<void()>
      wake;  // from any thread: trace() is another one, or it is done. May be empty
};

class Opening {
 public:
  static std::unique_ptr<Opening> start(const std::filesystem::path& path, OpenOptions options,
                                        ThreadPool& pool);
  ~Opening();  // cancels and waits

  // The newest state of the trace; null until there is one. Thread-safe and cheap (frame-safe).
  std::shared_ptr<const store::Trace> trace() const;
  const std::filesystem::path& path() const;
  const TypeChoice& type() const;  // as it was asked for
  uint64_t memory_bytes() const;   // that it may take
  std::string format() const;      // id of the type that it is; empty: it is not known yet
  // Bytes of the file on disk read so far and in all; total 0: unknown.
  uint64_t bytes_done() const;
  uint64_t bytes_total() const;
  // It comes through a pipe that has paused: it grows as somebody writes it, and may have no end.
  // Nobody needs to look again and again: `wake` is called whenever trace() is another one.
  bool is_live() const;
  // What is kept of it, and what ends the reading: from now on.
  void record(Recording recording);
  Recording recording() const;
  std::optional<TriggerHit> hit() const;  // the event that ends, or has ended, the reading
  bool is_done() const;
  // Of what is fetched, from another machine or from a file that is followed: how that goes.
  std::optional<capture::FeedState> feed() const;
  // After is_done(). Errors: what is not there, cannot be read or is of no known format, in one
  // line with the path.
  Status status() const;
  // After is_done(): why not all of it was read, in a few words; empty: all was, or it was
  // cancelled.
  std::string shortfall() const;
  // After is_done(), once: where it is an archive or a folder of several traces, its openings, each
  // by a path that goes on behind its own; the status then says how many they are. None: it is not.
  std::vector<std::unique_ptr<Opening>> take_parts();
  void cancel();  // keeps what was loaded; returns at once

  // Until it is done; its status.
  Result<std::shared_ptr<const store::Trace>> wait();

 private:
  struct Impl;
  static std::unique_ptr<Opening> start(std::shared_ptr<Impl> impl);
  explicit Opening(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace weft::app
