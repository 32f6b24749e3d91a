#include "app/panels/timeline/lane_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "app/panels/letters.h"
#include "app/panels/path_text.h"
#include "core/layout/lane_names.h"

namespace weft::app {
namespace {

using layout::DisplayRow;

constexpr uint32_t kStretchRows = 512;
constexpr size_t kMostStretches = 64, kMostRooms = 32;  // kept
constexpr int kRoomStepPx = 8;  // the room changes with the value at the crosshair

double name_px(std::string_view text) { return text_width(text); }

// Lanes of one kind differ at the end of their names: "worker (4781)", "queue-12". The last word is
// kept, if it is short.
std::string with_last_word(const std::string& name, float room) {
  constexpr size_t kMostBytes = 16;
  if (text_width(name) <= room) return name;
  const size_t sum = name.rfind(" · ");  // " · 12 lanes"
  const size_t word = std::min({sum, name.find_last_of(layout::kNameSeparators), name.size()});
  const std::string last = name.substr(word);
  const float last_px = text_width(last);
  if (word == 0 || last.size() > kMostBytes || last_px >= room / 2)
    return layout::cut_at_end(name, room, name_px);
  return layout::cut_at_end(name.substr(0, word), room - last_px, name_px) + last;
}

constexpr std::string_view kBetween = " · ";

// "lane · variable": the lane, which the lines above and below tell, too, is cut before the
// variable, which stands only here. One that all lanes have (`is_common`) tells less than the lane.
std::string with_variable(const std::string& name, float room, bool is_common) {
  const float least_share = is_common ? 0.55F : 0.25F;  // of the room, for the lane
  const size_t between = name.find(kBetween);
  if (between == std::string::npos || text_width(name) <= room) return with_last_word(name, room);
  const std::string variable = name.substr(between);
  const float wanted = std::max(room - text_width(variable), room * least_share);
  const std::string lane = with_last_word(name.substr(0, between), wanted);
  return lane + layout::cut_at_end(variable, room - text_width(lane), name_px);
}

// Where the lanes would look alike, they are told apart in what their variables leave of the room.
std::vector<std::string> with_lanes_apart(const std::vector<std::string>& names, float room) {
  constexpr float kLeastShare = 0.4F;  // of the room, for the lanes
  std::vector<std::string> lanes, variables;
  float widest = 0;
  for (const std::string& name : names) {
    const size_t between = std::min(name.find(kBetween), name.size());
    lanes.push_back(name.substr(0, between));
    variables.push_back(name.substr(between));
    widest = std::max(widest, text_width(variables.back()));
  }
  std::vector<std::string> texts =
      layout::shortened(lanes, std::max(room - widest, room * kLeastShare), name_px);
  for (size_t i = 0; i < texts.size(); ++i)
    texts[i] += layout::cut_at_end(variables[i], room - text_width(texts[i]), name_px);
  return texts;
}

// Whether several lanes have but one variable.
bool is_one_variable(const std::vector<std::string>& names,
                     const std::vector<bool>& are_variables) {
  std::optional<std::string_view> variable;
  size_t count = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t between = are_variables[i] ? names[i].find(kBetween) : std::string::npos;
    if (between == std::string::npos) continue;
    const auto own = std::string_view(names[i]).substr(between);
    if (variable.value_or(own) != own) return false;
    variable = own;
    ++count;
  }
  return count > 1;
}

// The places of texts that stand for several names.
std::vector<size_t> mistakable(const std::vector<std::string>& names,
                               const std::vector<std::string>& texts) {
  std::unordered_map<std::string, std::vector<size_t>> alike;
  for (size_t i = 0; i < texts.size(); ++i) alike[texts[i]].push_back(i);
  std::vector<size_t> all;
  for (const auto& [text, places] : alike) {
    const auto is_other = [&](size_t place) { return names[place] != names[places.front()]; };
    if (std::ranges::any_of(places, is_other)) all.insert(all.end(), places.begin(), places.end());
  }
  return all;
}

// Different names remain different.
std::vector<std::string> cut_apart(const std::vector<std::string>& names,
                                   const std::vector<bool>& are_variables, float room,
                                   const TraceModel& model) {
  std::vector<std::string> texts;
  const bool is_common = is_one_variable(names, are_variables);
  for (const std::string& name : names) {
    texts.push_back(model.is_flat()               ? path_within(name, room, &model)
                    : are_variables[texts.size()] ? with_variable(name, room, is_common)
                                                  : with_last_word(name, room));
  }
  // All at once: what tells those of one text apart may make them look like those of another.
  const auto replace = [&](const std::vector<size_t>& places, const auto& cut) {
    std::vector<std::string> of_these;
    for (const size_t place : places) of_these.push_back(names[place]);
    std::vector<std::string> apart = cut(of_these);
    for (size_t i = 0; i < apart.size(); ++i) texts[places[i]] = std::move(apart[i]);
  };
  std::vector<size_t> places = mistakable(names, texts);
  std::erase_if(places, [&](size_t place) { return model.is_flat() || !are_variables[place]; });
  replace(places, [&](const auto& alike) { return with_lanes_apart(alike, room); });
  replace(mistakable(names, texts),
          [&](const auto& alike) { return layout::shortened(alike, room, name_px); });
  return texts;
}

}  // namespace

