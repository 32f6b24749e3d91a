// Tables for people.
#include "app/cli/table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/core/io/scratch_folder.h"

namespace weft::cli {
namespace {

std::string printed(const Table& table) {
  const test::ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "table";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  Output output(fd);
  table.print(output);
  EXPECT_TRUE(output.finish());
  ::close(fd);
  return test::content_of(path);
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  Table table({{"name"}, {"count", Align::kRight}});
  table.add({"a", "1"});
  table.add({"read\x1B", "1,234,567"});
  EXPECT_EQ(printed(table),
            "name          count\n"
            "a                 1\n"
            "read\\x1b  1,234,567\n");
}

TEST(Table, ALongNameDoesNotTearTheOtherRowsApart) {
  Table table({{"name"}, {"count", Align::kRight}});
  const std::string endless(400, 'n');
  table.add({endless, "1"});
  table.add({"short", "2"});
  const std::string text = printed(table);
  EXPECT_TRUE(text.contains(endless + "      1\n")) << "it is shown in full";
  const std::string rest = text.substr(text.rfind("short"));
  EXPECT_TRUE(rest.ends_with(" 2\n"));
  EXPECT_LT(rest.size(), 150u);
}

}  // namespace
}  // namespace weft::cli
