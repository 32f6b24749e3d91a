#include "core/layout/lanes.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/store/segment.h"  // a row of the store holds parts of segments

namespace weft::layout {
namespace {

// Lanes as indented text, one a line: "name" or "name: rows", rows as letters: s state, p punctual,
// v variable, l link out.
struct TextTrace {
  trace::Dictionary dictionary;
  std::vector<store::Row> rows;

  explicit TextTrace(const std::string& text) {
    std::istringstream in(text);
    std::vector<LaneId> parents;
    for (std::string line; std::getline(in, line);) {
      const size_t indent = line.find_first_not_of(' ');
      const size_t colon = line.find(':');
      const LaneId id(static_cast<uint32_t>(dictionary.lanes.size()));
      trace::Lane lane;
      lane.name = line.substr(indent, colon == std::string::npos ? colon : colon - indent);
      if (indent > 0) lane.parent = parents[indent - 1];
      parents.resize(indent);
      parents.push_back(id);
      dictionary.lanes.push_back(lane);
      if (colon != std::string::npos) add_rows(id, line.substr(colon + 1));
    }
    name_variable("memory");
  }

  void name_variable(std::string_view name) {
    dictionary.types = {};
    dictionary.types.push_back({.name = name, .group = {}});
  }

  void add_rows(LaneId lane, const std::string& kinds) {
    uint32_t depth = 0;
    for (const char kind : kinds) {
      store::Row row;
      row.lane = lane;
      if (kind == 's') {
        row.depth = depth++;
        row.busy = 100 + static_cast<int64_t>(rows.size());
      } else if (kind == 'p') {
        row.kind = store::RowKind::kPunctual;
      } else if (kind == 'v') {
        row.kind = store::RowKind::kVariable;
        row.variable = EventTypeId(0);
      } else if (kind == 'l') {
        row.kind = store::RowKind::kLinkOut;
      } else {
        continue;
      }
      rows.push_back(row);
    }
  }

