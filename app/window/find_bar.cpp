#include "app/window/find_bar.h"

#include <fmt/core.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/panels/hairline.h"
#include "app/panels/text_field.h"
#include "app/window/docking.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

constexpr float kHeightPx = 32;
constexpr float kPadPx = 8;
constexpr float kLeastFieldPx = 120;
constexpr float kMostFieldPx = 760;
constexpr float kMostFieldShare = 0.6F;  // of what it and what is said beside it have
constexpr size_t kMostCompletions = 8;
constexpr float kCompletionsPx = 460;  // at least, where there is room; at most as wide as needed
constexpr size_t kMostHelp = 80;
// Longer than between two letters, and shorter than anyone waits for an answer.
constexpr double kPauseSeconds = 0.3;

std::string percent(const query::SearchProgress& progress) {
  return fmt::format("{:.0f} %", 100 * progress.share());
}

// The text of an error; for a name of several words, it says how to write it. The last valid filter
// stays in force: that comes first, since a long error is cut.
std::string error_text(const query::FilterError& error, std::string_view text,
                       std::string_view filters) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  const bool is_of_words =
      begin < end && text.substr(begin, end - begin).contains(' ') &&
      std::ranges::all_of(
          text,
          [](char c) {
            return is_word_char(c) || c == ' ' || c == '.' || static_cast<uint8_t>(c) >= 0x80;
          });
  std::string said = is_of_words
                         ? "several words stand in quotes: " + query::quoted_for_filter(text)
                         : error.one_line(text);
  constexpr size_t kMostFilter = 40;
  if (filters.empty() || filters == text) return said;
  return "still shown: " + short_name(filters, kMostFilter) + "; " + said;
}

std::string count_text(const OpenTrace& trace, const ShownFilter& filter) {
  if (const query::SearchProgress* progress = trace.finder().progress()) {
    return "looking, " + percent(*progress);
  }
  if (!filter.hits) return filter.id != 0 ? "…" : "";
  const uint64_t hits = filter.hits->hits();
  if (!filter.hits->is_done()) {
    return fmt::format("{} so far, {}", format_count(hits), percent(filter.hits->progress()));
  }
  if (filter.rank && *filter.rank < hits)
    return fmt::format("{} of {}", format_count(*filter.rank + 1), format_count(hits));
  if (hits == 0 && query::is_field_name(filter.compiled->text))
    return fmt::format("no hits for this word; compare it: {} != …", filter.compiled->text);
  const std::string count = hits == 0 ? "no hits" : counted(hits, "hit");
  return filter.compiled->misses_links ? count + " (links have latency, not dur)" : count;
}

}  // namespace

void FindBar::close(const OpenTrace* trace) {
  closed_over_ = trace ? trace->view().filter.text : "";
  is_open_ = is_active_ = wants_completions_ = is_stale_ = false;
  seen_.clear();
  waits_ = wants_focus_ = false;
  set_text("", 0);
}

double FindBar::redraw_after_s() const {
  if (!waits_ || waits_for_key_) return 0;
  return std::max(kPauseSeconds - paused_s_, 1e-3);
}

void FindBar::set_text(std::string_view text, size_t cursor) {
  const size_t size = std::min(text.size(), typed_.size() - 1);
  copy_into(text, typed_);
  edit_ = Edit{std::string(text.substr(0, size)), std::min(cursor, size)};
  cursor_ = edit_->cursor;
}

bool FindBar::focus() {
  wants_focus_ = true;
  return !is_active_;
}

void FindBar::take_focus() {
  takes_focus_ |= !is_active_;
  set_text(std::string(text()), text().size());
  edit_->is_selected = true;
}

int FindBar::on_text(ImGuiInputTextCallbackData* data) {
  FindBar& bar = *static_cast<FindBar*>(data->UserData);
  if (data->EventFlag != ImGuiInputTextFlags_CallbackAlways) return 0;  // Tab is handled as a key
  if (bar.edit_) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, bar.edit_->text.data(), bar.edit_->text.data() + bar.edit_->text.size());
    data->CursorPos = static_cast<int>(bar.edit_->cursor);
    data->SelectionStart = bar.edit_->is_selected ? 0 : data->CursorPos;
    data->SelectionEnd = data->CursorPos;
    bar.edit_.reset();
  }
  bar.cursor_ = static_cast<size_t>(data->CursorPos);
  return 0;
}

