#include "app/window/pointer_queue.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

namespace weft::app {
namespace {

using State = PointerQueue::State;

TEST(Pointers, AreWhereTheyAreWhileNothingIsPressed) {
  PointerQueue queue;
  EXPECT_EQ(queue.next_frame(3, 4), (State{3, 4, {}}));
  EXPECT_EQ(queue.next_frame(5, 6), (State{5, 6, {}}));
}

TEST(Pointers, PressWhereTheyWereThen) {
  PointerQueue queue;
  (void)queue.next_frame(0, 0);
  queue.add({0, true, 10, 20});
  queue.add({0, false, 90, 20});
  // All of it within one frame: at (100, 50) by now.
  EXPECT_EQ(queue.next_frame(100, 50), (State{10, 20, {true}}));
  EXPECT_EQ(queue.next_frame(100, 50), (State{90, 20, {true}})) << "drawn there";
  EXPECT_FALSE(queue.is_empty());
  EXPECT_EQ(queue.next_frame(100, 50), (State{90, 20, {}})) << "and let go";
  EXPECT_TRUE(queue.is_empty());
  EXPECT_EQ(queue.next_frame(100, 50), (State{100, 50, {}}));
}

TEST(Pointers, ClickInTwoFrames) {
  PointerQueue queue;
  (void)queue.next_frame(7, 7);
  for (const int button : {1, 9}) {  // ImGui has no tenth one
    queue.add({button, true, 7, 7});
    queue.add({button, false, 7, 7});
  }
  EXPECT_EQ(queue.next_frame(7, 7), (State{7, 7, {false, true}}));
  EXPECT_EQ(queue.next_frame(7, 7), (State{7, 7, {}}));
  EXPECT_TRUE(queue.is_empty());
}

#if IMGUI_VERSION_NUM < 18700
// In frames of so many seconds: which of them ImGui takes for the second press of a double click.
std::vector<int> double_clicks(PointerQueue& queue, int frames, float seconds) {
  ImGuiContext* const before = ImGui::GetCurrentContext();
  ImGuiContext* const context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {100, 100};
  io.DeltaTime = seconds;
  io.Fonts->Build();
  std::vector<int> found;
  for (int frame = 0; frame < frames; ++frame) {
    const State state = queue.next_frame(7, 7);
    io.MousePos = {state.x, state.y};
    std::ranges::copy(state.is_down, io.MouseDown);
    io.MouseDoubleClickTime = queue.double_click_s(0.3F);
    ImGui::NewFrame();
    if (ImGui::IsMouseDoubleClicked(0)) found.push_back(frame);
    ImGui::EndFrame();
  }
  ImGui::DestroyContext(context);
  ImGui::SetCurrentContext(before);
  return found;
}

TEST(Pointers, DoubleClickByTheTimesOfTheirEvents) {
  // Presses at 1 s and `second` s; of the latter it is known that it came after `from` s.
  const auto clicked_at = [](double from, double second, int button = 0) {
    PointerQueue queue;
    (void)queue.next_frame(7, 7);
    queue.add({0, true, 7, 7, 1, 1});
    queue.add({0, false, 7, 7, 1, 1});
    queue.add({button, true, 7, 7, from, second});
    queue.add({button, false, 7, 7, second, second});
    return queue;
  };
  PointerQueue quick = clicked_at(1.2, 1.2);
  EXPECT_EQ(double_clicks(quick, 6, 0.5F), (std::vector{2})) << "frames are slow";
  PointerQueue waited = clicked_at(1.1, 1.6);
  EXPECT_EQ(double_clicks(waited, 6, 0.5F), (std::vector{2})) << "it waited for a frame";
  PointerQueue together = clicked_at(0.5, 1);
  EXPECT_EQ(double_clicks(together, 6, 0.5F), (std::vector{2})) << "both waited";
  PointerQueue slow = clicked_at(1.4, 1.4);
  EXPECT_TRUE(double_clicks(slow, 6, 0.01F).empty()) << "the clicks are slow, not the frames";
  PointerQueue other = clicked_at(1.1, 1.1, 1);
  EXPECT_TRUE(double_clicks(other, 6, 0.01F).empty()) << "another button";
}
#endif

}  // namespace
}  // namespace weft::app
