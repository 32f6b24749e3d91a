// Compares what is read from sources and from debug information with the compiler: a program made
// of the same declarations prints sizes, offsets and values.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "core/symbols/payload.h"
#include "core/symbols/symbol_files.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::symbols {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDeclarations = R"(
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#define LENGTH (2 * 3)
enum Mode { MODE_OFF, MODE_ON = 7, MODE_AUTO };
enum Negative { MINUS = -1, HUGE_ONE = 1 << 20 };
struct point { int16_t x; int32_t y; };
typedef struct { char c; double d; } pair_t;
struct outer {
  uint8_t tag;
  struct point p[LENGTH];
  pair_t pair;
  union { uint64_t whole; struct { uint32_t low, high; } half; } u;
  const char *text, **list;
  void (*call)(int, struct point *);
  enum Mode mode;
  bool flag;
  long double wide;
  unsigned long long counts[2][3];
};
struct bits {
  unsigned a : 3;
  unsigned b : 30;
  uint8_t c : 4;
  unsigned : 0;
  int d : 5;
  uint64_t e : 40;
  bool f : 1;
  char after;
};
struct __attribute__((packed)) tight { char c; uint32_t v; unsigned a : 3, b : 30; short s; };
#pragma pack(push, 2)
struct pressed { char c; uint64_t v; short s; };
#pragma pack(pop)
struct aligned { char c; _Alignas(16) char d; int e __attribute__((aligned(8))); } __attribute__((aligned(32)));
struct open { uint16_t n; uint32_t rest[]; };
)";

// The places to ask the compiler about: struct and member.
constexpr std::pair<const char*, const char*> kMembers[] = {
    {"struct point", "x"},      {"struct point", "y"},    {"pair_t", "d"},
    {"struct outer", "p"},      {"struct outer", "pair"}, {"struct outer", "u"},
    {"struct outer", "text"},   {"struct outer", "list"}, {"struct outer", "call"},
    {"struct outer", "mode"},   {"struct outer", "flag"}, {"struct outer", "wide"},
    {"struct outer", "counts"}, {"struct bits", "after"}, {"struct tight", "v"},
    {"struct tight", "s"},      {"struct pressed", "v"},  {"struct pressed", "s"},
    {"struct aligned", "d"},    {"struct aligned", "e"},  {"struct open", "rest"},
};

// Values of the members of struct bits and of struct tight, whatever bits they lie in.
constexpr std::pair<const char*, const char*> kBitFields[] = {
    {"a", "5"},    {"b", "715827882"},    {"c", "9"}, {"d", "-3"}, {"e", "733007751850"},
    {"f", "true"}, {"after", "'k' (107)"}};

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char block[4096];
  for (size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe)) > 0;) text.append(block, n);
  return ::pclose(pipe) == 0 ? text : std::string();
}

std::string program() {
  std::string text = std::string(kDeclarations) + "#include <stdio.h>\n#include <string.h>\n";
  std::set<std::string> types;  // debug information has those that are used
  for (const auto& [type, member] : kMembers) types.insert(type);
  for (const std::string& type : types) text += fmt::format("{} of_{};\n", type, text.size());
  text += "int main(void) {\n";
  for (const auto& [type, member] : kMembers) {
    text += fmt::format("printf(\"{0}.{1} %zu\\n\", offsetof({0}, {1}));\n", type, member);
    text += fmt::format("printf(\"{0} %zu\\n\", sizeof({0}));\n", type);
  }
  text +=
      "struct bits b; memset(&b, 0, sizeof b); b.a=5; b.b=715827882; b.c=9; b.d=-3; "
      "b.e=733007751850ull;"
      " b.f=1; b.after='k'; printf(\"bytes \");"
      " for (size_t i = 0; i < sizeof b; ++i) printf(\"%02x\", ((unsigned char*)&b)[i]); "
      "printf(\"\\n\");"
      "struct tight t; memset(&t, 0, sizeof t); t.a=5; t.b=715827882; t.s=-2; printf(\"tight \");"
      " for (size_t i = 0; i < sizeof t; ++i) printf(\"%02x\", ((unsigned char*)&t)[i]); "
      "printf(\"\\n\");"
      "return 0; }\n";
  return text;
}

