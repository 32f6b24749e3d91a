#include "app/panels/lane_header.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/letters.h"
#include "app/panels/element_menu.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/layout/lane_names.h"
#include "core/query/filter_lexer.h"

namespace weft::app {
namespace {

constexpr double kNamePx = 110;  // what most names need
constexpr int kMostLines = 4;
constexpr float kFootPx = 6;  // below the lowest line
constexpr float kPadPx = 4;   // beside a name

int line_count(const PanelInput& input, double pitch_px) {
  const double lines = std::ceil(kNamePx * static_cast<double>(input.scale) / pitch_px);
  return static_cast<int>(std::clamp(lines, 1.0, static_cast<double>(kMostLines)));
}

float line_height(const PanelInput& input) { return input.fonts.small->FontSize + 3 * input.scale; }

}  // namespace

float lane_header_height(const PanelInput& input, double pitch_px) {
  const auto lines = static_cast<float>(line_count(input, pitch_px));
  return std::round(lines * line_height(input) + (kFootPx + 3) * input.scale);
}

void LaneHeader::measure(const PanelInput& input, const layout::SequenceLanes& lanes,
                         float room_px) {
  const bool is_same = model_ == input.model && font_px_ == ImGui::GetFontSize() &&
                       room_px_ == room_px && letters_ == wanted_letters().size() &&
                       std::ranges::equal(names_, lanes.order(), {}, &Name::lane);
  if (is_same) return;
  model_ = input.model;
  font_px_ = ImGui::GetFontSize();
  room_px_ = room_px;
  letters_ = wanted_letters().size();
  names_.clear();
  std::vector<std::string> texts =
      layout::distinct_names(input.model->trace->dictionary(), lanes.order());
  for (std::string& text : texts) text = printable(text);
  const auto pitch = static_cast<float>(lanes.pitch_px());
  // As many letters as have room everywhere: the first and the last name lie within the header.
  size_t most = std::numeric_limits<size_t>::max();
  for (size_t place = 0; place < texts.size(); ++place) {
    const float from_left = (static_cast<float>(place) + 0.5F) * pitch;
    const float from_right = static_cast<float>(texts.size()) * pitch - from_left;
    const float width = std::min(from_left, room_px / 2) + std::min(from_right, room_px / 2);
    const float text_px = text_width(texts[place]);
    const float shown = std::max(0.0F, width - 2 * kPadPx * input.scale) / std::max(1.0F, text_px);
    const auto letters = static_cast<float>(letters_in(texts[place]));
    if (shown < 1) most = std::min(most, static_cast<size_t>(shown * letters));
  }
  texts = layout::shortened(texts, most);
  for (size_t place = 0; place < texts.size(); ++place) {
    const LaneId lane = lanes.order()[place];
    Name& name = names_.emplace_back();
    name.lane = lane;
    name.text = std::move(texts[place]);
    name.width = text_width(name.text);
    name.color = render::color_from_rgb(input.model->lane_color(lane));
  }
}

void LaneHeader::draw(const PanelInput& input, const layout::SequenceLanes& lanes,
                      const Area& area) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area.x0, area.y0}, {area.x1, area.y1}, input.theme.header);
  list.PushClipRect({area.x0, area.y0}, {area.x1, area.y1}, true);
  ImGui::PushFont(input.fonts.small);
  const int lines = line_count(input, lanes.pitch_px());
  const float pad = kPadPx * input.scale;
  const float room = static_cast<float>(lanes.pitch_px()) * static_cast<float>(lines);
  measure(input, lanes, room);
  for (size_t place = 0; place < names_.size(); ++place) {
    const float x = area.x0 + static_cast<float>(std::floor(lanes.x_of_place(place))) + 0.5F;
    if (x + room / 2 < area.x0 || x - room / 2 > area.x1) continue;
    const Name& name = names_[place];
    const auto line = static_cast<float>(place % static_cast<size_t>(lines));
    const float y = area.y0 + 3 * input.scale + line * line_height(input);
    // Above its column, but within the area.
    const float low = std::max(area.x0 + pad, x - room / 2 + pad);
    const float high = std::min(area.x1 - pad, x + room / 2 - pad);
    const float shown = std::min(name.width, high - low);
    const float left = std::max(low, std::min(x - shown / 2, high - shown));
    list.AddLine({x, y + ImGui::GetFontSize() + input.scale}, {x, area.y1},
                 faded(name.color, 0.6F));
    list.AddRectFilled({x - 3 * input.scale, area.y1 - 4 * input.scale},
                       {x + 3 * input.scale, area.y1}, name.color);
    draw_printable(list, {left, y}, input.theme.text, name.text, name.width, shown);
  }
  ImGui::PopFont();
  list.PopClipRect();
}

void LaneHeader::draw_menu(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(opens_menu_, false)) ImGui::OpenPopup("lane");
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
    if (ImGui::MenuItem(title)) output.commands.push_back({"filter.add", {{"text", text}}});
  };
  const auto item = [&](const std::string& title, const char* command, LaneId of) {
    if (ImGui::MenuItem(title.c_str()))
      output.commands.push_back({command, {{"lane", of.value()}}});
  };
  show_text(printable(lane.name, 60), input.theme.text_dim);
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
    const std::string process = printable(dictionary.lane(lane.parent).name, 40);
    item("Fold " + process + " into one lane", "lane.collapse", lane.parent);
  }
  item("Hide it", "lane.hide", menu_lane_);
  if (ImGui::MenuItem("Show all lanes")) output.commands.push_back({"lane.show_all"});
  offer_to_clear_filter(input, output);
  ImGui::EndPopup();
}

void show_lane_tooltip(const PanelInput& input, LaneId lane) {
  ImGui::BeginTooltip();
  show_text(printable(input.model->trace->dictionary().path_text(lane), 120));
  ImGui::EndTooltip();
}

}  // namespace weft::app
