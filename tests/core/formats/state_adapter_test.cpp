// covers FS-42
#include "core/formats/state_adapter.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/recording_sink.h"

namespace weft::formats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<StatePair> pairs_of(std::string_view text) {
  const auto pairs = parse_state_pairs(text);
  EXPECT_TRUE(pairs) << pairs.error().message;
  return pairs.value_or(std::vector<StatePair>());
}

// Events drawn as text, one tick each: "a1" is an event of type a on lane 1, "a1x" has the key x.
struct Played {
  test::RecordingSink sink;

  Played(std::string_view pairs, std::initializer_list<std::string_view> events) {
    StateAdapter adapter(sink, pairs_of(pairs));
    const LaneId lanes[] = {adapter.add_lane({"0"}), adapter.add_lane({"1"})};
    Time now{0};
    for (const std::string_view event : events) {
      const auto type = adapter.type(trace::Category::kPunctual, event.substr(0, 1), "");
      const auto params = event.size() == 2
                              ? ParamsId::none()
                              : adapter.params(fmt::format(R"({{"key":"{}"}})", event[2]), {});
      const trace::PunctualEvent punctual = {now, params, lanes[event[1] - '0'], type};
      adapter.give(punctual);
      now = now + Duration{1};
    }
    adapter.finish();
    EXPECT_EQ(sink.punctual_events().size(), events.size());  // they stay
  }
  // "2+3 on 0", in the order in which they ended.
  std::vector<std::string> states() const {
    std::vector<std::string> lines;
    for (const auto& state : sink.state_events()) {
      lines.push_back(fmt::format("{}+{} on {}", state.begin.ticks, state.duration.ticks,
                                  sink.dictionary().lane(state.lane).name));
    }
    return lines;
  }
  std::vector<std::string> losses() const {
    std::vector<std::string> lines;
    for (const trace::Loss& loss : sink.dictionary().report.losses()) {
      EXPECT_FALSE(loss.is_damage);
      EXPECT_TRUE(loss.first[0].time);
      lines.push_back(fmt::format("{} × {}", loss.count, loss.kind));
    }
    return lines;
  }
};

TEST(StateAdapter, AnEndEndsTheLastBeginOfItsLane) {
  const Played played("a/b", {"a0", "a1", "a0", "b0", "b0", "b1"});
  EXPECT_THAT(played.states(), ElementsAre("2+1 on 0", "0+4 on 0", "1+4 on 1"));
  EXPECT_THAT(played.losses(), IsEmpty());
}

TEST(StateAdapter, AKeySaysWhichEndIsWhose) {
  const Played played("a/b/key", {"a0x", "a0y", "b1x", "b0y"});
  EXPECT_THAT(played.states(), ElementsAre("0+2 on 0", "1+2 on 0"));
}

TEST(StateAdapter, ATypeMayEndOneThingAndBeginAnother) {
  const Played played("a/b,b/a=back", {"a0", "b0", "a0"});
  EXPECT_THAT(played.states(), ElementsAre("0+1 on 0", "1+1 on 0"));
  EXPECT_THAT(played.losses(), ElementsAre("2 × a without b"));
}

TEST(StateAdapter, OneTypeAloneCutsTimeIntoStates) {
  const Played played("a/a", {"a0", "a0", "a0"});
  EXPECT_THAT(played.states(), ElementsAre("0+1 on 0", "1+1 on 0"));
}

TEST(StateAdapter, WhatHasNoPartnerOrNoKeyIsCounted) {
  const Played played("a/b/key", {"b0x", "a0x", "a0", "a0y"});
  EXPECT_THAT(played.states(), IsEmpty());
  EXPECT_THAT(played.losses(),
              ElementsAre("1 × b without a", "1 × event without its key key", "2 × a without b"));
}

TEST(StateAdapter, ReadsPairsAsWritten) {
  EXPECT_THAT(pairs_of("irq_enter/irq_exit,take/give/mutex=held"),
              ElementsAre(StatePair{"irq_enter", "irq_exit", "", "irq"},
                          StatePair{"take", "give", "mutex", "held"}));
  EXPECT_EQ(pairs_of("x:begin/x:end")[0].name, "x");
  EXPECT_EQ(pairs_of("lock/lock_end")[0].name, "lock");
  EXPECT_EQ(pairs_of("start/stop")[0].name, "start");
  EXPECT_EQ(pairs_of("a/a")[0].name, "a");
  EXPECT_THAT(pairs_of(""), IsEmpty());
  for (const char* wrong : {"a", "a/", "/b", "a/b/", "a/b/c/d", "a/b=", ",a/b", "a/b,"})
    EXPECT_FALSE(parse_state_pairs(wrong)) << wrong;
}

TEST(Options, AreThoseOfTheFormatAndOfTheirKind) {
  const Format& nexus = *format_from_id("nexus-lite");
  EXPECT_TRUE(check_options(nexus, {{"states", "a/b"}}));
  EXPECT_FALSE(check_options(nexus, {{"states", "a"}}));
  const Status unknown = check_options(nexus, {{"colour", "red"}});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message,
              testing::HasSubstr("'colour' is not an option of nexus-lite"));
  const Format& chrome = *format_from_id("chrome-json");
  EXPECT_TRUE(check_options(chrome, {{"chunk_bytes", "4096"}}));
  EXPECT_FALSE(check_options(chrome, {{"chunk_bytes", "many"}}));
}

}  // namespace
}  // namespace weft::formats
