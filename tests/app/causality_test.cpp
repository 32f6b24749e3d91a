// The panel of causes and effects: its lines, its path, its values, and the window that follows.
// covers TM-19, TM-20, TM-22, TM-29, TM-48, B-09
#include "app/panels/sequence/causality_facts.h"

#include <fmt/core.h>

#include "app/panels/element/element_facts.h"
#include "app/view/element_step.h"
#include "core/store/builder.h"
#include "core/trace/message_id.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

// A client asks; a server asks two disks, of which the second has its queue full; and replies. The
// values of "step" differ from message to message, that of "user" once.
//
//   client 0 ─1─→ server 10..30 ─2─→ disk A 40..50 ─4─→ server 90..99 ─6─→ client 120
//                               ─3─→ disk B 60..80 ─5─→ server (90)
//                                                             ─7─→ nobody
// In a process: the disks lie in one, which is the first lane.
std::filesystem::path write_requests(const std::filesystem::path& folder, bool in_process = false) {
  ThreadPool pool(1);
  const auto path = folder / "requests.weft";
  auto builder = store::StoreBuilder::create({path, "test"}, pool).value();
  store::StoreBuilder& sink = *builder;
  std::vector<LaneId> lanes;
  LaneId process = LaneId::none();
  if (in_process) process = sink.add_lane({.name = "disks", .kind = trace::LaneKind::kProcess});
  for (const std::string_view name : {"client", "server", "disk A", "disk B"}) {
    const LaneId parent = name.starts_with("disk") ? process : LaneId::none();
    lanes.push_back(sink.add_lane(
        {.name = std::string(name), .parent = parent, .kind = trace::LaneKind::kQueue}));
  }
  const auto handle = [&](size_t lane, int64_t begin, int64_t end) {
    const trace::StateEvent state{.begin = {begin},
                                  .duration = {end - begin},
                                  .params = ParamsId::none(),
                                  .lane = lanes[lane],
                                  .type = sink.type(trace::Category::kState, "handle", "")};
    sink.states({&state, 1});
  };
  const auto message = [&](uint64_t id, size_t from, int64_t send, size_t to, int64_t receive,
                           std::string_view user) {
    const std::string json = fmt::format(R"({{"uid":{},"step":{},"user":"{}"}})", id, id, user);
    const std::byte payload[] = {std::byte{0x2A}};
    const bool is_lost = receive < 0;
    const trace::LinkEvent link{
        .send = {send},
        .receive = {receive},
        .params = sink.params(json, std::span(payload).first(id == 1 ? 1 : 0)),
        .source = lanes[from],
        .target = is_lost ? LaneId::none() : lanes[to],
        .type = sink.type(trace::Category::kLink, id < 4 ? "ask" : "answer", "")};
    sink.links({&link, 1});
  };
  handle(1, 10, 30);
  handle(2, 40, 50);
  handle(3, 60, 80);
  handle(1, 90, 99);
  message(1, 0, 0, 1, 10, "ann");
  message(2, 1, 20, 2, 40, "ann");
  message(3, 1, 20, 3, 60, "ann");
  message(4, 2, 45, 1, 90, "bob");
  message(5, 3, 75, 1, 90, "ann");
  message(6, 1, 95, 0, 120, "ann");
  message(7, 1, 96, 0, -1, "ann");
  (void)builder->finish().value();
  return path;
}

class CausalityOfRequests : public ::testing::Test {
 protected:
  // The message of an id, as it is known where it is sent.
  query::ElementRef message(uint64_t id) const {
    return query::Elements(trace_).at(*query::message_with_id(*trace_, id))->ref;
  }
  CausalityFacts facts(const CausalityKey& key) const {
    return *make_causality_facts(key, std::stop_token());
  }
  // "-2 1": a cause, two messages away, of id 1; "*" where it is on the path, "!" where the value
  // has changed.
  static std::vector<std::string> lines_of(const CausalityFacts& facts) {
    std::vector<std::string> lines;
    for (const CausalLine& line : facts.lines) {
      lines.push_back(fmt::format("{} {}{}{}", line.way * static_cast<int>(line.distance),
                                  line.id ? std::to_string(*line.id) : "state",
                                  line.is_on_path ? "*" : "", line.has_changed ? "!" : ""));
    }
    return lines;
  }
  using Lines = std::vector<std::string>;

