#include "app/opening/import_cache.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/numbers.h"
#include "core/base/stable_hash.h"
#include "core/io/folder.h"
#include "core/io/listing.h"
#include "core/io/paths.h"
#include "core/io/source.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

// Bumped when the store makes something else of what readers say.
constexpr int kStoreVersion = 2;

// 128 bits.
std::string key_of(std::string_view identity) {
  constexpr uint64_t kOtherBeginning = ~stable_hash("");
  return fmt::format("{:016x}{:016x}", stable_hash(identity),
                     stable_hash(identity, kOtherBeginning));
}

constexpr std::string_view kUnfinished = ".tmp";

// The process that makes a file, from its name ".NAME.PID-SERIAL.tmp" (destination.cpp,
// io::OutputFile).
std::optional<pid_t> maker_of(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kUnfinished)) return std::nullopt;
  name.remove_suffix(kUnfinished.size());
  const size_t dot = name.rfind('.'), dash = name.rfind('-');
  if (dash == std::string_view::npos || dot > dash) return std::nullopt;
  return parse_number<pid_t>(name.substr(dot + 1, dash - dot - 1));
}

// Whether an import was killed. Its process may also be one of another machine that shares the
// folder: that would have written to it lately.
bool is_left_behind(const fs::path& file, const struct stat& info) {
  constexpr time_t kLongAgo = 3600;
  const auto maker = maker_of(file.filename().string());
  return maker && S_ISREG(info.st_mode) && ::kill(*maker, 0) != 0 && errno == ESRCH &&
         ::time(nullptr) - info.st_mtim.tv_sec > kLongAgo;
}

// The entries beside one that stays, the one used longest ago first. What was left behind is
// removed when they are looked at.
struct Entries {
  struct Entry {
    int64_t seconds, nanoseconds;  // of the last use
    fs::path path;
    uint64_t size_bytes;
  };
  std::vector<Entry> others;
  uint64_t others_bytes = 0;
  uint64_t total_bytes = 0;  // with the one that stays

  explicit Entries(const fs::path& keep) {
    for (const fs::directory_entry& file : io::Listing::beside(keep).entries) {
      struct stat info{};
      const bool is_entry = file.path().extension() == ".weft";
      const bool is_made = file.path().extension() == kUnfinished;
      if (!(is_entry || is_made) || ::lstat(file.path().c_str(), &info) != 0) continue;
      if (is_made && is_left_behind(file.path(), info) && ::unlink(file.path().c_str()) == 0)
        continue;
      const auto size_bytes = static_cast<uint64_t>(info.st_size);
      total_bytes += size_bytes;
      if (!is_entry || file.path() == keep || !S_ISREG(info.st_mode)) continue;
      others_bytes += size_bytes;
      others.push_back({info.st_atim.tv_sec, info.st_atim.tv_nsec, file.path(), size_bytes});
    }
    std::ranges::sort(others, {},
                      [](const Entry& e) { return std::tie(e.seconds, e.nanoseconds); });
  }

  // At least so many bytes of the others, where there are as many. How many.
  uint64_t remove(uint64_t bytes) const {
    uint64_t removed = 0;
    for (const Entry& entry : others) {
      if (removed >= bytes) break;
      if (::unlink(entry.path.c_str()) == 0) removed += entry.size_bytes;
    }
    return removed;
  }
};

// Whether the format's reader may open that other file beside the one that is named.
bool may_open(const formats::Format& format, const std::string& named, const std::string& other) {
  if (format.opens_beside && format.opens_beside(named, other)) return true;
  const std::string run = format.run_of ? format.run_of(named) : "";
  return !run.empty() && format.run_of(other) == run;
}

// Beside a trace lie markers, classes of messages, and imports of it: no reader reads them.
bool is_read_by_readers(const std::string& name) {
  constexpr std::string_view kOwn[] = {".markers.json", ".classes.json", ".weft"};
  return std::ranges::none_of(kOwn, [&](std::string_view end) { return name.ends_with(end); });
}

// The state of what a reader may read beside a file.
std::string identity_of_files_beside(const fs::path& file, const formats::Format& format) {
  if (!format.opens_beside && !format.run_of) return {};
  const std::string own_name = file.filename().string();
  std::string identity;
  for (const fs::directory_entry& each : io::Listing::beside(file).entries) {
    const std::string name = each.path().filename().string();
    struct stat info{};
    if (name == own_name || !is_read_by_readers(name) || !may_open(format, own_name, name) ||
        ::stat(each.path().c_str(), &info) != 0 || !S_ISREG(info.st_mode))
      continue;
    identity += fmt::format("beside it: {} {} {}.{:09}\n", name, info.st_size, info.st_mtim.tv_sec,
                            info.st_mtim.tv_nsec);
  }
  return identity;
}

