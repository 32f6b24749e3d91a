#include "app/opening/reader_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/os_error.h"
#include "core/base/text.h"
#include "core/formats/base/early_end.h"
#include "core/io/file_descriptor.h"
#include "core/io/temporary_file.h"
#include "core/trace/event_wire.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 50;  // between looks at whether the sink wants more
constexpr size_t kReadBytes = 1 << 20;
constexpr int kPipeOfReader = 3;
constexpr auto kMostForAnAnswer = std::chrono::seconds(2);  // a frame may wait for it, once
constexpr size_t kMostAnswerBytes = 1 << 20;

struct Pipe {
  io::FileDescriptor from, to;

  static Result<Pipe> open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(os_error("cannot make a pipe"));
    return Pipe{io::FileDescriptor(ends[0]), io::FileDescriptor(ends[1])};
  }
};

// A process that does not outlive its owner.
class Process {
 public:
  explicit Process(pid_t pid) : pid_(pid) {}
  ~Process() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    (void)wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return pid_; }

  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }

  // How it ended, in words: "Aborted", "exit status 1". It has nothing more to say: where it goes
  // on all the same, it is killed.
  std::string wait() {
    const auto give_up = std::chrono::steady_clock::now() + kMostForAnAnswer;
    while (!has_ended() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!has_ended()) ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? std::string(::strsignal(WTERMSIG(status)))
                               : fmt::format("exit status {}", WEXITSTATUS(status));
  }

 private:
  pid_t pid_;
};

// `input`: its standard input; none where it is negative.
Result<pid_t> spawn(const fs::path& program, std::vector<std::string> words, int input, int pipe,
                    const fs::path& scratch) {
  words.insert(words.begin(), program.string());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string folder = "TMPDIR=" + scratch.string();
  std::vector<char*> variables = {folder.data()};  // the first of a name counts
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe, kPipeOfReader);
  // What libraries write there is not for the user.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return fail(os_error(program.string() + " cannot be started", error));
  }
  return pid;
}

// Whether a process that says nothing reads on or computes something, as far as can be seen.
class Silence {
 public:
  Silence(pid_t pid, std::chrono::milliseconds patience) : pid_(pid), patience_(patience) {}

  void is_broken() { since_ = last_ = {}; }
  // Why nothing more is expected, in words; empty: something is.
  std::string why_endless() {
    const auto now = look();
    if (!now) return {};
    if (!since_ || since_->read_bytes != now->read_bytes || since_->file_pages != now->file_pages)
      since_ = now;
    if (now->computed - since_->computed > patience_) return "it went round in circles";
    if (!last_ || last_->computed != now->computed || !now->sleeps) since_->at = now->at;
    last_ = now;
    const bool waits = now->at - since_->at > kSleepers * patience_;
    return waits ? "it waited for what does not come" : std::string();
  }