  testing::ScratchFolder folder_;
  store::TracePtr trace_ = testing::opened(write_requests(folder_.path()));
};

TEST_F(CausalityOfRequests, CausesStandAboveEffectsBelow) {
  const CausalityFacts of_answer = facts({trace_, message(4), {}, ""});
  EXPECT_EQ(lines_of(of_answer), (Lines{"-2 1", "-1 2", "0 4", "1 6", "1 7"}));
  EXPECT_EQ(of_answer.own_line, 2U);
  EXPECT_EQ(of_answer.causes, 2U);
  EXPECT_EQ(of_answer.effects, 2U);
  const CausalLine& first = of_answer.lines[0];
  EXPECT_EQ(first.travel, Duration{10});
  EXPECT_EQ(first.handling.work(), Duration{20});
  EXPECT_EQ(first.total, Duration{90});               // from its send until 4 was received
  EXPECT_EQ(of_answer.lines[3].total, Duration{75});  // from 4's send on
  EXPECT_EQ(of_answer.fields, (Lines{"step", "uid", "user"}));

  // 1 led to both 2 and 3: it stands once, with the one that was received last.
  EXPECT_EQ(lines_of(facts({trace_, message(6), {}, ""})),
            (Lines{"-2 2", "-1 4", "-3 1", "-2 3", "-1 5", "0 6"}));
}

TEST_F(CausalityOfRequests, AStateHasWhatItReceivedAndSent) {
  const query::Elements elements(trace_);
  const auto state = elements.states_at(LaneId(1), {95}).at(0).ref;
  EXPECT_EQ(lines_of(facts({trace_, state, {}, ""})),
            (Lines{"-2 2", "-1 4", "-3 1", "-2 3", "-1 5", "0 state", "1 6", "1 7"}));
}

TEST_F(CausalityOfRequests, ThePathIsThatWhichWaitsLongest) {
  const CausalityFacts found = facts({trace_, message(6), message(1), ""});
  ASSERT_TRUE(found.path);
  EXPECT_EQ(found.path->waiting(), Duration{10 + 20 + 45 + 25});
  EXPECT_EQ(lines_of(found), (Lines{"-2 2*", "-1 4*", "-3 1*", "-2 3", "-1 5", "0 6*"}));
  // Whichever of the two was selected.
  EXPECT_EQ(facts({trace_, message(1), message(6), ""}).path->waiting(), Duration{100});
  EXPECT_FALSE(facts({trace_, message(2), message(3), ""}).path);
}

TEST_F(CausalityOfRequests, AValueIsFollowedAndItsChangesAreMarked) {
  const CausalityFacts found = facts({trace_, message(6), {}, "user"});
  EXPECT_EQ(lines_of(found), (Lines{"-2 2", "-1 4!", "-3 1", "-2 3", "-1 5", "0 6!"}));
  EXPECT_EQ(found.lines[1].value, "bob");
  EXPECT_EQ(lines_of(facts({trace_, message(6), {}, "nothing"})),
            (Lines{"-2 2", "-1 4", "-3 1", "-2 3", "-1 5", "0 6"}));
}

