#include "app/session/journal.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include "core/base/os_error.h"

namespace weft::app {

Result<std::vector<JournalLine>> read_journal(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path);
  if (!file) return fail(os_error(path.string() + ": cannot be read"));
  std::vector<JournalLine> lines;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    lines.push_back({fmt::format("{}: line {}", path.string(), number), command_from_json(line)});
  }
  if (file.bad()) return fail(os_error(path.string() + ": cannot be read", errno ? errno : EIO));
  return lines;
}

Result<Journal> Journal::open(const std::filesystem::path& path) {
  Journal journal;
  if (path.empty()) return journal;
  journal.path_ = path;
  journal.file_.reset(std::fopen(path.c_str(), "ae"));
  if (!journal.file_) return fail(os_error(path.string()));
  return journal;
}

Journal::~Journal() { flush(); }

void Journal::add(const Command& command) {
  if (!file_) return;
  if (command.gesture == 0 || (!pending_.empty() && pending_.front().gesture != command.gesture)) {
    flush();
  }
  if (command.gesture == 0) {
    write(command);
    return;
  }
  const auto same = std::ranges::find(pending_, command.name, &Command::name);
  if (same == pending_.end()) {
    pending_.push_back(command);
  } else {
    *same = command;
  }
}

void Journal::flush() {
  if (!file_) return;
  for (const Command& command : pending_) write(command);
  pending_.clear();
}

void Journal::write(const Command& command) {
  if (!file_) return;
  const std::string line = json_from_command(command) + "\n";
  const bool is_written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                          std::fflush(file_.get()) == 0;
  if (is_written) return;
  failure_ = os_error(path_.string() + ": the journal ends here");
  file_.reset();
}

}  // namespace weft::app
