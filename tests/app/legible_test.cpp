// What is drawn is legible and true: names that do not fit, dates, a sheet of keys without
// scrolling, a picture that is not yet what the filter leaves.
#include <fmt/core.h>
#include <imgui_internal.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <vector>

#include "app/panels/reading_order.h"
#include "app/session/element_args.h"
#include "core/query/element.h"
#include "core/store/builder.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNoon = 1'709'208'000 * kSecond;  // 2024-02-29 12:00 UTC

class Legible : public testing::OffscreenTest {
 protected:
  void SetUp() override { start(sized(1200, 700)); }

  std::filesystem::path write(const std::function<void(store::StoreBuilder&)>& fill) const {
    const std::filesystem::path path = folder_.path() / "legible.weft";
    ThreadPool pool(1);
    auto builder = store::StoreBuilder::create({path, "test"}, pool).value();
    fill(*builder);
    (void)builder->finish().value();
    return path;
  }
  void open_written(const std::function<void(store::StoreBuilder&)>& fill, const char* panel) {
    ASSERT_TRUE(host_->open(write(fill)));
    host_->workbench().show_only(panel);
    ASSERT_TRUE(host_->settle());
  }
  // What stands between tags and matches, whole.
  std::set<std::string> texts_like(const std::string& pattern) {
    const std::regex text(">(" + pattern + ")<");
    const std::string shown = shown_text();
    std::set<std::string> found;
    for (std::sregex_iterator at(shown.begin(), shown.end(), text), end; at != end; ++at)
      found.insert((*at)[1]);
    return found;
  }
};

void add_state(trace::EventSink& sink, LaneId lane, const char* type, int64_t begin,
               int64_t duration) {
  const trace::StateEvent event = {
      {begin}, {duration}, ParamsId::none(), lane, sink.type(trace::Category::kState, type, ""), 0};
  sink.states({&event, 1});
}

void add_message(trace::EventSink& sink, LaneId from, LaneId to, int64_t send, int64_t latency,
                 const char* type = "message") {
  const trace::LinkEvent event = {{send},
                                  {send + latency},
                                  ParamsId::none(),
                                  from,
                                  to,
                                  sink.type(trace::Category::kLink, type, "")};
  sink.links({&event, 1});
}

LaneId add_thread(trace::EventSink& sink, const std::string& name) {
  return sink.add_lane({name, LaneId::none(), trace::LaneKind::kThread, 0});
}

// Two sockets with four memory controllers each, and one lane whose name fits.
void fill_controllers(store::StoreBuilder& sink) {
  const EventTypeId type =
      sink.type(trace::Category::kVariable, "Bandwidth of all the memory (MB/s)", "");
  for (const int socket : {0, 1}) {
    for (const int controller : {0, 1, 2, 3}) {
      const LaneId lane = add_thread(sink, fmt::format("epeec04.Skt{}.MC{}", socket, controller));
      for (int64_t i = 0; i < 20; ++i) {
        const trace::VariableSample sample = {
            {i * 100}, static_cast<double>(i % 7), ParamsId::none(), lane, type};
        sink.variables({&sample, 1});
      }
    }
  }
  add_state(sink, add_thread(sink, "idle"), "work", 0, 2000);
}

TEST_F(Legible, LanesWhoseNamesBeginAlikeAreToldApartWhereTheyAreCut) {
  open_written(fill_controllers, "gantt");
  ASSERT_TRUE(run("set", {{"name", "gutter"}, {"value", 150}}));
  (void)picture("names-cut.png");
  const std::set<std::string> names = texts_like("[^<]*MC[0-3][^<]*");
  EXPECT_EQ(names.size(), 8u) << shown_text();
  for (const std::string& name : names) EXPECT_TRUE(name.contains("…")) << name;
  EXPECT_TRUE(find_text("idle<")) << "it fits";
  // They stay what they are while lanes are scrolled.
  ASSERT_TRUE(run("row_height", {{"px", 60}}));
  for (const int to : {0, 70, 140}) {
    ASSERT_TRUE(run("scroll", {{"to", to}}));
    ASSERT_TRUE(host_->settle());
    const std::set<std::string> seen = texts_like("[^<]*MC[0-3][^<]*");
    EXPECT_GE(seen.size(), 3u);
    for (const std::string& name : seen) EXPECT_TRUE(names.contains(name)) << name;
  }
}

