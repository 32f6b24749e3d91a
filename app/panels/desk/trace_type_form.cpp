#include "app/panels/desk/trace_type_form.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/renderer.h"

namespace weft::app {

namespace custom = formats::custom;
using custom::Definition;
using custom::Kind;
using custom::Makes;
using custom::Role;
using custom::Rule;

namespace {

constexpr layout::Rgb kRoleColors[custom::kRoleCount] = {
    0x4e79a7,  // time
    0x76b7b2,  // end
    0x59a14f,  // duration
    0xf28e2b,  // lane
    0xe15759,  // type
    0xb07aa1,  // value
    0xd4b106,  // id
    0x9c755f,  // from
    0xd37295,  // to
};
constexpr layout::Rgb kParameterColor = 0x8a8f98;

constexpr const char* kTimes[] = {"s",
                                  "ms",
                                  "us",
                                  "ns",
                                  "ticks",
                                  "%Y-%m-%dT%H:%M:%S.%f%z",
                                  "%Y-%m-%d %H:%M:%S,%f",
                                  "%H:%M:%S.%f",
                                  "%b %e %H:%M:%S"};
constexpr const char* kKindTitles[] = {"Text", "Table", "XML", "JSON"};

// A list of texts; the one chosen.
template <class Names>
std::optional<size_t> choose(const char* id, const Names& names, size_t now, float width) {
  std::optional<size_t> chosen;
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo(id, std::string(names[now]).c_str())) {
    for (size_t i = 0; i < std::size(names); ++i) {
      if (ImGui::Selectable(std::string(names[i]).c_str(), i == now)) chosen = i;
    }
    ImGui::EndCombo();
  }
  return chosen;
}

void label(const PanelInput& input, std::string_view text, float x) {
  ImGui::AlignTextToFramePadding();
  show_text(text, input.theme.text_dim);
  ImGui::SameLine(x);
}

uint64_t taken_by(const TraceTypePreview& preview, size_t rule) {
  return static_cast<uint64_t>(std::ranges::count_if(
      preview.preview.records, [rule](const auto& record) { return record.rule == rule; }));
}

}  // namespace

ImU32 color_of_role(std::optional<Role> role) {
  return render::color_from_rgb(role ? kRoleColors[static_cast<size_t>(*role)] : kParameterColor);
}

bool TraceTypeForm::edit(const char* id, std::string& text, const char* hint, float width) {
  std::array<char, 4096> typed{};
  text.copy(typed.data(), typed.size() - 1);
  ImGui::SetNextItemWidth(width);
  const bool is_edited = ImGui::InputTextWithHint(id, hint, typed.data(), typed.size());
  if (ImGui::IsItemActivated()) gesture_ = new_gesture();
  if (is_edited) text = typed.data();
  return is_edited;
}

bool TraceTypeForm::edit(const char* id, char& sign, float width) {
  std::string text = sign == '\t' ? "\\t" : std::string(1, sign);
  if (!edit(id, text, "", width) || text.empty() || text == "\\") return false;
  const char typed = text == "\\t" ? '\t' : text.back();
  const bool is_sign = typed > 0 && (typed >= ' ' || typed == '\t');
  return is_sign && std::exchange(sign, typed) != typed;
}

bool TraceTypeForm::draw(const PanelInput& input, Definition& definition,
                         const TraceTypePreview* preview) {
  bool is_changed = draw_records(input, definition);
  for (size_t i = 0; i < definition.rules.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    is_changed |= draw_rule(input, definition, i, preview);
    ImGui::PopID();
  }
  if (definition.rules.size() < custom::kMostRules && ImGui::Button("Add a rule")) {
    definition.rules.push_back({});
    gesture_ = 0;
    is_changed = true;
  }
  return is_changed;
}

