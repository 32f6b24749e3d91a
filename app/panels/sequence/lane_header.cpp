#include "app/panels/sequence/lane_header.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/panels/element_menu.h"
#include "app/panels/hairline.h"
#include "app/panels/letters.h"
#include "app/panels/menu_item.h"
#include "app/panels/reading_order.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/layout/lane_names.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

constexpr float kNamePx = 120;         // that a name may take
constexpr int kMostLines = 2;          // more, and it is not seen which name is whose
constexpr float kFootPx = 6;           // below the lowest line
constexpr float kPadPx = 4;            // between names; twice that, and they get no second line
constexpr float kEdgePx = 1;           // beside the first name and the last
constexpr float kSlope = 0.70710678F;  // of slanted names: half a right angle

float line_height(const PanelInput& input) { return input.fonts.small->FontSize + 3 * input.scale; }

// From the foot upwards to the right: `u` along the line, `v` across it.
ImVec2 slanted(ImVec2 foot, float u, float v) {
  return {foot.x + (u + v) * kSlope, foot.y + (v - u) * kSlope};
}

// A line in the font of now whose middle begins at the foot.
void draw_slanted(ImDrawList& list, ImVec2 foot, ImU32 color, std::string_view name) {
  const std::string drawn = may_be_turned(name) ? in_drawn_order(name) : std::string();
  std::string_view text = drawn.empty() ? name : drawn;
  std::string boxed;
  if (!note_letters(text)) text = boxed = with_boxes(text);
  const ImFont& font = *ImGui::GetFont();
  const float middle = font.FontSize / 2;
  float u = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    unsigned int code = 0;
    at += std::max(1, ImTextCharFromUtf8(&code, at, end));
    const ImFontGlyph& glyph = *font.FindGlyph(static_cast<ImWchar>(code));
    if (glyph.Visible != 0U) {
      const float u0 = u + glyph.X0, u1 = u + glyph.X1;
      const float v0 = glyph.Y0 - middle, v1 = glyph.Y1 - middle;
      list.PrimReserve(6, 4);
      list.PrimQuadUV(slanted(foot, u0, v0), slanted(foot, u1, v0), slanted(foot, u1, v1),
                      slanted(foot, u0, v1), {glyph.U0, glyph.V0}, {glyph.U1, glyph.V0},
                      {glyph.U1, glyph.V1}, {glyph.U0, glyph.V1}, color);
    }
    u += glyph.AdvanceX;
  }
}

}  // namespace

void LaneHeader::measure(const PanelInput& input, std::span<const LaneId> order) {
  const bool is_same = model_ == input.model && font_px_ == input.fonts.small->FontSize &&
                       letters_ == wanted_letters().size() &&
                       std::ranges::equal(names_, order, {}, &Name::lane);
  if (is_same) return;
  model_ = input.model;
  font_px_ = input.fonts.small->FontSize;
  letters_ = wanted_letters().size();
  pitch_px_ = 0;
  longest_px_ = 0;
  names_.clear();
  const std::vector<std::string> names =
      layout::distinct_names(input.model->trace->dictionary(), order);
  for (size_t place = 0; place < names.size(); ++place) {
    Name& name = names_.emplace_back();
    name.lane = order[place];
    name.whole = printable(names[place]);
    name.width = text_width(name.whole);
    name.color = render::color_from_rgb(input.model->lane_color(name.lane));
    longest_px_ = std::max(longest_px_, name.width);
  }
}

float LaneHeader::room_px(const PanelInput& input) const {
  return lines_ == 0
             ? std::min(longest_px_, most_px_) + 1
             : static_cast<float>(pitch_px_) * static_cast<float>(lines_) - kPadPx * input.scale;
}

