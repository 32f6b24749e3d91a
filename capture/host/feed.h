// The bytes of a trace that are fetched while they are read: a thread of their own writes them into
// a pipe, out of which core/io reads them (io::open_pipe).
//
//   whoever fetches ─→ FeedWriter ─→ pipe ─→ io::Source
//                          └─→ FeedState ─→ whoever looks on
//
// A slow reader makes the writer wait. Where nobody reads any more, or cancel() was called, writing
// and waiting end within a tenth of a second.
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
  kStalled,       // the other side has not been heard of for a while
  kReconnecting,  // it was lost, and is looked for again
  kEnded,         // all there was has come, or nobody wants more
  kLost,          // the end is missing
};
// "reconnecting".
std::string_view name_of(FeedPhase phase);

struct FeedState {
  FeedPhase phase = FeedPhase::kConnecting;
  std::chrono::steady_clock::time_point since;  // when the phase began
  uint64_t bytes = 0;
  uint64_t bytes_total = 0;  // 0: nobody knows
  double bytes_per_second = 0;
  uint32_t reconnections = 0;
  std::string problem;  // of the last try to connect, until one succeeds; else empty
};

class FeedWriter;

class Feed {
 public:
  // What fetches the bytes, on the feed's thread. An error: not all has come.
  using Fetch = std::function<Status(FeedWriter&)>;

  // `on_change` is called from any thread when the phase is another one; may be empty.
  static Result<std::unique_ptr<Feed>> start(Fetch fetch, std::function<void()> on_change = {});
  ~Feed();  // cancels; waits for a tenth of a second, then leaves the thread to itself

  // Where the bytes come out; once.
  io::FileDescriptor take_pipe();
  // Until something is known of what comes: it has begun, or there is nothing. `on_wait` is asked
  // meanwhile, as by io::Source; false gives up. An error: nothing comes, and why.
  Status wait_for_beginning(const std::function<bool()>& on_wait);
  // From then on: which bytes they are, of all that there ever were anywhere; empty: nobody can
  // say.
  std::string identity() const;
  // After the pipe's end: whether all has come. None before it.
  Status status() const;

  FeedState state() const;  // thread-safe, and cheap enough for frames
  void cancel();            // returns at once

 private:
  friend class FeedWriter;
  struct Shared;
  explicit Feed(std::shared_ptr<Shared> shared);
  std::shared_ptr<Shared> shared_;
};

// The side of who fetches.
class FeedWriter {
 public:
  explicit FeedWriter(std::shared_ptr<Feed::Shared> shared) : shared_(std::move(shared)) {}

  bool is_cancelled() const;
  // False: it was cancelled meanwhile.
  bool pause(std::chrono::milliseconds time);
  // What comes is known to be there. `bytes_total` 0: nobody knows how much. Of several the first
  // says the identity.
  void begin(uint64_t bytes_total, const std::string& identity = {});
  void set_phase(FeedPhase phase);
  // A try has failed, and another one will be made.
  void note_problem(std::string problem);
  // Waits where the reader is slow; `meanwhile`, if any, is called now and then. False: nobody
  // reads any more.
  bool write(std::span<const std::byte> bytes, const std::function<void()>& meanwhile = {});
  uint64_t bytes_written() const;

 private:
  std::shared_ptr<Feed::Shared> shared_;
};

}  // namespace weft::capture