bool TraceTypeForm::draw_records(const PanelInput& input, Definition& definition) {
  const float x = std::round(74 * input.scale), small = std::round(34 * input.scale);
  bool is_changed = false;
  label(input, "Records", x);
  if (const auto kind = choose("##kind", kKindTitles, static_cast<size_t>(definition.kind),
                               std::round(90 * input.scale))) {
    definition.kind = static_cast<Kind>(*kind);
    for (Rule& rule : definition.rules) rule.pattern.clear();
    gesture_ = 0;
    is_changed = true;
  }
  if (definition.kind == Kind::kCsv) {
    ImGui::SameLine();
    is_changed |= edit("separator##separator", definition.separator, small);
    ImGui::SameLine();
    is_changed |= ImGui::Checkbox("header", &definition.has_header);
  }
  label(input, "Times", x);
  is_changed |= edit("##time", definition.time, "unit, or %H:%M:%S.%f", -3 * small);
  ImGui::SameLine(0, 0);
  if (ImGui::BeginCombo("##times", "", ImGuiComboFlags_NoPreview)) {
    for (const char* const time : kTimes) {
      if (!ImGui::Selectable(time, definition.time == time)) continue;
      definition.time = time;
      gesture_ = 0;
      is_changed = true;
    }
    ImGui::EndCombo();
  }
  label(input, "Durations", x);
  is_changed |= edit("##unit", definition.duration_unit, "as times", 2 * small);
  ImGui::SameLine();
  is_changed |= edit("before fractions##decimal", definition.decimal, small);
  return is_changed;
}

bool TraceTypeForm::draw_rule(const PanelInput& input, Definition& definition, size_t index,
                              const TraceTypePreview* preview) {
  ImGui::Separator();
  if (draw_rule_head(input, definition, index, preview)) return true;
  Rule& rule = definition.rules[index];
  bool is_changed = false;
  const PatternProblem* problem = nullptr;
  if (preview != nullptr) {
    const auto it = std::ranges::find(preview->problems, index, &PatternProblem::rule);
    if (it != preview->problems.end()) problem = &*it;
  }
  is_changed |= draw_pattern(input, definition.kind, rule, problem);
  is_changed |= draw_pairs(input, "where", "Only where…", rule.where);
  is_changed |= draw_roles(input, rule);
  if (rule.makes == Makes::kNothing || rule.makes == Makes::kLoss) return is_changed;
  bool takes_rest = !rule.params.has_value();
  if (ImGui::Checkbox("other fields are parameters", &takes_rest)) {
    rule.params = takes_rest ? std::nullopt : std::optional<custom::NamedTexts>({});
    is_changed = true;
  }
  if (rule.params) is_changed |= draw_pairs(input, "params", "Add a parameter", *rule.params);
  is_changed |= ImGui::Checkbox("ask the rules below, too", &rule.goes_on);
  return is_changed;
}

// True, too, where the rule is gone or elsewhere.
bool TraceTypeForm::draw_rule_head(const PanelInput& input, Definition& definition, size_t index,
                                   const TraceTypePreview* preview) {
  Rule& rule = definition.rules[index];
  bool is_changed = false;
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(input.fonts.bold);
  show_text(std::to_string(index + 1), input.theme.text);
  ImGui::PopFont();
  ImGui::SameLine();
  label(input, "makes", std::round(74 * input.scale));
  if (const auto makes = choose("##makes", custom::makes_names(), static_cast<size_t>(rule.makes),
                                std::round(90 * input.scale))) {
    rule.makes = static_cast<Makes>(*makes);
    for (size_t i = 0; i < custom::kRoleCount; ++i) {
      if (!uses(rule.makes, static_cast<Role>(i))) rule.roles[i].clear();
    }
    is_changed = true;
  }
  const float buttons = 3 * ImGui::GetFrameHeight() + 2 * 2 * input.scale;
  if (preview != nullptr && preview->error.empty()) {
    ImGui::SameLine();
    show_text("of " + counted(taken_by(*preview, index), "record"), input.theme.text_dim);
  }
  ImGui::SameLine(ImGui::GetContentRegionMax().x - buttons);
  const auto swap_with = [&](size_t other) {
    std::swap(definition.rules[index], definition.rules[other]);
    is_changed = true;
  };
  const ImVec2 square = {ImGui::GetFrameHeight(), ImGui::GetFrameHeight()};
  if (ImGui::ArrowButton("up", ImGuiDir_Up) && index > 0) swap_with(index - 1);
  ImGui::SameLine(0, 2 * input.scale);
  if (ImGui::ArrowButton("down", ImGuiDir_Down) && index + 1 < definition.rules.size())
    swap_with(index + 1);
  ImGui::SameLine(0, 2 * input.scale);
  if (ImGui::Button("×", square) && definition.rules.size() > 1) {
    definition.rules.erase(definition.rules.begin() + static_cast<ptrdiff_t>(index));
    is_changed = true;
  }
  if (is_changed) gesture_ = 0;
  return is_changed;
}