TEST_F(CausalityOfRequests, TheSheetHasEveryLine) {
  const auto found =
      std::make_shared<const CausalityFacts>(facts({trace_, message(4), {}, "user"}));
  const Sheet sheet = sheet_of(found);
  EXPECT_EQ(sheet.row_count, 5U);
  Job::Progress progress;
  const auto text = text_of_sheet(sheet, SheetFormat::kCsv, progress, 10'000);
  ASSERT_TRUE(text);
  EXPECT_TRUE(
      text->text.starts_with("way,distance,id,type,sender,receiver,send,receive,begin,end,travel,"
                             "waiting,total,on_path,user\n"
                             "cause,2,1,ask,client,server,0,10,10,30,10,0,90,0,ann\n"))
      << text->text;
}

TEST_F(CausalityOfRequests, TheInspectorKnowsAMessage) {
  const ElementFacts sent = make_element_facts({trace_, message(1)});
  EXPECT_EQ(sent.message_id, 1U);
  EXPECT_EQ(sent.handling.begin, Time{10});
  EXPECT_EQ(sent.handling.work(), Duration{20});
  EXPECT_EQ(sent.payload_bytes, 1U);
  EXPECT_EQ(make_element_facts({trace_, message(7)}).payload_bytes, 0U);
}

TEST_F(CausalityOfRequests, StepsLeadFromMessageToMessage) {
  const query::Elements elements(trace_);
  const auto id_after = [&](const query::ElementRef& from, ElementStep step) -> uint64_t {
    const auto to = take_step({trace_, from, step, 1}, std::stop_token()).element;
    return to ? trace::message_id(trace_->params(to->record.params).json).value_or(0) : 0;
  };
  EXPECT_EQ(id_after(message(4), ElementStep::kCause), 2U);
  EXPECT_EQ(id_after(message(2), ElementStep::kCause), 1U);
  EXPECT_EQ(id_after(message(1), ElementStep::kCause), 0U);
  EXPECT_EQ(id_after(message(1), ElementStep::kEffect), 2U);
  EXPECT_EQ(id_after(message(7), ElementStep::kEffect), 0U);
  const auto state = elements.states_at(LaneId(1), {95}).at(0).ref;
  EXPECT_EQ(id_after(state, ElementStep::kEffect), 6U);
  EXPECT_GE(id_after(state, ElementStep::kCause), 4U);
}

class CausalityPanelTest : public testing::OffscreenTest {
 protected:
  void SetUp() override { open_requests(false); }

  void open_requests(bool in_process) {
    start(sized(1200, 700));
    if (!host_) return;
    ASSERT_TRUE(host_->open(write_requests(folder_.path(), in_process)));
    ASSERT_TRUE(host_->settle());
    ASSERT_TRUE(run("panel.open", {{"panel", "causality"}}));
  }
  // A message that a lane sends at a time.
  Json sent(int lane, int64_t at, int peer, int64_t duration, int type) const {
    return {{"lane", lane}, {"kind", "link_out"},   {"at", at},
            {"peer", peer}, {"duration", duration}, {"type", type}};
  }
};

TEST_F(CausalityPanelTest, TheTreeStaysWhileItIsWalked) {
  const render::Image empty = picture("causality-none.png");
  ASSERT_TRUE(run("element.select", sent(2, 45, 1, 45, 2)));
  const render::Image tree = picture("causality.png");
  EXPECT_NE(tree.pixels, empty.pixels);
  host_->frame({}, {});
  EXPECT_EQ(picture("causality-again.png").pixels, tree.pixels) << "it was whole at once";
  ASSERT_TRUE(run("table.copy", {{"panel", "causality"}}));
  ASSERT_TRUE(host_->settle());
  // Another element of the tree is selected: the same lines.
  ASSERT_TRUE(run("element.select", sent(0, 0, 1, 10, 1)));
  EXPECT_NE(picture("causality-walked.png").pixels, tree.pixels);
  ASSERT_TRUE(run("panel.set", {{"panel", "causality"}, {"option", "field"}, {"value", "user"}}));
  ASSERT_TRUE(run("panel.set",
                  {{"panel", "causality"}, {"option", "path"}, {"value", sent(1, 95, 0, 25, 2)}}));
  EXPECT_NE(picture("causality-path.png").pixels, tree.pixels);
}

// A folded process is one lane; what its lanes did leads on as before.
TEST_F(CausalityPanelTest, TheInspectorLeadsToTheChain) {
  ASSERT_TRUE(run("panel.close", {{"panel", "causality"}}));
  ASSERT_TRUE(run("panel.open", {{"panel", "inspector"}}));
  ASSERT_TRUE(run("element.select", sent(2, 45, 1, 45, 2)));
  (void)picture("inspector-chain.png");
  const auto button = find_text("Show the chain");
  ASSERT_TRUE(button) << shown_text();
  for (const bool is_down : {false, true, false, false})
    host_->frame({}, {.x = button->x + 4, .y = button->y - 4, .is_down = is_down});
  EXPECT_NE(session().desk.layout.first_of("causality"), nullptr);
}

TEST_F(CausalityPanelTest, TheChainStandsOutInTheSequenceDiagram) {
  host_->workbench().show_only("sequence");
  const auto marked = [&](const char* name) {
    const render::Image image = picture(name);
    size_t count = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x)
        count += image.at(x, y) == theme_of(layout::Theme::kDark).accent ? 1 : 0;
    }
    return count;
  };
  const size_t without = marked("sequence-no-chain.png");
  ASSERT_TRUE(run("element.select", {{"lane", 1}, {"kind", "state"}, {"at", 90}, {"type", 0}}));
  const size_t of_state = marked("sequence-chain-of-state.png");
  EXPECT_GT(of_state, without + 300) << "arrows led here, and followed";
  ASSERT_TRUE(run("element.select", sent(2, 45, 1, 45, 2)));
  EXPECT_GT(marked("sequence-chain.png"), without + 300);
}