  Lanes build(const CollapsedLanes& collapsed = {}) const {
    return Lanes::build(dictionary, rows, collapsed, kHeights);
  }
  std::string label(const Lanes& lanes, size_t line) const {
    return label_of(dictionary, rows, lanes, lanes.rows()[line]);
  }
  static constexpr LaneHeights kHeights{
      .header = 10, .state = 5, .punctual = 4, .variable = 20, .summary = 12, .gap = 1};
};

const TextTrace kSmall(
    "machine\n"
    " process: v\n"
    "  worker: sssp\n"
    "  idle: l\n"
    " other: s");

// The lines as text: indent, label, height.
std::string shown(const TextTrace& trace, const Lanes& lanes) {
  std::ostringstream out;
  for (size_t i = 0; i < lanes.rows().size(); ++i) {
    const DisplayRow& row = lanes.rows()[i];
    out << std::string(row.indent, ' ') << trace.label(lanes, i) << ' ' << row.height << '\n';
  }
  return out.str();
}

TEST(Lanes, LinesFollowTheTree) {
  EXPECT_EQ(shown(kSmall, kSmall.build()),
            "machine 10\n"
            " process · memory 20\n"
            "  worker 5\n"
            "   5\n"
            "   5\n"
            "   4\n"
            "  idle 5\n"
            " other 5\n");
}

TEST(Lanes, AVariableThatIsOnlyCalledValueHasTheNameOfItsLane) {
  TextTrace trace("bus: v");
  trace.name_variable("value");
  EXPECT_EQ(trace.label(trace.build(), 0), "bus");
}

TEST(Lanes, HeightWithOthersIsThatOfLanesThatAreBuiltWithThem) {
  const LaneHeights others{
      .header = 3, .state = 7, .punctual = 11, .variable = 13, .summary = 17, .gap = 0.5F};
  for (const CollapsedLanes& collapsed : {CollapsedLanes{}, {LaneId(1)}, {LaneId(0)}}) {
    const Lanes built = Lanes::build(kSmall.dictionary, kSmall.rows, collapsed, others);
    EXPECT_EQ(kSmall.build(collapsed).height_with(others, kSmall.dictionary, kSmall.rows),
              built.height());
  }
  EXPECT_EQ(Lanes().height_with(others, {}, {}), 0);
}

TEST(Lanes, RowsOfNoHeightAreLeftOut) {
  LaneHeights heights = TextTrace::kHeights;
  heights.punctual = heights.variable = 0;
  EXPECT_EQ(shown(kSmall, Lanes::build(kSmall.dictionary, kSmall.rows, {}, heights)),
            "machine 10\n"
            " process 10\n"
            "  worker 5\n"
            "   5\n"
            "   5\n"
            "  idle 5\n"
            " other 5\n");
}

TEST(Lanes, TheLastLevelThatHasALineHoldsTheDeeperOnes) {
  const auto with_levels = [](uint32_t levels) {
    return Lanes::build(kSmall.dictionary, kSmall.rows,
                        arrange_lanes(kSmall.dictionary, kSmall.rows).lanes, {},
                        TextTrace::kHeights, {}, nullptr, levels);
  };
  const std::string above = "machine 10\n process · memory 20\n";
  const std::string below = "   4\n  idle 5\n other 5\n";
  EXPECT_EQ(shown(kSmall, with_levels(3)), above + "  worker 5\n   5\n   5\n" + below);
  EXPECT_EQ(shown(kSmall, with_levels(2)), above + "  worker 5\n  2 levels 12\n" + below);
  EXPECT_EQ(shown(kSmall, with_levels(1)), above + "  worker · 3 levels 12\n" + below);
  for (const uint32_t levels : {1u, 2u, 3u}) {
    const Lanes lanes = with_levels(levels);
    std::vector<uint32_t> states;
    for (const DisplayRow& line : lanes.rows()) {
      if (line.kind == DisplayRow::Kind::kRow) states.push_back(line.row.value());
      if (!line.is_summary()) continue;
      for (const RowId row : lanes.summary(line).rows) states.push_back(row.value());
    }
    EXPECT_EQ(states, (std::vector<uint32_t>{0, 1, 2, 3, 4, 6})) << levels;  // 5: links
  }
}

TEST(Lanes, ACollapsedLaneIsOneLineAndTellsWhatItHides) {
  EXPECT_EQ(shown(kSmall, kSmall.build({LaneId(1)})),
            "machine 10\n"
            " process · 2 lanes 12\n"
            " other 5\n");
}

TEST(Lanes, ALaneThatIsHiddenStandsAtTheLineThatHidesIt) {
  const Lanes lanes = kSmall.build({LaneId(1)});
  ASSERT_NE(lanes.line_of(LaneId(2)), nullptr);
  EXPECT_EQ(lanes.line_of(LaneId(2))->lane, LaneId(1));
  EXPECT_EQ(lanes.line_of(LaneId(4))->lane, LaneId(4));
  EXPECT_EQ(lanes.line_of(LaneId(99)), nullptr);
  EXPECT_EQ(lanes.line_of(LaneId::none()), nullptr);
}

TEST(Lanes, ARowStandsAtItsLineOrAtTheOneThatHasItsLevel) {
  const Lanes all = kSmall.build();
  for (const DisplayRow& line : all.rows()) {
    if (line.kind == DisplayRow::Kind::kRow) {
      EXPECT_EQ(all.line_of(line.lane, line.row), &line);
    }
  }
  EXPECT_EQ(all.line_of(LaneId(2), RowId::none()), all.line_of(LaneId(2)));
  const RowId deepest = all.line_of(LaneId(2))[2].row;
  const Lanes levels = Lanes::build(kSmall.dictionary, kSmall.rows,
                                    arrange_lanes(kSmall.dictionary, kSmall.rows).lanes, {},
                                    TextTrace::kHeights, {}, nullptr, 2);
  EXPECT_EQ(levels.line_of(LaneId(2), deepest)->kind, DisplayRow::Kind::kDeeper);
  const Lanes collapsed = kSmall.build({LaneId(1)});
  EXPECT_EQ(collapsed.line_of(LaneId(2), deepest), collapsed.line_of(LaneId(1)));
}

TEST(Lanes, OnlyWhatHidesSomethingCanFold) {
  const Lanes lanes = kSmall.build();
  EXPECT_TRUE(lanes.line_of(LaneId(0))->can_fold);
  EXPECT_TRUE(lanes.line_of(LaneId(2))->can_fold) << "several rows";
  EXPECT_FALSE(lanes.line_of(LaneId(3))->can_fold);
  EXPECT_FALSE(lanes.line_of(LaneId(4))->can_fold);
  for (const DisplayRow& row : lanes.rows()) EXPECT_TRUE(row.is_first || !row.can_fold);
}

TEST(Lanes, ASummaryShowsTheOutermostStatesAndPunctualEvents) {
  const Lanes lanes = kSmall.build({LaneId(0)});
  ASSERT_EQ(lanes.rows().size(), 1u);
  const Summary& summary = lanes.summary(lanes.rows()[0]);
  EXPECT_EQ(summary.lane_count, 4u);
  EXPECT_EQ(summary.rows, (std::vector{RowId(1), RowId(4), RowId(6)}));
  EXPECT_EQ(summary.rows_of_others, 3u) << "two deeper levels, a variable";
}

TEST(Lanes, ASummaryThatCannotShowAllSaysSo) {
  std::string text = "pool";
  for (int i = 0; i < 50; ++i) text += "\n w" + std::to_string(i) + ": s";
  const TextTrace trace(text);
  const Lanes lanes = trace.build({LaneId(0)});
  EXPECT_EQ(lanes.summary(lanes.rows()[0]).rows.size(), Summary::kMaxRows);
  EXPECT_EQ(lanes.summary(lanes.rows()[0]).rows.back(), RowId(49)) << "the busiest";
  EXPECT_EQ(trace.label(lanes, 0), "pool · 12 of 50 lanes");
}

TEST(Lanes, RowsAreNoLanesWhereALaneHasSeveral) {
  std::string text = "pool";
  for (int i = 0; i < 7; ++i) text += "\n w" + std::to_string(i) + ":\n  t: sp";
  const TextTrace trace(text);
  EXPECT_EQ(trace.label(trace.build({LaneId(0)}), 0), "pool · 14 lanes · 12 of 14 rows");
}

TEST(Lanes, TheRowsOfASummaryShareItsLine) {
  const Lanes lanes = kSmall.build({LaneId(0)});
  const Summary& summary = lanes.summary(lanes.rows()[0]);
  EXPECT_EQ(summary.strip_of(0, 21).y, 0);
  EXPECT_EQ(summary.strip_of(0, 21).height, 6);
  EXPECT_EQ(summary.strip_of(1, 21).y, 7);
  EXPECT_EQ(summary.strip_of(1, 2).height, 1) << "never less than a pixel";
}

TEST(Lanes, EveryHeightIsFoundAgain) {
  const Lanes lanes = kSmall.build();
  double y = 0;
  for (const DisplayRow& row : lanes.rows()) {
    EXPECT_GE(row.y, y);
    y = row.y + row.height;
    EXPECT_EQ(lanes.at(row.y), &row);
    EXPECT_EQ(lanes.at(row.y + row.height - 0.01), &row);
  }
  EXPECT_EQ(lanes.at(-1), nullptr);
  EXPECT_EQ(lanes.at(lanes.height() + 1), nullptr);
  EXPECT_EQ(lanes.at(10.5), &lanes.rows()[0]) << "the gap below a lane is the lane's";
  EXPECT_EQ(lanes.at(lanes.height() - 0.5), &lanes.rows().back());
  EXPECT_EQ(lanes.visible(0, lanes.height()).size(), lanes.rows().size());
  EXPECT_EQ(lanes.visible(31, 33).size(), 1u);
}

TEST(Lanes, NothingIsALaneTreeToo) {
  const Lanes lanes = Lanes::build(trace::Dictionary{}, std::span<const store::Row>{}, {});
  EXPECT_EQ(lanes.rows().size(), 0u);
  EXPECT_EQ(lanes.height(), 0);
  EXPECT_EQ(lanes.at(0), nullptr);
}

// covers C-17: the cost of a frame depends on the rows that are seen
TEST(Lanes, AMillionRowsAreAskedQuickly) {
  trace::Dictionary dictionary;
  std::vector<store::Row> rows;
  for (uint32_t i = 0; i < 250'000; ++i) {
    trace::Lane lane;
    lane.name = "t";
    if (i % 100 != 0) lane.parent = LaneId(i - i % 100);
    dictionary.lanes.push_back(lane);
    for (uint32_t depth = 0; depth < 4; ++depth) {
      store::Row row;
      row.lane = LaneId(i);
      row.depth = depth;
      rows.push_back(row);
    }
  }
  const Lanes lanes = Lanes::build(dictionary, rows, {});
  ASSERT_EQ(lanes.rows().size(), 1'000'000u);

  for (int i = 0; i < 10'000; ++i) {
    const size_t seen = lanes.visible(i * 1000.0, i * 1000.0 + 1080).size();
    ASSERT_GT(seen, 0u);
    ASSERT_LT(seen, 1000u);  // what is on the screen, not what is in the trace
  }
}

}  // namespace
}  // namespace weft::layout
