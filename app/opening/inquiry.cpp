#include "app/opening/inquiry.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <utility>

#include "app/opening/child_process.h"
#include "core/io/temporary_file.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kMostForAnAnswer = std::chrono::seconds(2);  // a frame may wait for it, once
constexpr size_t kMostAnswerBytes = 1 << 20;

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

}  // namespace

Result<std::string> ask_reader(const fs::path& program, std::vector<std::string> words) {
  WEFT_TRY_ASSIGN(Pipe pipe, Pipe::open());
  WEFT_TRY_ASSIGN(const io::TemporaryFolder scratch, io::TemporaryFolder::create());
  WEFT_TRY_ASSIGN(Process process,
                  start_child(program, std::move(words), -1, pipe.to.get(), scratch.path()));
  pipe.to = {};
  return take_answer(process, pipe.from.get(), false, deadline_of_answer());
}

struct Inquiry::Impl {
  io::TemporaryFolder scratch;  // outlives the process
  Conversation with;
};

Inquiry::Inquiry(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Inquiry::Inquiry(Inquiry&&) noexcept = default;
Inquiry& Inquiry::operator=(Inquiry&&) noexcept = default;
Inquiry::~Inquiry() = default;

Result<Inquiry> Inquiry::start(const fs::path& program, std::vector<std::string> words) {
  WEFT_TRY_ASSIGN(io::TemporaryFolder scratch, io::TemporaryFolder::create());
  WEFT_TRY_ASSIGN(Conversation with,
                  Conversation::start(program, std::move(words), scratch.path()));
  return Inquiry(std::make_unique<Impl>(std::move(scratch), std::move(with)));
}

// A process that does not take the question has ended or hangs, which its answer tells.
Result<std::string> Inquiry::ask(std::span<const std::byte> question) {
  const auto deadline = deadline_of_answer();
  const auto size = static_cast<uint32_t>(question.size());
  const int to = impl_->with.to.get();
  if (give(to, std::as_bytes(std::span(&size, 1)), deadline)) (void)give(to, question, deadline);
  return take_answer(impl_->with.process, impl_->with.from.get(), true, deadline);
}

}  // namespace weft::app