// To as many letters as have room everywhere.
void LaneHeader::shorten(const PanelInput& input, double pitch_px, float most_px) {
  if (pitch_px == pitch_px_ && most_px == most_px_) return;
  pitch_px_ = pitch_px;
  most_px_ = most_px;
  const float needed = std::min(longest_px_, kNamePx * input.scale) + 2 * kPadPx * input.scale;
  const double lines = std::ceil(static_cast<double>(needed) / pitch_px);
  lines_ = lines > kMostLines ? 0 : std::max(1, static_cast<int>(lines));
  const float pitch = static_cast<float>(pitch_px), room = room_px(input);
  const float pad = kEdgePx * input.scale;
  size_t most = std::numeric_limits<size_t>::max();
  std::vector<std::string> texts;
  for (size_t place = 0; place < names_.size(); ++place) {
    texts.push_back(names_[place].whole);
    float width = room;
    if (lines_ > 0) {  // the first and the last name lie within the header
      const float from_left = (static_cast<float>(place) + 0.5F) * pitch - pad;
      const float from_right = static_cast<float>(names_.size()) * pitch - from_left - 2 * pad;
      width = std::min(from_left, room / 2) + std::min(from_right, room / 2);
    }
    const float shown = std::max(0.0F, width) / std::max(1.0F, text_width(texts.back()));
    const auto letters = static_cast<float>(letters_in(texts.back()));
    if (shown < 1) most = std::min(most, static_cast<size_t>(shown * letters));
  }
  texts = layout::shortened(texts, most);
  for (size_t place = 0; place < names_.size(); ++place) {
    names_[place].text = std::move(texts[place]);
    names_[place].width = text_width(names_[place].text);
  }
}

float LaneHeader::height(const PanelInput& input, std::span<const LaneId> order, double pitch_px,
                         float panel_px) {
  constexpr float kMostShare = 1 / 3.0F;  // of the panel, for slanted names
  const float least = 2 * line_height(input);
  const float room = panel_px * kMostShare / kSlope - line_height(input);
  ImGui::PushFont(input.fonts.small);
  measure(input, order);
  shorten(input, pitch_px, std::clamp(room, least, std::max(least, kNamePx * input.scale)));
  ImGui::PopFont();
  const float lines = lines_ == 0 ? room_px(input) * kSlope + line_height(input) * kSlope
                                  : static_cast<float>(lines_) * line_height(input);
  return std::round(lines + (kFootPx + 3) * input.scale);
}

float LaneHeader::column_x(ImVec2 at, const Area& area) const {
  return lines_ == 0 ? at.x - std::max(0.0F, area.y1 - at.y) : at.x;
}

// Above its column, but within the area.
void LaneHeader::draw_level(const PanelInput& input, size_t place, float x,
                            const Area& area) const {
  const Name& name = names_[place];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = kEdgePx * input.scale, room = room_px(input);
  const auto line = static_cast<float>(place % static_cast<size_t>(lines_));
  const float y = area.y0 + 3 * input.scale + line * line_height(input);
  const float low = std::max(area.x0 + pad, x - room / 2);
  const float high = std::min(area.x1 - pad, x + room / 2);
  const float shown = std::min(name.width, high - low);
  const float left = std::max(low, std::min(x - shown / 2, high - shown));
  draw_hairline_down(list, x, y + ImGui::GetFontSize() + input.scale, area.y1,
                     faded(name.color, 0.6F));
  draw_printable(list, {left, y}, input.theme.text, name.text, name.width, shown);
}

// On a plate over the others, the `line`-th from the foot.
void LaneHeader::draw_marked(const PanelInput& input, size_t place, float x, const Area& area,
                             float right, size_t line) const {
  const Name& name = names_[place];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 size = plate_size(name.whole, input.scale);
  const float width = std::min(size.x, right - area.x0);
  const float left = std::clamp(x - width / 2, area.x0, right - width);
  const float bottom = area.y1 - kFootPx * input.scale - static_cast<float>(line) * size.y;
  list.AddLine({x, bottom}, {x, area.y1}, name.color, 2 * input.scale);
  draw_on_plate(list, input.theme, {left, bottom - size.y}, {width, size.y}, input.theme.text,
                name.whole, input.scale);
}