// Takes over a filter that another command has set, or undone.
void FindBar::take_over(const OpenTrace& trace) {
  const std::string& now = trace.view().filter.text;
  if (now == seen_) return;
  seen_ = now;
  error_.reset();
  waits_ = false;
  if (now != text()) set_text(now, now.size());
}

float FindBar::draw(const ChromeInput& input, const Input& keys, const OpenTrace& trace,
                    const ShownFilter& filter) {
  // If a menu has filled in the filter, keys still go to the panels.
  if (!std::exchange(is_open_, true)) takes_focus_ = trace.view().filter.text == closed_over_;
  take_over(trace);
  if (std::exchange(wants_focus_, false)) take_focus();
  paused_s_ += keys.seconds;
  const float height = std::round(kHeightPx * input.scale);
  const float top = input.area.y0 + ImGui::GetFrameHeight();  // below the menu bar
  area_ = {input.area.x0, top, input.area.x1, top + height};
  begin_fixed_window("##find", area_);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({area_.x0, area_.y0}, {area_.x1, area_.y1}, input.theme.gutter);
  draw_hairline_across(list, area_.y1 - 1, area_.x0, area_.x1, input.theme.border);
  if (is_active_) handle_keys(input, keys);
  if (filter.compiled && filter.compiled->text == text()) error_ = filter.compiled->error;
  float right = draw_buttons(input, trace.view().filter, area_.x1 - kPadPx * input.scale);
  right = draw_count(input, trace, filter, right);
  draw_field(input, right);
  update_completions(input, trace);
  ImGui::End();
  draw_completions(input);
  draw_whole_error(input);
  apply_what_is_due(input, keys.seconds);
  is_stale_ = (filter.hits && !filter.hits->is_done()) || trace.finder().progress() != nullptr;
  return height;
}

void FindBar::handle_keys(const ChromeInput& input, const Input& keys) {
  const size_t items = wants_completions_ ? completions_.items.size() : 0;
  const auto step = [&](const char* command) {
    apply(input);
    input.commands.push_back({command});
    wants_completions_ = false;
    takes_focus_ = true;
    gesture_ = 0;
    set_text(std::string(text()), cursor_);  // nothing is selected when it gets the focus back
  };
  for (const std::string& chord : keys.chords) {
    if (chord == "Escape" && items > 0) {
      wants_completions_ = false;
      takes_focus_ = true;
      set_text(std::string(text()), cursor_);
    } else if (chord == "Escape" && !text().empty()) {
      leave(input);
    } else if (chord == "Escape") {
      input.commands.push_back({"escape"});
    } else if (chord == "Down" && items > 0) {
      chosen_ = chosen_ ? std::min(*chosen_ + 1, items - 1) : 0;
    } else if (chord == "Down") {
      wants_completions_ = true;
    } else if (chord == "Up" && items > 0) {
      chosen_ = chosen_ && *chosen_ > 0 ? std::optional(*chosen_ - 1) : std::nullopt;
    } else if (chord == "Tab" && items > 0) {
      accept(input, chosen_.value_or(0));
    } else if (chord == "Enter" && items > 0 && chosen_) {
      accept(input, *chosen_);
    } else if (chord == "Enter" || chord == "F3") {
      step("find.next");
    } else if (chord == "Shift+Enter" || chord == "Shift+F3") {
      step("find.previous");
    }
  }
}

// The keys go to the panels again; what has been found stays.
void FindBar::leave(const ChromeInput& input) {
  apply(input);
  wants_completions_ = is_active_ = false;
  ImGui::ClearActiveID();
}

