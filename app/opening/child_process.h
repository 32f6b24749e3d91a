// A weftscope-reader as a child of this process: started, talked to, and not waited for in vain.
// Internal to app/opening.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"

namespace weft::app {

// The processor time during which a child may neither say anything nor read anything new, be it
// from a file or in a map of one; beyond it, it is taken to be in an endless loop. So is one that
// sleeps twelve times as long.
inline constexpr std::chrono::milliseconds kUsualPatience = std::chrono::seconds(5);

// The path of weftscope-reader, beside this program or where it is installed; nullopt: not found.
std::optional<std::filesystem::path> reader_program();

struct Pipe {
  io::FileDescriptor from, to;

  static Result<Pipe> open();
};

// Does not outlive its owner.
class Process {
 public:
  explicit Process(pid_t pid) : pid_(pid) {}
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  ~Process();

  pid_t id() const { return pid_; }
  bool has_ended() const;
  // How it ended, in words: "Aborted", "exit status 1". It has nothing more to say: where it goes
  // on all the same, it is killed.
  std::string wait();

 private:
  pid_t pid_;
};

// Starts `program WORDS…` with its standard input (none where that is negative), the end of a pipe
// for its answers, and a folder for what it writes.
Result<Process> start_child(const std::filesystem::path& program, std::vector<std::string> words,
                            int input, int pipe, const std::filesystem::path& scratch);

// A child that is sent something and answers.
struct Conversation {
  Process process;
  io::FileDescriptor to, from;

  static Result<Conversation> start(const std::filesystem::path& program,
                                    std::vector<std::string> words,
                                    const std::filesystem::path& scratch);
};

// Takes what a child says until the pipe ends, the child does, or `wants_more` is false; an error
// of `take` ends it, too. Returns why it did not wait for these, in words; empty: it did. Of a
// child that has ended, others may hold the pipe open: what it has written itself is no more than
// the pipe takes.
Result<std::string> listen(int pipe, const Process& process, std::chrono::milliseconds patience,
                           const std::function<bool()>& wants_more,
                           const std::function<Status(std::span<const std::byte>)>& take);

// Sends the bytes, for as long as the child takes some now and then; the error says why it never
// will. Returns false if the child wants no more.
Result<bool> tell(const Conversation& with, std::span<const std::byte> bytes,
                  std::chrono::milliseconds patience = kUsualPatience);

}  // namespace weft::app
