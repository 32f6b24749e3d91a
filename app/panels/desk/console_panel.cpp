#include "app/panels/desk/console_panel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/menu_item.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kPadPx = 8;
constexpr size_t kMostHints = 6;

// A line of the log: a command, or something that was said.
struct LogLine {
  const JournalEntry* command = nullptr;
  const Message* message = nullptr;
};

std::string text_of_line(const LogLine& line) {
  return line.command ? json_from_command({line.command->command, line.command->args})
                      : line.message->text;
}

// Commands and messages in the order in which they came.
std::vector<LogLine> log_of(const Session& session) {
  std::vector<LogLine> lines;
  auto message = session.messages.all.begin();
  const auto add_messages = [&](uint64_t before) {
    for (; message != session.messages.all.end() && message->serial <= before; ++message)
      lines.push_back({nullptr, &*message});
  };
  for (const JournalEntry& entry : session.journal) {
    add_messages(entry.said_before);
    lines.push_back({&entry, nullptr});
  }
  add_messages(UINT64_MAX);
  return lines;
}

}  // namespace

void ConsolePanel::draw(const PanelInput& input, PanelOutput& output) {
  const bool has_trace = input.trace && input.trace->trace();
  dictionary_ = has_trace ? &input.trace->trace()->dictionary() : nullptr;
  const float line = ImGui::GetFrameHeight() + ImGui::GetFontSize() + 10 * input.scale;
  const float split = std::max(input.area.y0, input.area.y1 - std::round(line));
  draw_log(input, {input.area.x0, input.area.y0, input.area.x1, split});
  draw_line(input, {input.area.x0, split, input.area.x1, input.area.y1}, output);
}

void ConsolePanel::draw_log(const PanelInput& input, const Area& area) {
  const std::vector<LogLine> lines = log_of(input.session);
  const float height = ImGui::GetTextLineHeightWithSpacing();
  ImGui::SetCursorScreenPos({area.x0, area.y0});
  ImGui::BeginChild("log", {area.width(), area.height()});
  ImGui::SetCursorPosY(std::round(kPadPx * input.scale / 2));
  if (lines.empty())
    show_text("What is done and said comes here. Type a command or a filter below.",
              input.theme.text_dim);
  const auto all = [&] {
    std::string text;
    for (const LogLine& each : lines) text += printable(text_of_line(each), 0) + '\n';
    return text;
  };
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const LogLine& each = lines[static_cast<size_t>(i)];
      const std::string text = text_of_line(each);
      const ImU32 color = each.command             ? input.theme.text_dim
                          : each.message->is_error ? input.theme.error
                                                   : input.theme.text;
      const float pad = kPadPx * input.scale;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width = ImGui::GetContentRegionAvail().x;  // beside the scroll bar
      draw_text(*ImGui::GetWindowDrawList(), {at.x + pad, at.y}, color, printable(text, 1'000),
                width - 2 * pad);
      ImGui::Dummy({width, ImGui::GetTextLineHeight()});
      draw_copy_menu(i, text, all);
    }
  }
  if (std::exchange(seen_, lines.size()) != lines.size()) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

void ConsolePanel::draw_line(const PanelInput& input, const Area& area, PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {area.x1, area.y1}, input.theme.gutter);
  const float pad = std::round(kPadPx * input.scale);
  ImGui::SetCursorScreenPos({area.x0 + pad, area.y0 + std::round(3 * input.scale)});
  ImGui::AlignTextToFramePadding();
  show_text(">", input.theme.accent);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(area.x1 - pad - ImGui::GetCursorScreenPos().x);
  takes_focus_ |= focus_.takes(input);
  if (std::exchange(takes_focus_, false)) focus_next_field();
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue |
                                         ImGuiInputTextFlags_CallbackHistory |
                                         ImGuiInputTextFlags_CallbackCompletion;
  const bool is_entered =
      ImGui::InputTextWithHint("##line", "marker.add at=50%   or   dur > 5ms", typed_.data(),
                               typed_.size(), kFlags, on_text, this);
  const float below = ImGui::GetItemRectMax().y + std::round(2 * input.scale);
  if (is_entered) run(output);
  draw_hint(input, {area.x0 + pad, below, area.x1 - pad, area.y1});
}

void ConsolePanel::draw_hint(const PanelInput& input, const Area& area) const {
  const std::string_view line = typed_.data();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!complaint_.empty() && line == complained_of_)
    return draw_text(list, {area.x0, area.y0}, input.theme.error, complaint_, area.width());
  if (line.empty()) return;
  const query::Completions found = complete_line(line, line.size(), dictionary_);
  std::string hint;
  for (size_t i = 0; i < std::min(found.items.size(), kMostHints); ++i)
    hint += (i == 0 ? "" : "   ") + found.items[i].text;
  if (found.items.size() > kMostHints) hint += "   …";
  if (found.items.size() == 1 && !found.items[0].help.empty()) hint += "   " + found.items[0].help;
  draw_text(list, {area.x0, area.y0}, input.theme.text_dim, printable(hint, 400), area.width());
}

void ConsolePanel::run(PanelOutput& output) {
  takes_focus_ = true;
  const std::string line = typed_.data();
  if (line.empty()) return;
  Result<Command> command = command_from_line(line);
  if (!command) {
    complaint_ = command.error().message;
    complained_of_ = line;
    return;
  }
  history_.add(line);
  typed_ = {};
  output.commands.push_back(std::move(*command));
}

int ConsolePanel::on_text(ImGuiInputTextCallbackData* data) {
  ConsolePanel& panel = *static_cast<ConsolePanel*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    panel.complete(*data);
  } else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    const std::string_view line = panel.history_.step(data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, line.data(), line.data() + line.size());
  }
  return 0;
}

// Completes the line as far as all possible continuations agree.
void ConsolePanel::complete(ImGuiInputTextCallbackData& data) const {
  const std::string_view line(data.Buf, static_cast<size_t>(data.BufTextLen));
  const query::Completions found =
      complete_line(line, static_cast<size_t>(data.CursorPos), dictionary_);
  if (found.items.empty()) return;
  std::string_view common = found.items.front().text;
  for (const query::Completion& each : found.items) {
    const auto differs = std::ranges::mismatch(common, each.text).in1;
    common = common.substr(0, static_cast<size_t>(differs - common.begin()));
  }
  if (common.empty()) return;
  data.DeleteChars(static_cast<int>(found.span.begin),
                   static_cast<int>(found.span.end - found.span.begin));
  data.InsertChars(static_cast<int>(found.span.begin), common.data(),
                   common.data() + common.size());
}

}  // namespace weft::app
