#include "app/opening/child_process.h"

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
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>

#include "core/base/os_error.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 50;  // between looks at whether anything is wanted any more
constexpr size_t kReadBytes = 1 << 20;
constexpr int kPipeOfReader = 3;

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

Result<Pipe> Pipe::open() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(os_error("cannot make a pipe"));
  return Pipe{io::FileDescriptor(ends[0]), io::FileDescriptor(ends[1])};
}

Process::~Process() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  (void)wait();
}

bool Process::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

std::string Process::wait() {
  constexpr auto kMostForAnEnd = std::chrono::seconds(2);
  const auto give_up = std::chrono::steady_clock::now() + kMostForAnEnd;
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

Result<Process> start_child(const fs::path& program, std::vector<std::string> words, int input,
                            int pipe, const fs::path& scratch) {
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
  if (error != 0) return fail(os_error(program.string() + " cannot be started", error));
  return Process(pid);
}

// The child gets a socket for its input: writing to one whose other end is gone sends no signal.
Result<Conversation> Conversation::start(const fs::path& program, std::vector<std::string> words,
                                         const fs::path& scratch) {
  WEFT_TRY_ASSIGN(Pipe pipe, Pipe::open());
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail(os_error("its reader cannot be asked"));
  io::FileDescriptor ours(ends[0]);
  const io::FileDescriptor theirs(ends[1]);
  WEFT_TRY_ASSIGN(Process process,
                  start_child(program, std::move(words), theirs.get(), pipe.to.get(), scratch));
  return Conversation{std::move(process), std::move(ours), std::move(pipe.from)};
}

Result<std::string> listen(int pipe, const Process& process, std::chrono::milliseconds patience,
                           const std::function<bool()>& wants_more,
                           const std::function<Status(std::span<const std::byte>)>& take) {
  Silence silence(process.id(), patience);
  std::vector<std::byte> bytes(kReadBytes);
  size_t left = kReadBytes;  // once it has ended
  while (wants_more() && left > 0) {
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
    WEFT_TRY(take(std::span(bytes).first(static_cast<size_t>(got))));
  }
  return std::string();
}

Result<bool> tell(const Conversation& with, std::span<const std::byte> bytes,
                  std::chrono::milliseconds patience) {
  Silence silence(with.process.id(), patience);
  while (!bytes.empty()) {
    if (with.process.has_ended()) return false;
    pollfd ready{with.to.get(), POLLOUT, 0};
    if (::poll(&ready, 1, kPatienceMs) == 0) {
      const std::string why = silence.why_endless();
      if (!why.empty()) return fail(why);
      continue;
    }
    const ssize_t sent =
        ::send(with.to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (sent > 0) bytes = bytes.subspan(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace weft::app
