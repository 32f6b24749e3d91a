#include "app/session/files_beside.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "app/session/markdown_report.h"
#include "core/base/text.h"
#include "core/io/source.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostTried = 100'000;          // numbers of one name
constexpr size_t kMostReportBytes = 16u << 20;  // of a report that is written anew

// The first bytes of a file; empty: it cannot be read.
std::string first_bytes_of(const fs::path& file, size_t most_bytes) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};  // a pipe would wait for its writer
  std::ifstream in(file, std::ios::binary);
  std::string text(std::min<std::uintmax_t>(most_bytes, fs::file_size(file, error)), '\0');
  if (error || !in) return {};
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(fs::symlink_status(file, error));
}

Error no_free_name(const fs::path& file) {
  return Error(printable(file.string()) + ": all names beside it are taken");
}

}  // namespace

bool is_open_as_trace(const Session& session, const fs::path& file) {
  return std::ranges::any_of(session.traces, [&](const auto& trace) {
    std::error_code ignored;
    return fs::equivalent(io::file_on(trace->known_as()), file, ignored);
  });
}

Result<fs::path> context_beside(const Session& session, const fs::path& picture) {
  for (size_t number = 1; number <= kMostTried; ++number) {
    fs::path file = picture;
    file += number == 1 ? ".txt" : fmt::format("-{}.txt", number);
    if (!is_there(file)) return file;
    const bool is_own = first_bytes_of(file, std::strlen(kContextBegin)) == kContextBegin;
    if (is_own && !is_open_as_trace(session, file)) return file;
  }
  return fail(no_free_name(picture));
}

Result<std::vector<fs::path>> items_beside(const Session& session, const fs::path& report,
                                           size_t count) {
  std::string before = first_bytes_of(report, kMostReportBytes);
  if (!before.starts_with(kMarkdownBegin)) before.clear();
  const auto is_free = [&](fs::path file, const char* ending) {
    file += ending;
    if (!is_there(file)) return true;
    const bool is_own = before.contains(markdown_target(file.filename()));
    return is_own && !is_open_as_trace(session, file);
  };
  std::vector<fs::path> items;
  for (size_t number = 1; items.size() < count; ++number) {
    if (number > kMostTried) return fail(no_free_name(report));
    fs::path item = report;
    item.replace_filename(fmt::format("{}-{}", report.stem().string(), number));
    if (is_free(item, ".svg") && is_free(item, ".csv")) items.push_back(std::move(item));
  }
  return items;
}

}  // namespace weft::app
