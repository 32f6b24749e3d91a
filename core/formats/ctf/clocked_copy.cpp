#include "core/formats/ctf/clocked_copy.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <system_error>
#include <utility>

namespace weft::formats::ctf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTimestamp = " timestamp;";

}  // namespace

std::string with_clock(std::string_view metadata) {
  const bool is_zephyr = metadata.starts_with("/* CTF 1") &&
                         metadata.find("thread_switched_in") != std::string_view::npos;
  if (!is_zephyr || metadata.find("clock {") != std::string_view::npos) return {};
  const size_t end = metadata.find(kTimestamp);
  if (end == std::string_view::npos) return {};
  std::string_view type = metadata.substr(0, end);
  type.remove_prefix(type.find_last_of(" \t\n{") + 1);
  const int bits = type == "uint32_t" ? 32 : type == "uint64_t" ? 64 : 0;
  const size_t first_line_end = metadata.find('\n');
  if (bits == 0 || first_line_end > end) return {};
  return fmt::format(
      "{}\nclock {{ name = zephyr; freq = 1000000000; }};\n"
      "typealias integer {{ size = {}; align = 8; signed = false; map = clock.zephyr.value; }} := "
      "zephyr_time_t;{}zephyr_time_t{}",
      metadata.substr(0, first_line_end), bits,
      metadata.substr(first_line_end, end - type.size() - first_line_end), metadata.substr(end));
}

Result<std::unique_ptr<ClockedCopy>> ClockedCopy::make(const fs::path& folder,
                                                       std::string_view metadata) {
  std::error_code error;
  std::string name = fs::temp_directory_path(error) / "weftscope-XXXXXX";
  if (error || ::mkdtemp(name.data()) == nullptr) return fail("cannot make a temporary folder");
  std::unique_ptr<ClockedCopy> copy(new ClockedCopy(std::move(name)));
  std::ofstream(copy->folder_ / "metadata", std::ios::binary) << metadata;
  const fs::path origin = fs::canonical(folder, error);
  for (const fs::directory_entry& file : fs::directory_iterator(origin, error)) {
    if (!file.is_regular_file(error) || file.path().filename() == "metadata") continue;
    fs::create_symlink(file.path(), copy->folder_ / file.path().filename(), error);
  }
  if (error) return fail("cannot write to a temporary folder: " + error.message());
  return copy;
}

ClockedCopy::~ClockedCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace weft::formats::ctf
