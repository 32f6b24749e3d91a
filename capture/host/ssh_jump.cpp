#include "capture/host/ssh_jump.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "capture/host/ssh_session.h"
#include "core/base/numbers.h"
#include "core/base/os_error.h"

namespace weft::capture {
namespace {

constexpr int kCarryMs = 20;
constexpr size_t kCarryBytes = 32 << 10;
constexpr int kMostJumps = 8;

// libssh says why the other side opens no channel by the protocol's number.
constexpr std::string_view kProhibited = "error (1)";

}  // namespace

struct SshJump::Line {
  SshSession session;
  ChannelHandle channel;
  io::FileDescriptor socket;

  // Passes bytes from one side to the other. Returns false if one of them has ended.
  bool carry_in() const {
    std::array<char, kCarryBytes> block;
    const int n = ssh_channel_read_nonblocking(channel.get(), block.data(), block.size(), 0);
    if (n == SSH_ERROR || (n <= 0 && ssh_channel_is_eof(channel.get()) != 0)) return false;
    for (int sent = 0; sent < n;) {
      const ssize_t now =
          ::send(socket.get(), block.data() + sent, static_cast<size_t>(n - sent), MSG_NOSIGNAL);
      if (now < 0 && errno != EINTR) return false;
      if (now > 0) sent += static_cast<int>(now);
    }
    return true;
  }
  bool carry_out() const {
    std::array<char, kCarryBytes> block;
    const size_t room = std::min<size_t>(block.size(), ssh_channel_window_size(channel.get()));
    if (room == 0) return ssh_channel_is_open(channel.get()) != 0;
    const ssize_t n = ::recv(socket.get(), block.data(), room, MSG_DONTWAIT);
    if (n == 0) return false;
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    return ssh_channel_write(channel.get(), block.data(), static_cast<uint32_t>(n)) == n;
  }
};

std::string jump_of_command(std::string_view command) {
  std::vector<std::string_view> words;
  while (!command.empty()) {
    const size_t end = std::min(command.find(' '), command.size());
    words.push_back(command.substr(0, end));
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  const size_t count = words.size();
  if (count < 4 || count % 2 != 0 || words[0] != "ssh" || words[count - 3] != "-W" ||
      words[count - 2] != "'[%h]:%p'")
    return {};
  SshHost first = {.host = std::string(words[count - 1])};
  std::string rest;
  for (size_t i = 1; i < count - 3; i += 2) {
    const std::string_view value = words[i + 1];
    if (words[i] == "-l") {
      first.user = value;
    } else if (words[i] == "-J") {
      rest = "," + std::string(value);
    } else if (words[i] == "-p") {
      const auto port = parse_number<uint16_t>(value);
      if (!port) return {};
      first.port = *port;
    } else {
      return {};
    }
  }
  return to_text(first) + rest;
}

std::expected<std::unique_ptr<SshJump>, SshFailure> SshJump::open(const SshHost& target,
                                                                  const SshWay& way, Asker* asker,
                                                                  Asker::IsGivenUp is_given_up,
                                                                  int jumps) {
  const auto refused = [](Error error) { return std::unexpected(SshFailure{std::move(error)}); };
  if (jumps > kMostJumps) return refused(Error{"there are too many jump hosts on the way"});
  auto parsed = parse_ssh_jumps(way.jump);
  if (!parsed) return refused(std::move(parsed).error().context("the jump host"));
  // The last of them leads there; those before it lead to the last.
  const SshHost last = std::move(parsed->back());
  parsed->pop_back();
  SshWay to_jump = way;
  to_jump.jump = to_text(*parsed);
  auto opened = SshSession::open(last, to_jump, asker, std::move(is_given_up), jumps);
  if (!opened) {
    SshFailure failure = std::move(opened).error();
    failure.error = std::move(failure.error).context("the jump host");
    return std::unexpected(std::move(failure));
  }
  auto line = std::make_unique<Line>(Line{std::move(*opened), nullptr, {}});
  line->channel.reset(ssh_channel_new(line->session.handle()));
  if (!line->channel) return refused(line->session.error("the jump host"));
  const auto code = line->session.until_done([&] {
    return ssh_channel_open_forward(line->channel.get(), target.host.c_str(), target.port,
                                    "localhost", 0);
  });
  if (!code) return std::unexpected(SshFailure{code.error(), SshFailure::Kind::kUnreached});
  if (*code != SSH_OK) {
    Error why = line->session.error(
        fmt::format("the jump host {} does not lead to {}", to_text(last), to_text(target)));
    const bool is_prohibited = why.message.contains(kProhibited);
    return std::unexpected(SshFailure{
        std::move(why), is_prohibited ? SshFailure::Kind::kRefused : SshFailure::Kind::kUnreached});
  }
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return refused(os_error("cannot make a socket"));
  line->socket = io::FileDescriptor(ends[0]);
  std::unique_ptr<SshJump> jump(new SshJump(std::move(line)));
  jump->other_end_ = io::FileDescriptor(ends[1]);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  jump->thread_ = std::thread([&self = *jump] { self.run(); });
  return jump;
}

SshJump::SshJump(std::unique_ptr<Line> line) : line_(std::move(line)) {}

SshJump::~SshJump() {
  is_closed_ = true;
  ::shutdown(line_->socket.get(), SHUT_RDWR);
  if (thread_.joinable()) thread_.join();
}

int SshJump::take_socket() {
  return ::fcntl(std::exchange(other_end_, {}).get(), F_DUPFD_CLOEXEC, 0);
}

Status SshJump::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void SshJump::run() {
  const Line& line = *line_;
  while (!is_closed_ && line.carry_in() && line.carry_out()) {
    pollfd waits[2] = {{line.socket.get(), POLLIN, 0},
                       {ssh_get_fd(line.session.handle()), POLLIN, 0}};
    if ((ssh_get_poll_flags(line.session.handle()) & SSH_WRITE_PENDING) != 0)
      waits[1].events |= POLLOUT;
    ::poll(waits, 2, kCarryMs);
  }
  const std::lock_guard lock(mutex_);
  if (!is_closed_) status_ = fail("the jump host has ended the connection");
  ::shutdown(line.socket.get(), SHUT_RDWR);
}

}  // namespace weft::capture
