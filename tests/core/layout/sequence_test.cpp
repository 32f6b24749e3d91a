// covers TM-01, TM-04, TM-08
#include "core/layout/sequence.h"

#include <gtest/gtest.h>

namespace weft::layout {
namespace {

// 1 tick = 1 px; lanes 100 px apart, the first at 50.
const TimeScale kScale({Time{0}, Time{1000}}, 1000);

MessageArrow message(LaneId source, LaneId target, int64_t send, int64_t receive) {
  const Time from{source.is_none() ? receive : send}, to{target.is_none() ? send : receive};
  return {{{source, target, from, to, EventTypeId(0)}, 1}, from, to};
}

SequenceLanes three_lanes() { return {{LaneId(7), LaneId(2), LaneId(5)}, 0, 100}; }

ShownLanes themselves() {
  ShownLanes shown;
  for (uint32_t i = 0; i < 8; ++i) shown.emplace_back(i);
  return shown;
}

std::vector<PlacedArrow> place(const Messages& messages, const ShownLanes& shown) {
  const SequenceTime time = SequenceTime::by_distance(messages, kScale);
  return place_arrows(messages, time.ends(), shown, three_lanes(), 300, 1000, 1);
}

TEST(Sequence, LanesStandInTheirOrder) {
  const SequenceLanes lanes = three_lanes();
  EXPECT_EQ(lanes.x_of(LaneId(2)), 150);
  EXPECT_EQ(lanes.at(299), LaneId(5));
  EXPECT_EQ(lanes.at(300), std::nullopt);
  EXPECT_EQ(lanes.at(-1), std::nullopt);
  EXPECT_EQ(lanes.x_of(LaneId(3)), std::nullopt);
}

TEST(Sequence, AnArrowLeadsFromTheSendToTheInstantOfHandling) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId(5), 10, 40)};
  const auto placed = place(messages, themselves());
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].shape, ArrowShape::kArrow);
  EXPECT_EQ(placed[0].x0, 50);
  EXPECT_EQ(placed[0].y0, 10);
  EXPECT_EQ(placed[0].x1, 250);
  EXPECT_EQ(placed[0].y1, 40);
}

TEST(Sequence, WhatBeginsAndEndsTheTraceIsDrawnWhole) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId(5), 0, 40), message(LaneId(7), LaneId(5), 2, 1000),
                     message(LaneId(7), LaneId(5), 500, 996)};
  const auto ys = [&](TimeRange view, double room_px) {
    const SequenceTime time =
        SequenceTime::by_distance(messages, {view, 1000}, {Time{0}, Time{1000}}, room_px);
    std::vector<double> all;
    for (const ArrowEnds& ends : time.ends()) all.insert(all.end(), {ends.send_y, ends.receive_y});
    return all;
  };
  using Ys = std::vector<double>;
  EXPECT_EQ(ys({Time{0}, Time{1000}}, 5), (Ys{5, 40, 5, 995, 500, 995}));
  EXPECT_EQ(ys({Time{0}, Time{1000}}, 0), (Ys{0, 40, 2, 1000, 500, 996}));
  // As the view moves on, they follow without a jump; where there is room, they stay.
  EXPECT_EQ(ys({Time{2}, Time{1002}}, 5), (Ys{-2, 38, 3, 995, 498, 994}));
  EXPECT_EQ(ys({Time{-10}, Time{990}}, 5), (Ys{10, 50, 12, 1010, 510, 1006}));
}

TEST(Sequence, WhatLacksAnEndIsAStub) {
  Messages messages;
  messages.arrows = {message(LaneId(2), LaneId::none(), 10, 0),
                     message(LaneId::none(), LaneId(2), 0, 500)};
  const auto placed = place(messages, themselves());
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[0].shape, ArrowShape::kUnreceived);
  EXPECT_EQ(placed[0].x0, 150);
  EXPECT_EQ(placed[0].x1, 150 + kStubWidthPx);
  EXPECT_EQ(placed[1].shape, ArrowShape::kUnsent);
  EXPECT_EQ(placed[1].x1, 150);
  EXPECT_EQ(placed[1].y1, 500);
}

TEST(Sequence, LanesFoldedIntoOneMakeMessagesToItself) {
  Messages messages;
  messages.arrows = {message(LaneId(3), LaneId(4), 10, 40)};
  ShownLanes shown = themselves();
  shown[3] = shown[4] = LaneId(2);
  const auto placed = place(messages, shown);
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].shape, ArrowShape::kSelf);
  shown[3] = LaneId::none();
  shown[4] = LaneId::none();
  EXPECT_TRUE(place(messages, shown).empty());
}

TEST(Sequence, FarEndsKeepTheSlope) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId(5), -1'000'000'000, 1'000'000'000)};
  const auto placed = place(messages, themselves());
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_GE(placed[0].y0, -1000);
  EXPECT_LE(placed[0].y1, 2000);
  EXPECT_NEAR(placed[0].x0, 150, 0.01);
  EXPECT_NEAR(placed[0].x1, 150, 0.01);
}