bool is_variable(const PanelInput& input, const DisplayRow& row) {
  return row.kind == DisplayRow::Kind::kRow &&
         input.model->trace->row(row.row).kind == store::RowKind::kVariable;
}

bool has_own_line(const PanelInput& input, const DisplayRow& row) {
  return row.is_first || row.kind == DisplayRow::Kind::kDeeper || is_variable(input, row);
}

int depth_of_line(const PanelInput& input, const DisplayRow& row) {
  return row.indent + (has_own_line(input, row) && !row.is_first ? 1 : 0);
}

void LaneLabels::forget_if_changed(const PanelInput& input) {
  const size_t letters = wanted_letters().size();
  const float font_px = ImGui::GetFontSize();
  const bool is_same = model_ == input.model && font_px_ == font_px && letters_ == letters;
  if (is_same && stretches_.size() < kMostStretches) return;
  stretches_.clear();
  model_ = input.model;
  font_px_ = font_px;
  letters_ = letters;
}

LaneLabels::Stretch& LaneLabels::stretch_of(const PanelInput& input, const layout::Lanes& lanes,
                                            uint32_t row, int depth) {
  const uint32_t number = row / kStretchRows;
  const auto [found, is_new] = stretches_.try_emplace({&lanes, number, depth});
  Stretch& stretch = found->second;
  if (!is_new) return stretch;
  const auto rows = lanes.rows();
  const size_t end = std::min<size_t>(rows.size(), (size_t{number} + 1) * kStretchRows);
  for (size_t i = size_t{number} * kStretchRows; i < end; ++i) {
    if (!has_own_line(input, rows[i]) || depth_of_line(input, rows[i]) != depth) continue;
    stretch.rows.push_back(static_cast<uint32_t>(i));
    stretch.are_variables.push_back(is_variable(input, rows[i]));
    stretch.names.push_back(layout::label_of(input.model->trace->dictionary(),
                                             input.model->trace->rows(), lanes, rows[i],
                                             input.model->is_flat()));
  }
  return stretch;
}

const std::string& LaneLabels::cut(const PanelInput& input, const layout::Lanes& lanes,
                                   const DisplayRow& line, const std::string& name, float room) {
  static const std::string nothing;
  if (room < 1) return nothing;
  forget_if_changed(input);
  const auto row = static_cast<uint32_t>(&line - lanes.rows().data());
  const int depth = depth_of_line(input, line);
  const auto place_in = [&](const Stretch& stretch) -> size_t {
    const auto at = std::ranges::lower_bound(stretch.rows, row);
    const auto place = static_cast<size_t>(at - stretch.rows.begin());
    const bool is_it = at != stretch.rows.end() && *at == row && stretch.names[place] == name;
    return is_it ? place : stretch.rows.size();
  };
  // Lanes of another model may lie where these did.
  if (const Stretch& known = stretch_of(input, lanes, row, depth);
      place_in(known) == known.rows.size())
    stretches_.clear();
  Stretch& stretch = stretch_of(input, lanes, row, depth);
  const size_t place = place_in(stretch);
  if (place == stretch.rows.size()) return nothing;
  const int step = static_cast<int>(std::floor(room)) / kRoomStepPx;
  if (stretch.by_room.size() >= kMostRooms && !stretch.by_room.contains(step))
    stretch.by_room.clear();
  std::vector<std::string>& texts = stretch.by_room[step];
  if (texts.empty())
    texts = cut_apart(stretch.names, stretch.are_variables, static_cast<float>(step * kRoomStepPx),
                      *input.model);
  return texts[place];
}

}  // namespace weft::app
