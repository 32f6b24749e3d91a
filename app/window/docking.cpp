#include "app/window/docking.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/panels/hairline.h"
#include "app/panels/menu_item.h"
#include "app/panels/panel_handle.h"
#include "app/session/density_scale.h"
#include "app/session/panel_kinds.h"

namespace weft::app {
namespace {

constexpr float kStripPx = 25;
constexpr float kTabDragPx = 6;  // the pointer moves this far before a tab does
constexpr float kBorderPx = 14;  // a drop so near the border goes beside everything

constexpr ImGuiWindowFlags kFixedWindow =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground |
    ImGuiWindowFlags_NoFocusOnAppearing;

bool has_strip(const PanelLayout& layout, const LayoutNode& group) {
  if (group.tabs.size() > 1) return true;
  const PanelInstance* only = layout.find(group.tabs.front());
  const PanelKind* kind = only ? find_panel_kind(only->kind) : nullptr;
  return !kind || !kind->has_time_axis || only->stays_with_trace() || !only->group.empty();
}

// Where the panel would be after a move.
Area place_after(PanelLayout layout, const std::string& id, const std::string& target, Side side,
                 const Area& area, float scale) {
  if (!layout.move(id, target, side)) return {};
  const Tiling tiling = arrange(*layout.root(), area, scale, layout.focus_order());
  const auto group = std::ranges::find_if(tiling.groups, [&](const PlacedGroup& placed) {
    return std::ranges::find(placed.group->tabs, id) != placed.group->tabs.end();
  });
  return group->area;
}

// The side that the point is near, or the middle.
Side side_at(const Area& area, ImVec2 p, float border_share) {
  const float x = (p.x - area.x0) / std::max(1.0F, area.width());
  const float y = (p.y - area.y0) / std::max(1.0F, area.height());
  const float nearest = std::min({x, 1 - x, y, 1 - y});
  if (nearest > border_share) return Side::kTab;
  if (nearest == x) return Side::kLeft;
  if (nearest == 1 - x) return Side::kRight;
  return nearest == y ? Side::kTop : Side::kBottom;
}

}  // namespace

void begin_fixed_window(const std::string& label, const Area& area) {
  ImGui::SetNextWindowPos({area.x0, area.y0});
  ImGui::SetNextWindowSize({area.width(), area.height()});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(label.c_str(), nullptr, kFixedWindow);
  ImGui::PopStyleVar(3);  // tooltips opened within have their own
}

std::string title_of(const Session& session, const PanelInstance& instance) {
  if (instance.stays_with_trace()) {
    for (const auto& trace : session.traces) {
      if (trace->id() != instance.pinned->trace_id) continue;
      const Duration shift = trace->shift();
      const ClockRate rate = trace->view().rate;
      std::string title = short_name(trace->name(), 80);
      if (shift != Duration()) {
        title += (shift.ticks > 0 ? "  +" : "  ") +
                 length_label(session.look.time_display, shift, trace->time_base(), 6);
      }
      if (rate != ClockRate()) {
        const double ppm = (rate.factor() - 1) * 1e6;
        title += fmt::format("  {:+.{}f} ppm", ppm, std::abs(ppm) < 100 ? 2 : 0);
      }
      return title;
    }
  }
  const PanelKind* kind = find_panel_kind(instance.kind);
  std::string title(kind ? kind->title : instance.kind);
  const size_t dash = instance.kind.size();
  if (instance.id.size() > dash + 1) title += " " + instance.id.substr(dash + 1);
  if (!instance.group.empty()) title += " · " + short_name(instance.group, 40);
  return title;
}

std::vector<PlacedPanel> Docking::arrange(const Session& session, const Area& area, float scale) {
  const PanelLayout& layout = session.desk.layout;
  const auto needs_trace = [](const PanelInstance& panel) {
    const PanelKind* kind = find_panel_kind(panel.kind);
    return kind && kind->has_time_axis;
  };
  // Frames around nothing tell nothing.
  const bool is_bare = session.traces.empty() && std::ranges::all_of(layout.panels(), needs_trace);
  tiling_ = layout.root() && !is_bare
                ? app::arrange(*layout.root(), area, scale, layout.focus_order())
                : Tiling{};
  area_ = area;
  strip_px_ = std::round(kStripPx * scale);
  std::vector<PlacedPanel> placed;
  for (const PlacedGroup& group : tiling_.groups) {
    const PanelInstance* instance = layout.find(group.group->tabs[group.group->active]);
    const PanelKind* kind = instance ? find_panel_kind(instance->kind) : nullptr;
    if (!kind) continue;
    Area inner = group.area;
    if (has_strip(layout, *group.group)) inner.y0 = std::min(inner.y1, inner.y0 + strip_px_);
    placed.push_back({instance, kind, inner, 0});
  }
  // A time axis of its own width is kept however narrow the panel is.
  for (PlacedPanel& panel : placed) {
    float narrowest = panel.area.width();
    for (const PlacedPanel& other : placed) {
      if (other.area.x0 == panel.area.x0) narrowest = std::min(narrowest, other.area.width());
    }
    panel.gutter_px =
        std::round(std::min(static_cast<float>(session.look.gutter_px) * scale, narrowest * 0.45F));
  }
  return placed;
}

void Docking::draw(const ChromeInput& input) {
  for (const PlacedGroup& group : tiling_.groups) {
    if (has_strip(input.session.desk.layout, *group.group)) draw_tabs(input, group);
  }
  for (size_t i = 0; i < tiling_.splitters.size(); ++i) {
    draw_splitter(input, tiling_.splitters[i], i);
  }
  if (!dragged_.empty()) draw_drag(input);
}

void Docking::draw_tabs(const ChromeInput& input, const PlacedGroup& placed) {
  const LayoutNode& group = *placed.group;
  const Area strip = {placed.area.x0, placed.area.y0, placed.area.x1,
                      std::min(placed.area.y1, placed.area.y0 + strip_px_)};
  begin_fixed_window("##tabs-" + group.tabs.front(), strip);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({strip.x0, strip.y0}, {strip.x1, strip.y1}, input.theme.header);
  // All have the same room where there is too little.
  const float widest = strip.width() / static_cast<float>(group.tabs.size());
  float x = strip.x0;
  for (size_t i = 0; i < group.tabs.size(); ++i) {
    if (const PanelInstance* instance = input.session.desk.layout.find(group.tabs[i])) {
      x += draw_tab(input, *instance, i == group.active, {x, strip.y0}, widest);
    }
  }
  ImGui::End();
}

float Docking::draw_tab(const ChromeInput& input, const PanelInstance& instance, bool is_active,
                        ImVec2 at, float widest) {
  const std::string title = title_of(input.session, instance);
  const float pad = std::round(10 * input.scale);
  const float mark = std::round(16 * input.scale);  // of the cross, and of the pin
  const float pin = instance.has_own_view() ? mark : 0;
  const float text = text_width(title);
  const float width = std::floor(std::min(widest, text + 2 * pad + mark + pin));
  ImGui::PushID(instance.id.c_str());
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("tab", {std::max(1.0F, width - mark), strip_px_},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  const bool is_hovered = ImGui::IsItemHovered();
  if (ImGui::IsItemActivated() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    input.commands.push_back({"panel.focus", {{"panel", instance.id}}});
  }
  if (is_hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Middle)) {
    input.commands.push_back({"panel.close", {{"panel", instance.id}}});
  }
  if (ImGui::IsItemActive()) begin_drag(instance.id);
  if (ImGui::BeginPopupContextItem("menu")) {
    draw_menu(input, instance);
    ImGui::EndPopup();
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool is_focused = input.session.desk.layout.focused() == instance.id;
  if (is_active || is_hovered) {
    list.AddRectFilled(at, {at.x + width, at.y + strip_px_},
                       is_active ? input.theme.gutter : input.theme.stripe);
  }
  if (is_active) {
    list.AddRectFilled(at, {at.x + width, at.y + std::round(2 * input.scale)},
                       is_focused ? input.theme.accent : input.theme.border);
  }
  const float y = at.y + std::floor((strip_px_ - ImGui::GetFontSize()) / 2);
  const float middle = at.y + strip_px_ / 2;
  if (instance.has_own_view()) {
    list.AddCircleFilled({at.x + pad + mark / 4, middle}, 3.5F * input.scale, input.theme.accent);
  }
  draw_text(list, {at.x + pad + pin, y}, is_active ? input.theme.text : input.theme.text_dim, title,
            std::max(0.0F, width - pad - mark - pin));

  ImGui::SetCursorScreenPos({at.x + width - mark, at.y});
  if (ImGui::InvisibleButton("close", {mark, strip_px_})) {
    input.commands.push_back({"panel.close", {{"panel", instance.id}}});
  }
  if (is_hovered || is_active || ImGui::IsItemHovered()) {
    const ImU32 ink = ImGui::IsItemHovered() ? input.theme.text : input.theme.text_dim;
    const ImVec2 c = {std::floor(at.x + width - mark * 0.7F), std::floor(middle)};
    const float r = 3.5F * input.scale;
    list.AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, ink, input.scale);
    list.AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, ink, input.scale);
  }
  ImGui::PopID();
  return width;
}

