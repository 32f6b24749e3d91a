#include "capture/host/ssh_stream.h"

#include <fmt/core.h>
#include <libssh/callbacks.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/host/ssh_command.h"
#include "capture/host/ssh_session.h"
#include "core/base/numbers.h"
#include "core/base/text.h"

namespace weft::capture {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kBeginPatience{15'000};  // with a shell that starts
constexpr int kNapMs = 50;
constexpr uint32_t kBlockBytes = 64 << 10;
constexpr size_t kMostNoise = 64 << 10;  // what login scripts say before the answer
constexpr size_t kMostSaid = 4096;       // kept of the other side's standard error
constexpr int kMostReconnections = 8;
constexpr int kMostDoublings = 4;               // of the pause between them
constexpr milliseconds kFirstPatience{20'000};  // with a host that does not answer at all

// The content at the other end.
struct Answer {
  std::string kind;  // "file", "pipe", "folder"
  uint64_t inode = 0;
  uint64_t size_bytes = 0;
  std::string changed;  // when, if it is known
};

// "file 1234 5678 1764194800.1764194801", "pipe 0 0 -".
std::optional<Answer> parse_answer(std::string_view text) {
  std::array<std::string_view, 4> words;
  for (std::string_view& word : words) {
    const size_t end = text.find(' ');
    word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  Answer answer;
  answer.kind = words[0];
  if (words[3] != "-") answer.changed = words[3];
  const auto inode = parse_number<uint64_t>(words[1]), bytes = parse_number<uint64_t>(words[2]);
  const bool is_kind = answer.kind == "file" || answer.kind == "pipe" || answer.kind == "folder";
  if (!is_kind || !inode || !bytes || words[3].empty() || !text.empty()) return std::nullopt;
  answer.inode = *inode;
  answer.size_bytes = *bytes;
  return answer;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  const size_t feed = text.rfind('\n');
  return printable(feed == std::string_view::npos ? text : text.substr(feed + 1), 300);
}

struct FreeEvent {
  void operator()(ssh_event event) const { ssh_event_free(event); }
};

// How a connection ended.
struct Ending {
  enum class Kind { kWhole, kGivenUp, kLost, kUnreached, kFailed };
  Kind kind;
  Error error{};
};
Ending lost(std::string why) { return {Ending::Kind::kLost, Error{std::move(why)}}; }
Ending failed(std::string why) { return {Ending::Kind::kFailed, Error{std::move(why)}}; }

// One run of the command.
class Run {
 public:
  // `before`: what was there in the run before; the first has none.
  Run(SshSession& session, const SshAddress& address, const SshStreamOptions& options,
      std::optional<Answer>& before, FeedWriter& out)
      : session_(session), address_(address), options_(options), known_(before), out_(out) {
    callbacks_.userdata = this;
    callbacks_.channel_exit_status_function = [](ssh_session, ssh_channel, int status, void* self) {
      static_cast<Run*>(self)->exit_status_ = status;
    };
    callbacks_.channel_exit_signal_function = [](ssh_session, ssh_channel, const char*, int,
                                                 const char*, const char*, void* self) {
      static_cast<Run*>(self)->is_killed_ = true;
    };
    ssh_callbacks_init(&callbacks_);
  }
  ~Run() {
    if (event_) ssh_event_remove_session(event_.get(), session_.handle());
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Ending run() {
    if (const Status begun = begin(); !begun) return lost(begun.error().message);
    heard();
    for (;;) {
      if (out_.is_cancelled()) return {Ending::Kind::kGivenUp};
      const int given = read(0), said = read(1);
      if (ending_) return std::move(*ending_);
      if (given > 0 || said > 0) continue;
      if (is_over(given)) return how_it_ended();
      if (given == SSH_ERROR || ssh_is_connected(session_.handle()) == 0)
        return lost("the connection was lost");
      if (auto silent = look_at_silence()) return std::move(*silent);
      // Not ssh_channel_poll_timeout(), which looks at nothing more once the data has ended: the
      // exit status comes after it.
      (void)ssh_event_dopoll(event_.get(), kNapMs);
    }
  }

 private:
  Status begin() {
    channel_.reset(ssh_channel_new(session_.handle()));
    if (!channel_ || !event_) return fail("out of memory");
    if (ssh_event_add_session(event_.get(), session_.handle()) != SSH_OK)
      return fail(session_.error("the connection cannot be watched"));
    ssh_set_channel_callbacks(channel_.get(), &callbacks_);
    WEFT_TRY(call([&] { return ssh_channel_open_session(channel_.get()); }));
    WEFT_TRY(call([&] { return ssh_channel_request_exec(channel_.get(), kRemoteCommand); }));
    const std::string request = fmt::format("{}\n{}\n{}\n", options_.follows ? "follow" : "once",
                                            out_.bytes_written() + 1, address_.path);
    const auto size = static_cast<uint32_t>(request.size());
    if (ssh_channel_write(channel_.get(), request.data(), size) != static_cast<int>(size)) {
      // A peer that closed the channel early may have said why: that is read like everything else.
      if (ssh_is_connected(session_.handle()) != 0) return {};
      return fail(session_.error("cannot send"));
    }
    return call([&] { return ssh_channel_send_eof(channel_.get()); });
  }

  Status call(const std::function<int()>& what) {
    WEFT_TRY_ASSIGN(const int code, session_.until_done(what));
    return code == SSH_OK ? Status() : fail(session_.error("no command can be run"));
  }

  void heard() { last_heard_ = Clock::now(); }

  // How much came; where it is the end, libssh's word for it.
  int read(int is_error_stream) {
    const int n =
        ssh_channel_read_nonblocking(channel_.get(), block_.data(), kBlockBytes, is_error_stream);
    if (n <= 0) return n;
    heard();
    if (is_begun_) out_.set_phase(FeedPhase::kLive);
    const std::string_view bytes(block_.data(), static_cast<size_t>(n));
    if (is_error_stream != 0) {
      take_said(bytes);
    } else if (is_begun_) {
      give(bytes);
    } else {
      take_answer(bytes);
    }
    return n;
  }

  void take_said(std::string_view bytes) {
    std::ranges::copy_if(bytes, std::back_inserter(said_), [](char c) { return c != kBeat; });
    if (said_.size() > kMostSaid) said_.erase(0, said_.size() - kMostSaid);
    if (options_.follows && said_.contains("file truncated"))
      ending_ = failed("the file was cut while it was followed");
  }

  void take_answer(std::string_view bytes) {
    noise_ += bytes;
    const size_t mark =
        noise_.starts_with(kAnswerMark) ? 0 : noise_.find("\n" + std::string(kAnswerMark));
    const size_t end = mark == std::string::npos ? mark : noise_.find('\n', mark + 1);
    if (end == std::string::npos) {
      if (noise_.size() > kMostNoise)
        ending_ = failed("the other side says something else than was asked");
      return;
    }
    const size_t text = noise_.find(' ', mark) + 1;
    const auto answer = parse_answer(std::string_view(noise_).substr(text, end - text));
    if (!answer) {
      ending_ = failed("the other side's answer is not understood");
      return;
    }
    if (known_ && (answer->kind != known_->kind || answer->inode != known_->inode)) {
      ending_ = failed("the file is another one than before the connection was lost");
      return;
    }
    if (known_ && answer->size_bytes < out_.bytes_written()) {
      ending_ = failed("the file has got shorter since the connection was lost");
      return;
    }
    is_begun_ = true;
    known_ = answer;
    const bool has_end = answer->kind == "file" && !options_.follows;
    const bool is_some_file = has_end && !answer->changed.empty();
    out_.begin(has_end ? answer->size_bytes : 0,
               is_some_file ? fmt::format("{} {} {} {}", session_.fingerprint(), answer->inode,
                                          answer->size_bytes, answer->changed)
                            : "");
    give(std::string_view(noise_).substr(end + 1));
    noise_.clear();
  }

  void give(std::string_view bytes) {
    // Somebody must read while the reader is slow, or the server gives us up.
    const auto meanwhile = [&] { (void)ssh_channel_poll(channel_.get(), 0); };
    if (!out_.write(std::as_bytes(std::span(bytes)), meanwhile)) ending_ = {Ending::Kind::kGivenUp};
    heard();
  }

  bool is_over(int given) const {
    if (ssh_channel_is_closed(channel_.get()) != 0) return true;
    return given == SSH_EOF && (exit_status_ || is_killed_);
  }

  Ending how_it_ended() {
    if (!exit_status_ || *exit_status_ > 128 || is_killed_) return lost("the connection was lost");
    if (*exit_status_ != 0 || !is_begun_) return failed(complaint());
    if (known_->kind == "file" && out_.bytes_written() < known_->size_bytes)
      return failed(
          fmt::format("only {} of {} bytes came", out_.bytes_written(), known_->size_bytes));
    return {Ending::Kind::kWhole};
  }

  // "cat: /trace: No such file or directory", without what everybody knows; BusyBox says "can't
  // open".
  std::string complaint() const {
    std::string said = last_line(said_);
    const std::string path = printable(address_.path, 0);
    for (const std::string& start :
         {"cat: " + path + ": ", "tail: " + path + ": ", "cat: can't open '" + path + "': "}) {
      if (said.starts_with(start)) return said.substr(start.size());
    }
    if (said.empty()) said = last_line(noise_);
    return said.empty() ? fmt::format("the other side ended with status {}", *exit_status_) : said;
  }

  std::optional<Ending> look_at_silence() {
    const auto silence = Clock::now() - last_heard_;
    if (!is_begun_) {
      if (silence < kBeginPatience) return std::nullopt;
      return lost("the other side does not answer");
    }
    if (silence > options_.stalled_after) out_.set_phase(FeedPhase::kStalled);
    // Content that cannot be re-read is waited for longer.
    if (silence < options_.lost_after * (known_->kind == "file" ? 1 : 2)) return std::nullopt;
    return lost("the other side does not answer any more");
  }

  SshSession& session_;
  const SshAddress& address_;
  const SshStreamOptions& options_;
  std::optional<Answer>& known_;
  FeedWriter& out_;

  ssh_channel_callbacks_struct callbacks_ = {};
  ChannelHandle channel_;
  std::unique_ptr<ssh_event_struct, FreeEvent> event_{ssh_event_new()};
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
  std::string noise_, said_;
  std::optional<Ending> ending_;
  std::optional<int> exit_status_;
  bool is_killed_ = false, is_begun_ = false;
  Clock::time_point last_heard_;
};

class Stream {
 public:
  Stream(SshAddress address, SshStreamOptions options, std::shared_ptr<Asker> asker)
      : address_(std::move(address)), options_(std::move(options)), asker_(std::move(asker)) {}

  Status fetch(FeedWriter& out) {
    const auto begun = Clock::now();
    for (int tries = 0;; ++tries) {
      const uint64_t before = out.bytes_written();
      Ending ending = run_once(out);
      if (ending.kind == Ending::Kind::kWhole || ending.kind == Ending::Kind::kGivenUp) return {};
      if (out.bytes_written() > before) tries = 0;
      if (tries == kMostReconnections || !may_pass(ending.kind, Clock::now() - begun))
        return fail(std::move(ending.error));
      const auto pause = options_.pause * (1 << std::min(tries, kMostDoublings));
      if (known_) out.set_phase(FeedPhase::kReconnecting);
      if (!known_ && tries == 0 && asker_) asker_->hear(ending.error.message + "; trying again");
      out.note_problem(std::move(ending.error.message));
      if (!out.pause(pause)) return {};
    }
  }

 private:
  bool may_pass(Ending::Kind kind, Clock::duration passed) const {
    if (!known_) return kind == Ending::Kind::kUnreached && passed < kFirstPatience;
    return known_->kind == "file" &&
           (kind == Ending::Kind::kLost || kind == Ending::Kind::kUnreached);
  }

  static Ending ending_of(SshFailure failure) {
    switch (failure.kind) {
      case SshFailure::Kind::kRefused:
        break;
      case SshFailure::Kind::kLost:
        return {Ending::Kind::kLost, std::move(failure.error)};
      case SshFailure::Kind::kUnreached:
        return {Ending::Kind::kUnreached, std::move(failure.error)};
    }
    return {Ending::Kind::kFailed, std::move(failure.error)};
  }

  Ending run_once(FeedWriter& out) {
    auto session = SshSession::open(address_.at, options_.way, asker_.get(),
                                    [&out] { return out.is_cancelled(); });
    if (!session && out.is_cancelled()) return {Ending::Kind::kGivenUp};
    if (!session) return ending_of(std::move(session).error());
    return Run(*session, address_, options_, known_, out).run();
  }

  SshAddress address_;
  SshStreamOptions options_;
  std::shared_ptr<Asker> asker_;
  std::optional<Answer> known_;
};

}  // namespace

Result<std::unique_ptr<Feed>> open_ssh(const SshAddress& address, const SshStreamOptions& options,
                                       std::shared_ptr<Asker> asker,
                                       std::function<void()> on_change) {
  auto stream = std::make_shared<Stream>(address, options, std::move(asker));
  return Feed::start([stream](FeedWriter& out) { return stream->fetch(out); },
                     std::move(on_change));
}

}  // namespace weft::capture
