#include "core/symbols/naming.h"

#include <gtest/gtest.h>

#include "core/symbols/c_reader.h"

namespace weft::symbols {
namespace {

Symbols read(const std::string& text) {
  CReader reader(Target{});
  reader.add(text);
  return std::move(reader).finish();
}

trace::Dictionary trace_with(std::initializer_list<const char*> lanes,
                             std::initializer_list<const char*> types) {
  trace::Dictionary dictionary;
  for (const char* name : lanes) dictionary.lanes.push_back({.name = name});
  for (const char* name : types)
    dictionary.types.push_back({.name = name, .group = {}, .category = trace::Category::kLink});
  return dictionary;
}

std::string names_of(const trace::Dictionary& dictionary) {
  std::string text;
  for (const trace::Lane& lane : dictionary.lanes) text += lane.name + ' ';
  text += '|';
  for (const trace::EventType& type : dictionary.types) text.append(" ").append(type.name);
  return text;
}

constexpr const char* kPlantSource =
    "#define QUEUE_A 0x10\n#define QUEUE_B 0x11\n#define OTHER_A 0x10\n#define OTHER_B 0x11\n"
    "enum Level { LOW = 1, MIDDLE, HIGH };\nenum MessageType { MSG_TICK = 1, MSG_SAMPLE };\n";

TEST(Naming, ChoosesFamiliesThatSpeakOfQueuesAndMessages) {
  const Naming naming =
      name_trace(trace_with({"plant", "0x10", "0x11", "0x7F"}, {"0x1", "0x2", "0x9", "work"}),
                 read(kPlantSource));
  EXPECT_EQ(naming.queues, "QUEUE_");
  EXPECT_EQ(naming.types, "enum MessageType");
  EXPECT_EQ(naming.lanes_named, 2U);
  EXPECT_EQ(naming.types_named, 2U);
  ASSERT_TRUE(naming.dictionary);
  EXPECT_EQ(names_of(*naming.dictionary),
            "plant QUEUE_A QUEUE_B 0x7F | MSG_TICK MSG_SAMPLE 0x9 work");
}

TEST(Naming, TheFamilyThatNamesMostWinsWhereNoneSpeaks) {
  const Naming naming = name_trace(trace_with({"0x1", "0x2", "0x3"}, {}),
                                   read("#define X_A 1\n#define Y_A 1\n#define Y_B 2\n"));
  EXPECT_EQ(naming.queues, "Y_");
}

TEST(Naming, TheUsersMapWins) {
  Symbols symbols = read(kPlantSource);
  symbols.map.queues = "OTHER_";
  symbols.map.types = "enum Level";
  const Naming naming = name_trace(trace_with({"0x10"}, {"0x1"}), symbols);
  EXPECT_EQ(names_of(*naming.dictionary), "OTHER_A | LOW");
}

// covers TM-38, TM-40
TEST(Naming, WithoutNamesTheNumbersStay) {
  const auto dictionary = trace_with({"0x10", "main"}, {"0x1", "0xZZ"});
  EXPECT_FALSE(name_trace(dictionary, read("int x;")).dictionary);
  EXPECT_FALSE(name_trace(dictionary, read("#define QUEUE_Z 99\n")).dictionary);
}

TEST(Naming, TypesFindTheirStructs) {
  Symbols symbols = read(
      "struct sample { int a; };\ntypedef struct { int b; } TickMsg;\nstruct MSG_EXACT { int c; "
      "};\n");
  const auto name = [&](std::string_view type) {
    const DataTypeId id = struct_of_type(symbols, type);
    return id.is_none() ? std::string("none") : symbols.type(id).members[0].name;
  };
  EXPECT_EQ(name("MSG_SAMPLE"), "a");
  EXPECT_EQ(name("MSG_TICK"), "b");
  EXPECT_EQ(name("MSG_EXACT"), "c");
  EXPECT_EQ(name("MSG_NONE"), "none");
  EXPECT_EQ(name("message"), "none");
  symbols.map.structs["0x5"] = "struct sample";
  symbols.map.structs["MSG_TICK"] = "struct missing";
  EXPECT_EQ(name("0x5"), "a");
  EXPECT_EQ(name("MSG_TICK"), "none");
}

}  // namespace
}  // namespace weft::symbols