void Docking::draw_splitter(const ChromeInput& input, const Splitter& splitter, size_t index) {
  const Area& area = splitter.area;
  if (area.width() < 1 || area.height() < 1) return;
  begin_fixed_window("##split" + std::to_string(index), area);
  ImGui::InvisibleButton("split", {area.width(), area.height()});
  const bool is_active = ImGui::IsItemActive();
  const bool is_lit = is_active || ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {area.x1, area.y1},
                     is_lit ? input.theme.accent : input.theme.background);
  // At rest a thin line is enough.
  const float x = std::floor((area.x0 + area.x1) / 2), y = std::floor((area.y0 + area.y1) / 2);
  if (splitter.is_row && !is_lit) {
    list.AddRectFilled({x, area.y0}, {x + 1, area.y1}, input.theme.border);
  } else if (!is_lit) {
    list.AddRectFilled({area.x0, y}, {area.x1, y + 1}, input.theme.border);
  }
  if (is_lit) {
    ImGui::SetMouseCursor(splitter.is_row ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  }
  if (ImGui::IsItemActivated()) gesture_ = new_gesture();
  const ImGuiIO& io = ImGui::GetIO();
  const bool has_moved = (splitter.is_row ? io.MouseDelta.x : io.MouseDelta.y) != 0;
  if (is_active && has_moved) {
    const float moved = splitter.is_row ? io.MousePos.x - x : io.MousePos.y - y;
    Json sizes = Json::object();
    for (const Splitter::Part& part : dragged(splitter, moved, input.scale))
      sizes[part.panel] = part.px / input.scale;
    input.commands.push_back({"panel.resize", {{"sizes", std::move(sizes)}}, gesture_});
  }
  ImGui::End();
}

