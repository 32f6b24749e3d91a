#include "app/window/palette.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/panels/text_field.h"

namespace weft::app {
namespace {

constexpr float kWidthPx = 620;
constexpr float kHeightPx = 420;
constexpr const char* kNothingChosen = "\x01";  // no query: the list is to be made

float line_px(const ChromeInput& input) {
  return std::round(ImGui::GetFontSize() + 9 * input.scale);
}

void close(const ChromeInput& input) {
  input.commands.push_back({"palette.show", {{"shown", false}}});
}

// All that is not the palette: what is below gets no mouse, a click closes the palette.
void draw_outside(const ChromeInput& input, bool has_appeared) {
  ImGui::SetNextWindowPos({input.area.x0, input.area.y0});
  ImGui::SetNextWindowSize({input.area.width(), input.area.height()});
  if (has_appeared) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("##outside the palette", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(2);
  constexpr ImGuiButtonFlags kAnyButton = ImGuiButtonFlags_MouseButtonLeft |
                                          ImGuiButtonFlags_MouseButtonRight |
                                          ImGuiButtonFlags_MouseButtonMiddle;
  ImGui::InvisibleButton("outside", ImGui::GetContentRegionAvail(), kAnyButton);
  if (ImGui::IsItemActivated()) close(input);
  ImGui::End();
}

}  // namespace

void CommandPalette::reset() {
  query_ = {};
  answer_ = {};
  selected_ = 0;
  asked_ = nullptr;
  complaint_.clear();
  listed_for_ = kNothingChosen;
  takes_focus_ = true;
}

void CommandPalette::draw(const ChromeInput& input, const Input& keys) {
  const bool has_appeared = input.session.dialogs.shows_palette && !was_shown_;
  was_shown_ = input.session.dialogs.shows_palette;
  if (!was_shown_) return;
  if (has_appeared) reset();
  if (has_appeared && !input.session.dialogs.palette_asks.empty()) {
    asked_ = find_command(input.session.dialogs.palette_asks);
  }
  const auto has = [&](const char* chord) {
    return std::ranges::find(keys.chords, chord) != keys.chords.end();
  };
  if (has("Escape") && !has_appeared) {
    if (asked_) {
      asked_ = nullptr;
      takes_focus_ = true;
    } else {
      close(input);
    }
  }
  draw_outside(input, has_appeared);
  list_matches(input);
  const float width = std::min(kWidthPx * input.scale, input.area.width() * 0.94F);
  const float most = std::min(kHeightPx * input.scale, input.area.height() * 0.8F);
  const float rows = static_cast<float>(std::max<size_t>(1, entries_.size()));
  const float around = ImGui::GetFrameHeightWithSpacing() + 3 * ImGui::GetStyle().WindowPadding.y;
  // A question is as high as what it says.
  const float height = asked_ ? 0 : std::min(most, around + rows * line_px(input));
  const float top = input.area.y0 + std::round(input.area.height() * 0.1F);
  ImGui::SetNextWindowPos({std::floor((input.area.x0 + input.area.x1 - width) / 2), top});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most});
  ImGui::SetNextWindowSize({width, height});
  if (has_appeared) ImGui::SetNextWindowFocus();
  ImGui::Begin(
      "##palette", nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  if (asked_) {
    draw_question(input);
    if (has("Enter")) run_asked(input);
  } else {
    draw_query();
    list_matches(input);  // Enter may have come with the last letter
    const size_t last = entries_.empty() ? 0 : entries_.size() - 1;
    if (has("Down")) selected_ = std::min(last, selected_ + 1), scrolls_ = true;
    if (has("Up")) selected_ = std::max<size_t>(1, selected_) - 1, scrolls_ = true;
    draw_list(input);
    if (selected_ < entries_.size()) {
      if (has("Enter")) choose(input, PaletteEntry(entries_[selected_]));
      if (has("Tab")) ask_for(entries_[selected_].command);
    }
  }
  takes_focus_ |= has("Enter") || has("Tab");  // which have given it away
  ImGui::End();
}

void CommandPalette::list_matches(const ChromeInput& input) {
  if (listed_for_ == query_.data()) return;
  listed_for_ = query_.data();
  std::vector<PaletteEntry> all = palette_entries(input.session);
  std::ranges::move(lane_entries(input.session, listed_for_), std::back_inserter(all));
  entries_ = matching(std::move(all), listed_for_);
  selected_ = 0;
  scrolls_ = true;
}

void CommandPalette::draw_query() {
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(takes_focus_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextWithHint("##query",
                           "A few letters of a command, or of a lane; Tab asks for arguments",
                           query_.data(), query_.size());
}

void CommandPalette::draw_list(const ChromeInput& input) {
  if (entries_.empty())
    show_text("No command and no lane has these letters.", input.theme.text_dim);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("list");
  const float line = line_px(input);
  const float pad = std::round(8 * input.scale);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (size_t i = 0; i < entries_.size(); ++i) {
    const PaletteEntry& entry = entries_[i];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("entry", {std::max(1.0F, width), line})) {
      choose(input, PaletteEntry(entry));
      ImGui::PopID();
      break;  // the list may be another now
    }
    ImGui::PopID();
    const bool is_selected = i == selected_;
    if (is_selected && std::exchange(scrolls_, false)) ImGui::SetScrollHereY(0.5F);
    if (!ImGui::IsItemVisible()) continue;
    if (is_selected || ImGui::IsItemHovered()) {
      list.AddRectFilled(at, {at.x + width, at.y + line},
                         is_selected ? input.theme.selection : input.theme.stripe, 4 * input.scale);
    }
    const float y = at.y + std::floor((line - ImGui::GetFontSize()) / 2);
    const bool can_run = entry.obstacle.empty();
    const std::string& hint = can_run ? entry.hint : entry.obstacle;
    const ImU32 dim = is_selected ? input.theme.text : input.theme.text_dim;  // on the highlight
    const float hint_px = std::min(text_width(hint), std::floor(width * 0.5F));
    draw_text(list, {at.x + pad, y}, can_run ? input.theme.text : dim,
              entry.asks ? entry.title + "…" : entry.title, width - hint_px - 3 * pad);
    draw_text(list, {at.x + width - hint_px - pad, y}, dim, hint, hint_px + 1);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void CommandPalette::draw_question(const ChromeInput& input) {
  ImGui::PushFont(input.fonts.bold);
  show_text(asked_->title);
  ImGui::PopFont();
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(takes_focus_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextWithHint("##arguments", "name=value …", answer_.data(), answer_.size());
  ImGui::PushTextWrapPos(0);
  show_text(in_words(asked_->arguments), input.theme.text_dim);
  if (!complaint_.empty()) show_text(complaint_, input.theme.error);
  ImGui::Spacing();
  show_text("Enter runs it, Escape goes back.", input.theme.text_dim);
  ImGui::PopTextWrapPos();
}

void CommandPalette::choose(const ChromeInput& input, const PaletteEntry& entry) {
  takes_focus_ = true;                  // a click has given it away
  if (!entry.obstacle.empty()) return;  // it says why
  if (entry.asks) return ask_for(entry.command);
  close(input);
  if (entry.command.name != "palette.show") input.commands.push_back(entry.command);
}

void CommandPalette::ask_for(const Command& command) {
  const CommandRow* row = find_command(command.name);
  if (row->arguments.empty()) return;
  asked_ = row;
  copy_into(text_from_arguments(command.args), answer_);
  complaint_.clear();
}

void CommandPalette::run_asked(const ChromeInput& input) {
  auto args = arguments_from_text(answer_.data(), asked_->arguments);
  if (!args) {
    complaint_ = args.error().message;
    return;
  }
  close(input);
  input.commands.push_back({std::string(asked_->name), std::move(*args)});
}

}  // namespace weft::app
