#include "app/window/go_to_dialog.h"

#include <imgui.h>

#include <algorithm>
#include <span>

#include "app/panels/timeline/time_axis.h"
#include "app/session/typed_time.h"

namespace weft::app {
namespace {

void copy_into(const std::string& text, std::span<char> buffer) {
  const size_t size = std::min(text.size(), buffer.size() - 1);
  std::copy_n(text.begin(), size, buffer.begin());
  buffer[size] = 0;
}

// As the ruler says it, to the tick; in ticks where that would be read as another time.
std::string exact_text(Time time, const OpenTrace& trace) {
  std::string label = exact_label(time, trace);
  const auto read = typed_time(label, trace);
  return read && *read == time ? label : std::to_string(time.ticks);
}

}  // namespace

void GoToDialog::reset(const OpenTrace& trace) {
  const TimeRange shown = trace.view().window.range();
  time_[0] = 0;
  copy_into(exact_text(shown.begin, trace), from_);
  copy_into(exact_text(shown.end, trace), to_);
  error_.clear();
}

// A time or a range, where one was typed; else the window.
void GoToDialog::go(const ChromeInput& input, const OpenTrace& trace) {
  const auto parsed = [&](const char* text) { return typed_time(text, trace); };
  if (const std::string_view typed = time_.data(); typed.contains("..")) {
    const auto range = typed_range(typed, trace);
    if (!range) {
      error_ = range.error().message;
      return;
    }
    input.commands.push_back(
        {"view.set", {{"from", range->begin.ticks}, {"to", range->end.ticks}}});
  } else if (!typed.empty()) {
    const auto time = parsed(time_.data());
    if (!time) {
      error_ = time.error().message;
      return;
    }
    input.commands.push_back({"view.go", {{"at", time->ticks}}});
  } else {
    const auto from = parsed(from_.data()), to = parsed(to_.data());
    if (!from || !to) {
      error_ = (from ? to : from).error().message;
      return;
    }
    if (*to <= *from) {
      error_ = "the end must be after the begin";
      return;
    }
    input.commands.push_back({"view.set", {{"from", from->ticks}, {"to", to->ticks}}});
  }
  input.commands.push_back({"view.go.ask", {{"shown", false}}});
}

void GoToDialog::draw(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  const bool is_new = input.session.dialogs.shows_go_to && !was_shown_;
  was_shown_ = input.session.dialogs.shows_go_to;
  if (!input.session.dialogs.shows_go_to || !trace) return;
  if (is_new) reset(*trace);
  const ImVec2 middle = {(input.area.x0 + input.area.x1) / 2,
                         input.area.y0 + input.area.height() / 4};
  ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0});
  ImGui::SetNextWindowSize({std::min(420 * input.scale, input.area.width() * 0.95F), 0});
  bool is_open = true;
  ImGui::Begin(
      "Go to", &is_open,
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize);
  keep_inside(input.area);
  if (is_new) ImGui::SetKeyboardFocusHere();
  constexpr auto kOnEnter = ImGuiInputTextFlags_EnterReturnsTrue;
  const auto field = [&](const char* name, const char* hint, std::span<char> text) {
    ImGui::AlignTextToFramePadding();
    show_text(name, input.theme.text_dim);
    ImGui::SameLine(90 * input.scale);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(name);
    const bool is_entered =
        ImGui::InputTextWithHint("##text", hint, text.data(), text.size(), kOnEnter);
    // The field takes the key for itself, where it would but end the typing.
    if (ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
      is_open = false;
    ImGui::PopID();
    return is_entered;
  };
  const bool is_calendar = shows_calendar(*trace);
  const bool is_clock = reads_as_clock(trace->time_display, trace->reach(), trace->time_base());
  bool goes = field("Time",
                    is_calendar ? "14:03:12.5, 2026-05-01 14:03, 40%"
                    : is_clock  ? "1:23:45, 40%, 1500"
                                : "12.5ms, 40%, 1500",
                    time_);
  show_text("as on the ruler; + from the trace's begin; % of it; plain: ticks; a..b: a range",
            input.theme.text_dim);
  ImGui::Separator();
  goes |= field("or from", "", from_);
  goes |= field("to", "", to_);
  if (!error_.empty()) show_text(error_, input.theme.error);
  goes |= ImGui::Button("Go");
  if (goes) {
    error_.clear();
    go(input, *trace);
  }
  ImGui::End();
  if (!is_open) input.commands.push_back({"view.go.ask", {{"shown", false}}});
}

}  // namespace weft::app
