#include "app/window/question_dialog.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace weft::app {
namespace {

constexpr const char* kHostTitle = "Is this the host?###question";
constexpr const char* kTextTitle = "A host asks###question";

ImVec2 button_size(const char* title, float scale) {
  return {text_width(title) + 28 * scale, ImGui::GetFrameHeight() + 4 * scale};
}

}  // namespace

void QuestionDialog::take_keys(const Session& session, Input& input) {
  is_entered_ = is_escaped_ = false;
  if (!session.questions || !session.questions->first()) return;
  const auto has = [&](const char* chord) {
    return std::ranges::find(input.chords, chord) != input.chords.end();
  };
  is_entered_ = has("Enter") && shown_ != 0;
  is_escaped_ = has("Escape") && shown_ != 0;
  for (const std::string& chord : input.chords) {
    if (chord == "Backspace") typed_.drop_last();
    const char* const pasted = chord == "Ctrl+V" ? ImGui::GetClipboardText() : nullptr;
    for (const char* at = pasted; at != nullptr && *at >= ' '; ++at) typed_.add(*at);
  }
  Input none;
  none.seconds = input.seconds;
  input = std::move(none);
}

void QuestionDialog::draw(const ChromeInput& input) {
  Questions* const questions = input.session.questions.get();
  const auto open = questions != nullptr ? questions->first() : std::nullopt;
  if (!open) return close();
  const bool is_new = shown_ != open->id;
  if (is_new) typed_.wipe();
  shown_ = open->id;
  const char* const title = open->host ? kHostTitle : kTextTitle;
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  const ImVec2 middle = {(input.area.x0 + input.area.x1) / 2,
                         input.area.y0 + input.area.height() * 0.4F};
  const float width = std::min((open->host ? 620 : 460) * input.scale, input.area.width() * 0.95F);
  ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {20 * input.scale, 16 * input.scale});
  ImGui::PushStyleColor(ImGuiCol_ModalWindowDimBg, faded(input.theme.background, 0.6F));
  const bool is_shown = ImGui::BeginPopupModal(
      title, nullptr,
      ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (!is_shown) return;
  const Reply reply =
      open->host ? draw_host(input, *open->host) : draw_text_question(input, open->question);
  if (reply != Reply::kNone) {
    std::optional<capture::Secret> answer;
    if (reply == Reply::kYes) answer = std::exchange(typed_, {});
    questions->reply(open->id, std::move(answer));
    typed_.wipe();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

QuestionDialog::Reply QuestionDialog::draw_host(const ChromeInput& input,
                                                const capture::DoubtfulHost& host) {
  const float line = ImGui::GetFontSize();
  ImGui::PushTextWrapPos(0);
  const bool is_known = !host.other_key_at.empty();
  const std::string name = printable(host.host, 200);
  ImGui::PushFont(input.fonts.bold);
  if (is_known) {
    show_text("The key of " + name + " has changed.", input.theme.error);
  } else {
    show_text(name + " is not a known host.");
  }
  ImGui::PopFont();
  ImGui::Dummy({0, line * 0.2F});
  show_text(is_known
                ? "It was set up anew, or somebody else answers in its place and sees what you "
                  "do there. It shows this key:"
                : "It shows this key. Whoever it belongs to sees what you do there.",
            input.theme.text_dim);
  ImGui::Dummy({0, line * 0.4F});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, input.theme.field);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12 * input.scale, 9 * input.scale});
  ImGui::BeginChild("##key", {0, 2 * ImGui::GetTextLineHeightWithSpacing() + 16 * input.scale},
                    true, ImGuiWindowFlags_NoScrollbar);
  show_text(host.key_type, input.theme.text_dim);
  ImGui::PushFont(input.fonts.bold);
  show_text(host.fingerprint);
  ImGui::PopFont();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::Dummy({0, line * 0.4F});
  show_text(is_known ? "The one that is known stands in " + printable(host.other_key_at, 200) +
                           ". Connected to once, the host is given no password, and nothing is "
                           "kept. Where the change is right, take that line out."
                     : "Compare it with what is known of the host. Trusted, the key is kept in " +
                           printable(host.file, 200) + ", and not asked about again.",
            input.theme.text_dim);
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, line * 0.5F});
  Reply reply = is_entered_ || is_escaped_ ? Reply::kNo : Reply::kNone;
  const char* const no = "Do not connect";
  const char* const yes = is_known ? "Connect this once" : "Trust and connect";
  const ImVec2 no_size = button_size(no, input.scale), yes_size = button_size(yes, input.scale);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - no_size.x - gap - yes_size.x);
  if (ImGui::Button(yes, yes_size)) reply = Reply::kYes;
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, faded(input.theme.accent, 0.55F));
  if (ImGui::Button(no, no_size)) reply = Reply::kNo;
  ImGui::PopStyleColor();
  ImGui::SetItemDefaultFocus();
  return reply;
}

