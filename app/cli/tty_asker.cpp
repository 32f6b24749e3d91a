#include "app/cli/tty_asker.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <string>

#include "core/base/text.h"
#include "core/base/write_all.h"
#include "core/io/file_descriptor.h"

namespace weft::cli {
namespace {

using capture::Secret;

constexpr char kInterrupt = 3, kEnd = 4, kErase = 8, kDelete = 127;

// Key by key, and seen only where it is wanted.
class TypedLine {
 public:
  TypedLine(int terminal, bool is_echoed) : terminal_(terminal), is_echoed_(is_echoed) {
    has_mode_ = ::tcgetattr(terminal, &mode_) == 0;
    termios raw = mode_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (has_mode_) ::tcsetattr(terminal, TCSAFLUSH, &raw);
  }
  ~TypedLine() {
    if (has_mode_) ::tcsetattr(terminal_, TCSAFLUSH, &mode_);
    show("\n");
  }

  std::optional<Secret> read(const capture::Asker::IsGivenUp& is_given_up) {
    constexpr int kNapMs = 50;
    Secret line;
    while (!is_given_up()) {
      pollfd poll_fd = {terminal_, POLLIN, 0};
      if (::poll(&poll_fd, 1, kNapMs) <= 0) continue;
      char c = 0;
      const ssize_t n = ::read(terminal_, &c, 1);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0 || c == kInterrupt || c == kEnd) return std::nullopt;
      if (c == '\n' || c == '\r') return line;
      if (c == kErase || c == kDelete) {
        if (is_echoed_ && !line.text().empty()) show("\b \b");
        line.drop_last();
      } else if (line.add(c) && is_echoed_) {
        show({&c, 1});
      }
    }
    return std::nullopt;
  }

  void show(std::string_view text) const { (void)write_all(terminal_, text); }

 private:
  int terminal_;
  bool is_echoed_;
  bool has_mode_ = false;
  termios mode_ = {};
};

class TerminalAsker final : public capture::Asker {
 public:
  explicit TerminalAsker(io::FileDescriptor terminal) : terminal_(std::move(terminal)) {}

  bool trusts(const capture::DoubtfulHost& host, const IsGivenUp& is_given_up) override {
    const std::string key = fmt::format("{} {}", host.key_type, host.fingerprint);
    const auto answer =
        ask(host.other_key_at.empty()
                ? fmt::format("The host {} is not known. Its key is\n  {}\n"
                              "Is that its key, and is it to be kept in {}? (yes/no) ",
                              printable(host.host), key, printable(host.file))
                : fmt::format("THE KEY OF THE HOST {} HAS CHANGED: somebody may be listening.\n"
                              "Another one stands in {}. It is now\n  {}\n"
                              "Connect this once, without a password? (yes/no) ",
                              printable(host.host), printable(host.other_key_at), key),
            /*is_echoed=*/true, is_given_up);
    return answer && answer->text() == "yes";
  }

  std::optional<Secret> answer(const capture::Question& question,
                               const IsGivenUp& is_given_up) override {
    return ask(fmt::format("{} {}: ", question.title, question.text), question.is_echoed,
               is_given_up);
  }

  void hear(const std::string& news) override {
    (void)write_all(terminal_.get(), "weftscope: " + news + "\n");
  }

 private:
  // One after another, where several connections ask.
  std::optional<Secret> ask(const std::string& prompt, bool is_echoed,
                            const IsGivenUp& is_given_up) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    TypedLine line(terminal_.get(), is_echoed);
    line.show(prompt);
    return line.read(is_given_up);
  }

  io::FileDescriptor terminal_;
};

}  // namespace

std::shared_ptr<capture::Asker> terminal_asker() {
  io::FileDescriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.is_open()) return nullptr;
  return std::make_shared<TerminalAsker>(std::move(terminal));
}

}  // namespace weft::cli
