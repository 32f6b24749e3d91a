// Text fields: where the next letters go after Enter, after an error, and after Escape.
// covers B-25
#include <cctype>
#include <string>
#include <string_view>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class Typing : public testing::OffscreenTest {
 protected:
  void open(int width = 1200, int height = 700) {
    start(sized(width, height));
    if (!host_) return;
    open_sample();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) host_->frame();
  }
  void press_with_control(ImGuiKey key) {
    const Pointer pointer{.control = true};
    host_->frame({}, pointer);
    set_key(key, true);
    host_->frame({}, pointer);
    set_key(key, false);
    frames(2);
  }
  // What a keyboard does: each letter is a key, too, and comes in a frame of its own.
  void write(std::string_view text) {
    for (const char letter : text) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
      Input input;
      input.chords = {std::string(1, static_cast<char>(std::toupper(letter)))};
      host_->frame(input);
    }
  }
  void enter() {
    set_key(ImGuiKey_Enter, true);
    Input input;
    input.chords = {"Enter"};
    host_->frame(input);
    set_key(ImGuiKey_Enter, false);
  }
  size_t done() const { return session().journal.size(); }
};

TEST_F(Typing, SqlGoesOnInTheEditorAfterItHasRun) {
  open(1200, 200);
  if (!host_) return;
  ASSERT_TRUE(run("panel.open", {{"panel", "sql"}}));
  host_->workbench().show_only("sql");
  frames(4);
  const auto asked = [&] {
    return session().desk.layout.find("sql")->options.value("query", std::string());
  };
  type("SELECT 4");  // in place of the sample
  const auto top = [&] { return find_text("Nothing has been asked")->y; };
  const float before = top();
  press_with_control(ImGuiKey_Enter);
  EXPECT_EQ(asked(), "SELECT 4");
  ASSERT_TRUE(host_->settle());
  frames(4);
  const size_t done_before = done();
  type("2");  // where the caret was
  EXPECT_EQ(done(), done_before) << "no letter is a shortcut";
  press_with_control(ImGuiKey_Enter);
  EXPECT_EQ(asked(), "SELECT 42");
  // The place of what is below does not depend on how much is typed.
  ASSERT_TRUE(run("sql.run", {{"panel", "sql"}, {"query", ""}}));
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(top(), before);
  (void)picture("sql-typed.png");
}

// covers FS-13
TEST_F(Typing, TheFindBarIsLeftWithoutLosingWhatItFound) {
  open();
  if (!host_) return;
  const auto& trace = *session().trace();
  press("Ctrl+F");
  frames(4);
  type("render");
  press("Enter");
  ASSERT_TRUE(host_->settle());
  ASSERT_TRUE(trace.element());
  press_escape();
  ASSERT_TRUE(session().dialogs.shows_find);
  const TimeWindow before = trace.view().window;
  press("Z");
  EXPECT_NE(trace.view().window, before) << "zoomed to the hit";
  EXPECT_EQ(trace.view().filter.text, "render");
  (void)picture("find-left.png");
  press("Escape");
  EXPECT_FALSE(session().dialogs.shows_find);
  EXPECT_FALSE(trace.view().filter.is_set());
}

