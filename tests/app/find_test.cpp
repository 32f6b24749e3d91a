// Finding and filtering in the window, offscreen: the bar, its keys, the hits one after the other,
// what is drawn. covers B-03, B-04, XC-29, C-10, TM-14
#include <gtest/gtest.h>

#include <fstream>

#include "app/session/palette_entries.h"
#include "app/view/element_filter.h"
#include "core/base/regex.h"
#include "core/query/event_stream.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/filter/filter_expression.h"
#include "core/query/selection.h"
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class Find : public testing::OffscreenTest {
 protected:
  void SetUp() override {
    start(*Journal::open(journal()));
    if (host_) open_sample();
  }
  void start(Journal journal) { OffscreenTest::start(sized(1200, 700), std::move(journal)); }
  std::filesystem::path journal() const { return folder_.path() / "journal"; }
  const OpenTrace& trace() const { return *session().trace(); }
  const ViewFilter& filter() const { return trace().view().filter; }

  // Frames of a window, in which time passes; type() and press() draw those of none.
  void pass(double seconds) {
    Input input;
    input.seconds = seconds;
    host_->frame(input);
  }
  void type_on(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    pass(0.01);
  }

  // The events of an expression in order, by a walk over all of them.
  std::vector<std::pair<Time, std::string>> plain_hits(const std::string& text) const {
    const auto& snapshot = trace().trace();
    const auto compiled = query::compile_filter(text, *snapshot);
    EXPECT_TRUE(compiled);
    query::EventStream stream(snapshot, {*compiled, query::whole_range(*snapshot)});
    std::vector<std::pair<Time, std::string>> hits;
    query::Event event{};
    while (stream.next(event)) {
      hits.emplace_back(event.record->begin, snapshot->dictionary().type(event.record->type).name);
    }
    return hits;
  }
  std::pair<Time, std::string> selected() const {
    const auto& element = trace().element();
    if (!element) return {};
    return {element->begin, std::string(trace().trace()->dictionary().type(element->type).name)};
  }
};

TEST_F(Find, WhatIsTypedIsTheFilterAndOneStepOfUndo) {
  press("Ctrl+F");
  ASSERT_TRUE(session().dialogs.shows_find);
  type("ren");
  type("der");
  EXPECT_EQ(filter().text, "render");
  (void)picture("find-completion.png");
  press("Enter");
  (void)picture("find-first.png");
  EXPECT_EQ(selected(), plain_hits("render").front());
  ASSERT_TRUE(run("view.undo"));  // the view that was moved to the hit, where it was
  while (filter().is_set() && undo()) {
  }
  EXPECT_FALSE(filter().is_set());
  EXPECT_TRUE(trace().history().views().steps.undo_number() == std::nullopt)
      << "typing was one step";
}

TEST_F(Find, WhatIsTypedAppliesAfterAPause) {
  press("Ctrl+F");
  host_->frame();
  pass(0.01);
  type_on("ren");
  pass(0.2);
  EXPECT_FALSE(filter().is_set());
  EXPECT_NEAR(host_->workbench().redraw_after_s(), 0.1, 0.05);
  type_on("der");
  pass(0.2);
  EXPECT_FALSE(filter().is_set()) << "a letter begins the pause anew";
  pass(0.15);
  EXPECT_EQ(filter().text, "render");
}

TEST_F(Find, AKeyAppliesWhatIsTypedWithoutAPause) {
  press("Ctrl+F");
  host_->frame();
  pass(0.01);
  type_on("render");
  Input input;
  input.seconds = 0.01;
  input.chords = {"Enter"};
  host_->frame(input);
  EXPECT_EQ(filter().text, "render");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(selected(), plain_hits("render").front());
  type_on(" || tick");
  input.chords = {"Ctrl+Shift+F"};
  host_->frame(input);
  EXPECT_EQ(filter().text, "render || tick");
  EXPECT_TRUE(session().desk.layout.first_of("events"));
}

TEST_F(Find, AFieldThatIsLeftAppliesWhatIsTyped) {
  press("Ctrl+F");
  host_->frame();
  pass(0.01);
  type_on("la");  // of "lane", perhaps
  pass(1);
  ASSERT_FALSE(filter().is_set());
  click(600, 350);
  EXPECT_EQ(filter().text, "la");
}

