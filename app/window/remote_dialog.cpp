#include "app/window/remote_dialog.h"

#include <fmt/core.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <span>

#include "app/panels/text_field.h"
#include "capture/host/ssh_address.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

using capture::FeedPhase;

ImU32 color_of(FeedPhase phase, const Theme& theme) {
  switch (phase) {
    case FeedPhase::kLive:
      return theme.accent;
    case FeedPhase::kStalled:
    case FeedPhase::kReconnecting:
      return theme.warning;
    case FeedPhase::kLost:
      return theme.error;
    case FeedPhase::kConnecting:
    case FeedPhase::kEnded:
      break;
  }
  return theme.text_dim;
}

void headline(const ChromeInput& input, const char* text) {
  ImGui::Dummy({0, ImGui::GetFontSize() * 0.5F});
  ImGui::PushFont(input.fonts.bold);
  show_text(text);
  ImGui::PopFont();
}

// "follows it, through gate, key board_ed25519".
std::string way_in_words(const Connection& connection) {
  std::string words;
  const auto add = [&](const std::string& word) { words += (words.empty() ? "" : ", ") + word; };
  if (connection.follows) add("followed");
  if (!connection.way.jump.empty()) add("through " + connection.way.jump);
  if (!connection.way.key.empty())
    add("key " + std::filesystem::path(connection.way.key).filename().string());
  return words;
}

}  // namespace

std::string feed_in_words(const OpenTrace& trace) {
  const auto feed = trace.opening() != nullptr ? trace.opening()->feed() : std::nullopt;
  if (!feed) return {};
  std::string words(capture::name_of(feed->phase));
  const bool is_silent =
      feed->phase == FeedPhase::kStalled || feed->phase == FeedPhase::kReconnecting;
  if (is_silent) {
    using std::chrono::seconds;
    const auto since = std::chrono::steady_clock::now() - feed->since;
    words += fmt::format(" for {} s", std::chrono::duration_cast<seconds>(since).count());
  }
  if (feed->bytes > 0) words += ", " + format_bytes(feed->bytes);
  if (feed->bytes_total > feed->bytes && feed->phase != FeedPhase::kEnded)
    words += " of " + format_bytes(feed->bytes_total);
  if (feed->phase == FeedPhase::kLive)
    words += ", " + format_bytes(static_cast<uint64_t>(feed->bytes_per_second)) + "/s";
  if (feed->reconnections > 0) words += ", " + counted(feed->reconnections, "reconnection");
  return words;
}

void RemoteDialog::fill(const Connection& connection) {
  copy_into(connection.address, address_);
  copy_into(connection.way.jump, jump_);
  copy_into(connection.way.key, key_);
  follows_ = connection.follows;
  reads_config_ = connection.way.config != "none";
  copy_into(reads_config_ ? connection.way.config : "", config_);
  error_.clear();
}

void RemoteDialog::open(const ChromeInput& input) {
  std::string address = address_.data();
  if (!capture::is_ssh_address(address)) address.insert(0, "ssh://");
  if (const auto parsed = capture::parse_ssh_address(address); !parsed) {
    error_ = parsed.error().message;
    typed_next_ = address_.data();
    return;
  }
  TypeChoice choice;
  choice.follows = follows_;
  choice.way = {
      .jump = jump_.data(), .key = key_.data(), .config = reads_config_ ? config_.data() : "none"};
  if (!choice.way.jump.empty()) {
    if (const auto jump = capture::parse_ssh_jumps(choice.way.jump); !jump) {
      error_ = "the host on the way: " + jump.error().message;
      typed_next_ = jump_.data();
      return;
    }
  }
  error_.clear();
  input.commands.push_back(open_command(address, choice));
  input.commands.push_back({"remote.ask", {{"shown", false}}});
}

void RemoteDialog::draw(const ChromeInput& input) {
  const bool is_shown = input.session.dialogs.shows_remote;
  if (is_shown && !was_shown_) typed_next_ = address_.data();
  was_shown_ = is_shown;
  is_live_ = false;
  if (!is_shown) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {18 * input.scale, 14 * input.scale});
  bool is_open = true;
  begin_form(input, "Open over SSH", 640, 0.125F, &is_open);
  ImGui::PopStyleVar();
  if (draw_form(input, is_open)) open(input);
  draw_under_way(input);
  draw_kept(input);
  ImGui::End();
  close_with(input, is_open, "remote.ask");
}

