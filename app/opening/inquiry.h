// Questions to a weftscope-reader that it answers with a line or a text, such as what a plugin can
// read: this program loads none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace weft::app {

// Runs `weftscope-reader WORDS…` and returns its output. An error says how it ended, or that it
// took too long.
Result<std::string> ask_reader(const std::filesystem::path& program,
                               std::vector<std::string> words);

// A process `weftscope-reader WORDS…` that answers one question after the other. It may end between
// them: if it has nothing to do, and with the thread that started it.
class Inquiry {
 public:
  static Result<Inquiry> start(const std::filesystem::path& program,
                               std::vector<std::string> words);
  Inquiry(Inquiry&&) noexcept;
  Inquiry& operator=(Inquiry&&) noexcept;
  ~Inquiry();

  // Sends the size of `question` (uint32_t) and its bytes to the process's standard input, and
  // returns the line that it answers. Errors are as of ask_reader(); the process is then of no use.
  Result<std::string> ask(std::span<const std::byte> question);

 private:
  struct Impl;
  explicit Inquiry(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