// Draws from the right, and answers where it ends.
float FindBar::draw_buttons(const ChromeInput& input, const ViewFilter& now, float right) {
  ImGui::PushFont(input.fonts.small);
  const float pad = std::round((area_.height() - 8 * input.scale - ImGui::GetFontSize()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {kPadPx * input.scale, pad});
  const auto button = [&](const char* title, const char* help, bool is_pressed) {
    right -= text_width(title) + 2 * kPadPx * input.scale;
    ImGui::SetCursorScreenPos({std::floor(right), area_.y0 + std::round(4 * input.scale)});
    ImGui::PushStyleColor(ImGuiCol_Button, is_pressed ? faded(input.theme.accent, 0.35F) : 0);
    ImGui::PushStyleColor(ImGuiCol_Text, is_pressed ? input.theme.text : input.theme.text_dim);
    const bool is_clicked = ImGui::Button(title);
    ImGui::PopStyleColor(2);
    if (ImGui::IsItemHovered()) {
      ImGui::BeginTooltip();
      show_text(help);
      ImGui::EndTooltip();
    }
    right -= 2 * input.scale;
    return is_clicked;
  };
  if (button("×", "Clear the filter and close (Escape; twice while you type)", false)) {
    input.commands.push_back({"find.show", {{"shown", false}}});
    input.commands.push_back({"filter.clear"});
  }
  right -= kPadPx * input.scale;
  for (size_t i = kFilterModes.size(); i-- > 0;) {
    const FilterModeRow& mode = kFilterModes[i];
    if (button(mode.title, mode.help, static_cast<size_t>(now.mode) == i)) {
      input.commands.push_back({"filter.mode", {{"mode", mode.id}}});
    }
  }
  right -= kPadPx * input.scale;
  if (button("List", "The hits as a table", false)) input.commands.push_back({"find.list"});
  if (button("▸", "The next hit (Enter, F3)", false)) input.commands.push_back({"find.next"});
  if (button("◂", "The hit before (Shift+Enter, Shift+F3)", false)) {
    input.commands.push_back({"find.previous"});
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return right - kPadPx * input.scale;
}

float FindBar::draw_count(const ChromeInput& input, const OpenTrace& trace,
                          const ShownFilter& filter, float right) {
  std::string said;
  if (error_) {
    said = error_text(*error_, text(), trace.view().filter.text);
  } else if (waits_ && waits_for_key_) {
    said = "Enter searches for it";
  } else {
    said = count_text(trace, filter);
  }
  error_beside_.clear();
  // The typed text has room first, since an error in it must be visible.
  const float all = right - area_.x0 - 60 * input.scale;
  const float typed = text_width(text()) + 3 * kPadPx * input.scale;
  const float field = std::clamp(typed, kLeastFieldPx * input.scale,
                                 std::max(kLeastFieldPx * input.scale, all * kMostFieldShare));
  const float room = all - field;
  const std::string safe = printable(said, 400);
  if (error_ && text_width(safe) > room) error_beside_ = safe;  // whole, below the field
  const bool is_below = is_active_ && !error_beside_.empty();
  if (said.empty() || is_below || room < 30 * input.scale) return right;
  const float width = std::min(room, text_width(safe));
  const float y = std::floor((area_.y0 + area_.y1 - ImGui::GetFontSize()) / 2);
  draw_text(*ImGui::GetWindowDrawList(), {right - width, y},
            error_ ? input.theme.error : input.theme.text_dim, safe, width + 1);
  return right - width - 2 * kPadPx * input.scale;
}

void FindBar::draw_field(const ChromeInput& input, float right) {
  const float font_px = ImGui::GetFontSize();
  const float pad = 6 * input.scale;
  const char* name = "Find";
  float left = area_.x0 + kPadPx * input.scale;
  draw_text(*ImGui::GetWindowDrawList(), {left, std::floor((area_.y0 + area_.y1 - font_px) / 2)},
            input.theme.text_dim, name, 100 * input.scale);
  left += text_width(name) + kPadPx * input.scale;
  const float width = std::clamp(right - left, 20 * input.scale, kMostFieldPx * input.scale);
  const float frame = std::round((area_.height() - 8 * input.scale - font_px) / 2);
  field_ = {left, area_.y0 + 4 * input.scale, left + width, area_.y1 - 4 * input.scale};
  ImGui::SetCursorScreenPos({field_.x0, field_.y0});
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {pad, frame});
  if (std::exchange(takes_focus_, false)) focus_next_field();
  const std::string before(text());
  const Session& session = input.session;
  const bool has_earlier = !session.kept_filters.empty() || !session.recent.filters.empty();
  const std::string hint = std::string("a name, or an expression: dur > 5ms && type =~ /irq/") +
                           (has_earlier ? " (↓: earlier ones)" : "");
  ImGui::InputTextWithHint(
      "##expression", hint.c_str(), typed_.data(), typed_.size(),
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion, on_text, this);
  if (ImGui::IsItemActivated()) gesture_ = new_gesture();
  is_active_ = ImGui::IsItemActive();
  is_left_ = !is_active_ && (is_left_ || ImGui::IsItemDeactivated());
  ImGui::PopStyleVar();
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) {
    is_left_ = false;
    // ImGui has put back what there was when it got the focus: Escape is handled as a key.
    if (text() != before) set_text(before, cursor_);
  } else if (text() != before) {
    wants_completions_ = true;
    note_typed();
  }
  draw_error(input, {field_.x0 + pad, field_.y0 + frame + font_px}, width - 2 * pad);
}

