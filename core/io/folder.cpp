#include "core/io/folder.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/os_error.h"
#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"

namespace weft::io {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 100'000;

// Whether what a link leads to lies in the folder; `folder` is canonical.
bool leads_out(const fs::path& link, const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  if (error) return false;  // it leads nowhere, and nothing can be read through it
  const auto [end, ignored] = std::ranges::mismatch(folder, target);
  return end != folder.end();
}

}  // namespace

Result<std::vector<FolderFile>> files_below(const fs::path& folder) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return fail(os_error("cannot open", error.value()));
  // Unreadable subfolders are skipped, but not an unreadable root.
  if (::access(root.c_str(), R_OK | X_OK) != 0) return fail(os_error("cannot open", errno));
  std::vector<FolderFile> files;
  std::vector<fs::path> unlisted = {root};
  while (!unlisted.empty()) {
    const fs::path below = std::move(unlisted.back());
    unlisted.pop_back();
    fs::directory_iterator it(below, fs::directory_options::skip_permission_denied, error);
    // What others remove meanwhile is not there.
    if (error == std::errc::no_such_file_or_directory && below != root) continue;
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
      const std::string name = it->path().lexically_relative(root).generic_string();
      std::error_code ignored;
      const bool is_link = it->is_symlink(ignored);
      if (is_link && leads_out(it->path(), root))
        return fail(fmt::format("is a folder with a symbolic link that leads out of it: {}",
                                printable(name)));
      if (!is_link && it->is_directory(ignored)) unlisted.push_back(it->path());
      struct stat info{};
      if (::stat(it->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
      if (files.size() == kMostFiles) return fail("is a folder of too many files to be a trace");
      files.push_back({name, static_cast<uint64_t>(info.st_size),
                       saturated(Wide{info.st_mtim.tv_sec} * kNsPerSecond + info.st_mtim.tv_nsec)});
    }
    if (error) return fail(os_error(fmt::format("cannot list {}", below.string()), error.value()));
  }
  std::ranges::sort(files, {}, &FolderFile::name);
  return files;
}

}  // namespace weft::io
