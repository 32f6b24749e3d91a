// Holds the ladder of rooms: which room may include which, and which room alone may include a
// third-party header. It reads the sources and the rooms' CMakeLists.txt; it compiles nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/io/scratch_folder.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

// The table of rooms, lowest first. A room may always look at itself. Layout and render see the
// store for its snapshot (store::Trace), which is what a tile is made from.
struct Room {
  std::string_view folder;
  Names looks_at;
};
const std::vector<Room> kRooms = {
    {"core/base", {}},
    {"core/io", {"core/base"}},
    {"core/trace", {"core/base"}},
    {"core/store", {"core/base", "core/io", "core/trace"}},
    {"core/formats", {"core/base", "core/io", "core/trace"}},
    {"core/symbols", {"core/base", "core/trace"}},
    {"core/aggregate", {"core/base", "core/store"}},
    {"core/query", {"core/base", "core/trace", "core/store", "core/aggregate"}},
    {"core/layout", {"core/base", "core/trace", "core/store", "core/aggregate", "core/query"}},
    {"render", {"core/base", "core/store", "core/layout"}},
    {"capture/demo", {}},
    {"capture/host", {"core/base", "core/io"}},
    {"app/base", {"core/base", "core/io"}},
    {"app/opening",
     {"core/base", "core/io", "core/trace", "core/store", "core/formats", "core/query",
      "capture/host", "app/base"}},
    {"app/view",
     {"core/base", "core/trace", "core/store", "core/query", "core/layout", "app/base"}},
    {"app/session",
     {"core/base", "core/io", "core/trace", "core/store", "core/formats", "core/symbols",
      "core/aggregate", "core/query", "core/layout", "render", "capture/host", "app/base",
      "app/opening", "app/view"}},
    {"app/panels",
     {"core/base", "core/io", "core/trace", "core/store", "core/formats", "core/symbols",
      "core/aggregate", "core/query", "core/layout", "render", "app/base", "app/opening",
      "app/view", "app/session"}},
    {"app/window",
     {"core/base", "core/io", "core/formats", "core/query", "core/layout", "render", "capture/host",
      "app/base", "app/opening", "app/view", "app/session", "app/panels"}},
    {"app/cli",
     {"core/base", "core/io", "core/trace", "core/store", "core/formats", "core/symbols",
      "core/query", "core/layout", "capture/host", "app/base", "app/opening", "app/session",
      "app/window"}},
    {"app/reader", {"core/base", "core/io", "core/trace", "core/formats", "app/base"}},
};

// The home of each third-party header; `folders` and what lies below them may include it. An empty
// folder means every room.
struct Home {
  std::string_view pattern;  // of what stands between the brackets of an include
  std::vector<std::string_view> folders;
};
const std::vector<Home> kHomes = {
    {"glad/.*", {"render/opengl"}},
    {"EGL/.*", {"render/opengl"}},
    {"GL/.*", {"render/opengl"}},
    {"png.*", {"render"}},
    {"backends/imgui.*", {"app/window"}},
    {"imgui.*", {"app/panels", "app/window"}},
    {"GLFW/.*", {"app/window"}},
    {"CLI/.*", {"app/cli"}},
    {"simdjson.*", {"tests/bench"}},
    {"protozero/.*", {"core/formats"}},
    {"babeltrace2/.*", {"core/formats/kernel/ctf"}},
    {"otf2/.*", {"core/formats/hpc/otf2"}},
    {"trace-cmd.h", {"core/formats/kernel/trace_dat"}},
    {"elfutils/.*|dwarf.h|gelf.h", {"core/symbols"}},
    {"pcre2.*", {"core/base"}},
    {"zstd.*", {"core/io"}},
    {"zlib.*", {"core/io"}},
    {"lzma.*|bzlib.*|archive.*", {"core/io"}},
    {"seccomp.h", {"app/reader"}},
    {"fribidi/.*", {"app/panels"}},
    {"libssh/.*", {"capture/host"}},
    {"nlohmann/.*", {""}},
    {"fmt/.*", {""}},
};

constexpr size_t kMaxLines = 600;

const fs::path kRoot = WEFT_SOURCE_DIR;

std::string name_of(const fs::path& path) {
  return path.lexically_relative(kRoot).generic_string();
}

