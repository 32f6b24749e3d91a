#include "core/io/paths.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace weft::io {
namespace {

TEST(Paths, FollowTheVariables) {
  ::setenv("XDG_CACHE_HOME", "/var/cache/me", 1);
  EXPECT_EQ(cache_folder(), "/var/cache/me/weftscope");
}

TEST(Paths, DefaultToTheHome) {
  ::unsetenv("XDG_CONFIG_HOME");
  ::unsetenv("XDG_STATE_HOME");
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("XDG_DATA_HOME");
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(config_folder(), "/home/me/.config/weftscope");
  EXPECT_EQ(state_folder(), "/home/me/.local/state/weftscope");
  EXPECT_EQ(cache_folder(), "/home/me/.cache/weftscope");
  EXPECT_EQ(data_folder(), "/home/me/.local/share/weftscope");
}

TEST(Paths, IgnoreRelativeValues) {
  ::setenv("XDG_CACHE_HOME", "somewhere", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(cache_folder(), "/home/me/.cache/weftscope");
}

TEST(Paths, AreEmptyWithoutAHome) {
  ::unsetenv("XDG_STATE_HOME");
  ::setenv("HOME", "", 1);
  EXPECT_TRUE(state_folder().empty());
}

}  // namespace
}  // namespace weft::io