TEST_F(Typing, KeysForPanelsAndMenusLeaveTheFindBar) {
  open();
  if (!host_) return;
  press("Ctrl+F");
  frames(4);
  type("render");
  const std::string focused = session().desk.layout.focused();
  press("F6");
  EXPECT_NE(session().desk.layout.focused(), focused);
  EXPECT_EQ(session().trace()->view().filter.text, "render");
  const bool shows_links = session().look.shows_links;
  press("L");
  EXPECT_NE(session().look.shows_links, shows_links) << "it is no text";
  press("Ctrl+F");
  frames(4);
  press("F10");
  frames(2);
  EXPECT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

TEST_F(Typing, TheTableOfHitsHasTheKeysOnceItIsOpened) {
  open();
  if (!host_) return;
  press("Ctrl+F");
  frames(4);
  type("render");
  press("Ctrl+Shift+F");
  ASSERT_TRUE(host_->settle());
  press("Down");
  press("Enter");
  ASSERT_TRUE(host_->settle());
  EXPECT_EQ(session().journal.back().command, "element.reveal");
  (void)picture("hits-by-keys.png");
}

TEST_F(Typing, AFieldAloneIsToldThatItWantsToBeCompared) {
  open();
  if (!host_) return;
  press("Ctrl+F");
  frames(4);
  type("params.jank_type");
  press("Enter");
  ASSERT_TRUE(host_->settle());
  EXPECT_TRUE(shown_text().contains(">no hits for this word; compare it: params.jank_type != …<"))
      << shown_text();
  (void)picture("find-field-alone.png");
}

// covers B-27
TEST_F(Typing, ATimeThatIsNoneIsCorrectedInItsField) {
  open();
  if (!host_) return;
  ASSERT_TRUE(run("view.go.ask"));
  frames(4);
  type("5s");  // the trace is shorter
  key(ImGuiKey_Enter);
  frames(3);
  ASSERT_TRUE(session().dialogs.shows_go_to);
  EXPECT_TRUE(shown_text().contains("outside of the trace"));
  key(ImGuiKey_Backspace);
  const size_t done_before = done();
  type("us");
  EXPECT_EQ(done(), done_before) << "no letter is a shortcut";
  EXPECT_FALSE(shown_text().contains("outside of the trace")) << "it was about what was typed";
  (void)picture("go-to-corrected.png");
  key(ImGuiKey_Enter);
  EXPECT_FALSE(session().dialogs.shows_go_to);
}

TEST_F(Typing, WhatIsRefusedIsCorrectedAtOnce) {
  open();
  if (!host_) return;
  struct Refused {
    const char *command, *text, *said;
  };
  constexpr Refused kRefused[] = {
      {"palette.show", "qqzz", "No command and no lane has these letters"},
      {"view.go.ask", "5s", "outside of the trace"},
      {"remote.ask", "board:x", "port"},
      {"open.ask", "qqzz", "Nothing here has these letters"}};
  for (const Refused& refused : kRefused) {
    ASSERT_TRUE(run(refused.command, {{"shown", true}}));
    ASSERT_TRUE(host_->settle());
    frames(4);
    write(refused.text);
    ASSERT_TRUE(host_->settle());
    enter();
    const size_t done_before = done();
    write("ml");
    frames(8);
    EXPECT_EQ(done(), done_before) << "no letter is a shortcut: " << refused.command;
    EXPECT_TRUE(shown_text().contains(std::string(refused.text) + "ml")) << shown_text();
    ASSERT_TRUE(run(refused.command, {{"shown", false}}));
    frames(2);
  }
}

TEST_F(Typing, TheConsoleGoesOnWithWhatIsTypedRightAfterEnter) {
  open();
  if (!host_) return;
  ASSERT_TRUE(run("panel.open", {{"panel", "console"}}));
  frames(4);
  const size_t done_before = done();
  for (int i = 0; i < 3; ++i) {
    write(R"("irq")");
    enter();
  }
  frames(8);
  EXPECT_EQ(done(), done_before + 3);
  for (size_t i = done_before; i < done(); ++i)
    EXPECT_EQ(session().journal[i].args.value("text", ""), R"("irq")") << i;
}

TEST_F(Typing, KeysRightAfterAFieldThatEnterHasLeftAreShortcuts) {
  open();
  if (!host_) return;
  ASSERT_TRUE(run("view.go.ask", {{"shown", true}}));
  frames(4);
  write("50%");
  enter();
  ASSERT_FALSE(session().dialogs.shows_go_to);
  const bool shows_links = session().look.shows_links;
  write("l");
  frames(4);
  EXPECT_NE(session().look.shows_links, shows_links);
}

}  // namespace
}  // namespace weft::app
