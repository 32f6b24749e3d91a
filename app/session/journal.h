// The journal of a session: every command as one line of JSON, appended to a file.
//
// A line is written when its command is complete: of a continuous gesture, only the last command of
// each name is kept, since each states the whole new state. The file is flushed after each line, so
// that a crash loses at most the gesture under way. After the first line that cannot be written,
// such as on a full disk, nothing more is.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/commands.h"
#include "core/base/result.h"
#include "core/io/temporary_file.h"

namespace weft::app {

struct JournalLine {
  std::string place;        // "FILE: line 1", for an error's context
  Result<Command> command;  // an error if the line is not a command
};
Result<std::vector<JournalLine>> read_journal(const std::filesystem::path& path);

class Journal {
 public:
  // Appends to `path`; an empty path keeps no journal.
  static Result<Journal> open(const std::filesystem::path& path);
  Journal() = default;
  Journal(Journal&&) = default;
  Journal& operator=(Journal&&) = default;
  ~Journal();

  void add(const Command& command);
  // Writes the pending commands of a gesture.
  void flush();
  // Why the journal has ended early: once, after that nullopt.
  std::optional<Error> take_failure() { return std::exchange(failure_, std::nullopt); }

 private:
  void write(const Command& command);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, io::CloseFile> file_;  // null: there is no journal, or it has ended
  std::optional<Error> failure_;
  std::vector<Command> pending_;  // of the present gesture, one per name
};

}  // namespace weft::app