 private:
  struct Look {
    std::chrono::steady_clock::time_point at;
    uint64_t read_bytes;
    uint64_t file_pages;  // in memory, of mapped files
    std::chrono::milliseconds computed;
    bool sleeps;  // neither waits for a disk nor is stopped
  };
  // The state of the process, from proc(5).
  std::optional<Look> look() const {
    std::istringstream io(text_of("io")), memory(text_of("statm")), stat(text_of("stat"));
    std::string word, state;
    uint64_t read_bytes = 0, file_pages = 0, user = 0, system = 0;
    io >> word >> read_bytes;              // "rchar: 123"
    memory >> word >> word >> file_pages;  // size, resident, shared
    stat.ignore(kMostStat, ')');           // "123 (name) S …"
    stat >> state;
    for (int i = 0; i < 10; ++i) stat >> word;  // to cmajflt
    stat >> user >> system;
    if (!io || !memory || !stat) return std::nullopt;
    const auto ticks = static_cast<uint64_t>(::sysconf(_SC_CLK_TCK));
    return Look{std::chrono::steady_clock::now(), read_bytes, file_pages,
                std::chrono::milliseconds((user + system) * 1000 / ticks), state == "S"};
  }
  std::string text_of(const char* name) const {
    std::ifstream file(fmt::format("/proc/{}/{}", pid_, name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static constexpr std::streamsize kMostStat = 4096;
  static constexpr int kSleepers = 12;  // a minute of sleep is as hopeless as 5 s of circles
  pid_t pid_;
  std::chrono::milliseconds patience_;
  std::optional<Look> since_;  // the first; `at`: when it last computed, or waited for a disk
  std::optional<Look> last_;
};

// Plays until the pipe's end, the process's, the sink's, or an error. Returns why it did not wait
// for these, in words; empty: it did. Of a process that has ended, others may hold the pipe open:
// what it has written itself is no more than the pipe takes.
Result<std::string> play(int pipe, trace::EventSink& sink, trace::WirePlayer& player,
                         const Process& process, std::chrono::milliseconds patience) {
  Silence silence(process.id(), patience);
  std::vector<std::byte> bytes(kReadBytes);
  size_t left = kReadBytes;  // once it has ended
  while (sink.keep_going() && left > 0) {
    const bool has_ended = process.has_ended();
    pollfd ready{pipe, POLLIN, 0};
    const int n = ::poll(&ready, 1, has_ended ? 0 : kPatienceMs);
    if (n == 0 && has_ended) return std::string();
    if (n == 0) {
      std::string why = silence.why_endless();
      if (!why.empty()) return why;
    }
    if (n == 0 || (n < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(pipe, bytes.data(), std::min(left, bytes.size()));
    if (got == 0) return std::string();
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(os_error("its reader is not heard"));
    silence.is_broken();
    if (has_ended) left -= static_cast<size_t>(got);
    WEFT_TRY(player.take(std::span(bytes).first(static_cast<size_t>(got))));
  }
  return std::string();
}

using Deadline = std::chrono::steady_clock::time_point;

Deadline deadline_of_answer() { return std::chrono::steady_clock::now() + kMostForAnAnswer; }

// False: the time is over.
bool wait_for(int fd, short event, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd ready{fd, event, 0};
    if (left.count() <= 0) return false;
    if (::poll(&ready, 1, static_cast<int>(left.count())) > 0) return true;
  }
}

// False: not all was taken.
bool give(int socket, std::span<const std::byte> bytes, Deadline deadline) {
  while (!bytes.empty() && wait_for(socket, POLLOUT, deadline)) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (sent > 0) bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return bytes.empty();
}

// A line, or all that the process writes.
Result<std::string> take_answer(Process& process, int pipe, bool is_line, Deadline deadline) {
  std::string answer;
  std::array<char, 4096> piece{};
  while (answer.size() < kMostAnswerBytes) {
    if (!wait_for(pipe, POLLIN, deadline)) return fail("it does not answer");
    const ssize_t got = ::read(pipe, piece.data(), piece.size());
    if (got > 0) answer.append(piece.data(), static_cast<size_t>(got));
    const bool is_whole = is_line ? answer.ends_with('\n') : got == 0 && !answer.empty();
    if (is_whole) return answer;
    if (got == 0) return fail("it stopped: " + process.wait());
  }
  return fail("it answers without end");
}

// What a reader that is started again is told of the parts of a trace.
struct Parts {
  std::vector<std::string> left_out;
  bool are_tried = false;  // each alone, before anything is given
};

// How a reader's process ended before its reading did.
struct Death {
  std::string how;
  std::vector<std::string> touched;  // parts of the trace that it read
  bool has_given = false, has_events = false;
  uint64_t bytes_done = 0;
};

// nullopt: everything was read, or the sink wants no more.
Result<std::optional<Death>> read_once(const ReaderJob& job, const Parts& parts,
                                       trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(auto pipe, Pipe::open());
  auto& [from, to] = pipe;
  (void)::fcntl(to.get(), F_SETPIPE_SZ, static_cast<int>(kReadBytes));  // fewer switches
  // Whatever the reader writes on its way is removed when it has ended, however it ends.
  WEFT_TRY_ASSIGN(const io::TemporaryFolder scratch, io::TemporaryFolder::create());
  std::vector<std::string> words = {WEFT_VERSION, job.format, job.origin.string(),
                                    std::to_string(job.memory_bytes), job.path.string()};
  for (const auto& [key, value] : job.options) words.push_back(fmt::format("{}={}", key, value));
  if (parts.are_tried) words.emplace_back("--");
  words.insert(words.end(), parts.left_out.begin(), parts.left_out.end());
  WEFT_TRY_ASSIGN(const pid_t pid,
                  spawn(job.program, std::move(words), job.input, to.get(), scratch.path()));
  Process process(pid);
  to = {};  // the reader has it
  trace::WirePlayer player(sink);
  WEFT_TRY_ASSIGN(std::string end, play(from.get(), sink, player, process, job.patience));
  if (!sink.keep_going()) return std::nullopt;
  if (end.empty()) end = process.wait();
  if (player.ended()) {
    WEFT_TRY(*player.ended());
    return std::nullopt;
  }
  return Death{std::move(end), player.touched(), player.has_given(), player.has_events(),
               player.bytes_done()};
}

}  // namespace

std::optional<fs::path> reader_program() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  for (const fs::path& folder :
       {self.parent_path(), self.parent_path().parent_path() / "libexec/weftscope"}) {
    fs::path program = folder / "weftscope-reader";
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

Result<std::string> ask_reader(const fs::path& program, std::vector<std::string> words) {
  WEFT_TRY_ASSIGN(auto pipe, Pipe::open());
  WEFT_TRY_ASSIGN(const io::TemporaryFolder scratch, io::TemporaryFolder::create());
  WEFT_TRY_ASSIGN(const pid_t pid,
                  spawn(program, std::move(words), -1, pipe.to.get(), scratch.path()));
  Process process(pid);
  pipe.to = {};
  return take_answer(process, pipe.from.get(), false, deadline_of_answer());
}

struct Inquiry::Impl {
  io::TemporaryFolder scratch;  // outlives the process
  Process process;
  io::FileDescriptor to, from;
};

Inquiry::Inquiry(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Inquiry::Inquiry(Inquiry&&) noexcept = default;
Inquiry& Inquiry::operator=(Inquiry&&) noexcept = default;
Inquiry::~Inquiry() = default;

// The process gets a socket for its input: writing to one whose other end is gone sends no signal.
Result<Inquiry> Inquiry::start(const fs::path& program, std::vector<std::string> words) {
  WEFT_TRY_ASSIGN(auto pipe, Pipe::open());
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(os_error("its reader cannot be asked"));
  io::FileDescriptor ours(ends[0]);
  const io::FileDescriptor theirs(ends[1]);
  WEFT_TRY_ASSIGN(io::TemporaryFolder scratch, io::TemporaryFolder::create());
  WEFT_TRY_ASSIGN(const pid_t pid,
                  spawn(program, std::move(words), theirs.get(), pipe.to.get(), scratch.path()));
  return Inquiry(std::unique_ptr<Impl>(
      new Impl{std::move(scratch), Process(pid), std::move(ours), std::move(pipe.from)}));
}

// A process that does not take the question has ended or hangs, which its answer tells.
Result<std::string> Inquiry::ask(std::span<const std::byte> question) {
  const auto deadline = deadline_of_answer();
  const auto size = static_cast<uint32_t>(question.size());
  const int to = impl_->to.get();
  if (give(to, std::as_bytes(std::span(&size, 1)), deadline)) (void)give(to, question, deadline);
  return take_answer(impl_->process, impl_->from.get(), true, deadline);
}

Result<std::string> read_apart(const ReaderJob& job, trace::EventSink& sink) {
  Parts parts;
  for (;;) {
    WEFT_TRY_ASSIGN(const std::optional<Death> death, read_once(job, parts, sink));
    if (!death) return std::string();
    const bool is_of_one = death->touched.size() == 1;
    if (!death->has_given && (is_of_one || (!parts.are_tried && !death->touched.empty()))) {
      if (is_of_one) {
        sink.loss(fmt::format("{} cannot be read: its reader ({}) stopped: {}",
                              printable(death->touched[0]), job.format, death->how),
                  trace::LossPlace::nowhere());
        parts.left_out.push_back(death->touched[0]);
      }
      parts.are_tried = true;
      continue;
    }
    if (!death->has_events) {
      return fail(fmt::format("its reader ({}) stopped before anything was read: {}", job.format,
                              death->how));
    }
    sink.loss("the rest, for the reader stopped: " + death->how, death->bytes_done);
    return death->how;
  }
}

Result<std::string> read_copy_apart(ReaderJob job, io::Source& source, trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));
  job.path = "/proc/self/fd/0";
  job.input = ::fileno(copy.file.get());
  WEFT_TRY_ASSIGN(std::string death, read_apart(job, sink));
  if (copy.cut) formats::report_early_end(sink, *copy.cut, source.offset());
  return death;
}

}  // namespace weft::app
