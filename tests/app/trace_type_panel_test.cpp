// The panel of custom trace types, offscreen: a sample becomes events as the definition is edited,
// what is saved opens traces at once, and a journal of it replays. covers XC-33
#include "app/session/panel_kinds.h"
#include "core/formats/formats.h"
#include "tests/app/offscreen_test.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::app {
namespace {

constexpr const char* kBeats = "beat 1 kick\nbeat 2 snare\nnoise\nbeat 3 kick\n";

class TraceTypePanelTest : public testing::OffscreenTest {
 protected:
  void open_panel(int width, int height) {
    start(sized(width, height));
    if (!host_) return;
    ASSERT_TRUE(run("panel.open", {{"panel", "trace-type"}}));
    host_->workbench().show_only("trace-type");
    set("pasted", kBeats);
  }
  void set(const char* option, Json value) {
    ASSERT_TRUE(run("panel.set", {{"panel", "trace-type"}, {"option", option}, {"value", value}}));
  }
  static Json beats(const std::string& pattern) {
    return {{"kind", "text"}, {"time", "ms"}, {"rules", {{{"pattern", pattern}}}}};
  }
};

TEST_F(TraceTypePanelTest, ShowsWhatTheDefinitionMakesOfTheSample) {
  for (const auto& [width, height] : {std::pair(1200, 600), std::pair(400, 300)}) {
    open_panel(width, height);
    if (!host_) return;
    const render::Image guessed = picture("trace_type_guessed.png");
    set("definition", beats("^beat (?<time>\\d+) (?<type>\\w+)"));
    const render::Image known = picture("trace_type_known.png");
    EXPECT_NE(known.pixels, guessed.pixels);
    set("definition", beats("^beat (?<time>\\d+ (?<type>\\w+)"));
    EXPECT_NE(picture("trace_type_wrong.png").pixels, known.pixels);
    set("definition", beats("^nothing (?<time>\\d+)"));
    (void)picture("trace_type_idle.png");
    EXPECT_TRUE(width < 800 || shown_text().contains(">the sample has no line")) << shown_text();
    set("definition", {{"rules", 7}});  // from a file, say
    EXPECT_NE(picture("trace_type_none.png").pixels, known.pixels);
  }
}

TEST_F(TraceTypePanelTest, IsOfferedForAFileOfNoKnownFormat) {
  start(sized(900, 400));
  if (!host_) return;
  const test::ScratchFolder folder;
  const auto file = folder.write("song.beats", kBeats);
  (void)run("open", {{"path", file.string()}});
  (void)host_->workbench().wait_until_loaded();
  (void)host_->frame();
  ASSERT_TRUE(session().messages.last.offer) << session().messages.last.text;
  const Offer offer = *session().messages.last.offer;
  ASSERT_TRUE(run(offer.command, offer.args));
  const PanelInstance* const panel = session().desk.layout.first_of("trace-type");
  ASSERT_NE(panel, nullptr);
  EXPECT_EQ(panel->options.at("sample"), file.string());
}

TEST_F(TraceTypePanelTest, WhatIsSavedOpensTracesAtOnce) {
  open_panel(900, 400);
  if (!host_) return;
  const test::ScratchFolder folder;
  const auto file = folder.write("song.beats", kBeats);
  const Json definition = beats("^beat (?<time>\\d+) (?<type>\\w+)");
  ASSERT_FALSE(run("trace_type.save", {{"name", "Not a name"}, {"definition", definition}}));
  ASSERT_FALSE(run("trace_type.save", {{"name", "panel-beats"}, {"definition", {{"rules", 7}}}}));
  ASSERT_TRUE(run("trace_type.save", {{"name", "panel-beats"}, {"definition", definition}}));
  ASSERT_TRUE(run("open", {{"path", file.string()}, {"format", "panel-beats"}}));
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  const auto trace = session().trace()->trace();
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->dictionary().format, "panel-beats");
  EXPECT_EQ(trace->counts().total(), 3u);
  EXPECT_EQ(trace->dictionary().report.losses().at(0).kind, "line that no rule takes");
}

TEST_F(TraceTypePanelTest, TheRightReadingReplacesTheWrongOne) {
  open_panel(900, 400);
  if (!host_) return;
  const test::ScratchFolder folder;
  const std::string file = folder.write("song.beats", kBeats).string();
  const Json wrong = beats("^(?<time>noise)");
  ASSERT_TRUE(run("trace_type.save", {{"name", "panel-wrong"}, {"definition", wrong}}));
  ASSERT_TRUE(run("open", {{"path", file}, {"format", "panel-wrong"}}));
  ASSERT_TRUE(host_->workbench().wait_until_loaded());
  set("sample", file);
  set("name", "panel-right");
  for (const char* pattern :
       {"^beat (?<time>\\d+) (?<type>\\w+)", "^beat (?<time>1) (?<type>\\w+)"}) {
    set("definition", beats(pattern));
    ASSERT_TRUE(host_->settle());
    ASSERT_NO_FATAL_FAILURE(click_on("Save and open"));
    ASSERT_TRUE(host_->workbench().wait_until_loaded());
    ASSERT_TRUE(host_->settle());
    ASSERT_EQ(session().traces.size(), 1u) << pattern;
    EXPECT_EQ(session().trace()->trace()->dictionary().format, "panel-right");
    EXPECT_EQ(session().trace()->trace()->counts().total(), pattern[14] == '1' ? 1u : 3u);
    host_->workbench().show_only("trace-type");
  }
}

// Without a word of a regular expression being typed.
TEST_F(TraceTypePanelTest, APartOfALineIsToldByPointingAtIt) {
  open_panel(1200, 600);
  if (!host_) return;
  set("pasted", "~1~kick~\n~2~snare~\n~4~kick~\n");
  const auto click_at = [&](float x, float y) {
    for (const bool is_down : {false, true, false})
      host_->frame({}, {.x = x, .y = y, .is_down = is_down});
    ASSERT_TRUE(host_->settle());
  };
  const auto tell = [&](const std::string& piece, float x, const char* what) {
    ASSERT_TRUE(host_->settle());
    const auto at = find_text(piece);
    ASSERT_TRUE(at) << piece << shown_text();
    click_at(at->x + x, at->y - 3);
    const auto entry = find_text(what);
    ASSERT_TRUE(entry) << what << shown_text();
    click_at(entry->x + 3, entry->y - 3);
  };
  ASSERT_NO_FATAL_FAILURE(tell("~1~kick~", 15, "its time"));
  ASSERT_NO_FATAL_FAILURE(tell("~kick~", 20, "its type"));
  const Json definition = session().desk.layout.first_of("trace-type")->options.at("definition");
  EXPECT_EQ(definition.at("rules").at(0).at("pattern"),
            R"(^~(?<time>\d+)~(?<type>[^~]+)(?<text>.*))");
  (void)picture("trace_type_told.png");
  EXPECT_TRUE(shown_text().contains(">3 events of ")) << shown_text();
}

}  // namespace
}  // namespace weft::app
