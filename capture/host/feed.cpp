#include "capture/host/feed.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/os_error.h"

namespace weft::capture {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kNap{50};        // between looks at whether it was cancelled
constexpr milliseconds kPatience{100};  // with a thread that is to end
constexpr std::chrono::seconds kRateSpan{1};

// Bytes by the second, of the last whole second or so.
class Rate {
 public:
  void note(uint64_t bytes, Clock::time_point now) {
    const std::chrono::duration<double> passed = now - from_;
    if (passed < kRateSpan) return;
    rate_ = static_cast<double>(bytes - bytes_before_) / passed.count();
    bytes_before_ = bytes;
    from_ = now;
  }
  double at(Clock::time_point now) const { return now - from_ > 3 * kRateSpan ? 0 : rate_; }

 private:
  Clock::time_point from_ = Clock::now();
  uint64_t bytes_before_ = 0;
  double rate_ = 0;
};

// A pipe whose reader is gone is an error to handle, not a signal to die of.
void block_sigpipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

std::string_view name_of(FeedPhase phase) {
  switch (phase) {
    case FeedPhase::kConnecting:
      return "connecting";
    case FeedPhase::kLive:
      return "live";
    case FeedPhase::kStalled:
      return "stalled";
    case FeedPhase::kReconnecting:
      return "reconnecting";
    case FeedPhase::kEnded:
      return "ended";
    case FeedPhase::kLost:
      return "lost";
  }
  return "";
}

struct Feed::Shared {
  io::FileDescriptor reader, writer;  // the writer is the thread's own
  std::atomic<bool> is_cancelled = false;

  std::mutex change_mutex;  // who looks on may go while the thread goes on
  std::function<void()> on_change;

  mutable std::mutex mutex;  // guards what is below
  std::condition_variable changed;
  FeedState state;
  Rate rate;
  Status status;
  std::string identity;
  bool has_begun = false;
  bool is_done = false;

  void set_phase(FeedPhase phase) {
    {
      const std::lock_guard lock(mutex);
      if (state.phase == phase) return;
      if (phase == FeedPhase::kReconnecting) ++state.reconnections;
      state.phase = phase;
      state.since = Clock::now();
      if (phase == FeedPhase::kLive) state.problem.clear();
    }
    const std::lock_guard lock(change_mutex);
    if (on_change) on_change();
  }

  void note_problem(std::string problem) {
    {
      const std::lock_guard lock(mutex);
      state.problem = std::move(problem);
    }
    const std::lock_guard lock(change_mutex);
    if (on_change) on_change();
  }

  void finish(Status ended) {
    // A cancelled feed has lost nothing.
    const bool is_whole = ended.has_value() || is_cancelled;
    {
      const std::lock_guard lock(mutex);
      status = is_whole ? Status() : std::move(ended);
      is_done = true;
      state.phase = is_whole ? FeedPhase::kEnded : FeedPhase::kLost;
      state.since = Clock::now();
    }
    writer = {};  // the pipe's end
    changed.notify_all();
    const std::lock_guard lock(change_mutex);
    if (on_change) on_change();
  }
};

Feed::Feed(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

Result<std::unique_ptr<Feed>> Feed::start(Fetch fetch, std::function<void()> on_change) {
  constexpr int kPipeBytes = 1 << 20;
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(os_error("cannot make a pipe"));
  auto shared = std::make_shared<Shared>();
  shared->reader = io::FileDescriptor(ends[0]);
  shared->writer = io::FileDescriptor(ends[1]);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  (void)::fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);  // what it may be at most is enough, too
  shared->state.since = Clock::now();
  shared->on_change = std::move(on_change);
  try {
    std::thread([shared, fetch = std::move(fetch)] {
      block_sigpipe();
      Status status = fail("out of memory");
      try {
        FeedWriter writer(shared);
        status = fetch(writer);
      } catch (const std::bad_alloc&) {
        // As it is said above.
      }
      shared->finish(std::move(status));
    }).detach();
  } catch (const std::system_error& error) {
    return fail("no thread could be started: " + error.code().message());
  }
  return std::unique_ptr<Feed>(new Feed(std::move(shared)));
}

Feed::~Feed() {
  cancel();
  {
    const std::lock_guard lock(shared_->change_mutex);
    shared_->on_change = {};
  }
  std::unique_lock lock(shared_->mutex);
  shared_->changed.wait_for(lock, kPatience, [&] { return shared_->is_done; });
}

io::FileDescriptor Feed::take_pipe() { return std::move(shared_->reader); }

Status Feed::wait_for_beginning(const std::function<bool()>& on_wait) {
  std::unique_lock lock(shared_->mutex);
  const auto is_known = [&] { return shared_->has_begun || shared_->is_done; };
  while (!shared_->changed.wait_for(lock, 2 * kNap, is_known)) {
    if (!on_wait) continue;
    lock.unlock();
    if (!on_wait()) return fail("given up");
    lock.lock();
  }
  return shared_->has_begun ? Status() : shared_->status;
}

std::string Feed::identity() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->identity;
}

Status Feed::status() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->status;
}

FeedState Feed::state() const {
  const std::lock_guard lock(shared_->mutex);
  FeedState state = shared_->state;
  state.bytes_per_second = shared_->is_done ? 0 : shared_->rate.at(Clock::now());
  return state;
}

void Feed::cancel() { shared_->is_cancelled = true; }

bool FeedWriter::is_cancelled() const { return shared_->is_cancelled; }

bool FeedWriter::pause(milliseconds time) {
  const auto end = Clock::now() + time;
  while (!is_cancelled()) {
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
    if (left <= milliseconds{0}) return true;
    std::this_thread::sleep_for(std::min(left, kNap));
  }
  return false;
}

void FeedWriter::begin(uint64_t bytes_total, const std::string& identity) {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->state.bytes_total = bytes_total;
    if (!shared_->has_begun) shared_->identity = identity;
    shared_->has_begun = true;
  }
  shared_->changed.notify_all();
  set_phase(FeedPhase::kLive);
}

void FeedWriter::set_phase(FeedPhase phase) { shared_->set_phase(phase); }

void FeedWriter::note_problem(std::string problem) { shared_->note_problem(std::move(problem)); }

bool FeedWriter::write(std::span<const std::byte> bytes, const std::function<void()>& meanwhile) {
  while (!bytes.empty() && !is_cancelled()) {
    const ssize_t n = ::write(shared_->writer.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EAGAIN) {
      pollfd poll_fd = {shared_->writer.get(), POLLOUT, 0};
      ::poll(&poll_fd, 1, static_cast<int>(kNap.count()));
      if (meanwhile) meanwhile();
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;  // nobody reads
    bytes = bytes.subspan(static_cast<size_t>(n));
    const std::lock_guard lock(shared_->mutex);
    shared_->state.bytes += static_cast<uint64_t>(n);
    shared_->rate.note(shared_->state.bytes, Clock::now());
  }
  return bytes.empty();
}

uint64_t FeedWriter::bytes_written() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->state.bytes;
}

}  // namespace weft::capture
