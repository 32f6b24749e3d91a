// A CTF trace as it is made out of one of OTF2: definitions in a stream of their own, an event
// each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/core/formats/ctf_writer.h"

namespace weft::test {

enum Otf2Id : uint16_t {
  kOtf2String,
  kOtf2Node,
  kOtf2LocationGroup,
  kOtf2Location,
  kOtf2Region,
  kOtf2MetricMember,
  kOtf2Metric,
  kOtf2Group,
  kOtf2GroupMember,
  kOtf2Comm,
  kOtf2Parameter,
  kOtf2Enter,
  kOtf2Leave,
  kOtf2Send,
  kOtf2Irecv,
  kOtf2IrecvRequest,
  kOtf2CollectiveBegin,
  kOtf2CollectiveEnd,
  kOtf2MetricEvent,
  kOtf2Double,
  kOtf2Unsigned,
  kOtf2ProgramBegin,
};

inline CtfMetadata converted_otf2_metadata() {
  constexpr char kSend[] =
      "uint64_t locationID; uint32_t receiver; uint32_t communicator; uint32_t msgTag; uint64_t "
      "msgLength;";
  constexpr char kReceive[] =
      "uint64_t locationID; uint32_t sender; uint32_t communicator; uint32_t msgTag; uint64_t "
      "msgLength; uint64_t requestID;";
  return CtfMetadata(R"(domain = "bare"; tracer_name = "otf2";)")
      .event(kOtf2String, "GlobalDef_String", "uint32_t self; string stringValue;")
      .event(kOtf2Node, "GlobalDef_SystemTreeNode",
             "uint32_t self; uint32_t name; uint32_t className; uint32_t systemTreeParent;")
      .event(kOtf2LocationGroup, "GlobalDef_LocationGroup",
             "uint32_t self; uint32_t name; uint8_t locationGroupType; uint32_t systemTreeParent;")
      .event(kOtf2Location, "GlobalDef_Location",
             "uint64_t self; uint32_t name; uint8_t locationType; uint64_t numberOfEvents; "
             "uint32_t locationGroup;")
      .event(kOtf2Region, "GlobalDef_Region",
             "uint32_t self; uint32_t name; uint32_t canonicalName; uint8_t paradigm; uint32_t "
             "sourceFile; uint32_t beginLineNumber;")
      .event(kOtf2MetricMember, "GlobalDef_MetricMember",
             "uint32_t self; uint32_t name; uint32_t unit;")
      .event(kOtf2Metric, "GlobalDef_MetricClass",
             "uint32_t self; uint8_t count; uint32_t metricMembers[count];")
      .event(kOtf2Group, "GlobalDef_Group",
             "uint32_t self; uint32_t name; uint8_t groupType; uint8_t paradigm;")
      .event(kOtf2GroupMember, "GlobalDef_GroupMember",
             "uint32_t group; uint32_t rank; uint64_t location;")
      .event(kOtf2Comm, "GlobalDef_Comm", "uint32_t self; uint32_t name; uint32_t group;")
      .event(kOtf2Parameter, "GlobalDef_Parameter", "uint32_t self; uint32_t name;")
      .event(kOtf2Enter, "Event_Enter", "uint64_t locationID; uint32_t region;")
      .event(kOtf2Leave, "Event_Leave", "uint64_t locationID; uint32_t region;")
      .event(kOtf2Send, "Event_MpiSend", kSend)
      .event(kOtf2Irecv, "Event_MpiIrecv", kReceive)
      .event(kOtf2IrecvRequest, "Event_MpiIrecvRequest", "uint64_t locationID; uint64_t requestID;")
      .event(kOtf2CollectiveBegin, "Event_MpiCollectiveBegin", "uint64_t locationID;")
      .event(kOtf2CollectiveEnd, "Event_MpiCollectiveEnd",
             "uint64_t locationID; uint8_t collectiveOp; uint32_t communicator; uint32_t root; "
             "uint64_t sizeSent;")
      .event(kOtf2MetricEvent, "Event_Metric",
             "uint64_t locationID; uint32_t metric; uint8_t numberOfMetrics;")
      .event(kOtf2Double, "MetricValue_Double",
             "floating_point { exp_dig = 11; mant_dig = 53; align = 8; } metricValue;")
      .event(kOtf2Unsigned, "MetricValue_UInt64", "uint64_t metricValue;")
      .event(kOtf2ProgramBegin, "Event_ProgramBegin", "uint64_t locationID; uint32_t programName;");
}

namespace converted_otf2 {

inline constexpr uint32_t kNone = ~uint32_t{0};

inline void define(CtfStream& s, uint64_t time) {
  constexpr std::string_view kTexts[] = {
      "",         "box",    "machine", "rank 0",      "rank 1", "thread", "main",
      "MPI_Send", "main.c", "world",   "temperature", "C",      "cycles", "mode"};
  for (uint32_t i = 0; const std::string_view text : kTexts)
    s.event(kOtf2String, time, CtfFields().number(i++).text(text));
  s.event(kOtf2Node, time, CtfFields().number(uint32_t{0}).number(1U).number(2U).number(kNone));
  for (uint32_t rank = 0; rank < 2; ++rank) {
    s.event(kOtf2LocationGroup, time,
            CtfFields().number(rank).number(3 + rank).number(uint8_t{1}).number(uint32_t{0}));
    s.event(kOtf2Location, time,
            CtfFields()
                .number(uint64_t{rank} + 10)
                .number(5U)
                .number(uint8_t{1})
                .number(uint64_t{9})
                .number(rank));
  }
  const auto region = [&](uint32_t self, uint32_t name, uint8_t paradigm, uint32_t line) {
    s.event(kOtf2Region, time,
            CtfFields().number(self).number(name).number(name).number(paradigm).number(8U).number(
                line));
  };
  region(0, 6, 1, 12);
  region(1, 7, 4, 0);
  s.event(kOtf2MetricMember, time, CtfFields().number(uint32_t{0}).number(10U).number(11U));
  s.event(kOtf2MetricMember, time, CtfFields().number(1U).number(12U).number(uint32_t{0}));
  s.event(kOtf2Metric, time,
          CtfFields().number(uint32_t{0}).number(uint8_t{2}).number(uint32_t{0}).number(1U));
  // All that communicate; the group of the communicator, whose ranks are places among them.
  for (uint32_t group = 0; group < 2; ++group) {
    const auto type = static_cast<uint8_t>(4 + group);
    s.event(kOtf2Group, time,
            CtfFields().number(group).number(uint32_t{0}).number(type).number(uint8_t{4}));
    for (uint32_t rank = 0; rank < 2; ++rank)
      s.event(
          kOtf2GroupMember, time,
          CtfFields().number(group).number(rank).number(uint64_t{rank} + (group == 0 ? 10 : 0)));
  }
  s.event(kOtf2Comm, time, CtfFields().number(uint32_t{0}).number(9U).number(1U));
  s.event(kOtf2Parameter, time, CtfFields().number(uint32_t{0}).number(13U));
}

inline CtfFields at(uint64_t location) { return CtfFields().number(location); }
inline CtfFields message(uint64_t location, uint32_t other, uint32_t tag, uint64_t bytes) {
  return at(location).number(other).number(uint32_t{0}).number(tag).number(bytes);
}

}  // namespace converted_otf2

// Two ranks: a message that is received before it is sent, one that is not received, one that
// nobody sent, a broadcast, a metric of two members. Each rank begins when its definitions come.
inline void write_ctf_converted_otf2(const std::filesystem::path& folder) {
  using converted_otf2::at;
  using converted_otf2::message;
  CtfStream definitions, first, second;
  converted_otf2::define(definitions, 100);
  const auto values = [](CtfStream& s, uint64_t time, double celsius, uint64_t cycles) {
    s.event(kOtf2MetricEvent, time, at(11).number(uint32_t{0}).number(uint8_t{2}));
    s.event(kOtf2Double, time, CtfFields().number(celsius));
    s.event(kOtf2Unsigned, time, CtfFields().number(cycles));
  };
  first.event(kOtf2ProgramBegin, 100, at(10).number(6U))
      .event(kOtf2Enter, 100, at(10).number(uint32_t{0}))
      .event(kOtf2Enter, 110, at(10).number(1U))
      .event(kOtf2Send, 130, message(10, 1, 42, 4096))
      .event(kOtf2Leave, 140, at(10).number(1U))
      .event(kOtf2Send, 150, message(10, 1, 43, 1))
      .event(kOtf2CollectiveBegin, 160, at(10))
      .event(kOtf2CollectiveEnd, 190,
             at(10).number(uint8_t{1}).number(uint32_t{0}).number(1U).number(uint64_t{8}))
      .event(kOtf2Leave, 200, at(10).number(uint32_t{0}));
  second.event(kOtf2Enter, 100, at(11).number(uint32_t{0}));
  values(second, 110, 36.5, ~uint64_t{0});
  second.event(kOtf2IrecvRequest, 115, at(11).number(uint64_t{7}))
      .event(kOtf2Irecv, 120, message(11, 0, 42, 4096).number(uint64_t{7}))
      .event(kOtf2Irecv, 125, message(11, 0, 99, 2).number(uint64_t{8}))
      .event(kOtf2CollectiveBegin, 170, at(11))
      .event(kOtf2CollectiveEnd, 180,
             at(11).number(uint8_t{1}).number(uint32_t{0}).number(1U).number(uint64_t{8}));
  write_file(folder / "metadata", converted_otf2_metadata().text());
  write_file(folder / "global_def", definitions.packet().bytes());
  write_file(folder / "0", first.packet().bytes());
  write_file(folder / "1", second.packet().bytes());
}

}  // namespace weft::test