std::vector<std::byte> bytes_from(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

class Compiled : public testing::Test {
 protected:
  // Figures by name: "struct point.x", "struct point".
  std::map<std::string, std::string> truth_;
  test::ScratchFolder folder_;
  fs::path header_ = folder_.write("declarations.h", kDeclarations);
  fs::path program_ = folder_.path() / "program";

  void SetUp() override {
    const fs::path source = folder_.write("program.c", program());
    const std::string compile = fmt::format("cc -std=gnu11 -g -o '{}' '{}' && '{}'",
                                            program_.string(), source.string(), program_.string());
    std::istringstream lines(output_of(compile));
    for (std::string line; std::getline(lines, line);) {
      const size_t space = line.rfind(' ');
      truth_[line.substr(0, space)] = line.substr(space + 1);
    }
    ASSERT_FALSE(truth_.empty()) << "the compiler is needed: " << compile;
  }

  fs::path object() const {
    const fs::path path = folder_.path() / "program.o";
    EXPECT_EQ(std::system(fmt::format("cc -std=gnu11 -g -c -o '{}' '{}'", path.string(),
                                      (folder_.path() / "program.c").string())
                              .c_str()),
              0);
    return path;
  }

  void expect_truth(const Symbols& symbols) {
    for (const auto& [name, member_name] : kMembers) {
      ASSERT_TRUE(symbols.structs.contains(name)) << name;
      const DataType& type = symbols.type(symbols.structs.at(name));
      EXPECT_EQ(std::to_string(type.size_bytes), truth_.at(name)) << name;
      const auto member = std::ranges::find(type.members, member_name, &Member::name);
      ASSERT_NE(member, type.members.end()) << name << '.' << member_name;
      EXPECT_EQ(std::to_string(member->bit_offset / 8),
                truth_.at(fmt::format("{}.{}", name, member_name)))
          << name << '.' << member_name;
    }
    const Fields bits = decode_payload(symbols, symbols.structs.at("struct bits"),
                                       bytes_from(truth_.at("bytes")), false);
    ASSERT_EQ(bits.lines.size(), std::size(kBitFields));
    for (size_t i = 0; i < bits.lines.size(); ++i) {
      EXPECT_EQ(bits.lines[i].name, kBitFields[i].first);
      EXPECT_EQ(bits.lines[i].value, kBitFields[i].second) << bits.lines[i].name;
    }
    const Fields tight = decode_payload(symbols, symbols.structs.at("struct tight"),
                                        bytes_from(truth_.at("tight")), false);
    ASSERT_EQ(tight.lines.size(), 5U);
    EXPECT_EQ(tight.lines[3].value, "715827882");
    EXPECT_EQ(tight.lines[4].value, "-2");
  }
};

// covers TM-40, TM-51
TEST_F(Compiled, SourcesAreLaidOutAsTheCompilerDoes) {
  const auto symbols = read_symbols(std::vector{header_});
  ASSERT_TRUE(symbols) << symbols.error().message;
  expect_truth(**symbols);
}

TEST_F(Compiled, DebugInformationSaysTheSame) {
  const auto symbols = read_symbols(std::vector{program_});
  ASSERT_TRUE(symbols) << symbols.error().message;
  expect_truth(**symbols);
}

TEST_F(Compiled, ObjectFilesSayTheSame) {
  const auto symbols = read_symbols(std::vector{object()});
  ASSERT_TRUE(symbols) << symbols.error().message;
  expect_truth(**symbols);
}

TEST_F(Compiled, DamagedProgramsAreAnAnswer) {
  for (const fs::path& path : {program_, object()}) {
    const std::string whole = test::content_of(path);
    for (size_t i = 0; i < 200; ++i) {
      std::string damaged = whole;
      for (size_t k = 0; k < 40; ++k)
        damaged[(i * 7919 + k * 104'729) % (whole.size() - 4) + 4] ^= static_cast<char>(i + k + 1);
      if (i % 5 == 0) damaged.resize(whole.size() * (i + 1) / 201);
      const auto symbols = read_symbols(std::vector{folder_.write("damaged", damaged)});
      if (symbols) continue;
      EXPECT_FALSE(symbols.error().message.empty()) << i;
      EXPECT_FALSE(symbols.error().message.contains('\n')) << i << symbols.error().message;
    }
  }
}

TEST_F(Compiled, AProgramWithoutItsEndIsSaidToBeCutOff) {
  const std::string whole = test::content_of(program_);
  const auto symbols =
      read_symbols(std::vector{folder_.write("cut", whole.substr(0, whole.size() / 2))});
  ASSERT_FALSE(symbols);
  EXPECT_NE(symbols.error().message.find("cut off"), std::string::npos) << symbols.error().message;
}

// Types that only the sources have are laid out for the program's machine.
TEST_F(Compiled, SourcesBesideAProgramAreOfItsTarget) {
  const fs::path header = folder_.write("more.h", "struct more { void *next; char c; };");
  const fs::path source = folder_.write("narrow.c", "struct narrow { long n; } narrow;");
  const fs::path narrow = folder_.path() / "narrow.o";
  const std::string compile =
      fmt::format("cc -m32 -g -c -o '{}' '{}' 2>&1", narrow.string(), source.string());
  (void)output_of(compile);
  if (!fs::exists(narrow)) GTEST_SKIP() << "no compiler for another machine";
  const auto symbols = read_symbols(std::vector{header, narrow});
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_EQ((*symbols)->target.pointer_bytes, 4U);
  EXPECT_EQ((*symbols)->type((*symbols)->structs.at("struct narrow")).size_bytes, 4U);
  EXPECT_EQ((*symbols)->type((*symbols)->structs.at("struct more")).size_bytes, 8U);
}

TEST(SymbolFiles, AFolderIsReadWithItsMap) {
  const test::ScratchFolder folder;
  fs::create_directories(folder.path() / "below");
  folder.write("below/queues.h", "#define QUEUE_A 1\nstruct s { long l; void *p; };\n");
  folder.write("notes.txt", "#define NOT_READ 1\n");
  folder.write(
      "weftscope-symbols.json",
      R"({"target": {"endian": "big", "pointer": 4}, "queues": "QUEUE_", "structs": {"0x1": "struct s"}})");
  const auto symbols = read_symbols(std::vector{folder.path()});
  ASSERT_TRUE(symbols) << symbols.error().message;
  EXPECT_EQ((*symbols)->files, 1U);
  EXPECT_EQ((*symbols)->constants.size(), 1U);
  EXPECT_TRUE((*symbols)->target.is_big_endian);
  EXPECT_EQ((*symbols)->type((*symbols)->structs.at("struct s")).size_bytes, 8U);
  EXPECT_EQ((*symbols)->map.structs.at("0x1"), "struct s");
}

TEST(SymbolFiles, WhatCannotBeReadIsOneLine) {
  const test::ScratchFolder folder;
  const auto error_of = [](const fs::path& path) {
    const auto symbols = read_symbols(std::vector{path});
    return symbols ? std::string() : symbols.error().message;
  };
  EXPECT_NE(error_of(folder.path() / "none").find("none"), std::string::npos);
  EXPECT_NE(error_of(folder.write("a.json", "{\"target\": 5}")).find("another kind"),
            std::string::npos);
  EXPECT_NE(
      error_of(folder.write("b.json", "{\"target\": {\"endian\": \"middle\"}}")).find("neither"),
      std::string::npos);
  EXPECT_NE(error_of(folder.write("c", std::string("\x7F"
                                                   "ELF",
                                                   4)))
                .find("ELF"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::symbols