void Docking::mark_focus(std::span<const Command> commands) {
  const bool is_moved = std::ranges::any_of(commands, [](const Command& command) {
    return command.name == "panel.next" || command.name == "panel.previous";
  });
  marks_focus_ = is_moved || (marks_focus_ && !ImGui::IsAnyMouseDown());
}

void Docking::draw_over(const ChromeInput& input, const PlacedPanel& placed) {
  if (placed.kind->has_time_axis) draw_gutter_edge(input, placed);
  const auto group = std::ranges::find_if(tiling_.groups, [&](const PlacedGroup& shown) {
    return shown.group->tabs[shown.group->active] == placed.instance->id;
  });
  if (group == tiling_.groups.end() || has_strip(input.session.desk.layout, *group->group)) return;
  const std::string& id = placed.instance->id;
  if (marks_focus_ && input.session.desk.layout.focused() == id)
    draw_hairline_across(*ImGui::GetWindowDrawList(), placed.area.y0, placed.area.x0,
                         placed.area.x1, input.theme.accent);
  const bool is_menu_open = menu_of_ == id;
  // The button stays while it is pressed; otherwise it could neither be clicked nor dragged.
  const bool is_wanted = is_menu_open || placed.instance->pinned || dragged_ == id ||
                         pressed_ == id ||
                         (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
                          placed.area.contains(ImGui::GetIO().MousePos));
  if (!is_wanted) return;
  const ImVec2 size = {std::round(kPanelHandlePx * input.scale), std::round(18 * input.scale)};
  const ImVec2 at = {placed.area.x1 - size.x - std::round(kPanelHandleMarginPx * input.scale),
                     placed.area.y0 + std::round(4 * input.scale)};
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild("##chip", size, false, kFixedWindow);
  if (ImGui::InvisibleButton("menu", size)) ImGui::OpenPopup("panel");
  const bool is_hovered = ImGui::IsItemHovered();
  if (ImGui::IsItemActive()) {
    pressed_ = id;
    begin_drag(id);
  } else if (pressed_ == id) {
    pressed_.clear();
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end = {at.x + size.x, at.y + size.y};
  list.AddRectFilled(at, end, input.theme.popup, 4 * input.scale);
  list.AddRect(at, end, is_hovered ? input.theme.accent : input.theme.border, 4 * input.scale);
  const ImU32 ink = placed.instance->pinned ? input.theme.accent
                    : is_hovered            ? input.theme.text
                                            : input.theme.text_dim;
  for (const float dot : {-1.0F, 0.0F, 1.0F}) {
    list.AddCircleFilled({(at.x + end.x) / 2 + dot * 6 * input.scale, (at.y + end.y) / 2},
                         1.8F * input.scale, ink);
  }
  menu_of_ = ImGui::BeginPopup("panel") ? id : is_menu_open ? "" : menu_of_;
  if (menu_of_ == id) {
    draw_menu(input, *placed.instance);
    ImGui::EndPopup();
  }
  ImGui::EndChild();
}

// All of it is left of where time begins: there are handles of panels.
void Docking::draw_gutter_edge(const ChromeInput& input, const PlacedPanel& placed) {
  const float x = placed.area.x0 + placed.gutter_px;
  const ImVec2 size = {6 * input.scale, std::max(1.0F, placed.area.height())};
  ImGui::SetCursorScreenPos({x - size.x, placed.area.y0});
  ImGui::BeginChild("##gutter", size, false, kFixedWindow);
  ImGui::InvisibleButton("split", size);
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddRectFilled({x - 2, placed.area.y0}, {x, placed.area.y1},
                                              input.theme.accent);
  }
  if (ImGui::IsItemActivated()) gesture_ = new_gesture();
  const float px = ImGui::GetIO().MousePos.x - placed.area.x0;
  if (ImGui::IsItemActive() && px > 0 && ImGui::GetIO().MouseDelta.x != 0) {
    input.commands.push_back({"gutter.width", {{"px", px / input.scale}}, gesture_});
  }
  ImGui::EndChild();
}