void add_samples(store::StoreBuilder& sink, LaneId lane, const std::string& variable,
                 std::initializer_list<double> values) {
  const EventTypeId type = sink.type(trace::Category::kVariable, variable, "");
  int64_t at = 0;
  for (const double value : values) {
    const trace::VariableSample sample = {{at}, value, ParamsId::none(), lane, type};
    sink.variables({&sample, 1});
    at += 1000;
  }
}

TEST_F(Legible, TheNameOfAVariableIsNotCutAnewWithEachOfItsValues) {
  const auto fill = [](store::StoreBuilder& sink) {
    add_samples(sink, add_thread(sink, "main"), "PAPI_TOT_CYC (total cycles of the core)",
                {7, 1'234'567, 89, 456, 7});
  };
  open_written(fill, "gantt");
  const Area area = host_->workbench().place_of("gantt").value();
  const float left = area.x0 + static_cast<float>(session().look.gutter_px);
  const auto name_at = [&](float share) {
    EXPECT_TRUE(host_->settle({.x = left + share * (area.x1 - left), .y = area.y0 + 40}));
    (void)host_->picture();
    const std::set<std::string> names = texts_like("main · PAPI[^<]*");
    EXPECT_EQ(names.size(), 1u) << shown_text();
    return names.empty() ? std::string() : *names.begin();
  };
  const std::string name = name_at(0.3F);
  EXPECT_TRUE(shown_text().contains(">1234567<") || shown_text().contains(">1,234,567<"))
      << shown_text();
  EXPECT_EQ(name_at(0.55F), name);
  EXPECT_EQ(name_at(0.75F), name);
}

TEST_F(Legible, ALaneIsCutBeforeTheVariableThatStandsInItsLine) {
  const auto fill = [](store::StoreBuilder& sink) {
    const LaneId lane = add_thread(sink, "Paris_Lyon_Marseille_Grenoble");
    add_samples(sink, lane, "bandwidth", {0, 5, 9});
    add_samples(sink, lane, "bandwidth_used", {0, 5, 9});
  };
  open_written(fill, "gantt");
  (void)picture("variable-of-a-lane.png");
  const std::set<std::string> names = texts_like("[^<]* · [^<]*");
  ASSERT_EQ(names.size(), 1u) << shown_text();
  EXPECT_TRUE(names.begin()->starts_with("Paris")) << *names.begin();
  EXPECT_TRUE(names.begin()->ends_with(" · bandwidth")) << *names.begin();
}

TEST_F(Legible, LanesToldApartByTheirEndsLeaveRoomForTheirVariables) {
  const auto fill = [](store::StoreBuilder& sink) {
    for (const std::string socket : {"epeec04.Skt0", "epeec04.Skt1"}) {
      const LaneId group = sink.add_lane({.name = socket, .kind = trace::LaneKind::kGroup});
      for (const char* end : {".MC0", ".MC1"}) {
        const LaneId lane =
            sink.add_lane({.name = socket + end, .parent = group, .kind = trace::LaneKind::kGroup});
        add_samples(sink, lane, "Write ratio of all", {0, 5, 9});
        add_samples(sink, lane, "Bandwidth", {0, 5, 9});
      }
    }
  };
  open_written(fill, "gantt");
  (void)picture("variables-of-like-lanes.png");
  EXPECT_EQ(texts_like("[^<]*[01].MC[01] · Write ratio [^<]*").size(), 4u) << shown_text();
}