QuestionDialog::Reply QuestionDialog::draw_text_question(const ChromeInput& input,
                                                         const capture::Question& question) {
  const float line = ImGui::GetFontSize();
  ImGui::PushTextWrapPos(0);
  ImGui::PushFont(input.fonts.bold);
  show_text(question.title);
  ImGui::PopFont();
  show_text(question.text, input.theme.text_dim);
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, line * 0.2F});
  take_typed();
  draw_typed(input, question.is_echoed);
  if (!question.is_echoed) show_text("It is used now, and kept nowhere.", input.theme.text_dim);
  ImGui::Dummy({0, line * 0.4F});
  Reply reply = is_escaped_ ? Reply::kNo : is_entered_ ? Reply::kYes : Reply::kNone;
  const ImVec2 yes_size = button_size("Log in", input.scale),
               no_size = button_size("Cancel", input.scale);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - no_size.x - gap - yes_size.x);
  if (ImGui::Button("Cancel", no_size)) reply = Reply::kNo;
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, faded(input.theme.accent, 0.55F));
  if (ImGui::Button("Log in", yes_size)) reply = Reply::kYes;
  ImGui::PopStyleColor();
  return reply;
}

// Nobody waits for an answer any more.
void QuestionDialog::close() {
  if (std::exchange(shown_, 0) == 0) return;
  typed_.wipe();
  if (!ImGui::BeginPopupModal(kTextTitle)) return;
  ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

// Letters as they come, at the end.
void QuestionDialog::take_typed() {
  const auto add = [&](unsigned letter) {
    if (letter < 0x20 || letter == 0x7f) return;
    if (letter >= 0x800) {
      typed_.add(static_cast<char>(0xe0 | (letter >> 12 & 0xf)));
      typed_.add(static_cast<char>(0x80 | (letter >> 6 & 0x3f)));
    } else if (letter >= 0x80) {
      typed_.add(static_cast<char>(0xc0 | letter >> 6));
    }
    typed_.add(static_cast<char>(letter < 0x80 ? letter : 0x80 | (letter & 0x3f)));
  };
  for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) add(letter);
}

// A field with the letters, or as many dots.
void QuestionDialog::draw_typed(const ChromeInput& input, bool is_echoed) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = {ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  const ImVec2 end = {at.x + size.x, at.y + size.y};
  const float pad = 8 * input.scale, rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(at, end, input.theme.field, rounding);
  list.AddRect(at, end, input.theme.accent, rounding);
  list.PushClipRect({at.x + pad / 2, at.y}, {end.x - pad / 2, end.y}, true);
  const auto letters = static_cast<float>(letters_in(typed_.text()));
  const float step = ImGui::GetFontSize() * 0.6F;
  const float width = is_echoed ? text_width(typed_.text()) : letters * step;
  // If there are too many to fit, the last ones are shown.
  const float x = at.x + pad + std::min(0.0F, size.x - 3 * pad - width);
  if (is_echoed) {
    draw_text(list, {x, at.y + ImGui::GetStyle().FramePadding.y}, input.theme.text, typed_.text(),
              width);
  } else {
    for (float i = 0; i < letters; ++i) {
      list.AddCircleFilled({x + (i + 0.5F) * step, at.y + size.y / 2}, step * 0.3F,
                           input.theme.text);
    }
  }
  const float caret = x + width + input.scale, inset = 4 * input.scale;
  list.AddLine({caret, at.y + inset}, {caret, end.y - inset}, input.theme.text);
  list.PopClipRect();
  ImGui::Dummy(size);
}

}  // namespace weft::app