bool lies_in(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

// Every file of the project with one of these extensions, relative to the root.
std::vector<std::string> files_of(const Names& tops, const Names& extensions) {
  std::vector<std::string> files;
  for (const auto& top : tops) {
    if (!fs::exists(kRoot / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      if (entry.is_regular_file() && extensions.contains(entry.path().extension().string()))
        files.push_back(name_of(entry.path()));
    }
  }
  EXPECT_FALSE(files.empty());
  std::ranges::sort(files);
  return files;
}

const Names kCode = {".h", ".c", ".cpp"};
std::vector<std::string> room_files() {
  return files_of({"core", "render", "capture", "app"}, kCode);
}

struct Include {
  std::string what;
  bool is_quoted;
};

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex pattern(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"])re");
  std::vector<Include> includes;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    includes.push_back({(*it)[2], (*it)[1] == "\""});
  return includes;
}

const Room* room_of(std::string_view path) {
  auto it = std::ranges::find_if(kRooms, [&](const Room& r) { return lies_in(path, r.folder); });
  return it == kRooms.end() ? nullptr : &*it;
}

// Empty when the table allows `file` to include `include`, else why not.
std::string objection(const std::string& file, const Include& include) {
  const Room* from = room_of(file);
  if (from == nullptr) return "lies in no room of the table";
  if (!include.is_quoted) {
    for (const Home& home : kHomes) {
      if (!std::regex_match(include.what, std::regex(std::string(home.pattern)))) continue;
      const bool is_home = std::ranges::any_of(
          home.folders, [&](std::string_view folder) { return lies_in(file, folder); });
      return is_home ? "" : "its home is " + std::string(home.folders.front());
    }
    static const std::regex system(
        R"([a-z0-9_]+(\.h)?|experimental/simd|(sys|linux|netinet|arpa)/[a-z0-9_]+\.h)");
    return std::regex_match(include.what, system)
               ? ""
               : "has no home in the table of third-party headers";
  }
  if (!fs::exists(kRoot / include.what)) return "is named from the root of the repository";
  const Room* to = room_of(include.what);
  if (to == nullptr) return "lies in no room of the table";
  if (to == from || from->looks_at.contains(to->folder)) return "";
  return std::string(from->folder) + " may not look at " + std::string(to->folder);
}

TEST(Rooms, IncludeOnlyWhatTheTableAllows) {
  for (const auto& file : room_files()) {
    for (const auto& include : includes_of(test::content_of(kRoot / file))) {
      EXPECT_EQ(objection(file, include), "") << file << " includes " << include.what;
    }
  }
}

TEST(Rooms, TheTableSeesAWrongLook) {
  EXPECT_NE(objection("core/base/time.h", {"core/trace/model.h", true}), "");
  EXPECT_NE(objection("core/base/time.h", {"imgui.h", false}), "");
  EXPECT_NE(objection("render/tiles.h", {"glad/gl.h", false}), "");
  EXPECT_NE(objection("core/io/source.h", {"boost/any.hpp", false}), "");
  EXPECT_EQ(objection("core/trace/model.h", {"core/base/time.h", true}), "");
  EXPECT_EQ(objection("core/trace/model.h", {"vector", false}), "");
  EXPECT_EQ(objection("core/io/source.cpp", {"sys/mman.h", false}), "");
}

TEST(Rooms, TheTableAllowsNothingThatNobodyDoes) {
  std::map<std::string_view, Names> looks;  // of the room of a folder
  for (const auto& file : room_files()) {
    const Room* from = room_of(file);
    ASSERT_NE(from, nullptr) << file;
    for (const auto& include : includes_of(test::content_of(kRoot / file))) {
      if (const Room* to = include.is_quoted ? room_of(include.what) : nullptr)
        looks[from->folder].emplace(to->folder);
    }
  }
  for (const Room& room : kRooms) {
    EXPECT_TRUE(fs::is_directory(kRoot / room.folder)) << room.folder << " is not there";
    for (const auto& folder : room.looks_at)
      EXPECT_TRUE(looks[room.folder].contains(folder))
          << room.folder << " does not look at " << folder;
  }
}

// A room's call of weft_room(): the folder it stands for and what it is linked to.
struct LinkedRoom {
  std::string cmake_file;
  std::string name;
  Names looks_at;
};

std::vector<LinkedRoom> linked_rooms() {
  static const std::regex call(R"(weft_room\(\s*(\w+)([^)]*)\))");
  static const std::regex looks_at(R"(LOOKS_AT\s+((?:[a-z_]+\s*)+))");
  std::vector<LinkedRoom> rooms;
  for (const auto& file : files_of({"core", "render", "capture", "app"}, {".txt"})) {
    const std::string text = test::content_of(kRoot / file);
    for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
      LinkedRoom room{file, (*it)[1], {}};
      const std::string arguments = (*it)[2];
      if (std::smatch match; std::regex_search(arguments, match, looks_at)) {
        std::istringstream names(match[1]);
        room.looks_at.insert(std::istream_iterator<std::string>(names), {});
      }
      rooms.push_back(std::move(room));
    }
  }
  return rooms;
}