class CausalityOfAProcess : public CausalityPanelTest {
 protected:
  void SetUp() override { open_requests(true); }
};

TEST_F(CausalityOfAProcess, GoesOnWhereItIsFolded) {
  if (!host_) return;
  ASSERT_TRUE(run("element.select", sent(3, 45, 2, 45, 2)));
  const auto pictures = [&](std::string_view panel, const char* name) {
    host_->workbench().show_only(panel);
    return picture(name).pixels;
  };
  (void)pictures("causality", "causality-unfolded.png");  // names of parameters come by themselves
  const auto tree = pictures("causality", "causality-unfolded.png");
  const auto lanes = pictures("sequence", "sequence-unfolded.png");
  ASSERT_TRUE(run("lane.collapse", {{"lane", 0}}));
  EXPECT_EQ(pictures("causality", "causality-folded.png"), tree);
  const auto folded = pictures("sequence", "sequence-folded.png");
  EXPECT_NE(folded, lanes);
  // Out of the folded process and back, message by message.
  const auto begin = [&] { return session().trace()->element()->begin; };
  ASSERT_TRUE(run("element.cause"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(begin(), Time{40}) << "where it is received";
  EXPECT_NE(pictures("sequence", "sequence-folded-cause.png"), folded);
  ASSERT_TRUE(run("element.effect"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(begin(), Time{45});
  ASSERT_TRUE(run("filter.causes"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().trace()->view().filter.text, "cause_of == \"disks/disk A@45\"");
  EXPECT_NE(pictures("sequence", "sequence-folded-filtered.png"), folded);
}

TEST_F(CausalityPanelTest, FiltersComeFromElements) {
  const auto text = [&] { return session().trace()->view().filter.text; };
  EXPECT_FALSE(run("filter.causes")) << "nothing is selected";
  ASSERT_TRUE(run("element.select", sent(2, 45, 1, 45, 2)));
  ASSERT_TRUE(run("filter.causes"));
  EXPECT_EQ(text(), "cause_of == \"disk A@45\"");
  (void)picture("causality-filter.png");
  ASSERT_TRUE(run("filter.clear"));
  ASSERT_TRUE(run(
      "filter.effects",
      {{"lane", 1}, {"kind", "link_in"}, {"at", 10}, {"peer", 0}, {"duration", 10}, {"type", 1}}));
  EXPECT_EQ(text(), "effect_of == client@0");
  ASSERT_TRUE(run("filter.clear"));
  ASSERT_TRUE(run("filter.causes", {{"lane", 1}, {"kind", "state"}, {"at", 90}, {"type", 0}}));
  EXPECT_EQ(text(), "cause_of == server@90#0");
  ASSERT_TRUE(run("filter.type"));
  EXPECT_EQ(text(), "cause_of == server@90#0 && type == answer");
  ASSERT_TRUE(run("filter.clear"));
  ASSERT_TRUE(run("filter.lane"));
  EXPECT_EQ(text(), "lane == \"disk A\"");
}

}  // namespace
}  // namespace weft::app
