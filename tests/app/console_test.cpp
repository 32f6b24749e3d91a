// The console, offscreen: commands and filters are typed, walked through and completed; what was
// done and said is there. covers TM-25
#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class ConsoleTest : public testing::OffscreenTest {
 protected:
  void open_console(int width = 900, int height = 400) {
    start(sized(width, height));
    if (!host_) return;
    open_sample();
    ASSERT_TRUE(run("panel.open", {{"panel", "console"}}));
    host_->workbench().show_only("console");
    ASSERT_TRUE(host_->settle());
    click(200, static_cast<float>(height) - 30);
  }
  void enter(const char* text) {
    type(text);
    key(ImGuiKey_Enter);
    ASSERT_TRUE(host_->settle());
  }
};

TEST_F(ConsoleTest, RunsWhatIsTyped) {
  open_console();
  if (!host_) return;
  enter("marker.add at=50% name=half");
  ASSERT_EQ(session().trace()->markers.all().size(), 1U);
  EXPECT_EQ(session().trace()->markers.all()[0].name, "half");
  enter("dur > 1us");
  EXPECT_EQ(session().trace()->view().filter.text, "dur > 1us");
  const render::Image before = picture("console.png");
  // A line with an error stays, and the error is shown.
  enter("dur >");
  EXPECT_EQ(session().trace()->view().filter.text, "dur > 1us");
  EXPECT_NE(picture("console_wrong.png").pixels, before.pixels);
}

TEST_F(ConsoleTest, IsTypedIntoOnceItIsOpened) {
  start(sized(900, 700));
  if (!host_) return;
  open_sample();
  ASSERT_TRUE(run("panel.open", {{"panel", "console"}}));
  for (int i = 0; i < 3; ++i) host_->frame();
  enter("dur > 1us");
  EXPECT_EQ(session().trace()->view().filter.text, "dur > 1us");
}

TEST_F(ConsoleTest, WhatIsTypedBehindThePaletteReachesIt) {
  start(sized(900, 700));
  if (!host_) return;
  open_sample();
  ASSERT_TRUE(run("palette.show"));
  for (int i = 0; i < 3; ++i) host_->frame();
  type("Panel: Console");
  Input input;
  input.chords = {"Enter"};
  host_->frame(input);
  ImGui::GetIO().AddInputCharactersUTF8("dur ");
  host_->frame();
  enter("> 1us");
  EXPECT_EQ(session().trace()->view().filter.text, "dur > 1us");
}

TEST_F(ConsoleTest, CompletesAndRemembers) {
  open_console();
  if (!host_) return;
  type("marker.add_s");
  key(ImGuiKey_Tab);
  key(ImGuiKey_Enter);
  ASSERT_TRUE(host_->settle());
  EXPECT_NE(session().messages.last.text.find("marker.add_selection"), std::string::npos)
      << session().messages.last.text;
  enter("{\"command\":\"marker.add\",\"args\":{\"at\":\"10%\"}}");
  EXPECT_EQ(session().trace()->markers.all().size(), 1U);
  key(ImGuiKey_UpArrow);
  key(ImGuiKey_Enter);
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().trace()->markers.all().size(), 2U);
}

TEST_F(ConsoleTest, LongLinesEndWithAnEllipsis) {
  open_console(400, 300);
  if (!host_) return;
  enter("dur > 1us && dur < 1s && lane != \"a lane whose name is far too long for this panel\"");
  EXPECT_NE(shown_text().find("…"), std::string::npos);
}

TEST_F(ConsoleTest, LooksWellSmallAndLight) {
  open_console(400, 300);
  if (!host_) return;
  ASSERT_TRUE(run("theme", {{"name", "light"}}));
  enter("marker.a at=1%");
  type("marker.");
  (void)picture("console_400_light.png");
}

}  // namespace
}  // namespace weft::app
