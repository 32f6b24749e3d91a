#include "core/symbols/c_reader.h"

#include <gtest/gtest.h>

namespace weft::symbols {
namespace {

Symbols read(std::initializer_list<std::string> files, const Target& target = {}) {
  CReader reader(target);
  for (const std::string& file : files) reader.add(file);
  return std::move(reader).finish();
}

std::string constants_of(const Symbols& symbols) {
  std::string text;
  for (const Constant& each : symbols.constants)
    text += each.name + '=' + std::to_string(each.value) + '@' + each.family + ' ';
  return text;
}

uint64_t not_understood(const Symbols& symbols) {
  uint64_t count = 0;
  for (const trace::Loss& loss : symbols.report.losses()) count += loss.count;
  return count;
}

TEST(CReader, MacrosThatAreNumbersHaveValues) {
  EXPECT_EQ(constants_of(read({"#define QUEUE_A 0x10\n"
                               "#  define QUEUE_B (QUEUE_A + 1) // comment\n"
                               "#define TEXT \"no number\"\n#define CALL(x) x\n#define EMPTY\n"
                               "#define QUEUE_C \\\n  QUEUE_B << 2\n#define LETTER 'A'\n"})),
            "QUEUE_A=16@QUEUE_ QUEUE_B=17@QUEUE_ QUEUE_C=68@QUEUE_ LETTER=65@ ");
}

TEST(CReader, EnumeratorsCountOnAndMayBeExpressions) {
  EXPECT_EQ(constants_of(read({"enum Kind { A = BASE, B, C = sizeof(int) * 2 | 1, D = ~0, E, };\n",
                               "#define BASE 3\ntypedef enum { MSG_X = 'x', MSG_Y } kind_t;"})),
            "A=3@enum Kind B=4@enum Kind C=9@enum Kind D=-1@enum Kind E=0@enum Kind BASE=3@ "
            "MSG_X=120@MSG_ MSG_Y=121@MSG_ ");
}

TEST(CReader, NamesThatStandForEachOtherHaveNoValue) {
  EXPECT_EQ(
      constants_of(read({"#define A_A A_B\n#define A_B A_A\n#define A_C 1/0\n#define A_D 2\n"})),
      "A_D=2@A_ ");
}

TEST(CReader, LinesThatAreSwitchedOffAreNotThere) {
  EXPECT_EQ(constants_of(read({"#if 0\n#define N_A 1\n#if 1\n#define N_B 1\n#endif\n#else\n"
                               "#define N_C 3\n#endif\n#ifdef X\n#define N_D 4\n#endif\n"})),
            "N_C=3@N_ N_D=4@N_ ");
}

TEST(CReader, WhatItDoesNotUnderstandCostsItselfAlone) {
  const Symbols symbols =
      read({"struct a { int x; MACRO_MEMBER(y) int z; };\n"
            "int f(int a) { struct local { int q; } l; return a; }\n"
            "template <class T> class V { T* p; };\n"
            "extern \"C\" { struct b { int x; void (*call)(int); }; }\n"
            "struct c { struct unknown_t u; };\n"
            "struct d { unknown_t *u; };\n"
            "static const struct b table[] = { { 1, 0 }, };\n"});
  EXPECT_FALSE(symbols.structs.contains("struct a"));
  EXPECT_TRUE(symbols.structs.contains("struct b"));
  EXPECT_FALSE(symbols.structs.contains("struct c"));
  EXPECT_TRUE(symbols.structs.contains("struct d"));
  EXPECT_GT(not_understood(symbols), 0U);
}

TEST(CReader, StructsThatHoldThemselvesAreRefused) {
  const Symbols symbols =
      read({"struct a { struct b b; };\nstruct b { struct a a; };\n"
            "struct c { char x[1 << 31]; };\nstruct d { char x[sizeof(struct d)]; };\n"
            "struct e { struct e *next; };\n"});
  EXPECT_EQ(symbols.structs.size(), 1U);
  EXPECT_TRUE(symbols.structs.contains("struct e"));
}

TEST(CReader, HostileTextsEnd) {
  for (const std::string_view part :
       {"(", "{", "[", "struct x {", "enum {A=", "#define A (((", "/*", "'", "\"\\", "typedef ",
        "int (*", "a:", "-", "#pragma pack("}) {
    std::string text;
    while (text.size() < 300'000) text += part;
    const Symbols alone = read({text}), in_enum = read({"enum X { A = " + text});
    EXPECT_TRUE(alone.structs.empty() && alone.constants.empty()) << part;
    EXPECT_TRUE(in_enum.structs.empty() && in_enum.constants.empty()) << part;
    EXPECT_EQ(not_understood(in_enum), 1u) << part;
  }
}

TEST(CReader, EveryCutIsAnAnswer) {
  const std::string text =
      "typedef struct __attribute__((packed)) s { enum { A, B = 3 } e : 4; union { int i[2][A_N];"
      " double (*f)(int, char*); }; } s_t, *sp;\n#define A_N (1 ? 2 : 3)\n";
  const Symbols whole = read({text});
  EXPECT_TRUE(whole.structs.contains("s_t"));
  for (size_t size = 0; size < text.size(); ++size) {
    const Symbols cut = read({text.substr(0, size)});
    EXPECT_LE(cut.structs.size(), whole.structs.size()) << size;
    EXPECT_LE(cut.constants.size(), whole.constants.size()) << size;
  }
}

}  // namespace
}  // namespace weft::symbols