// "store" → "core/store", "app_view" → "app/view", "render" → "render"; a room's parts
// (render/opengl) belong to the room.
std::string folder_from_target(const std::string& name) {
  for (const Room& room : kRooms) {
    std::string target(room.folder);
    std::ranges::replace(target, '/', '_');
    if (target == name || target == "core_" + name) return std::string(room.folder);
  }
  return {};
}

TEST(Rooms, AreLinkedAsTheTableSays) {
  ASSERT_FALSE(linked_rooms().empty());
  for (const auto& linked : linked_rooms()) {
    const Room* from = room_of(linked.cmake_file);
    ASSERT_NE(from, nullptr) << linked.cmake_file;
    for (const auto& name : linked.looks_at) {
      const std::string folder = folder_from_target(name);
      if (folder.empty()) continue;  // a part of a room
      EXPECT_TRUE(folder == from->folder || from->looks_at.contains(folder))
          << linked.cmake_file << ": weft_" << linked.name << " may not look at " << name;
    }
  }
}

TEST(Rooms, AreLinkedToWhatTheyInclude) {
  std::map<std::string, Names> linked;  // folder of the room → folders it is linked to
  for (const auto& room : linked_rooms()) {
    Names& folders = linked[std::string(room_of(room.cmake_file)->folder)];
    for (const auto& name : room.looks_at) folders.insert(folder_from_target(name));
  }
  for (const auto& file : room_files()) {
    const Room* from = room_of(file);
    if (from == nullptr || !linked.contains(std::string(from->folder))) continue;
    for (const auto& include : includes_of(test::content_of(kRoot / file))) {
      const Room* to = include.is_quoted ? room_of(include.what) : nullptr;
      if (to == nullptr || to == from) continue;
      EXPECT_TRUE(linked[std::string(from->folder)].contains(to->folder))
          << file << " includes " << include.what << ", but its room is not linked to "
          << to->folder;
    }
  }
}

TEST(Sources, FitOnAFewScreens) {
  for (const auto& file : files_of({"core", "render", "capture", "app", "tests"}, kCode)) {
    const std::string text = test::content_of(kRoot / file);
    EXPECT_LE(std::ranges::count(text, '\n'), static_cast<ptrdiff_t>(kMaxLines)) << file;
  }
}

TEST(Sources, HeadersSayWhatTheyAre) {
  for (const auto& file : files_of({"core", "render", "capture", "app"}, {".h"})) {
    const std::string text = test::content_of(kRoot / file);
    EXPECT_TRUE(text.starts_with("// ")) << file << " does not open with what it is";
    EXPECT_NE(text.find("#pragma once"), std::string::npos) << file;
  }
}

TEST(Sources, NameNoPathOfOneMachine) {
  static const std::regex path(R"((^|[^\w.~$}])/(work/|root/|home/(?!(me|user)\b))\w)");
  const Names extensions = {".h", ".c", ".cpp", ".txt", ".md", ".json", ".sh", ".py", ".glsl"};
  const Names tops = {"core",  "render", "shaders", "capture", "app",
                      "tests", "docs",   "samples", ".ci",     "third_party"};
  for (const auto& file : files_of(tops, extensions)) {
    const std::string text = test::content_of(kRoot / file);
    if (std::smatch match; std::regex_search(text, match, path))
      ADD_FAILURE() << file << " names a path of one machine: " << match.str();
  }
}

}  // namespace
}  // namespace weft
