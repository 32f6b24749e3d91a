#include "app/window/recorder_dialog.h"

#include <imgui.h>

#include <span>

#include "app/panels/text_field.h"

namespace weft::app {
namespace {

constexpr const char* kTitle = "Of what comes";

void add(Json& args, const char* key, const char* text) {
  if (*text != 0) args[key] = text;
}

}  // namespace

void RecorderDialog::reset(const Recording& recording) {
  copy_into(recording.keep.last, last_);
  const uint64_t bytes = recording.keep.bytes;
  copy_into(bytes > 0 ? std::to_string(bytes >> 20) + "MB" : std::string(), size_);
  copy_into(recording.trigger, trigger_);
  copy_into(recording.after, after_);
  error_.clear();
}

// Both commands, once all that was typed can be.
void RecorderDialog::set(const ChromeInput& input) {
  Recording typed;
  typed.trigger = trigger_.data();
  typed.after = after_.data();
  Status status;
  for (const char* text : {last_.data(), size_.data()}) {
    if (status && *text != 0) status = set_kept(typed.keep, text);
  }
  if (status) status = check(typed);
  if (!status) {
    error_ = status.error().message;
    return;
  }
  error_.clear();
  Json keep = Json::object(), trigger = Json::object();
  add(keep, "last", last_.data());
  add(keep, "size", size_.data());
  add(trigger, "where", trigger_.data());
  add(trigger, "after", after_.data());
  input.commands.push_back({"live.keep", std::move(keep)});
  if (!input.session.trace()->opening()->hit())
    input.commands.push_back({"live.trigger", std::move(trigger)});
  input.commands.push_back({"live.ask", {{"shown", false}}});
}

void RecorderDialog::draw(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  const bool is_shown = input.session.dialogs.shows_recorder;
  const bool is_new = is_shown && !was_shown_;
  was_shown_ = is_shown;
  if (!is_shown) return;
  if (!trace || !trace->is_live())
    return input.commands.push_back({"live.ask", {{"shown", false}}});
  if (is_new) reset(trace->opening()->recording());
  bool is_open = true;
  begin_form(input, kTitle, 520, 0.25F, &is_open);
  if (is_new) ImGui::SetKeyboardFocusHere();
  const auto field = [&](const char* name, const char* hint, std::span<char> text) {
    return draw_form_field(input, 110, name, hint, text, is_open);
  };
  bool is_done = field("keep the last", "30s, 5min; nothing: all of it", last_);
  is_done |= field("at most", "500MB; nothing: 4GB where a time is given", size_);
  ImGui::Separator();
  is_done |= field("stop when", "dur > 5ms && type =~ /irq/; nothing: go on", trigger_);
  is_done |= field("and after it", "2s; nothing: as long as is kept before", after_);
  if (!error_.empty()) show_wrapped(error_, input.theme.error);
  is_done |= draw_form_button(input, "Set", {}, is_open);
  const auto keys = input.session.keys.labels_of("live.hold");
  if (!keys.empty()) {
    ImGui::SameLine();
    show_wrapped(keys.front() + " stops at once and keeps what is there", input.theme.text_dim);
  }
  if (is_done) set(input);
  ImGui::End();
  close_with(input, is_open, "live.ask");
}

}  // namespace weft::app
