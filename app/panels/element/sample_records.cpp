#include "app/panels/element/sample_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/panels/desk/trace_type_form.h"
#include "app/panels/drag.h"
#include "app/panels/menu_item.h"
#include "core/base/text.h"
#include "core/base/utf8.h"

namespace weft::app {

namespace custom = formats::custom;
using custom::PreviewRecord;

namespace {

constexpr size_t kMostShownBytes = 2000;  // of a record
constexpr const char* kMenu = "what it says";
constexpr std::array kRoleTitles = {"its time",   "its end",   "its duration",
                                    "its lane",   "its type",  "its value",
                                    "its number", "who sends", "who receives"};
static_assert(kRoleTitles.size() == custom::kRoleCount);

float text_left(float scale) { return std::round(70 * scale); }

float width_of(std::string_view text) { return text_width(printable(text, 0)); }

// The byte of the text whose letter is drawn at x, from its left; the one whose left edge is the
// nearest.
size_t byte_at(std::string_view text, float x, bool is_nearest) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at + 1;
    while (end < text.size() && !begins_letter(text[end])) ++end;
    const float width = width_of(text.substr(at, end - at));
    if (x < (is_nearest ? width / 2 : width)) break;
    x -= width;
    at = end;
  }
  return at;
}

// A line of the sample, part by part.
void draw_record(const PanelInput& input, ImVec2 at, float right, const PreviewRecord& record,
                 bool is_unknown) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight(), scale = input.scale;
  const float text_x = at.x + text_left(scale);
  if (is_unknown) {
    list.AddRectFilled(at, {right, at.y + line}, faded(input.theme.error, 0.14F));
    list.AddRectFilled(at, {at.x + 3 * scale, at.y + line}, input.theme.error);
  }
  const float column = std::round(34 * scale);
  draw_text(list, {at.x + 8 * scale, at.y}, input.theme.text_dim, std::to_string(record.line),
            column);
  draw_text(list, {at.x + 8 * scale + column, at.y},
            is_unknown ? input.theme.error : input.theme.text,
            record.rule  ? std::to_string(*record.rule + 1)
            : is_unknown ? "–"
                         : "",
            column);
  const std::string_view text = std::string_view(record.text).substr(0, kMostShownBytes);
  float x = text_x;
  const auto draw_part = [&](size_t begin, size_t end, const custom::PreviewMark* mark) {
    if (begin >= std::min(end, text.size()) || x >= right) return;
    const std::string part = printable(text.substr(begin, end - begin), 0);
    const float width = text_width(part);
    if (mark != nullptr) {
      const ImU32 color = color_of_role(mark->role);
      list.AddRectFilled({x, at.y}, {std::min(right, x + width), at.y + line},
                         faded(color, mark->role ? 0.34F : 0.2F), 2 * scale);
      list.AddRectFilled({x, at.y + line - std::round(scale)},
                         {std::min(right, x + width), at.y + line}, color);
    }
    draw_printable(list, {x, at.y}, input.theme.text, part, width, right - x);
    x += width;
  };
  size_t done = 0;
  for (const custom::PreviewMark& mark : record.marks) {
    draw_part(done, mark.begin, nullptr);
    draw_part(mark.begin, mark.end, &mark);
    done = mark.end;
  }
  draw_part(done, text.size(), nullptr);
}

}  // namespace

std::optional<SampleRecords::Told> SampleRecords::draw(const PanelInput& input, const Area& area,
                                                       const TraceTypePreview& made) {
  if (area.height() < ImGui::GetTextLineHeight()) return std::nullopt;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {area.x1, area.y1}, input.theme.background);
  ImGui::SetCursorScreenPos({area.x0, area.y0});
  ImGui::BeginChild("records", {area.width(), area.height()});
  const auto& records = made.preview.records;
  if (picked_ && picked_->record >= records.size()) picked_.reset();
  const float height = std::round(ImGui::GetTextLineHeight() + 3 * input.scale);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(records.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const auto place = static_cast<size_t>(i);
      const float right = area.x1 - ImGui::GetStyle().ScrollbarSize;
      draw_record(input, at, right, records[place], !records[place].rule && made.error.empty());
      if (made.definition.kind == custom::Kind::kText)
        pick(input, {at.x + text_left(input.scale), at.y, right, at.y + height}, place,
             records[place]);
      ImGui::SetCursorScreenPos({at.x, at.y + height});
    }
  }
  const std::optional<Told> told = draw_menu(input, made);
  ImGui::EndChild();
  return told;
}

