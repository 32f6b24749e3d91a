// Where a path of lanes is taken apart.
#include "app/view/path_names.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace weft::app {
namespace {

using Places = std::vector<size_t>;

PathNames names_of(std::initializer_list<const char*> lanes) {
  trace::Dictionary dictionary;
  for (const char* name : lanes) dictionary.lanes.push_back({.name = name});
  return PathNames(dictionary);
}

TEST(PathNames, AreApartWhereThereIsASlash) {
  const PathNames names = names_of({"net", "eth0", "rx"});
  EXPECT_EQ(names.separators("net/eth0/rx"), (Places{3, 8}));
  EXPECT_EQ(names.separators("net"), Places{});
  EXPECT_EQ(names.separators(""), Places{});
  EXPECT_EQ(PathNames().separators("/a/"), (Places{0, 2}));
}

TEST(PathNames, KeepTheSlashesOfTheirOwn) {
  const PathNames names = names_of({"cpu 0", "irq/16-foo", "/dev/sda", "/dev", "a/b/c", "a/b"});
  EXPECT_EQ(names.separators("irq/16-foo"), Places{});
  EXPECT_EQ(names.separators("cpu 0/irq/16-foo"), Places{5});
  EXPECT_EQ(names.separators("cpu 0//dev/sda"), Places{5});
  EXPECT_EQ(names.separators("/dev/sda/irq/16-foo/x"), (Places{8, 19}));
  EXPECT_EQ(names.separators("/dev/sdb"), Places{4});
  EXPECT_EQ(names.separators("a/b/c/d"), Places{5}) << "the longest";
  EXPECT_EQ(names.separators("a/b/cc"), Places{3});
  EXPECT_EQ(names.separators("longer than all of these/a/b"), Places{24});
}

}  // namespace
}  // namespace weft::app
