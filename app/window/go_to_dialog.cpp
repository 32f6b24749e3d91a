#include "app/window/go_to_dialog.h"

#include <imgui.h>

#include <span>

#include "app/panels/text_field.h"
#include "app/panels/timeline/time_axis.h"
#include "app/session/typed_time.h"

namespace weft::app {
namespace {

// A time as on the ruler, exact to the tick; in ticks if that text would be read as another time.
std::string exact_text(Time time, const OpenTrace& trace) {
  std::string label = exact_label(time, trace);
  const auto read = typed_time(label, trace);
  return read && *read == time ? label : std::to_string(time.ticks);
}

}  // namespace

void GoToDialog::reset(const OpenTrace& trace) {
  const TimeRange shown = range_shown(trace);
  time_[0] = 0;
  copy_into(exact_text(shown.begin, trace), from_);
  copy_into(exact_text(shown.end, trace), to_);
  length_[0] = 0;
  error_.clear();
}

// From, to, or the length in place of the latter.
Result<TimeRange> GoToDialog::typed_window(const OpenTrace& trace) const {
  TimeRange window;
  WEFT_TRY_ASSIGN(window.begin, typed_time(from_.data(), trace));
  if (length_[0]) {
    WEFT_TRY_ASSIGN(const Duration length, typed_length(length_.data(), trace));
    window.end = window.begin + length;
  } else {
    WEFT_TRY_ASSIGN(window.end, typed_time(to_.data(), trace));
  }
  if (window.end <= window.begin) return fail("the end must be after the begin");
  WEFT_TRY(is_within(window, trace));
  return window;
}

// A time or a range, where one was typed; else the window.
Status GoToDialog::go(const ChromeInput& input, const OpenTrace& trace) const {
  WEFT_TRY_ASSIGN(const TimeRange place,
                  time_[0] ? typed_place(time_.data(), trace) : typed_window(trace));
  input.commands.push_back(
      place.is_empty()
          ? Command{"view.go", {{"at", place.begin.ticks}}}
          : Command{"view.set", {{"from", place.begin.ticks}, {"to", place.end.ticks}}});
  input.commands.push_back({"view.go.ask", {{"shown", false}}});
  return {};
}

std::string GoToDialog::reading(const OpenTrace& trace) const {
  const auto place = typed_place(time_.data(), trace);
  if (!place) return "as on the ruler; + from the begin; % of all; ticks; a..b: a range";
  if (std::string note = note_on(time_.data(), trace); !note.empty()) return note;
  const std::string begin = exact_label(place->begin, trace);
  return place->is_empty() ? "at " + begin
                           : "from " + begin + " to " + exact_label(place->end, trace);
}

void GoToDialog::draw(const ChromeInput& input) {
  const OpenTrace* trace = input.session.trace();
  const bool is_new = input.session.dialogs.shows_go_to && !was_shown_;
  was_shown_ = input.session.dialogs.shows_go_to;
  if (!input.session.dialogs.shows_go_to || !trace) return;
  if (is_new) reset(*trace);
  bool is_open = true;
  begin_form(input, "Go to", 420, 0.25F, &is_open);
  if (is_new) ImGui::SetKeyboardFocusHere();
  const char* entered = nullptr;
  const auto field = [&](const char* name, const char* hint, std::span<char> text) {
    if (corrected_ == text.data()) ImGui::SetKeyboardFocusHere();
    const bool is_entered = draw_form_field(input, 90, name, hint, text, is_open);
    if (is_entered) entered = text.data();
    if (ImGui::IsItemEdited()) error_.clear();
    return is_entered;
  };
  const bool is_calendar = shows_calendar(*trace);
  const bool is_clock = reads_as_clock(trace->time_display, trace->reach(), trace->time_base());
  bool goes = field("Time",
                    is_calendar ? "14:03:12.5, 2026-05-01 14:03, 40%"
                    : is_clock  ? "1:23:45, 40%, 1500"
                                : "12.5ms, 40%, 1500",
                    time_);
  const auto place = time_[0] ? typed_place(time_.data(), *trace) : Result<TimeRange>(TimeRange{});
  show_wrapped(place ? reading(*trace) : place.error().message,
               place ? input.theme.text_dim : input.theme.warning);
  ImGui::Separator();
  goes |= field("or from", "", from_);
  goes |= field("to", "", to_);
  goes |= field("length", "2.5ms, in place of an end", length_);
  if (!error_.empty() && place) show_wrapped(error_, input.theme.error);
  goes |= draw_form_button(input, "Go", {}, is_open);
  corrected_ = nullptr;
  if (goes) {
    const Status gone = go(input, *trace);
    error_ = gone ? "" : gone.error().message;
    if (!gone) corrected_ = entered ? entered : time_[0] ? time_.data() : from_.data();
  }
  ImGui::End();
  close_with(input, is_open, "view.go.ask");
}

}  // namespace weft::app