void Docking::draw_menu(const ChromeInput& input, const PanelInstance& instance) {
  const auto item = [&](const char* title, const char* command, Json more = Json::object(),
                        bool is_checked = false) {
    more["panel"] = instance.id;
    offer(input.session,
          {{command, std::move(more)}, title, is_checked, obstacle_to(command, input.session)},
          input.commands);
  };
  show_text(title_of(input.session, instance), input.theme.text_dim);
  ImGui::Separator();
  item("Split right", "panel.duplicate", {{"side", "right"}});
  item("Split below", "panel.duplicate", {{"side", "bottom"}});
  item("Duplicate as a tab", "panel.duplicate", {{"side", "tab"}});
  item("Pin its view", "panel.pin", {{"pinned", !instance.has_own_view()}},
       instance.has_own_view());
  item("Stay with its trace", "panel.pin",
       {{"pinned", !instance.stays_with_trace()}, {"to", "trace"}, {"in", instance.id}},
       instance.stays_with_trace());
  draw_group_menu(input, instance);
  const PanelKind* kind = find_panel_kind(instance.kind);
  if (kind && kind->is_of_range && ImGui::BeginMenu("Show its range in")) {
    for (const PanelKind& other : panel_kinds()) {
      if (other.is_of_range && other.id != kind->id) {
        item(std::string(other.title).c_str(), "panel.show_in", {{"kind", other.id}});
      }
    }
    ImGui::EndMenu();
  }
  if (has_bars(instance.kind) && ImGui::BeginMenu("Scale of its bars")) {
    const DensityScale scale = density_scale_of(instance.options);
    for (size_t i = 0; i < kDensityScales.size(); ++i) {
      item(kDensityScales[i].title, "density.scale", {{"scale", kDensityScales[i].id}},
           i == static_cast<size_t>(scale));
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  const OpenTrace* trace = input.session.trace();
  const std::string base = (trace ? trace->beside().string() : "weftscope") + "." + instance.id;
  item("Add to the report", "report.add");
  offer(input.session, {ask_for_picture(base + ".png", instance.id), "Save a picture of it…"},
        input.commands);
  if (kind && kind->has_table) {
    item("Copy its table as CSV", "table.copy");
    item("Copy its table as JSON", "table.copy", {{"format", "json"}});
    offer(input.session, {ask_for_table(base + ".csv", instance.id), "Write its table to a file…"},
          input.commands);
  }
  ImGui::Separator();
  item("Close", "panel.close");
}

void Docking::draw_group_menu(const ChromeInput& input, const PanelInstance& instance) {
  if (!ImGui::BeginMenu("Group of views")) return;
  int id = 0;
  for (const auto& group : input.session.desk.groups) {
    const bool is_its = group.first == instance.group;
    if (!text_item(input.theme, input.scale, id++, group.first, is_its)) continue;
    Json args = {{"panel", instance.id}};
    if (!is_its) args["group"] = group.first;
    input.commands.push_back({is_its ? "group.remove" : "group.add", std::move(args)});
  }
  offer(input.session,
        {.command = {"group.add", {{"panel", instance.id}}},
         .title = "New group",
         .obstacle = obstacle_to("group.add", input.session)},
        input.commands);
  ImGui::Separator();
  const std::string obstacle = instance.group.empty() ? "the panel is of no group" : "";
  const auto item = [&](const char* title, const char* command) {
    offer(input.session,
          {.command = {command, {{"group", instance.group}}}, .title = title, .obstacle = obstacle},
          input.commands);
  };
  item("Synchronise it with the linked panels", "group.synchronise");
  item("Close its panels", "group.close");
  item("Forget it", "group.delete");
  ImGui::EndMenu();
}

void Docking::begin_drag(const std::string& id) {
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left, kTabDragPx)) dragged_ = id;
}