// A click takes what is likely to be one part, a drag what it passes.
void SampleRecords::pick(const PanelInput& input, const Area& line, size_t record,
                         const PreviewRecord& of) {
  const float x = ImGui::GetIO().MousePos.x - line.x0;
  const std::string_view text = std::string_view(of.text).substr(0, kMostShownBytes);
  if (ImGui::IsWindowHovered() && line.contains(ImGui::GetIO().MousePos)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) picked_ = Picked{record, x};
  }
  if (!picked_ || picked_->record != record) return;
  if (picked_->is_dragged) {
    if (!is_drag(x - picked_->from_x, input.scale)) {
      std::tie(picked_->begin, picked_->end) =
          custom::part_at(text, byte_at(text, picked_->from_x, /*is_nearest=*/false));
    } else {
      std::tie(picked_->begin, picked_->end) = std::minmax(
          {byte_at(text, picked_->from_x, /*is_nearest=*/true), byte_at(text, x, true)});
    }
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      if (picked_->begin == picked_->end) return picked_.reset();
      picked_->is_dragged = false;
      name_ = custom::key_before(text, picked_->begin);
      ImGui::OpenPopup(kMenu);
    }
  }
  const auto [begin, end] = std::pair(picked_->begin, picked_->end);
  const float left = line.x0 + width_of(text.substr(0, begin));
  ImGui::GetWindowDrawList()->AddRect(
      {left - 1, line.y0 - 1}, {left + width_of(text.substr(begin, end - begin)) + 1, line.y1},
      input.theme.accent, 2 * input.scale);
}

std::optional<SampleRecords::Told> SampleRecords::draw_menu(const PanelInput& input,
                                                            const TraceTypePreview& made) {
  if (!ImGui::BeginPopup(kMenu)) {
    if (picked_ && !picked_->is_dragged) picked_.reset();
    return std::nullopt;
  }
  std::optional<Told> told;
  if (picked_) {
    const PreviewRecord& record = made.preview.records[picked_->record];
    const auto [begin, end] = std::pair(picked_->begin, picked_->end);
    const auto tell = [&](std::optional<custom::Role> role) {
      told = Told{picked_->record, {picked_->begin, picked_->end, role, name_}};
    };
    show_text("\"" + printable(record.text.substr(begin, end - begin), 40) + "\" is",
              input.theme.text_dim);
    ImGui::Separator();
    const auto& rules = made.definition.rules;
    const bool is_taken = record.rule && *record.rule < rules.size();
    const custom::Makes makes = is_taken ? rules[*record.rule].makes : custom::Makes::kEvent;
    for (size_t i = 0; i < custom::kRoleCount; ++i) {
      const auto role = static_cast<custom::Role>(i);
      if (custom::uses(makes, role) && plain_item(kRoleTitles[i])) tell(role);
    }
    ImGui::Separator();
    std::array<char, 32> typed{};
    name_.copy(typed.data(), typed.size() - 1);
    ImGui::SetNextItemWidth(140 * input.scale);
    const bool is_entered =
        ImGui::InputTextWithHint("##name", "a parameter: speed", typed.data(), typed.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue);
    name_ = typed.data();
    ImGui::SameLine();
    ImGui::BeginDisabled(name_.empty());
    if (ImGui::Button("OK") || (is_entered && !name_.empty())) tell(std::nullopt);
    ImGui::EndDisabled();
  }
  if (told || !picked_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (told) picked_.reset();
  return told;
}

}  // namespace weft::app