TEST(Sequence, ABundleLiesInTheMiddleOfItsMessages) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId(5), 10, 40)};
  messages.arrows[0].last_send = Time{20};
  messages.arrows[0].last_receive = Time{60};
  const SequenceTime time = SequenceTime::by_distance(messages, kScale);
  EXPECT_EQ(time.ends()[0].send_y, 15);
  EXPECT_EQ(time.ends()[0].receive_y, 50);
}

// covers TM-07
TEST(Sequence, EventsInOrderAreEquallyFarApart) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId(5), 10, 40), message(LaneId(7), LaneId(2), 10, 900),
                     message(LaneId(2), LaneId(2), 40, 40), message(LaneId(5), LaneId(2), -5, 40),
                     message(LaneId(5), LaneId(2), 40, 5000)};
  const SequenceTime time = SequenceTime::by_order(messages, kScale, 50);
  EXPECT_EQ(time.event_px(), 50);
  ASSERT_EQ(time.events().size(), 8u);
  // Equal times stay apart: 10 10 | 40 40 40 40 40 | 900, in the order of the messages.
  EXPECT_EQ(time.ends()[0].send_y, 25);
  EXPECT_EQ(time.ends()[1].send_y, 75);
  EXPECT_EQ(time.ends()[0].receive_y, 125);
  EXPECT_EQ(time.ends()[2].send_y, 175);
  EXPECT_EQ(time.ends()[2].receive_y, 225);
  EXPECT_EQ(time.ends()[3].receive_y, 275);
  EXPECT_EQ(time.ends()[4].send_y, 325);
  EXPECT_EQ(time.ends()[1].receive_y, 375);
  EXPECT_LT(time.ends()[3].send_y, 0);       // before the view
  EXPECT_GT(time.ends()[4].receive_y, 375);  // after it
  for (double y = 25; y < 400; y += 50) {
    const Time at = time.time_from_y(y);
    EXPECT_LE(time.y_from_time(at), y);
    EXPECT_EQ(time.time_from_y(time.y_from_time(at)), at);
  }
  EXPECT_EQ(SequenceTime::by_order(messages, kScale, 1000).event_px(), 125);  // all of the height
  EXPECT_EQ(SequenceTime::by_order({}, kScale, 50).y_from_time(Time{30}), 30);
}

TEST(Sequence, AMissingEndIsNoEvent) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId::none(), 10, 10),
                     message(LaneId::none(), LaneId(2), 20, 20)};
  const SequenceTime time = SequenceTime::by_order(messages, kScale, 50);
  EXPECT_EQ(time.events().size(), 2u);
  EXPECT_EQ(time.ends()[0].receive_y, 25);
  EXPECT_EQ(time.ends()[1].send_y, 75);
}

TEST(Sequence, TheNearestArrowIsUnderThePointer) {
  Messages messages;
  messages.arrows = {message(LaneId(7), LaneId(5), 10, 10), message(LaneId(7), LaneId(5), 20, 20),
                     message(LaneId(2), LaneId(2), 100, 150)};
  const auto placed = place(messages, themselves());
  ASSERT_EQ(placed.size(), 3u);
  EXPECT_EQ(arrow_at(placed, 100, 13, 4), &placed[0]);
  EXPECT_EQ(arrow_at(placed, 100, 17, 4), &placed[1]);
  EXPECT_EQ(arrow_at(placed, 100, 50, 4), nullptr);
  EXPECT_EQ(arrow_at(placed, 150 + kStubWidthPx, 125, 4), &placed[2]);  // the hook
}

// covers TM-44
TEST(Sequence, ArrowsAreAsWideAsTheirMessagesAreLarge) {
  EXPECT_EQ(size_width_px(0), 1);
  EXPECT_LT(size_width_px(16), size_width_px(1024));
  EXPECT_LT(size_width_px(1024), size_width_px(1 << 14));
  EXPECT_EQ(size_width_px(UINT64_MAX), 8);
}

// covers TM-07
TEST(Sequence, LabelsOfEventsAreToldApartOrLeftOut) {
  constexpr Time kTimes[] = {{1'000}, {1'007}, {1'007}, {2'000}};
  const auto label = [](Time time, std::optional<Duration> resolution) {
    return std::to_string(resolution ? time.ticks : time.ticks / 1'000);
  };
  std::optional<Duration> asked;
  const auto labels = [&](size_t most) {
    return labels_in_order(
        kTimes,
        [&](Time time, std::optional<Duration> resolution) {
          if (resolution) asked = resolution;
          return label(time, resolution);
        },
        [&](std::string_view text) { return text.size() <= most; });
  };
  EXPECT_EQ(labels(4), (std::vector<std::string>{"1000", "1007", "", "2000"}));
  EXPECT_EQ(asked, Duration{7});
  EXPECT_EQ(labels(3), (std::vector<std::string>{"1", "", "", "2"}));
  EXPECT_TRUE(labels_in_order({}, label, [](std::string_view) { return true; }).empty());
}

}  // namespace
}  // namespace weft::layout
