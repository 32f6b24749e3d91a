#include "app/panels/sequence/classes_panel.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/panels/sequence/message_signs.h"
#include "app/panels/tables/table_view.h"
#include "app/panels/toolbar.h"
#include "app/session/markers.h"
#include "app/view/named_colors.h"
#include "app/view/view_filter.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

void copy_text(const std::string& text, std::span<char> buffer) {
  const size_t size = text.copy(buffer.data(), buffer.size() - 1);
  buffer[size] = 0;
}

Command set_class(const MessageClass& of, const std::string& was = {}) {
  Command command{"class.set", json_from_message_class(of)};
  if (!was.empty()) command.args["was"] = was;
  return command;
}

ImU32 color_of(const PanelInput& input, const MessageClass& of) {
  return of.color ? render::color_from_rgb(*of.color) : ImU32{input.theme.text_dim};
}

// The expression of a new class: messages like the selected one, or those that pass the filter.
std::string rule_for_new(const PanelInput& input) {
  const auto element = input.trace->element();
  if (element && query::is_link(element->kind) && input.model)
    return of_type(input.model->trace->dictionary(), element->type);
  const ViewFilter& filter = input.trace->view().filter;
  return filter.is_set() ? filter.text : "category == link";
}

// A list of names; the one chosen.
std::optional<size_t> choose_name(const char* id, std::span<const std::string_view> names,
                                  size_t now, float width) {
  std::optional<size_t> chosen;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, std::string(names[now]).c_str())) return chosen;
  for (size_t i = 0; i < names.size(); ++i) {
    if (ImGui::Selectable(std::string(names[i]).c_str(), i == now)) chosen = i;
  }
  ImGui::EndCombo();
  return chosen;
}

Sheet sheet_of(const MessageClasses& classes) {
  return sheet_of_cells({"name", "where", "color", "sign", "line", "importance"}, classes.size(),
                        [classes](uint64_t row, size_t column) -> Cell {
                          const MessageClass& of = classes[row];
                          switch (column) {
                            case 0:
                              return of.name;
                            case 1:
                              return of.where;
                            case 2:
                              return of.color ? Cell(text_from_rgb(*of.color)) : Cell();
                            case 3:
                              return std::string(kMessageSigns[static_cast<size_t>(of.sign)]);
                            case 4:
                              return std::string(kMessageLines[static_cast<size_t>(of.line)]);
                            default:
                              return int64_t{of.importance};
                          }
                        });
}

}  // namespace

std::vector<Command> make_class(const MessageClasses& classes, std::string name,
                                std::string where) {
  MessageClass made;
  const std::string stem = name;
  const auto is_taken = [&] {
    return std::ranges::find(classes, name, &MessageClass::name) != classes.end();
  };
  for (int i = 2; is_taken(); ++i) name = stem + " " + std::to_string(i);
  made.name = name;
  made.where = std::move(where);
  made.color = kMarkerColors[classes.size() % kMarkerColors.size()];
  return {{"panel.open", {{"panel", "classes"}}},
          {"panel.set", {{"panel", "classes"}, {"option", "edited"}, {"value", name}}},
          set_class(made)};
}

void ClassesPanel::edit(const MessageClass& of) {
  edited_ = of.name;
  copy_text(of.name, name_);
  copy_text(of.where, where_);
}

void ClassesPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace) return;
  const MessageClassesPtr shown = message_classes_of(input.session, *input.trace);
  const MessageClasses& classes = *shown;
  offer_sheet(input, "", /*is_stale=*/false, [&] { return sheet_of(classes); }, output);
  Area area;
  {
    Toolbar bar(input, output);
    if (bar.button("New class", classes.size() < layout::kMostMessageClasses))
      std::ranges::move(make_class(classes, "class", rule_for_new(input)),
                        std::back_inserter(output.commands));
    if (bar.button("Keep beside the trace", !input.trace->message_classes))
      output.commands.push_back({"classes.keep"});
    area = bar.below();
  }
  if (classes.empty()) {
    draw_notice(input, area,
                "No classes of messages. A class has a rule that says which messages belong to it, "
                "and how they are drawn");
    return;
  }
  const std::string wanted = text_option(input, "edited", "");
  begin_content(area, {10 * input.scale, 4 * input.scale});
  const auto now = std::ranges::find(classes, wanted, &MessageClass::name);
  if (now == classes.end()) {
    edited_.clear();
  } else if (edited_ != wanted) {
    edit(*now);
  }
  for (size_t i = 0; i < classes.size(); ++i) draw_class(input, classes, i, output);
  ImGui::PushFont(input.fonts.small);
  ImGui::PushTextWrapPos(0);
  show_text(input.trace->message_classes ? "These are of this trace, and lie in a file beside it."
                                         : "These are yours, for all traces. A message is of the "
                                           "first whose rule it passes.",
            input.theme.text_dim);
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndChild();
}

