#include "core/formats/hpc/projections/projections_run.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/formats/base/text.h"
#include "core/io/listing.h"
#include "core/io/source.h"

namespace weft::formats::projections {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTable = ".sts", kLog = ".log";

// "12" of "pingpong.12.log"; what is before it is the run's name.
std::optional<uint32_t> take_pe(std::string_view& name) {
  if (!name.ends_with(kLog)) return std::nullopt;
  const std::string_view rest = name.substr(0, name.size() - kLog.size());
  const size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  const auto pe = parse_number<uint32_t>(rest.substr(dot + 1));
  if (pe) name = rest.substr(0, dot);
  return pe;
}

}  // namespace

std::string run_of(std::string_view file_name) {
  const std::string plain = io::without_compression(fs::path(file_name)).string();
  std::string_view name = plain;
  if (take_pe(name)) return std::string(name);
  const bool is_table = name.ends_with(kTable) && name.size() > kTable.size();
  return is_table ? std::string(name.substr(0, name.size() - kTable.size())) : std::string();
}

RunFiles files_beside(const fs::path& path) {
  RunFiles files;
  const std::string run = run_of(path.filename().string());
  if (run.empty()) return files;
  for (const fs::directory_entry& each : io::Listing::beside(path).entries) {
    const fs::path plain = io::without_compression(each.path().filename());
    std::string text = plain.string();
    if (!text.starts_with(run)) continue;
    std::string_view name = text;
    const auto pe = take_pe(name);
    if (pe && name == run) files.logs.push_back({*pe, each.path()});
    if (text == run + std::string(kTable)) files.table = each.path();
  }
  // One that is there unpacked, too, is read once.
  std::ranges::sort(files.logs, [](const RunFiles::Log& a, const RunFiles::Log& b) {
    return a.pe != b.pe ? a.pe < b.pe : a.path < b.path;
  });
  const auto rest = std::ranges::unique(files.logs, {}, &RunFiles::Log::pe);
  files.logs.erase(rest.begin(), rest.end());
  return files;
}

}  // namespace weft::formats::projections