void LaneHeader::draw(const PanelInput& input, const layout::SequenceLanes& lanes, const Area& area,
                      float right, const std::vector<bool>& taking_part,
                      std::span<const LaneId> marked) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {right, area.y1}, input.theme.header);
  list.PushClipRect({area.x0, area.y0}, {right, area.y1}, true);
  ImGui::PushFont(input.fonts.small);
  const auto x_of = [&](size_t place) {
    return area.x0 + static_cast<float>(std::floor(lanes.x_of_place(place))) + 0.5F;
  };
  const bool is_slanted = lines_ == 0;
  const float before = is_slanted ? area.height() : room_px(input);
  const float behind = is_slanted ? 0 : room_px(input);
  const float half = 3 * input.scale;
  for (size_t place = 0; place < names_.size(); ++place) {
    const float x = x_of(place);
    if (x + before < area.x0 || x - behind > area.x1) continue;
    const ImVec2 foot = {x, area.y1 - (kFootPx + 2) * input.scale};
    const bool is_dim = place < taking_part.size() && !taking_part[place];
    is_slanted ? draw_slanted(list, foot, is_dim ? input.theme.text_dim : input.theme.text,
                              names_[place].text)
               : draw_level(input, place, x, area);
    list.AddRectFilled({x - half, area.y1 - 4 * input.scale}, {x + half, area.y1},
                       names_[place].color);
  }
  size_t line = 0;
  for (const LaneId lane : marked) {
    const auto place = lanes.place_of(lane);
    if (!place || (!is_slanted && names_[*place].text == names_[*place].whole)) continue;
    const float x = x_of(*place);
    if (x >= area.x0 && x < area.x1) draw_marked(input, *place, x, area, right, line++);
  }
  ImGui::PopFont();
  list.PopClipRect();
}

void LaneHeader::draw_menu(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_menu_, false)) ImGui::OpenPopup("lane");
  color_pick_.draw(input, output);
  if (!ImGui::BeginPopup("lane")) return;
  const trace::Dictionary& dictionary = input.model->trace->dictionary();
  if (menu_lane_.value() >= dictionary.lanes.size()) {  // a group, or of another trace
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  const trace::Lane& lane = dictionary.lane(menu_lane_);
  const bool stands_for_others = std::ranges::find(dictionary.lanes, menu_lane_,
                                                   &trace::Lane::parent) != dictionary.lanes.end();
  const auto filter = [&](const char* title, const std::string& text) {
    offer(input.session, {{"filter.add", {{"text", text}}}, title}, output.commands);
  };
  const auto item = [&](const std::string& title, const char* command, LaneId of) {
    offer(input.session, {{command, {{"lane", of.value()}}}, title}, output.commands);
  };
  show_text(short_name(lane.name, 60), input.theme.text_dim);
  ImGui::Separator();
  if (!stands_for_others) {
    const std::string path = query::quoted_for_filter(dictionary.path_text(menu_lane_));
    const std::string from = "source == " + path, to = "target == " + path;
    filter("Filter to the messages that it sends", from);
    filter("Filter to the messages that it receives", to);
    filter("Filter to both", from + " || " + to);
    ImGui::Separator();
  }
  if (stands_for_others) item("Unfold it", "lane.expand", menu_lane_);
  if (!lane.parent.is_none()) {
    const std::string process = short_name(dictionary.lane(lane.parent).name, 40);
    item("Fold " + process + " into one lane", "lane.collapse", lane.parent);
  }
  item("Hide it", "lane.hide", menu_lane_);
  if (input.model->lane_colors && plain_item("Its colour…"))
    color_pick_.open_lane(input, menu_lane_);
  offer(input.session, {{"lane.show_all"}}, output.commands);
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

void show_lane_tooltip(const PanelInput& input, LaneId lane) {
  ImGui::BeginTooltip();
  show_text(short_name(input.model->trace->dictionary().path_text(lane), 120));
  ImGui::EndTooltip();
}

}  // namespace weft::app