// The typed text is another one now: it waits if it can be parsed.
void FindBar::note_typed() {
  error_.reset();
  paused_s_ = 0;
  is_left_ = false;
  if (gesture_ == 0) gesture_ = new_gesture();
  if (auto parsed = query::parse_filter(text()); !parsed) error_ = parsed.error();
  waits_ = !error_ && text() != seen_;
  waits_for_key_ = waits_ && query::may_become_field(text());
}

// Without a window there are no pauses, and nothing waits for one.
void FindBar::apply_what_is_due(const ChromeInput& input, double seconds) {
  const bool is_left = is_left_ && !is_list_pressed_ && !takes_focus_;
  const bool has_paused = seconds == 0 || paused_s_ >= kPauseSeconds;
  if (is_left || (has_paused && !waits_for_key_)) apply(input);
}

std::optional<Command> FindBar::take_typed() {
  if (!std::exchange(waits_, false)) return std::nullopt;
  return Command{"filter.set", {{"text", std::string(text())}}, gesture_};
}

void FindBar::apply(const ChromeInput& input) {
  if (auto command = take_typed()) input.commands.push_back(std::move(*command));
}

// A line below what is wrong; a text that does not fit has been scrolled, who knows where.
void FindBar::draw_error(const ChromeInput& input, ImVec2 at, float width) const {
  if (!error_) return;
  const char* begin = typed_.data();
  const size_t size = text().size();
  if (ImGui::CalcTextSize(begin, begin + size).x > width) return;
  const auto x_of = [&](size_t byte) {
    return at.x + ImGui::CalcTextSize(begin, begin + std::min(byte, size)).x;
  };
  const float x0 = x_of(error_->where.begin);
  const float x1 = std::max(x_of(error_->where.end), x0 + ImGui::GetFontSize() / 2);
  ImGui::GetWindowDrawList()->AddRectFilled({x0, at.y}, {x1, at.y + std::round(2 * input.scale)},
                                            input.theme.error);
}

