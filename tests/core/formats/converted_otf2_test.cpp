// covers FS-62, R7
// Traces of OTF2 that were converted to CTF, where definitions are missing or lie. A well-formed
// one: ctf/succeed/converted_otf2.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/formats/hpc/otf2/otf2_events.h"
#include "tests/core/formats/converted_otf2_samples.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using test::CtfFields;
using test::CtfStream;
using test::read;
using test::ScratchFolder;
using test::converted_otf2::at;
using test::converted_otf2::message;

void write(const fs::path& folder, CtfStream& definitions, CtfStream& events) {
  test::write_file(folder / "metadata", test::converted_otf2_metadata().text());
  test::write_file(folder / "global_def", definitions.packet().bytes());
  test::write_file(folder / "0", events.packet().bytes());
}

TEST(HostileConvertedOtf2, WhatIsNotDefinedIsCalledByItsNumber) {
  const ScratchFolder folder;
  CtfStream definitions, events;
  definitions.event(test::kOtf2Parameter, 1, CtfFields().number(uint32_t{0}).number(99U));
  events.event(test::kOtf2Enter, 10, at(5).number(7U))
      .event(test::kOtf2Send, 11, message(5, 3, 0, 1))
      .event(test::kOtf2Leave, 12, at(5).number(7U));
  write(folder / "trace", definitions, events);
  const auto reading = read(folder / "trace", {"ctf"});
  const trace::Dictionary& dictionary = reading->sink.dictionary();
  ASSERT_EQ(reading->sink.state_events().size(), 1u);
  const trace::StateEvent& state = reading->sink.state_events().front();
  EXPECT_EQ(dictionary.type(state.type).name, "region 7");
  EXPECT_EQ(dictionary.path_text(state.lane), "location 5");
  ASSERT_EQ(reading->sink.link_events().size(), 1u);
  EXPECT_TRUE(reading->sink.link_events().front().target.is_none());
}

TEST(HostileConvertedOtf2, DefinitionsThatLieEnd) {
  const ScratchFolder folder;
  CtfStream definitions, events;
  test::converted_otf2::define(definitions, 1);
  // A machine inside of itself, a rank far away, more values than there are members.
  definitions
      .event(test::kOtf2Node, 1,
             CtfFields().number(uint32_t{0}).number(1U).number(2U).number(uint32_t{0}))
      .event(test::kOtf2GroupMember, 1,
             CtfFields().number(uint32_t{0}).number(~uint32_t{0}).number(uint64_t{10}));
  events.event(test::kOtf2MetricEvent, 10, at(10).number(uint32_t{0}).number(uint8_t{1}))
      .event(test::kOtf2Unsigned, 10, CtfFields().number(uint64_t{1}))
      .event(test::kOtf2Unsigned, 10, CtfFields().number(uint64_t{2}));
  write(folder / "trace", definitions, events);
  const auto reading = read(folder / "trace", {"ctf"});
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.samples().size(), 1u);
  std::vector<std::string> events_left;
  for (const trace::PunctualEvent& event : reading->sink.punctual_events())
    events_left.emplace_back(reading->sink.dictionary().type(event.type).name);
  EXPECT_EQ(std::ranges::count(events_left, "MetricValue_UInt64"), 1);
  EXPECT_EQ(std::ranges::count(events_left, "GlobalDef_GroupMember"), 1);
}

// The oldest of those that wait are given without their other end.
TEST(HostileOtf2Events, WhatWaitsIsBounded) {
  constexpr uint32_t kMessages = 300'000;
  otf2::Definitions definitions;
  definitions.groups[0] = {.type = otf2::GroupType::kUnknown, .paradigm = 0, .members = {10, 11}};
  definitions.communicators[0] = {.name = 0, .group = 0};
  test::RecordingSink sink;
  otf2::Events events(definitions, sink);
  for (uint32_t tag = 0; tag < kMessages; ++tag)
    events.send(10, {tag}, {.rank = 1, .comm = 0, .tag = tag, .bytes = 1});
  events.receive(11, {kMessages}, {.rank = 0, .comm = 0, .tag = kMessages - 1, .bytes = 1});
  events.receive(11, {kMessages}, {.rank = 0, .comm = 0, .tag = 0, .bytes = 1});
  events.finish();
  const auto& links = sink.link_events();
  EXPECT_EQ(links.size(), kMessages + 1);
  const auto is_whole = [](const trace::LinkEvent& link) {
    return !link.source.is_none() && !link.target.is_none();
  };
  ASSERT_EQ(std::ranges::count_if(links, is_whole), 1);
  EXPECT_EQ(std::ranges::find_if(links, is_whole)->send, Time{kMessages - 1});
}

}  // namespace
}  // namespace weft::formats