// Whether it is to be opened.
bool RemoteDialog::draw_form(const ChromeInput& input, bool& is_open) {
  bool is_entered = false;
  constexpr float kFieldsPx = 110;
  const float fields_x = kFieldsPx * input.scale;
  const auto field = [&](const char* name, const char* hint, std::span<char> text) {
    if (typed_next_ == text.data()) ImGui::SetKeyboardFocusHere();
    is_entered |= draw_form_field(input, kFieldsPx, name, hint, text, is_open);
  };
  field("Address", "ssh://me@board/sys/kernel/tracing/trace_pipe", address_);
  ImGui::SetCursorPosX(fields_x);
  show_wrapped("a file, a pipe or a folder; /~/x lies in the home folder there",
               input.theme.text_dim);
  field("Through", "hosts on the way: [user@]host[:port],…", jump_);
  field("Key", "file of a private key; else the agent's, and the usual ones", key_);
  ImGui::BeginDisabled(!reads_config_);
  field("Configuration", "~/.ssh/config", config_);
  ImGui::EndDisabled();
  ImGui::SetCursorPosX(fields_x);
  draw_form_box(input, "Read ssh's configuration", reads_config_, is_open);
  show_help("Aliases, users, ports, keys and ways through other hosts. It may run programs.");
  ImGui::SetCursorPosX(fields_x);
  draw_form_box(input, "Go on with what is added to the file", follows_, is_open);
  if (!error_.empty()) {
    ImGui::SetCursorPosX(fields_x);
    show_wrapped(error_, input.theme.error);
  }
  ImGui::Dummy({0, ImGui::GetFontSize() * 0.2F});
  const ImVec2 size = {text_width("Open") + 36 * input.scale,
                       ImGui::GetFrameHeight() + 4 * input.scale};
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - size.x);
  ImGui::PushStyleColor(ImGuiCol_Button, faded(input.theme.accent, 0.55F));
  is_entered |= draw_form_button(input, "Open", size, is_open);
  ImGui::PopStyleColor();
  typed_next_ = nullptr;
  return is_entered;
}

void RemoteDialog::draw_under_way(const ChromeInput& input) {
  bool has_headline = false;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const auto& trace : input.session.traces) {
    const std::string words = feed_in_words(*trace);
    if (words.empty()) continue;
    if (!std::exchange(has_headline, true)) headline(input, "Connections");
    const FeedPhase phase = trace->opening()->feed()->phase;
    is_live_ |= phase != FeedPhase::kEnded && phase != FeedPhase::kLost;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float radius = 4 * input.scale, line = ImGui::GetTextLineHeight();
    const float width = ImGui::GetContentRegionAvail().x, said = text_width(words);
    list.AddCircleFilled({at.x + radius, at.y + line / 2}, radius, color_of(phase, input.theme));
    const float x = at.x + 4 * radius;
    draw_text(list, {x, at.y}, input.theme.text, trace->path().string(),
              width - 4 * radius - said - line);
    draw_text(list, {at.x + width - said, at.y}, color_of(phase, input.theme), words, said);
    ImGui::Dummy({width, line});
    if (const std::string why = trace->opening()->feed()->problem; !why.empty()) {
      ImGui::SetCursorScreenPos({x, ImGui::GetCursorScreenPos().y});
      show_text(why, input.theme.text_dim);
    }
  }
}

void RemoteDialog::draw_kept(const ChromeInput& input) {
  if (input.session.connections.empty()) return;
  headline(input, "Opened before");
  const float line = std::round(ImGui::GetFontSize() + 8 * input.scale);
  const size_t most = 8;
  const auto rows = static_cast<float>(std::min(input.session.connections.size(), most));
  ImGui::BeginChild("##kept", {0, rows * line}, false);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = ImGui::GetContentRegionAvail().x, pad = 6 * input.scale;
  const float forget = ImGui::GetFrameHeight();
  int id = 0;
  for (const Connection& connection : input.session.connections) {
    ImGui::PushID(id++);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + std::floor((line - ImGui::GetFontSize()) / 2);
    const std::string way = way_in_words(connection);
    const float said = std::min(text_width(way), width * 0.4F);
    if (ImGui::InvisibleButton("fill", {width - forget - pad, line})) fill(connection);
    const bool is_hovered = ImGui::IsItemHovered();
    if (is_hovered)
      list.AddRectFilled(at, {at.x + width - forget - pad, at.y + line}, input.theme.stripe,
                         4 * input.scale);
    if (is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) open(input);
    draw_text(list, {at.x + pad, y}, is_hovered ? input.theme.text : input.theme.accent,
              connection.address, width - forget - said - 5 * pad);
    draw_text(list, {at.x + width - forget - said - 2 * pad, y}, input.theme.text_dim, way, said);
    ImGui::SetCursorScreenPos({at.x + width - forget, at.y});
    if (ImGui::InvisibleButton("forget", {forget, line}))
      input.commands.push_back({"connections.forget", {{"path", connection.address}}});
    const ImU32 color = ImGui::IsItemHovered() ? input.theme.text : input.theme.text_dim;
    show_help("Forget it");
    draw_text(list, {at.x + width - (forget + text_width("×")) / 2, y}, color, "×", forget);
    ImGui::SetCursorScreenPos({at.x, at.y + line});
    ImGui::PopID();
  }
  ImGui::EndChild();
}

}  // namespace weft::app
