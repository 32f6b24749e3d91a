// The panel of custom trace types, offscreen: a sample becomes events as the definition is edited,
// what is saved opens traces at once, and a journal of it replays. covers XC-33
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
  ASSERT_TRUE(session().message.offer) << session().message.text;
  const Offer offer = *session().message.offer;
  ASSERT_TRUE(run(offer.command, offer.args));
  const PanelInstance* const panel = session().layout.first_of("trace-type");
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

}  // namespace
}  // namespace weft::app