TEST_F(Legible, AVariableThatAllLanesHaveIsCutBeforeThemAndAConstantIsShort) {
  const auto fill = [](store::StoreBuilder& sink) {
    for (const char* link : {"Bordeaux_Toulouse_one", "Bordeaux_Toulouse_two"}) {
      const LaneId lane = add_thread(sink, link);
      add_samples(sink, lane, "bandwidth of the link", {1'250'000'000, 1'250'000'000});
    }
    add_samples(sink, add_thread(sink, "odd"), "bandwidth of the link", {1'234'567'890});
  };
  open_written(fill, "gantt");
  (void)picture("variables-of-links.png");
  EXPECT_EQ(texts_like("Bordeaux…_(one|two) · b[^<]*").size(), 2u) << shown_text();
  EXPECT_TRUE(shown_text().contains(">1.25G<")) << shown_text();
  EXPECT_TRUE(shown_text().contains(">1,234,567,890<")) << "three digits would be another value";
}

// covers B-27
TEST_F(Legible, ARulerOfOneDaySaysTheDateAtItsFirstLabel) {
  const auto fill = [](store::StoreBuilder& sink) {
    const LaneId a = add_thread(sink, "a"), b = add_thread(sink, "b");
    for (int64_t i = 0; i < 10; ++i) {
      add_state(sink, a, "work", kNoon + i * kSecond, kSecond / 2);
      add_message(sink, a, b, kNoon + i * kSecond, kSecond / 10);
    }
  };
  open_written(fill, "gantt");
  EXPECT_FALSE(shown_text().contains("2024-02-29"));
  ASSERT_TRUE(run("set", {{"name", "time_origin"}, {"value", "utc"}}));
  (void)picture("date-of-a-day.png");
  EXPECT_EQ(texts_like("2024-02-29 1[12]:[0-9:.]+").size(), 1u) << shown_text();
  EXPECT_GE(texts_like("12:[0-9:.]+").size(), 2u) << "the others say the time of day alone";
  host_->workbench().show_only("sequence");
  (void)picture("date-of-a-day-down.png");
  EXPECT_TRUE(find_text("2024-02-29<")) << shown_text();
}

TEST_F(Legible, ATraceWithoutEventsHasNoTimesOnItsRuler) {
  ASSERT_TRUE(host_->open(testing::write_empty_trace(folder_.path())));
  host_->workbench().show_only("gantt");
  (void)picture("ruler-empty.png");
  const std::string text = shown_text();
  constexpr std::string_view kEmpty = "The trace holds no events";
  ASSERT_TRUE(text.contains(kEmpty)) << text;
  EXPECT_EQ(text.find(kEmpty), text.rfind(kEmpty)) << "said twice: " << text;
  EXPECT_EQ(texts_like("-?[0-9.]+ n?s"), std::set<std::string>());
  ASSERT_TRUE(host_->open(testing::write_one_event(folder_.path())));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(texts_like("-?[0-9.]+ n?s").empty()) << shown_text();
}

TEST_F(Legible, AMarkersNameIsWholeAtTheRightEdge) {
  open_sample();
  host_->workbench().show_only("gantt");
  const std::string name = "the end of it all";
  ASSERT_TRUE(run("marker.add", {{"at", 99'000}, {"name", name}}));
  (void)picture("marker-at-the-edge.png");
  const auto shown = find_text(name + "<");
  ASSERT_TRUE(shown) << shown_text();
  constexpr float kLeastLetterPx = 4;
  EXPECT_LT(shown->x + kLeastLetterPx * static_cast<float>(name.size()), 1200);
  EXPECT_GT(shown->x, 1000) << "near its line";
}

TEST_F(Legible, TheSheetOfKeysIsSeenWhole) {
  start(sized(1600, 1000));
  if (!host_) return;
  ASSERT_TRUE(run("help.show"));
  (void)picture("sheet-whole.png");
  const ImGuiWindow* sheet = ImGui::FindWindowByName("Keys and mouse");
  ASSERT_NE(sheet, nullptr);
  EXPECT_EQ(sheet->ScrollMax.y, 0);
  const auto last = find_text("Every command is in the palette");
  ASSERT_TRUE(last);
  EXPECT_LT(last->y, sheet->Pos.y + sheet->Size.y - 4);
}

TEST_F(Legible, FieldsOfTheSettingsHaveRoomInASmallWindow) {
  start(sized(400, 300));
  if (!host_) return;
  ASSERT_TRUE(run("settings.show"));
  (void)picture("settings-small.png");
  const auto title = find_text("Theme"), value = find_text("dark");
  ASSERT_TRUE(title && value) << shown_text();
  EXPECT_GT(value->y, title->y + 10) << "below its title";
  EXPECT_LT(value->x, 60) << "from the left edge on";
}

TEST_F(Legible, WhatWasNeverReceivedIsNotCalledRepaired) {
  const auto fill = [](store::StoreBuilder& sink) {
    const LaneId a = add_thread(sink, "a");
    add_message(sink, a, LaneId::none(), 10, 0);
    add_state(sink, a, "work", 0, 100);
    sink.loss("message never received", 37, 1, /*is_damage=*/false);
    sink.loss("record that is damaged", 99, 2, /*is_damage=*/true);
  };
  open_written(fill, "quality");
  (void)picture("quality-words.png");
  EXPECT_TRUE(shown_text().contains(">message never received<")) << shown_text();
  EXPECT_TRUE(shown_text().contains(">nothing lost<"));
  EXPECT_TRUE(shown_text().contains(">lost<"));
  EXPECT_FALSE(shown_text().contains("repaired"));
}

// covers TM-53
TEST_F(Legible, LatenciesInAColumnHaveOneUnit) {
  const auto fill = [](store::StoreBuilder& sink) {
    const LaneId a = add_thread(sink, "a"), b = add_thread(sink, "b"), c = add_thread(sink, "c");
    for (int64_t i = 0; i < 10; ++i) {
      add_message(sink, a, b, i * 10'000'000, 900);
      add_message(sink, b, c, i * 10'000'000, 1'500'000);
    }
  };
  open_written(fill, "traffic");
  (void)picture("traffic-units.png");
  EXPECT_TRUE(shown_text().contains(">0.900 µs<")) << shown_text();
  EXPECT_TRUE(shown_text().contains(">1,500.000 µs<")) << shown_text();
  EXPECT_EQ(texts_like("[0-9.,]+[0-9]{3} ms"), std::set<std::string>());
}

constexpr const char* kHebrew = "שלום";

void fill_many_senders(store::StoreBuilder& sink) {
  std::vector<LaneId> lanes = {add_thread(sink, kHebrew)};
  for (int i = 0; i < 30; ++i)
    lanes.push_back(add_thread(sink, fmt::format("a sender of a long name, number {}", i)));
  for (size_t i = 0; i < lanes.size(); ++i)
    add_message(sink, lanes[i], lanes[(i + 1) % lanes.size()], static_cast<int64_t>(i), 5);
}

TEST_F(Legible, SlantedNamesReadInTheirOwnDirection) {
  open_written(fill_many_senders, "sequence");
  (void)picture("slanted-hebrew.png");
  EXPECT_TRUE(shown_text().contains(in_drawn_order(kHebrew))) << shown_text();
}

TEST_F(Legible, SlantedNamesLeaveTheDiagramItsRoom) {
  start(sized(700, 450));
  if (!host_) return;
  open_written(fill_many_senders, "sequence");
  ASSERT_TRUE(run("set", {{"name", "font_scale"}, {"value", 2}}));
  (void)picture("slanted-large.png");
  const Area area = host_->workbench().place_of("sequence").value();
  const auto first = find_text("0 ns<");
  ASSERT_TRUE(first) << shown_text();
  EXPECT_LT(first->y, area.y0 + 0.62F * area.height()) << "toolbar and names above it";
}

// Their ticks and labels stand beside the marks.
TEST_F(Legible, MarksOfHitsLeaveTheRulerOfASequenceDiagramFree) {
  open_written(fill_many_senders, "sequence");
  const auto label_x = [&] {
    (void)picture("sequence-ruler.png");
    const auto label = find_text("0 ns<");
    EXPECT_TRUE(label) << shown_text();
    return label ? label->x : 0;
  };
  const float before = label_x();
  ASSERT_TRUE(run("filter.set", {{"text", "category == link"}}));
  EXPECT_LT(label_x(), before - 8);
}

TEST_F(Legible, LanesOfLikeNamesAreToldApartInTraffic) {
  const auto fill = [](store::StoreBuilder& sink) {
    std::vector<LaneId> lanes;
    for (const char* rank : {"MPI Rank 0", "MPI Rank 1"}) {
      const LaneId group = sink.add_lane({.name = rank, .kind = trace::LaneKind::kGroup});
      lanes.push_back(sink.add_lane(
          {.name = "Master thread", .parent = group, .kind = trace::LaneKind::kThread}));
    }
    add_message(sink, lanes[0], lanes[1], 0, 900);
    add_message(sink, lanes[1], lanes[0], 10'000, 900);
  };
  open_written(fill, "traffic");
  (void)picture("traffic-like-lanes.png");
  EXPECT_TRUE(shown_text().contains(">MPI Rank 0/Master thread<")) << shown_text();
  EXPECT_TRUE(shown_text().contains(">MPI Rank 1/Master thread<"));
  start(sized(760, 500));
  open_written(fill, "traffic");
  (void)picture("traffic-like-lanes-narrow.png");
  for (const char* name : {"MPI[^<]*0/M[^<]*…[^<]*", "MPI[^<]*1/M[^<]*…[^<]*"})
    EXPECT_FALSE(texts_like(name).empty()) << "the number is not cut: " << shown_text();
}

// covers B-09, FS-60
TEST_F(Legible, TheNoteOnLinksCountsNoneThatAreDrawnAsAChain) {
  LaneId b;
  const auto fill = [&](store::StoreBuilder& sink) {
    const LaneId a[] = {add_thread(sink, "a"), add_thread(sink, "another")};
    const LaneId c = add_thread(sink, "c");
    b = add_thread(sink, "b");
    for (int64_t t = 0; t < 80'000; t += 1000) {
      add_message(sink, a[t / 1000 % 2], b, t, 100, "ask");
      add_state(sink, b, "work", t + 100, 700);
      add_message(sink, b, c, t + 300, 100, "tell");
    }
  };
  open_written(fill, "gantt");
  EXPECT_TRUE(shown_text().contains(">160 links not drawn")) << shown_text();
  const query::Elements elements(session().trace()->trace());
  const auto states = elements.states_at(b, Time{40'500});
  ASSERT_EQ(states.size(), 1u);
  ASSERT_TRUE(run("element.select", args_from_element(states[0].ref)));
  (void)picture("links-of-a-chain.png");
  EXPECT_TRUE(shown_text().contains(">158 links not drawn")) << "its cause and its effect are";
  // Of what passes a filter, the cause alone is drawn.
  ASSERT_TRUE(run("filter.set", {{"text", "type == \"ask\""}, {"mode", "hide"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">79 links not drawn")) << shown_text();
  ASSERT_TRUE(run("filter.clear"));
  // Where nothing of the chain is in view, nothing is taken off.
  ASSERT_TRUE(run("view.set", {{"from", 44'900}, {"to", 80'000}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">70 links not drawn")) << shown_text();
}

// covers B-09, FS-60
TEST_F(Legible, TheNoteOnLinksTellsThoseOnHiddenLanesApart) {
  LaneId hidden;
  const auto fill = [&](store::StoreBuilder& sink) {
    const LaneId a = add_thread(sink, "a"), b = add_thread(sink, "b");
    hidden = add_thread(sink, "c");
    for (int64_t t = 0; t < 80'000; t += 1000) {
      add_message(sink, a, b, t, 100);
      if (t % 2000 == 0) add_message(sink, b, hidden, t + 300, 100);
      add_state(sink, b, "work", t + 100, 700);
    }
  };
  open_written(fill, "gantt");
  EXPECT_TRUE(shown_text().contains(">120 links not drawn")) << shown_text();
  ASSERT_TRUE(run("lane.hide", {{"lane", hidden.value()}}));
  (void)picture("links-on-hidden-lanes.png");
  EXPECT_FALSE(shown_text().contains("not drawn")) << "so few are";
  EXPECT_TRUE(shown_text().contains(">40 links on hidden lanes<")) << shown_text();
  ASSERT_TRUE(run("lane.filter", {{"text", "b"}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("not drawn")) << shown_text();
  EXPECT_TRUE(shown_text().contains(">120 links on hidden lanes<")) << shown_text();
}

TEST_F(Legible, ALowSqlPanelHasRoomForRowsAndForTheDigitsOfATime) {
  start(sized(1200, 200));
  if (!host_) return;
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "sql"}}));
  host_->workbench().show_only("sql");
  ASSERT_TRUE(
      run("sql.run",
          {{"query",
            "SELECT value AS row, 1711851992500000000 + value AS time FROM json_each('[1,2]')"}}));
  (void)picture("sql-low.png");
  EXPECT_EQ(texts_like("17118519925000\\d+"),
            (std::set<std::string>{"1711851992500000001", "1711851992500000002"}));
}

TEST_F(Legible, TheValueOfAParameterHasRoomBesideItsNameOrBelowIt) {
  const std::filesystem::path path = folder_.path() / "params.json";
  const std::string name(40, 'n'), value = "a value of several words that stays on one line";
  std::ofstream(path) << fmt::format(
      R"([{{"ph":"X","name":"call","pid":1,"tid":1,"ts":0,"dur":5,"args":{{"{}":"{}","k":"{}"}}}}])",
      name, value, value);
  for (const int width : {360, 1200}) {
    start(sized(width, 700));
    if (!host_) return;
    ASSERT_TRUE(host_->open(path));
    ASSERT_TRUE(host_->settle());
    ASSERT_TRUE(
        run("element.select",
            {{"lane", 1u}, {"kind", "state"}, {"type", 0u}, {"at", 0}, {"duration", 5'000}}));
    host_->workbench().show_only("inspector");
    (void)picture("long-parameter.png");
    const auto title = find_text(name), text = find_text("a value");
    ASSERT_TRUE(title && text) << shown_text();
    EXPECT_EQ(text->y > title->y, width == 360);
    EXPECT_EQ(text->x > title->x + 100, width == 1200);
  }
}

TEST_F(Legible, APictureSaysThatTheFilterIsStillAtWork) {
  open_sample();
  Input slow, quick;
  slow.seconds = 0.2;
  quick.seconds = 0.01;
  for (const char* panel : {"gantt", "density"}) {
    host_->workbench().show_only(panel);
    ASSERT_TRUE(host_->settle());
    // In the first two frames it is being compiled, or what it leaves is not there yet.
    ASSERT_TRUE(run("filter.set", {{"text", "type == \"wait\""}, {"mode", "hide"}}));
    host_->frame(quick);
    host_->frame(quick);
    EXPECT_FALSE(shown_text().contains("filtering…")) << panel << ": it takes but a moment";
    ASSERT_TRUE(host_->settle());
    ASSERT_TRUE(run("filter.set", {{"text", "type == \"render\""}}));
    host_->frame(slow);
    host_->frame(slow);
    EXPECT_TRUE(shown_text().contains(">filtering…")) << panel << shown_text();
    ASSERT_TRUE(host_->settle());
    EXPECT_FALSE(shown_text().contains("filtering…")) << panel;
  }
}

TEST_F(Legible, NamesInATableHaveTheRoomThatIsLeft) {
  if (!host_) return;
  start(sized(1900, 700));
  const std::string name =
      "auto blink::LayerTreeHost::ScheduleAnimationFrame(viz::BeginFrameArguments, "
      "base::TimeTicks, int)";
  open_written(
      [&](store::StoreBuilder& sink) {
        const LaneId lane = sink.add_lane({.name = "main", .kind = trace::LaneKind::kThread});
        add_state(sink, lane, name.c_str(), 0, kSecond);
        add_state(sink, lane, "short", 2 * kSecond, kSecond);
      },
      "statistics");
  EXPECT_TRUE(find_text(name + "<")) << shown_text();
  EXPECT_TRUE(find_text("2 events<")) << "and figures say of what";
  (void)picture("wide-table.png");
}

// Lengths of which the first three digits are the same.
TEST_F(Legible, NeighbouringLengthsHaveLabelsThatDiffer) {
  const auto fill = [](store::StoreBuilder& sink) {
    const LaneId lane = add_thread(sink, "a");
    for (int64_t i = 0; i < 40; ++i)
      add_state(sink, lane, "work", i * 2'000'000, 1'000'000 + i * 60);
  };
  open_written(fill, "durations");
  (void)picture("near-lengths.png");
  const std::set<std::string> lengths = texts_like("1\\.00[0-9]+ ms");
  EXPECT_GE(lengths.size(), 3u) << shown_text();
}

// A gutter with room for the joined letters of a name, which are wider apart.
TEST_F(Legible, ANameOfJoinedLettersIsCutOnlyWhereItDoesNotFit) {
  const std::string name = "مرحبا بالعالم العربي مرحبا بالعالم";
  open_written(
      [&](store::StoreBuilder& sink) { add_state(sink, add_thread(sink, name), "w", 0, 9); },
      "gantt");
  const float joined = text_width(name);
  ASSERT_LT(joined, 0.8F * ImGui::CalcTextSize(name.data(), name.data() + name.size()).x);
  constexpr float kBesidesPx = 40;
  for (const bool fits : {true, false}) {
    const int width = static_cast<int>(fits ? joined + kBesidesPx : joined / 2 + kBesidesPx);
    ASSERT_TRUE(run("set", {{"name", "gutter"}, {"value", width}}));
    (void)picture("joined.png");
    EXPECT_EQ(shown_text().contains("…"), !fits) << shown_text();
  }
}

}  // namespace
}  // namespace weft::app
