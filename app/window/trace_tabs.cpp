#include "app/window/trace_tabs.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/panels/menu_item.h"
#include "app/session/commands/obstacles.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/layout/lane_names.h"

namespace weft::app {
namespace {

constexpr float kPadPx = 10, kLeastPx = 140, kListPx = 110;

std::string tab_name(const OpenTrace& trace) { return printable(trace.name()); }

// Which tabs are drawn, and how wide they are at most.
struct TabRow {
  size_t first = 0, count = 0;
  float width = 0;
};

// The width at most of each that fills the room: what short names leave is for the long ones.
float width_that_fills(std::vector<float> wanted, float room) {
  std::ranges::sort(wanted);
  for (size_t i = 0; i < wanted.size(); ++i) {
    const float share = room / static_cast<float>(wanted.size() - i);
    if (wanted[i] > share) return share;
    room -= wanted[i];
  }
  return wanted.back();
}

TabRow row_of(const ChromeInput& input, std::span<const std::string> names) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  std::vector<float> wanted;
  for (const std::string& name : names)
    wanted.push_back(text_width(name) + 2 * kPadPx * input.scale);
  const float width =
      std::floor(width_that_fills(wanted, room - gap * static_cast<float>(names.size())));
  const float least = kLeastPx * input.scale;
  if (width >= least || width >= std::ranges::max(wanted)) return {0, names.size(), width};
  const float left = std::max(0.0F, room - kListPx * input.scale);
  const size_t count =
      std::clamp<size_t>(static_cast<size_t>(left / (least + gap)), 1, names.size());
  const size_t before = std::min(input.session.current, count / 2);
  return {std::min(input.session.current - before, names.size() - count), count, least};
}

void handle_tab(const ChromeInput& input, size_t i) {
  const OpenTrace& trace = *input.session.traces[i];
  const bool is_hovered = ImGui::IsItemHovered();
  if (is_hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Middle))
    input.commands.push_back({"close", {{"index", i}}});
  if (is_hovered) {
    ImGui::BeginTooltip();
    show_text(printable(trace.path().string(), 400));
    show_text("A middle click closes it", input.theme.text_dim);
    ImGui::EndTooltip();
  }
  if (!ImGui::BeginPopupContextItem("menu")) return;
  offer(input.session, {{"reload", {{"index", i}}}, "Read it again"}, input.commands);
  offer(input.session, {{"close", {{"index", i}}}, "Close it"}, input.commands);
  if (plain_item("Close the others", needs_several_traces(input.session))) {
    for (size_t other = input.session.traces.size(); other-- > 0;) {
      if (other != i) input.commands.push_back({"close", {{"index", other}}});
    }
  }
  if (plain_item("Copy its path"))
    ImGui::SetClipboardText(printable(trace.path().string(), 0).c_str());
  ImGui::EndPopup();
}

void draw_tab(const ChromeInput& input, size_t i, const std::string& name, float width) {
  const float pad = kPadPx * input.scale;
  ImGui::PushID(static_cast<int>(i));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  if (ImGui::InvisibleButton("tab", {width, height}))
    input.commands.push_back({"trace.select", {{"index", i}}});
  const bool is_current = i == input.session.current;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_current || ImGui::IsItemHovered()) {
    list.AddRectFilled({at.x, at.y + 3}, {at.x + width, at.y + height - 1},
                       is_current ? input.theme.selection : input.theme.stripe, 4 * input.scale);
  }
  handle_tab(input, i);
  // Names are drawn, not used as labels.
  const float room = width - 2 * pad + 1;
  draw_text(list, {at.x + pad, at.y + ImGui::GetStyle().FramePadding.y},
            is_current ? input.theme.text : input.theme.text_dim, name, room);
  ImGui::PopID();
}

void draw_list(const ChromeInput& input) {
  const auto& traces = input.session.traces;
  if (!ImGui::BeginMenu((counted(traces.size(), "trace") + " »###traces").c_str())) return;
  for (size_t i = 0; i < traces.size(); ++i) {
    if (text_item(input.theme, input.scale, static_cast<int>(i), traces[i]->name(),
                  i == input.session.current))
      input.commands.push_back({"trace.select", {{"index", i}}});
  }
  ImGui::EndMenu();
}

}  // namespace

void draw_trace_tabs(const ChromeInput& input) {
  if (input.session.traces.empty()) return;
  std::vector<std::string> names;
  for (const auto& trace : input.session.traces) names.push_back(tab_name(*trace));
  const TabRow row = row_of(input, names);
  const float pad = 2 * kPadPx * input.scale;
  const auto shown = std::span(names).subspan(row.first, row.count);
  const std::vector<std::string> texts =
      layout::shortened(shown, static_cast<double>(row.width - pad),
                        [](std::string_view text) { return double{text_width(text)}; });
  for (size_t i = 0; i < row.count; ++i) {
    const float width = std::min(row.width, std::ceil(text_width(texts[i])) + pad);
    draw_tab(input, row.first + i, texts[i], width);
  }
  if (row.count < names.size()) draw_list(input);
}

}  // namespace weft::app
