#include "tests/core/formats/case_folder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/core/io/scratch_folder.h"

namespace weft::test {

std::vector<std::filesystem::path> cases_of(const std::string& format) {
  const std::filesystem::path folder =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats" / format;
  std::vector<std::filesystem::path> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    // A text, or a file that stands beside a trace to say what its numbers mean.
    static const std::set<std::string> beside = {".txt", ".pbtext", ".sql",  ".pcf", ".ept",
                                                 ".row", ".res",    ".resh", ".sts"};
    const bool is_beside = beside.contains(entry.path().extension().string());
    if (entry.is_regular_file() && !is_beside) cases.push_back(entry.path());
  }
  std::ranges::sort(cases);
  return cases;
}

std::string case_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string stem = info.param.stem().string();
  std::ranges::replace(stem, '.', '_');
  return info.param.parent_path().filename().string() + '_' + stem;
}

void expect_case(const std::string& name, const std::string& bytes) {
  const std::filesystem::path path =
      std::filesystem::path(WEFT_SOURCE_DIR) / "tests/core/formats" / name;
  if (std::getenv("WEFT_UPDATE_CASES") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  EXPECT_EQ(bytes, content_of(path)) << path;
}

void expect_as_written(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::path expected = path;
  expected.replace_extension(".txt");
  if (std::getenv("WEFT_UPDATE_CASES") != nullptr) {
    std::ofstream(expected, std::ios::binary) << text;
  }
  EXPECT_EQ(text, content_of(expected)) << path;
}

}  // namespace weft::test