// Typing `type == tick` leads past `t`, `ty` and `typ`, which many events hold.
TEST_F(Find, WhatMayBecomeAFieldIsNotSearchedForBeforeEnter) {
  press("Ctrl+F");
  const size_t before = session().journal.size();
  for (const char* letter : {"t", "y", "p", "e", " ", "=", "=", " ", "t", "i", "c", "k"}) {
    type(letter);
    const std::string& text = filter().text;
    EXPECT_TRUE(text.empty() || text.starts_with("type == ")) << text;
  }
  EXPECT_EQ(filter().text, "type == tick");
  for (size_t i = before; i < session().journal.size(); ++i) {
    if (session().journal[i].command != "filter.set") continue;
    EXPECT_TRUE(session().journal[i].args.at("text").get<std::string>().starts_with("type == "));
  }
  type(" || la");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">Enter searches for it<")) << shown_text();
  press("Enter");
  EXPECT_EQ(filter().text, "type == tick || la");
}

TEST_F(Find, WhatAMenuFiltersToIsNotTypedIn) {
  ASSERT_TRUE(run("filter.add", {{"text", "dur > 3"}}));
  EXPECT_TRUE(session().dialogs.shows_find);
  ASSERT_TRUE(host_->settle());
  type("f");
  EXPECT_EQ(filter().text, "dur > 3");
}

TEST_F(Find, TheBarSaysWhereItsLengthsAreOfStatesAlone) {
  const auto says_so = [&](const char* text) {
    EXPECT_TRUE(run("filter.set", {{"text", text}}));
    EXPECT_TRUE(host_->settle());
    return shown_text().contains("(links have latency, not dur)");
  };
  ASSERT_TRUE(run("find.show"));
  EXPECT_TRUE(says_so("dur > 100"));
  EXPECT_FALSE(says_so("dur > 100 || latency > 100"));
  EXPECT_FALSE(says_so("render"));
}

TEST_F(Find, TheBarSaysHowANameOfSeveralWordsIsWritten) {
  press("Ctrl+F");
  type("thread 1");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains("several words stand in quotes: \"thread 1\"")) << shown_text();
  EXPECT_NE(filter().text, "thread 1");
}

TEST_F(Find, AFieldThatIsBeingTypedIsNotTakenForSeveralWords) {
  press("Ctrl+F");
  type("dur ");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("several words")) << shown_text();
}

TEST_F(Find, WhatIsHalfTypedSaysWhatIsStillShown) {
  press("Ctrl+F");
  type("type ==");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("still shown")) << "nothing is filtered";
  ASSERT_TRUE(run("filter.set", {{"text", "render"}}));
  ASSERT_TRUE(host_->settle());
  type(" && dur >");
  ASSERT_TRUE(host_->settle());
  (void)picture("find-half-typed.png");
  EXPECT_EQ(filter().text, "render");
  EXPECT_TRUE(
      shown_text().contains(">still shown: render; column 16: a value is missing after '&gt;'<"))
      << shown_text();
  type(" 3");
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(shown_text().contains("still shown")) << shown_text();
}

TEST_F(Find, TheBarShowsWhatIsTypedAndAllThatIsWrongWithIt) {
  const std::string text = "dur > 5ms && type =~ /irq/ && stat == 3";
  press("Ctrl+F");
  type(text.c_str());
  ASSERT_TRUE(host_->settle());
  (void)picture("find-error.png");
  EXPECT_TRUE(shown_text().contains(">dur &gt; 5ms &amp;&amp; type =~ /irq/ &amp;&amp; stat == 3<"))
      << shown_text();
  EXPECT_TRUE(shown_text().contains("payload.NAME)<")) << "the end of a long line";
}

TEST_F(Find, TheBarHasTheSignsThatPanelsHave) {
  ASSERT_TRUE(run("find.show"));
  ASSERT_TRUE(host_->settle());
  const std::string shown = shown_text();
  for (const char* sign : {">◂<", ">▸<", ">×<"}) EXPECT_TRUE(shown.contains(sign)) << sign;
}