bool TraceTypeForm::draw_pattern(const PanelInput& input, Kind kind, Rule& rule,
                                 const PatternProblem* problem) {
  if (kind == Kind::kCsv || kind == Kind::kJson) return false;
  const char* const hint =
      kind == Kind::kXml ? "path of elements: thread/call" : "regular expression with (?<time>…)";
  const bool is_changed = edit("##pattern", rule.pattern, hint);
  if (problem == nullptr) return is_changed;
  // Under the sign where it went wrong.
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float before = text_width(rule.pattern.substr(0, problem->offset));
  const float x = std::min(low.x + ImGui::GetStyle().FramePadding.x + before, high.x - 4);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = 4 * input.scale;
  list.AddTriangleFilled({x, high.y - size}, {x - size, high.y + size / 2},
                         {x + size, high.y + size / 2}, input.theme.error);
  show_text(fmt::format("column {}: {}", problem->offset + 1, problem->reason), input.theme.error);
  return is_changed;
}

bool TraceTypeForm::draw_roles(const PanelInput& input, Rule& rule) {
  const float x = std::round(74 * input.scale);
  bool is_changed = false;
  for (size_t i = 0; i < custom::kRoleCount; ++i) {
    const auto role = static_cast<Role>(i);
    if (!uses(rule.makes, role)) continue;
    const std::string name(name_of(role));
    ImGui::PushID(name.c_str());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = std::round(9 * input.scale);
    const float top = at.y + std::round((ImGui::GetFrameHeight() - size) / 2);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + size, top + size},
                                              color_of_role(role), 2 * input.scale);
    ImGui::SetCursorScreenPos({at.x + size + 6 * input.scale, at.y});
    label(input, name, x);
    const std::string usual = is_field_of_its_name(rule.makes, role) ? '{' + name + '}' : "";
    is_changed |= edit("##role", rule.role(role), usual.c_str());
    ImGui::PopID();
  }
  return is_changed;
}

bool TraceTypeForm::draw_pairs(const PanelInput& input, const char* id, const char* add,
                               custom::NamedTexts& pairs) {
  bool is_changed = false;
  ImGui::PushID(id);
  for (size_t i = 0; i < pairs.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    is_changed |= edit("##name", pairs[i].first, "field", std::round(110 * input.scale));
    ImGui::SameLine();
    is_changed |= edit("##text", pairs[i].second, "text", -ImGui::GetFrameHeight() - 6);
    ImGui::SameLine();
    const bool is_removed = ImGui::Button("×", {ImGui::GetFrameHeight(), ImGui::GetFrameHeight()});
    ImGui::PopID();
    if (!is_removed) continue;
    pairs.erase(pairs.begin() + static_cast<ptrdiff_t>(i));
    gesture_ = 0;
    is_changed = true;
    break;
  }
  if (pairs.size() < custom::kMostParams && ImGui::Button(add)) {
    pairs.emplace_back();
    gesture_ = 0;
    is_changed = true;
  }
  ImGui::PopID();
  return is_changed;
}

}  // namespace weft::app