Result<std::string> identity_of_files_below(const fs::path& folder) {
  WEFT_TRY_ASSIGN(const std::vector<io::FolderFile> files, io::files_below(folder));
  std::string identity;
  for (const io::FolderFile& each : files)
    identity += fmt::format("{} {} {}\n", each.name, each.size_bytes, each.changed_ns);
  return identity;
}

// A file or a folder of this machine, as it is now.
Result<std::string> identity_of(const fs::path& file, const formats::Format& format) {
  std::error_code error;
  const fs::path named = io::file_on(file);  // an archive
  const fs::path canonical = fs::canonical(named, error);
  struct stat info{};
  if (error || ::stat(canonical.c_str(), &info) != 0 ||
      !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) {
    return fail("only files and folders are cached");
  }
  std::string identity =
      fmt::format("{}\n{} {}.{:09} {} {}\n", canonical.string(), info.st_size, info.st_mtim.tv_sec,
                  info.st_mtim.tv_nsec, info.st_dev, info.st_ino);
  if (named != file) {
    identity += fmt::format("in it: {}\n", file.lexically_relative(named).string());
  } else if (S_ISDIR(info.st_mode)) {
    WEFT_TRY_ASSIGN(const std::string files, identity_of_files_below(canonical));
    identity += files;
  } else if (format.reads_named_file) {
    const fs::path folder = file.parent_path();
    WEFT_TRY_ASSIGN(const std::string files,
                    identity_of_files_below(folder.empty() ? "." : folder));
    identity += files;
  } else {
    identity += identity_of_files_beside(file, format);
  }
  return identity;
}

// Empty if there is no cache.
fs::path entries_folder() {
  const fs::path cache = io::cache_folder();
  return cache.empty() ? cache : cache / "imports";
}

// The path of the import of the identified bytes, by that reader.
Result<fs::path> entry_of(std::string identity, const formats::Format& format,
                          const std::map<std::string, std::string>& options) {
  std::error_code error;
  const fs::path folder = entries_folder();
  if (folder.empty()) return fail("there is no cache folder");
  fs::create_directories(folder, error);
  std::error_code ignored;
  // Traces may be private.
  for (const fs::path& each : {folder.parent_path(), folder})
    fs::permissions(each, fs::perms::owner_all, ignored);
  if (error || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    return fail(fmt::format("{}: cannot be written", folder.string()));
  }
  identity += fmt::format("{} {} {}\n", format.id, format.version, kStoreVersion);
  if (struct stat origin{}; ::stat(format.origin.c_str(), &origin) == 0) {
    identity += fmt::format("{} {} {}.{:09} {}\n", format.origin.string(), origin.st_size,
                            origin.st_mtim.tv_sec, origin.st_mtim.tv_nsec, origin.st_ino);
  }
  for (const auto& [key, value] : options) identity += fmt::format("{}={}\n", key, value);
  return folder / (key_of(identity) + ".weft");
}

}  // namespace

Result<fs::path> cached_import_path(const fs::path& file, const formats::Format& format,
                                    const std::map<std::string, std::string>& options) {
  WEFT_TRY_ASSIGN(std::string identity, identity_of(file, format));
  return entry_of(std::move(identity), format, options);
}

Result<fs::path> cached_import_path(const std::string& address, const std::string& identity,
                                    const formats::Format& format,
                                    const std::map<std::string, std::string>& options) {
  return entry_of(fmt::format("{}\n{}\n", address, identity), format, options);
}

void mark_used(const fs::path& entry) {
  // Explicitly: file systems are often mounted so that reading leaves the access time alone.
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  ::utimensat(AT_FDCWD, entry.c_str(), times, 0);
}

Status health_of(const store::Trace& trace) {
  Status health = trace.health();
  if (health || trace.path().empty() || trace.path().parent_path() != entries_folder())
    return health;
  std::error_code ignored;
  fs::remove(trace.path(), ignored);
  return fail(fmt::format("the cached import was damaged ({}) and is removed: read the file again",
                          health.error().message));
}

void trim_cache(const fs::path& keep, uint64_t limit_bytes) {
  const Entries entries(keep);
  if (entries.total_bytes > limit_bytes) entries.remove(entries.total_bytes - limit_bytes);
}

bool make_room(const fs::path& entry, uint64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(entry.parent_path(), error);
  if (error || space.available >= bytes) return true;
  const uint64_t missing = bytes - space.available;
  const Entries entries(entry);
  return entries.others_bytes >= missing && entries.remove(missing) >= missing;
}

}  // namespace weft::app
