// Fetches the bytes of a trace while they are read: a separate thread writes them into a pipe, from
// which core/io reads them (io::open_pipe).
//
//   whoever fetches ─→ FeedWriter ─→ pipe ─→ io::Source
//                          └─→ FeedState ─→ whoever looks on
//
// A slow reader makes the writer wait. Once nobody reads any more, or after cancel(), writing and
// waiting end within a tenth of a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"

namespace weft::capture {

enum class FeedPhase {
  kConnecting,
  kLive,          // bytes come, or may come
  kStalled,       // nothing heard from the other side for a while
  kReconnecting,  // connection lost, reconnecting
  kEnded,         // everything has come, or nobody wants more
  kLost,          // incomplete
};
// "reconnecting".
std::string_view name_of(FeedPhase phase);

struct FeedState {
  FeedPhase phase = FeedPhase::kConnecting;
  std::chrono::steady_clock::time_point since;  // when the phase began
  uint64_t bytes = 0;
  uint64_t bytes_total = 0;  // 0: unknown
  double bytes_per_second = 0;
  uint32_t reconnections = 0;
  std::string problem;  // of the last attempt to connect, until one succeeds
};

class FeedWriter;

class Feed {
 public:
  // Fetches the bytes, on the feed's thread. Fails if not everything has come.
  using Fetch = std::function<Status(FeedWriter&)>;

  // Starts fetching. `on_change`, if not empty, is called from any thread when the phase changes.
  static Result<std::unique_ptr<Feed>> start(Fetch fetch, std::function<void()> on_change = {});
  ~Feed();  // cancels; waits a tenth of a second, then detaches the thread

  // Takes the pipe's reading end; call once.
  io::FileDescriptor take_pipe();
  // Waits until the transfer has begun. `on_wait` is called meanwhile, as by io::Source; false
  // gives up. Fails if nothing comes; the error says why.
  Status wait_for_beginning(const std::function<bool()>& on_wait);
  // From then on: a globally unique identity of the content; empty: unknown.
  std::string identity() const;
  // Whether everything has come; nullopt before the pipe's end.
  Status status() const;

  FeedState state() const;  // thread-safe, and cheap enough for frames
  void cancel();            // returns at once

 private:
  friend class FeedWriter;
  struct Shared;
  explicit Feed(std::shared_ptr<Shared> shared);
  std::shared_ptr<Shared> shared_;
};

// The fetching thread's side of a feed.
class FeedWriter {
 public:
  explicit FeedWriter(std::shared_ptr<Feed::Shared> shared) : shared_(std::move(shared)) {}

  bool is_cancelled() const;
  // Pauses; returns false if cancelled meanwhile.
  bool pause(std::chrono::milliseconds time);
  // Announces that the content exists. `bytes_total` 0: unknown size. If called repeatedly, the
  // first call sets the identity.
  void begin(uint64_t bytes_total, const std::string& identity = {});
  void set_phase(FeedPhase phase);
  // Reports a failed attempt that will be repeated.
  void note_problem(std::string problem);
  // Writes bytes, waiting for a slow reader; calls `meanwhile`, if any, from time to time. Returns
  // false if nobody reads any more.
  bool write(std::span<const std::byte> bytes, const std::function<void()>& meanwhile = {});
  uint64_t bytes_written() const;

 private:
  std::shared_ptr<Feed::Shared> shared_;
};

}  // namespace weft::capture