void Docking::draw_drag(const ChromeInput& input) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::string target;
  Side side = Side::kTab;
  bool is_over_panels = false;
  const float near = kBorderPx * input.scale;
  const Area inner = {area_.x0 + near, area_.y0 + near, area_.x1 - near, area_.y1 - near};
  if (area_.contains(mouse) && !inner.contains(mouse)) {
    is_over_panels = true;
    side = side_at(area_, mouse, 1);
  } else {
    for (const PlacedGroup& group : tiling_.groups) {
      if (!group.area.contains(mouse)) continue;
      is_over_panels = true;
      target = group.group->tabs[group.group->active];
      side = side_at(group.area, mouse, 0.25F);
    }
  }
  const PanelLayout& layout = input.session.desk.layout;
  const Area lit =
      is_over_panels ? place_after(layout, dragged_, target, side, area_, input.scale) : Area();
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  if (lit.width() > 0) {
    list.AddRectFilled({lit.x0, lit.y0}, {lit.x1, lit.y1}, input.theme.selection, 4 * input.scale);
    list.AddRect({lit.x0, lit.y0}, {lit.x1, lit.y1}, input.theme.accent, 4 * input.scale, 0,
                 2 * input.scale);
  }
  const PanelInstance* instance = layout.find(dragged_);
  if (instance) {
    const std::string title = title_of(input.session, *instance);
    const float width = std::min(text_width(title) + 1, 300 * input.scale);
    const float x = std::min(mouse.x + 14 * input.scale, input.area.x1 - width);
    draw_text(list, {x, mouse.y + 10 * input.scale}, input.theme.text, title, width);
  }
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (instance && lit.width() > 0 && !(target == dragged_ && side == Side::kTab)) {
    Json args = {{"panel", dragged_}, {"side", name_of(side)}};
    if (!target.empty()) args["beside"] = target;
    input.commands.push_back({"panel.move", std::move(args)});
  }
  dragged_.clear();
}

}  // namespace weft::app