TEST_F(Find, EveryHitIsSteppedToInOrderAndRoundTheEnd) {
  const std::string text = "dur < 10 || category == punctual && lane == \"thread 1\"";
  const auto hits = plain_hits(text);
  ASSERT_GT(hits.size(), 20u);
  ASSERT_TRUE(run("filter.set", {{"text", text}}));
  for (const auto& hit : hits) {
    ASSERT_TRUE(run("find.next"));
    ASSERT_TRUE(host_->settle());
    ASSERT_EQ(selected(), hit);
  }
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(selected(), hits.front()) << "round the end";
  ASSERT_TRUE(run("find.previous"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(selected(), hits.back());
  ASSERT_TRUE(run("find.previous"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(selected(), hits[hits.size() - 2]);
}

TEST_F(Find, AHitOnAFoldedLaneIsUnfolded) {
  ASSERT_TRUE(run("lane.collapse_all"));
  ASSERT_FALSE(trace().collapsed().empty());
  ASSERT_TRUE(run("filter.set", {{"text", "tick"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(trace().element());
  const LaneId parent = trace().trace()->dictionary().lane(trace().element()->lane).parent;
  EXPECT_FALSE(trace().collapsed().contains(parent));
}

TEST_F(Find, AHitOnAHiddenLaneIsOfferedToBeShown) {
  ASSERT_TRUE(run("lane.hide", {{"lane", 0}}));
  ASSERT_TRUE(run("lane.filter", {{"text", "process 1/"}}));
  ASSERT_TRUE(run("filter.set", {{"text", "lane == \"process 0/thread 1\""}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(session().messages.last.offer);
  const Offer offer = *session().messages.last.offer;
  (void)picture("find-hidden.png");
  ASSERT_TRUE(run(offer.command, offer.args));
  EXPECT_TRUE(trace().arrangement().hidden.empty());
  EXPECT_TRUE(trace().arrangement().filter.empty());
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  EXPECT_FALSE(session().messages.last.offer);
}

// covers B-09: where a step leads is seen, also on a lane that was folded or hidden
TEST_F(Find, AStepOntoAFoldedOrHiddenLaneIsSeen) {
  ASSERT_TRUE(run("filter.set", {{"text", "category == link"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(trace().element());
  const query::ElementRef link = *trace().element();
  ASSERT_FALSE(link.peer.is_none());
  ASSERT_TRUE(run("lane.collapse_all"));
  ASSERT_TRUE(run("lane.hide", {{"lane", link.peer.value()}}));
  const bool sends = link.kind == store::RowKind::kLinkOut;
  ASSERT_TRUE(run(sends ? "element.along_link" : "element.back_along_link"));
  ASSERT_TRUE(host_->settle());
  ASSERT_EQ(trace().element()->lane, link.peer);
  ASSERT_TRUE(session().messages.last.offer);
  ASSERT_TRUE(run(session().messages.last.offer->command, session().messages.last.offer->args));
  const LaneId parent = trace().trace()->dictionary().lane(link.peer).parent;
  EXPECT_FALSE(trace().collapsed().contains(parent));
  EXPECT_FALSE(trace().arrangement().hidden.contains(link.peer));
}

// covers FS-59: to the lanes around, as they are shown
TEST_F(Find, StepsToTheLanesAroundFollowTheirOrder) {
  ASSERT_TRUE(run("filter.set", {{"text", "lane == \"process 0/thread 0\" && category == state"}}));
  ASSERT_TRUE(run("find.next"));
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(trace().element());
  const query::ElementRef first = *trace().element();
  const auto path = [&] {
    return trace().trace()->dictionary().path_text(trace().element()->lane);
  };
  ASSERT_TRUE(run("lane.pin", {{"lane", 5}}));  // process 1/thread 1: above all others
  for (const auto& [command, lane] : {std::pair("element.lane_below", "process 0/thread 1"),
                                      std::pair("element.lane_above", "process 0/thread 0"),
                                      std::pair("element.lane_above", "process 1/thread 1")}) {
    ASSERT_TRUE(run(command));
    ASSERT_TRUE(host_->settle());
    EXPECT_EQ(path(), lane);
    const query::ElementRef& at = *trace().element();
    EXPECT_LE(at.begin, first.begin + first.duration);
  }
  ASSERT_TRUE(run("element.lane_above"));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().messages.last.text, "no lane above it has events");
}

TEST_F(Find, HitsStandBesideTheLanesThatHaveThem) {
  const render::Image before = picture("find-lanes-before.png");
  ASSERT_TRUE(run("filter.set", {{"text", "type == tick"}, {"mode", "off"}}));
  const render::Image counted = picture("find-lanes.png");
  size_t changed = 0;  // in the column of names, right of the names
  for (int y = 130; y < 560; ++y) {
    for (int x = 180; x < 238; ++x) {
      const size_t at = static_cast<size_t>(y * before.width + x);
      changed += before.pixels[at] != counted.pixels[at] ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 100u);
}

TEST_F(Find, AHiddenTypeIsGoneUntilItComesBack) {
  ASSERT_TRUE(run("panel.open", {{"panel", "legend"}}));
  const render::Image before = picture("hide-type-before.png");
  ASSERT_TRUE(run("type.hide", {{"type", "wait"}}));
  EXPECT_EQ(filter().text, "type != wait");
  EXPECT_EQ(filter().mode, FilterMode::kHide);
  (void)picture("hide-type.png");
  ASSERT_TRUE(run("type.hide", {{"type", "render"}}));
  ASSERT_TRUE(run("type.hide", {{"type", "wait"}}));
  EXPECT_EQ(filter().text, "type != render");
  ASSERT_TRUE(run("view.undo"));
  ASSERT_TRUE(run("view.undo"));
  ASSERT_TRUE(run("view.undo"));
  EXPECT_FALSE(filter().is_set());
  EXPECT_EQ(picture("hide-type-after.png").pixels, before.pixels);
}

// covers XC-29
TEST_F(Find, EmptyLanesAreThoseInWhichNothingPasses) {
  host_->workbench().show_only("gantt");
  const auto is_shown = [&](const std::string& text) {
    EXPECT_TRUE(host_->settle());
    return shown_text().find(">" + text + "<") != std::string::npos;
  };
  ASSERT_TRUE(run("filter.set", {{"text", "lane =~ /thread 1$/"}, {"mode", "hide"}}));
  EXPECT_TRUE(is_shown("thread 0"));
  ASSERT_TRUE(run("lane.hide_empty"));
  EXPECT_FALSE(is_shown("thread 0"));
  EXPECT_TRUE(is_shown("thread 1"));
  (void)picture("hide-empty.png");
  // A lane at which passing messages arrive is not empty.
  ASSERT_TRUE(run("filter.set", {{"text", "lane =~ /thread 0$/"}, {"mode", "dim"}}));
  EXPECT_TRUE(is_shown("thread 0"));
  EXPECT_TRUE(is_shown("thread 1"));
  ASSERT_TRUE(run("filter.set", {{"text", "category == state && lane =~ /thread 0$/"}}));
  EXPECT_TRUE(is_shown("thread 0"));
  EXPECT_FALSE(is_shown("thread 1"));
  ASSERT_TRUE(run("filter.clear"));
  EXPECT_TRUE(is_shown("thread 1"));
}

// covers C-10
TEST_F(Find, HitsAreListedAsATable) {
  EXPECT_FALSE(run("find.list"));
  ASSERT_TRUE(run("filter.set", {{"text", "type == render"}, {"mode", "off"}}));
  ASSERT_TRUE(run("find.list"));
  (void)picture("hits-listed.png");
  const size_t hits = plain_hits("type == render").size();
  EXPECT_GT(hits, 0u);
  ASSERT_TRUE(run("table.copy", {{"panel", "events"}}));
  ASSERT_TRUE(host_->settle());
  const std::string rows = ImGui::GetClipboardText();
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(rows, '\n')), 1 + hits);
}

TEST_F(Find, WhatIsTypedAtOnceReachesTheBar) {
  Input input;
  input.chords = {"/", "F"};
  const size_t before = session().journal.size();
  ImGui::GetIO().AddInputCharactersUTF8("/fr");
  host_->frame(input);
  ImGui::GetIO().AddInputCharactersUTF8("am");
  host_->frame();
  ImGui::GetIO().AddInputCharactersUTF8("e");
  for (int i = 0; i < 6; ++i) host_->frame();
  EXPECT_EQ(filter().text, "frame");
  for (size_t i = before; i < session().journal.size(); ++i) {
    EXPECT_NE(session().journal[i].command, "view.fit");
  }
}

TEST_F(Find, DimAndHideAndOffDiffer) {
  const render::Image plain = picture("filter-none.png");
  std::vector<render::Image> seen = {plain};
  for (const char* mode : {"off", "dim", "hide"}) {
    ASSERT_TRUE(run("filter.set", {{"text", "type == render"}, {"mode", mode}}));
    seen.push_back(picture((std::string("filter-") + mode + ".png").c_str()));
    for (size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_NE(seen[i].pixels, seen.back().pixels);
  }
  ASSERT_TRUE(run("theme", {{"name", "light"}}));
  ASSERT_TRUE(run("filter.mode", {{"mode", "dim"}}));
  (void)picture("filter-dim-light.png");
  ASSERT_TRUE(run("theme", {{"name", "dark"}}));
  ASSERT_TRUE(run("filter.clear"));
  EXPECT_EQ(picture("filter-cleared.png").pixels, plain.pixels);
}

TEST_F(Find, TabCompletesAndEscapeClears) {
  press("Ctrl+F");
  type("type == ren");
  press("Tab");
  host_->frame();
  EXPECT_EQ(filter().text, "type == render");
  type(" && dur > 1x");
  EXPECT_EQ(filter().text, "type == render && dur > 1x");
  (void)picture("find-error.png");
  for (int i = 0; i < 2; ++i) press("Escape");
  EXPECT_FALSE(session().dialogs.shows_find);
  EXPECT_FALSE(filter().is_set());
}

// Dear ImGui says a frame late that a field has been left.
TEST_F(Find, AKeyRightAfterEscapeIsAShortcut) {
  press("Ctrl+F");
  type("render");
  for (int i = 0; i < 2; ++i) press_escape();
  ASSERT_FALSE(session().dialogs.shows_find);
  press("Ctrl+F");
  EXPECT_TRUE(session().dialogs.shows_find);
  type("tick");
  EXPECT_EQ(filter().text, "tick");
  press_escape();
  const bool shows_links = session().look.shows_links;
  press("L");
  EXPECT_NE(session().look.shows_links, shows_links);
}

TEST_F(Find, AKeyRightAfterEscapeFromTheListIsText) {
  press("Ctrl+F");
  type("ren");
  const bool shows_links = session().look.shows_links;
  press_escape();
  press("L");
  EXPECT_TRUE(session().dialogs.shows_find);
  EXPECT_EQ(session().look.shows_links, shows_links);
}

TEST_F(Find, KeysBeforeAndAfterEscapeWaitForNoField) {
  Input keys;
  keys.chords = {"Ctrl+F"};
  host_->frame(keys);
  press_escape();  // before the field has the focus
  press("Ctrl+F");
  EXPECT_TRUE(session().dialogs.shows_find);
  type("tick");
  EXPECT_EQ(filter().text, "tick");
}

TEST_F(Find, AnExpressionThatCannotBeReadChangesNothing) {
  ASSERT_TRUE(run("filter.set", {{"text", "tick"}}));
  const Status status = run("filter.set", {{"text", "dur >"}});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("column 6"), std::string::npos) << status.error().message;
  EXPECT_EQ(filter().text, "tick");
}

TEST_F(Find, HostileExpressionsAreBounded) {
  std::string alternatives = "a";
  for (int i = 0; i < 10'000; ++i) alternatives += "||a";
  EXPECT_FALSE(run("filter.set", {{"text", alternatives}}));
  EXPECT_FALSE(run("filter.set", {{"text", std::string(100'000, '(')}}));
  EXPECT_FALSE(run("filter.set", {{"text", std::string(1'000'000, 'x')}}));
  EXPECT_FALSE(filter().is_set());
  for (const char* text : {"/(x+x+)+y/", "lane =~ /(a|a)*$/ && /^(([a-z])+.)+[A-Z]([a-z])+$/",
                           "\"\\x1b[31mred\"", "type == \"%s%n##\""}) {
    ASSERT_TRUE(run("filter.set", {{"text", text}})) << text;
    ASSERT_TRUE(run("find.next")) << text;
    EXPECT_TRUE(host_->settle()) << text;
  }
}

TEST_F(Find, AJournalFindsTheSame) {
  ASSERT_TRUE(run("filter.set", {{"text", "dur > 500"}, {"mode", "hide"}}));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(run("find.next"));
    ASSERT_TRUE(host_->settle());
  }
  const auto found = selected();
  const render::Image drawn = picture("find-journal.png");
  host_->frame();  // writes the journal
  std::ifstream lines(journal());
  start({});
  for (std::string line; std::getline(lines, line);) {
    const auto command = command_from_json(line);
    ASSERT_TRUE(command);
    ASSERT_TRUE(host_->workbench().run(*command)) << line;
    ASSERT_TRUE(host_->workbench().wait_until_loaded());
    ASSERT_TRUE(host_->settle());
  }
  EXPECT_EQ(selected(), found);
  EXPECT_EQ(host_->picture().pixels, drawn.pixels);
}

TEST_F(Find, WhatIsAddedIsTrueAsWell) {
  EXPECT_EQ(both("", "a"), "a");
  EXPECT_EQ(both("a", "b"), "a && b");
  EXPECT_EQ(both("a || b", "c or d"), "(a || b) && (c or d)");
  EXPECT_EQ(both("a && b", "!(c || d)"), "a && b && !(c || d)");
  ASSERT_TRUE(run("filter.set", {{"text", "render || wait"}}));
  ASSERT_TRUE(run("filter.add", {{"text", "dur > 3"}}));
  EXPECT_EQ(filter().text, "(render || wait) && dur > 3");
}

// covers XC-29, XC-30
TEST_F(Find, ALaneIsFilteredToWithAllBelowIt) {
  const trace::Dictionary& dictionary = trace().trace()->dictionary();
  const auto of = [&](uint32_t lane) {
    return plain_hits(lane_and_below_filter(dictionary, LaneId(lane)));
  };
  EXPECT_EQ(of(1), plain_hits("lane == \"process 0/thread 0\""));
  EXPECT_EQ(of(0).size(), of(1).size() + of(2).size());
  EXPECT_LT(of(0).size(), plain_hits("").size());
  trace::Dictionary hostile;
  hostile.lanes = {{"a\\Eb.*", LaneId::none()}, {"below", LaneId(0)}};
  const auto expression = query::parse_filter(lane_and_below_filter(hostile, LaneId(0)));
  ASSERT_TRUE(expression);
  const auto pattern = Regex::compile(expression->nodes.back().values.at(0).text);
  ASSERT_TRUE(pattern);
  EXPECT_TRUE(pattern->matches(hostile.path_text(LaneId(0))));
  EXPECT_TRUE(pattern->matches(hostile.path_text(LaneId(1))));
  EXPECT_FALSE(pattern->matches("a\\Ebcd/below"));
}

TEST_F(Find, AFilterIsKeptUnderAName) {
  EXPECT_FALSE(run("filter.keep", {{"name", "none"}}));  // there is none
  ASSERT_TRUE(run("filter.set", {{"text", "dur > 500"}}));
  ASSERT_TRUE(run("filter.keep", {{"name", "long"}}));
  EXPECT_FALSE(run("filter.keep", {{"name", "bad"}, {"text", "dur >"}}));
  ASSERT_TRUE(run("filter.clear"));
  const auto entries = matching(palette_entries(session()), "Filter: long");
  ASSERT_FALSE(entries.empty());
  ASSERT_TRUE(host_->workbench().run(entries[0].command));
  EXPECT_EQ(trace().view().filter.text, "dur > 500");
  ASSERT_TRUE(run("filter.forget", {{"name", "long"}}));
  EXPECT_FALSE(run("filter.use", {{"name", "long"}}));
}

// covers B-25: the palette knows the pages of statistics, and leaves out what merely has the
// letters.
TEST_F(Find, ThePaletteFindsPagesAndFigures) {
  const auto first = [&](const char* query) {
    const auto entries = matching(palette_entries(session()), query);
    return entries.empty() ? PaletteEntry{} : entries.front();
  };
  EXPECT_EQ(first("ready-made events").title, "Ready-made table: Events");
  ASSERT_TRUE(host_->workbench().run(first("ready-made events").command));
  EXPECT_EQ(session().desk.layout.first_of("pages")->options.at("page"), "events");
  const auto for_self = matching(palette_entries(session()), "self");
  ASSERT_GE(for_self.size(), 2u);
  EXPECT_EQ(for_self[0].title, "Panel: Selection");
  EXPECT_EQ(for_self[1].title, "Panel: Statistics");
  const auto is_scattered = [](const PaletteEntry& entry) {
    return entry.title == "Previous trace";
  };
  EXPECT_TRUE(std::ranges::none_of(matching(palette_entries(session()), "cpu"), is_scattered));
  EXPECT_FALSE(run("panel.open", {{"panel", "pages"}, {"options", 3}}));
  ASSERT_TRUE(run("table.sort", {{"panel", "pages"}, {"column", "-In range"}}));
  EXPECT_EQ(session().desk.layout.first_of("pages")->options.at("sort"), "-in_range");
  EXPECT_FALSE(run("table.sort", {{"panel", "flame"}, {"column", "name"}}));
}

}  // namespace
}  // namespace weft::app