void FindBar::update_completions(const ChromeInput& input, const OpenTrace& trace) {
  if (!wants_completions_ || !is_active_ || !trace.trace()) return;
  if (!param_names_) {
    param_names_ = std::make_unique<Latest<store::TracePtr, std::vector<std::string>>>(
        [](const store::TracePtr& of, const std::stop_token& stop) {
          return std::optional(query::param_names(*of, 20'000, stop));
        },
        input.session.host.wake);
  }
  const auto names = param_names_->find(trace.trace());
  const Session& session = input.session;
  const bool has_kept = !session.kept_filters.empty() || !session.recent.filters.empty();
  CompletedFor now = {.text = std::string(text()),
                      .cursor = cursor_,
                      .trace_id = trace.id(),
                      .generation = trace.trace()->generation(),
                      .param_names = names.value,
                      .are_kept = text().empty() && has_kept};
  if (now.text != completed_for_.text) chosen_.reset();
  const bool is_other = now != completed_for_;
  completed_for_ = std::move(now);
  if (completed_for_.are_kept) {
    completions_ = {};
    const auto propose = [&](const std::string& expression, const std::string& note) {
      if (completions_.items.size() < kMostCompletions) {
        completions_.items.push_back({expression, note});
      }
    };
    for (const auto& [name, expression] : session.kept_filters) propose(expression, name);
    for (const std::string& recent : session.recent.filters) propose(recent, "");
    return;
  }
  if (!is_other) return;
  completions_ = query::complete_filter(text(), cursor_, trace.trace()->dictionary(),
                                        names.value ? *names.value : std::vector<std::string>(),
                                        kMostCompletions);
  // A word that is whole needs no proposal.
  const size_t length = completions_.span.end - completions_.span.begin;
  const bool is_whole =
      completions_.items.size() == 1 &&
      completions_.items[0].text == text().substr(completions_.span.begin, length);
  if (is_whole) completions_.items.clear();
}

void FindBar::draw_completions(const ChromeInput& input) {
  is_list_pressed_ = false;
  if (!wants_completions_ || completions_.items.empty()) return;
  const float line = std::round(ImGui::GetFontSize() + 7 * input.scale);
  const float pad = kPadPx * input.scale;
  float wanted = kCompletionsPx * input.scale;
  for (const query::Completion& item : completions_.items) {
    const float texts =
        text_width(printable(item.text)) + text_width(printable(item.help, kMostHelp));
    wanted = std::max(wanted, texts + 4 * pad);
  }
  const float width = std::min(wanted, input.area.x1 - field_.x0);
  const float height = line * static_cast<float>(completions_.items.size());
  ImGui::SetNextWindowPos({field_.x0, area_.y1});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##completions", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::optional<size_t> clicked;
  for (size_t i = 0; i < completions_.items.size(); ++i) {
    const query::Completion& item = completions_.items[i];
    const ImVec2 at = {field_.x0, area_.y1 + line * static_cast<float>(i)};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("item", {width, line})) clicked = i;
    ImGui::PopID();
    if (chosen_ == i || ImGui::IsItemHovered()) {
      list.AddRectFilled(at, {at.x + width, at.y + line},
                         chosen_ == i ? input.theme.selection : input.theme.stripe);
    }
    const float y = at.y + std::floor((line - ImGui::GetFontSize()) / 2);
    const std::string help = printable(item.help, kMostHelp);
    const float help_px = std::min(text_width(help), width * 0.5F);
    draw_text(list, {at.x + pad, y}, input.theme.text, item.text, width - help_px - 3 * pad);
    draw_text(list, {at.x + width - help_px - pad, y}, input.theme.text_dim, help, help_px + 1);
  }
  completions_y1_ = area_.y1 + height;
  // The list stays while one of its lines is being pressed.
  is_list_pressed_ = ImGui::IsWindowHovered() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  ImGui::End();
  if (clicked) accept(input, *clicked);
  if (!is_active_ && !is_list_pressed_ && !takes_focus_) wants_completions_ = false;
}

// Below the bar, and below what is proposed there, where it has no room beside the field.
void FindBar::draw_whole_error(const ChromeInput& input) const {
  if (error_beside_.empty() || !is_active_) return;
  const bool has_completions = wants_completions_ && !completions_.items.empty();
  const float top = has_completions ? completions_y1_ : area_.y1;
  ImGui::SetNextWindowPos({field_.x0, top});
  const float most = std::min(kCompletionsPx * input.scale, input.area.x1 - field_.x0);
  ImGui::Begin("##what is wrong", nullptr,
               ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushTextWrapPos(most - ImGui::GetStyle().WindowPadding.x);
  show_text(error_beside_, input.theme.error);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

void FindBar::accept(const ChromeInput& input, size_t item) {
  const std::string now(text());
  const query::TextSpan span = completions_.span;
  const std::string inserted = completions_.items[item].text;
  const size_t begin = std::min(span.begin, now.size());
  const size_t end = std::clamp(span.end, begin, now.size());
  set_text(now.substr(0, begin) + inserted + now.substr(end), begin + inserted.size());
  takes_focus_ = true;
  wants_completions_ = false;
  chosen_.reset();
  note_typed();
  if (!waits_for_key_) apply(input);
}

}  // namespace weft::app
