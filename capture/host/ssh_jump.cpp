#include "capture/host/ssh_jump.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "capture/host/ssh_session.h"
#include "core/io/os_error.h"

namespace weft::capture {
namespace {

constexpr int kCarryMs = 20;
constexpr size_t kCarryBytes = 32 << 10;

}  // namespace

struct SshJump::Line {
  SshSession session;
  ChannelHandle channel;
  io::FileDescriptor socket;

  // What came from the one goes to the other. False: one of them is at its end.
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

Result<std::unique_ptr<SshJump>> SshJump::open(const SshHost& target, const SshWay& way,
                                               Asker* asker, Asker::IsGivenUp is_given_up) {
  auto parsed = parse_ssh_host(way.jump);
  if (!parsed) return fail(std::move(parsed).error().context("the jump host"));
  SshWay to_jump = way;
  to_jump.jump.clear();
  auto opened = SshSession::open(*parsed, to_jump, asker, std::move(is_given_up));
  if (!opened) return fail(std::move(opened).error().error.context("the jump host"));
  auto line = std::make_unique<Line>(Line{std::move(*opened), nullptr, {}});
  line->channel.reset(ssh_channel_new(line->session.handle()));
  if (!line->channel) return fail(line->session.error("the jump host"));
  const auto forward = [&] {
    return ssh_channel_open_forward(line->channel.get(), target.host.c_str(), target.port,
                                    "localhost", 0);
  };
  WEFT_TRY_ASSIGN(const int code, line->session.until_done(forward));
  if (code != SSH_OK)
    return fail(line->session.error(
        fmt::format("the jump host {} does not lead to {}", way.jump, to_text(target))));
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(io::os_error("cannot make a socket"));
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