void ClassesPanel::draw_class(const PanelInput& input, const MessageClasses& classes, size_t place,
                              PanelOutput& output) {
  const MessageClass& of = classes[place];
  const bool is_edited = edited_ == of.name;
  ImGui::PushID(static_cast<int>(place));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float line = ImGui::GetTextLineHeightWithSpacing(), height = 2 * line + 2 * input.scale;
  if (ImGui::InvisibleButton("class", {width, height})) {
    output.commands.push_back(set_option(input, "edited", is_edited ? Json() : Json(of.name)));
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered() || is_edited)
    list.AddRectFilled(at, {at.x + width, at.y + height}, input.theme.selection, 3 * input.scale);
  const float pad = 8 * input.scale;
  draw_class_sample(list, of, {at.x + pad, at.y + line / 2 + input.scale}, input.scale,
                    color_of(input, of));
  const float x = at.x + pad + 48 * input.scale, room = at.x + width - x;
  draw_text(list, {x, at.y + input.scale}, input.theme.text, printable(of.name, 120), room);
  const bool is_known = input.model && place < input.model->message_rules->size() &&
                        *input.model->message_classes == classes;
  const bool is_unfit = is_known && !(*input.model->message_rules)[place].filter;
  draw_text(list, {x, at.y + line}, is_unfit ? input.theme.warning : input.theme.text_dim,
            is_unfit ? "takes nothing: its rule names what this trace does not have"
                     : printable(of.where, 400),
            room);
  if (is_edited) draw_editor(input, classes, place, output);
  ImGui::PopID();
}

void ClassesPanel::draw_editor(const PanelInput& input, const MessageClasses& classes, size_t place,
                               PanelOutput& output) {
  const MessageClass& of = classes[place];
  const auto use = [&](const MessageClass& changed) {
    const bool is_taken =
        changed.name != of.name &&
        std::ranges::find(classes, changed.name, &MessageClass::name) != classes.end();
    if (is_taken || !message_class_from_json(json_from_message_class(changed))) return;
    if (changed.name != of.name)
      output.commands.push_back(set_option(input, "edited", Json(changed.name)));
    output.commands.push_back(set_class(changed, of.name));
  };
  MessageClass typed = of;
  typed.name = name_.data();
  typed.where = where_.data();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##name", "name", name_.data(), name_.size());
  bool is_done = ImGui::IsItemDeactivatedAfterEdit();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##where", "which messages: type =~ /TICK/", where_.data(),
                           where_.size());
  is_done |= ImGui::IsItemDeactivatedAfterEdit();
  if (is_done) use(typed);
  if (const auto made = message_class_from_json(json_from_message_class(typed)); !made) {
    ImGui::PushTextWrapPos(0);
    show_text(made.error().message, input.theme.error);
    ImGui::PopTextWrapPos();
  }
  draw_looks(input, of, output);
  draw_buttons(classes, place, output);
}

void ClassesPanel::draw_looks(const PanelInput& input, const MessageClass& of,
                              PanelOutput& output) {
  MessageClass changed = of;
  const float gap = 4 * input.scale;
  for (size_t i = 0; i < kMarkerColors.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, gap);
    ImGui::PushID(static_cast<int>(i));
    const ImVec4 color = ImGui::ColorConvertU32ToFloat4(render::color_from_rgb(kMarkerColors[i]));
    if (ImGui::ColorButton("##color", color, ImGuiColorEditFlags_NoTooltip))
      changed.color = kMarkerColors[i];
    ImGui::PopID();
  }
  ImGui::SameLine(0, gap);
  if (ImGui::Button("No colour")) changed.color.reset();
  const float width = 104 * input.scale;
  if (const auto sign = choose_name("##sign", kMessageSigns, static_cast<size_t>(of.sign), width))
    changed.sign = static_cast<MessageSign>(*sign);
  ImGui::SameLine(0, gap);
  if (const auto line = choose_name("##line", kMessageLines, static_cast<size_t>(of.line), width))
    changed.line = static_cast<MessageLine>(*line);
  ImGui::SetNextItemWidth(width);
  ImGui::InputInt("importance", &changed.importance);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("Where arrows are too many, those of the highest importance stay");
  changed.importance = std::clamp(changed.importance, -kMostImportance, kMostImportance);
  if (changed != of) output.commands.push_back(set_class(changed));
}

void ClassesPanel::draw_buttons(const MessageClasses& classes, size_t place, PanelOutput& output) {
  const MessageClass& of = classes[place];
  const auto button = [&](const char* title, bool is_enabled, Command command) {
    ImGui::BeginDisabled(!is_enabled);
    if (ImGui::Button(title)) output.commands.push_back(std::move(command));
    ImGui::EndDisabled();
  };
  button("Earlier", place > 0, {"class.move", {{"name", of.name}, {"by", -1}}});
  ImGui::SameLine();
  button("Later", place + 1 < classes.size(), {"class.move", {{"name", of.name}, {"by", 1}}});
  ImGui::SameLine();
  button("Filter to these", true, {"filter.set", {{"text", of.where}}});
  ImGui::SameLine();
  button("Remove", true, {"class.remove", {{"name", of.name}}});
}

}  // namespace weft::app
