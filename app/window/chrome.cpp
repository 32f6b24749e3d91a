#include "app/window/chrome.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/panels/hairline.h"
#include "app/panels/timeline/time_axis.h"
#include "app/session/losses.h"
#include "core/base/ascii.h"
#include "core/base/saturating.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr float kStatusPx = 26;
constexpr size_t kMostName = 40;  // letters of what is selected

// Lays things out from the right edge of the status bar to the left.
struct RightToLeft {
  ImDrawList& list;
  float x;
  float y;
  float gap;
  float left;         // what would begin before it is left out: half a number is another number
  float message_end;  // of all of the message; what can be read elsewhere does not begin before it

  bool has_room(float width) const { return x - width >= left; }
  void text(std::string_view words, ImU32 color, const char* help = nullptr) {
    const std::string safe = printable(words);
    const float width = text_width(safe);
    if (!has_room(width)) return;
    x -= width;
    draw_printable(list, {x, y}, color, safe, width, width);
    if (help) {
      ImGui::SetCursorScreenPos({x, y});
      ImGui::Dummy({width, ImGui::GetFontSize()});
      show_help(help);
    }
    x -= gap;
  }
};

// A button whose title stands in the line at `y`.
bool button_at(float x, float y, const char* title) {
  ImGui::SetCursorScreenPos({x, y - small_button_air()});
  return small_button(title);
}

float button_width(const char* title) {
  return text_width(title) + 2 * ImGui::GetStyle().FramePadding.x;
}

// Text, a bar and a button from `x` on, which moves behind them; before `end`, where they have
// room.
void draw_progress(const ChromeInput& input, const std::string& text, double share,
                   const char* cancel_command, float& x, float end, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = 12 * input.scale;
  const std::string shown = printable(text, 80);
  const float whole = text_width(shown), cancel = button_width("Cancel");
  const float most = std::min(400 * input.scale, end - x - gap - cancel);
  draw_printable(list, {x, y}, input.theme.text, shown, whole, most);
  x += std::clamp(most, 0.0F, whole) + gap;
  const float width = std::min(140 * input.scale, end - x - gap - cancel);
  const float middle = y + ImGui::GetFontSize() / 2;
  const float half = 3 * input.scale;
  if (width >= 4 * half) {
    list.AddRectFilled({x, middle - half}, {x + width, middle + half}, input.theme.border, half);
    list.AddRectFilled({x, middle - half},
                       {x + std::max(2 * half, width * static_cast<float>(share)), middle + half},
                       input.theme.accent, half);
    x += width + gap;
  }
  ImGui::PushID(cancel_command);
  if (button_at(x, y, "Cancel")) input.commands.push_back({cancel_command});
  ImGui::PopID();
  x += cancel + gap;
}

// Words from `x` on, which moves behind them; before `end`.
void draw_words(const ChromeInput& input, const std::string& words, float& x, float end, float y) {
  const float width = std::min(text_width(words), std::max(0.0F, end - x));
  draw_text(*ImGui::GetWindowDrawList(), {x, y}, input.theme.text, words, width);
  x += width + 12 * input.scale;
}

// The label of what is kept of a trace: "Last 30s…".
std::string kept_label(const Recording& recording) {
  if (!recording.trigger.empty()) return "Trigger…";
  if (!recording.keep.last.empty()) return printable("Last " + recording.keep.last + "…");
  return recording.keep.bytes > 0 ? "Last " + format_bytes(recording.keep.bytes) + "…" : "Keep…";
}

// How much has come through a pipe, and what to do with it. Nobody knows how much will come. The
// buttons stay where they are while it comes, and when they are pressed.
void draw_live(const ChromeInput& input, const OpenTrace& trace, const std::string& text,
               const std::string& help, ImU32 color, float& x, float end, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float gap = 12 * input.scale;
  const float radius = 4 * input.scale, middle = y + ImGui::GetFontSize() / 2;
  list.AddCircleFilled({x + radius, middle}, radius, color);
  x += 2 * radius + 8 * input.scale;
  const float width = std::max(text_width(text), text_width("Live: 99.99 MiB"));
  draw_text(list, {x, y}, input.theme.text, text, width);
  ImGui::SetCursorScreenPos({x, y});
  ImGui::Dummy({width, ImGui::GetFontSize()});
  show_help(help.empty() ? nullptr : help.c_str());
  const bool follows = trace.history().views().follow == Follow::kEnd;
  const float stop_x =
      x + width + gap + std::max(button_width("Pause"), button_width("Follow")) + gap / 2;
  if (button_at(x + width + gap, y, follows ? "Pause" : "Follow"))
    input.commands.push_back({"view.end", {{"follow", !follows}}});
  show_help(follows ? "Stay where the view is, whatever comes" : "Stay at the end of what comes");
  if (button_at(stop_x, y, "Stop")) input.commands.push_back({"load.cancel"});
  show_help("Read no more, and keep what has come");
  x = ImGui::GetItemRectMax().x + gap / 2;
  const std::string kept = kept_label(trace.opening()->recording());
  if (x + button_width(kept.c_str()) + gap / 2 <= end) {
    if (button_at(x, y, (kept + "###kept").c_str())) input.commands.push_back({"live.ask"});
    show_help("Keep only the newest of what comes, or stop at an event");
    x = ImGui::GetItemRectMax().x + gap / 2;
  }
  x += gap / 2;
}

void draw_loading(const ChromeInput& input, const OpenTrace& trace, float& x, float end, float y) {
  if (const std::string words = end_of_loading(*trace.opening()); !words.empty())
    return draw_words(input, words, x, end, y);
  const uint64_t done = trace.opening()->bytes_done();
  const uint64_t total = trace.opening()->bytes_total();
  const ImU32 accent = input.theme.accent;
  // Says so if a fetched trace has not come yet, or not for a while.
  const auto feed = trace.opening()->feed();
  if (feed && feed->phase != capture::FeedPhase::kLive &&
      feed->phase != capture::FeedPhase::kEnded) {
    std::string words(capture::name_of(feed->phase));
    words[0] = to_upper(words[0]);
    if (feed->bytes > 0) words += ": " + format_bytes(feed->bytes);
    if (feed->phase == capture::FeedPhase::kConnecting && !feed->problem.empty())
      words = "Connecting again";
    const bool is_first = words == "Connecting";
    return draw_live(input, trace, words, feed->problem, is_first ? accent : input.theme.warning, x,
                     end, y);
  }
  if (trace.is_live())
    return draw_live(input, trace, "Live: " + format_bytes(done), "", accent, x, end, y);
  if (total == 0)
    return draw_progress(input, "Loading: " + format_bytes(done), 0, "load.cancel", x, end, y);
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  draw_progress(input,
                fmt::format("Loading: {} of {}, {:.0f} %", format_bytes(done), format_bytes(total),
                            100 * share),
                share, "load.cancel", x, end, y);
}

// A few words that can be clicked, on a ground of their own; nothing where they have no room.
bool badge(const ChromeInput& input, const char* id, const std::string& text, ImU32 color,
           RightToLeft& right, const char* help = nullptr) {
  const float pad = 8 * input.scale, air = 3 * input.scale;
  const float width = text_width(text) + 2 * pad;
  if (!right.has_room(width)) return false;
  right.x -= width;
  ImGui::SetCursorScreenPos({right.x, right.y - air});
  const bool is_clicked = ImGui::InvisibleButton(id, {width, ImGui::GetFontSize() + 2 * air});
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  right.list.AddRectFilled(low, high, faded(color, ImGui::IsItemHovered() ? 0.35F : 0.18F),
                           (high.y - low.y) / 2);
  right.list.AddRect(low, high, faded(color, 0.6F), (high.y - low.y) / 2);
  draw_text(right.list, {low.x + pad, right.y}, input.theme.text, text, width);
  right.x -= right.gap;
  show_help(help);
  return is_clicked;
}

// The badge that says that the trace is not whole.
void draw_loss_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  if (!trace.damage().empty() &&
      badge(input, "damage", "damaged", input.theme.error, right,
            "Parts of the file cannot be read, and are not shown: click for more"))
    input.commands.push_back({"panel.open", {{"panel", "quality"}}});
  const trace::ImportReport& report = trace.trace()->dictionary().report;
  if (report.losses().empty()) return;
  const ImU32 color = report.has_damage() ? input.theme.warning : input.theme.text_dim;
  const char* help = report.has_damage()
                         ? "What is lost or damaged in the file: click for Data quality"
                         : "What is amiss in the file, but shown: click for Data quality";
  if (badge(input, "losses", losses_in_words(report), color, right, help))
    input.commands.push_back({"panel.open", {{"panel", "quality"}}});
}

// Notes that loading was cancelled, and how much was loaded.
void draw_partial_note(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const Opening* opening = trace.opening();
  if (!opening || !opening->is_done() || opening->bytes_done() >= opening->bytes_total()) return;
  const double share =
      static_cast<double>(opening->bytes_done()) / static_cast<double>(opening->bytes_total());
  right.text(fmt::format("loaded: {:.0f} % of the file", share * 100), input.theme.warning);
}

// If most of a trace is empty time, offers to cut it out.
void draw_empty_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  constexpr double kMuch = 0.6, kMostPercent = 99;  // something is there
  if (trace.empty_share < kMuch || !trace.shows_all() || trace.shares_line()) return;
  const auto keys = input.session.keys.labels_of("view.compress");
  const std::string text =
      fmt::format("{:.0f} % empty{}{}", std::min(std::floor(100 * trace.empty_share), kMostPercent),
                  keys.empty() ? "" : ": cut it out with ", keys.empty() ? "" : keys.front());
  if (badge(input, "empty", text, input.theme.text_dim, right,
            "For most of this time nothing happens on any lane: click to cut that out"))
    input.commands.push_back({"view.compress"});
}

constexpr size_t kMostProblem = 80;  // bytes of an expression, or of what is wrong with it

// If empty time is cut out: says how much; a click brings it back.
void draw_cut_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const FoldedTime& time = trace.folded_time();
  if (!input.session.cut_from(trace)) return draw_empty_badge(input, trace, right);
  if (!time.cuts()) return;
  const std::span<const TimeRange> cuts = time.cuts()->cuts();
  std::string text =
      cuts.empty() ? "no empty time to cut out"
                   : fmt::format("{} cut out in {}", length_label(time.cuts()->length(), trace),
                                 counted(cuts.size(), "place"));
  std::string help = "Click to bring it back";
  ImU32 color = input.theme.text_dim;
  // The bar of the filter says what is wrong with that.
  const bool has_own = trace.cut_where != trace.view().filter.text;
  if (has_own && !trace.cut_problem.empty()) {
    text = "cut out: " + printable(trace.cut_problem, kMostProblem);
    color = input.theme.warning;
  } else if (!trace.cut_where.empty()) {
    help = fmt::format("What does not pass {} counts as empty: click to bring it back",
                       printable(trace.cut_where, kMostProblem));
  }
  if (badge(input, "cuts", text, color, right, help.c_str()))
    input.commands.push_back({"view.compress"});
}

// The selected element: its name and length. A click opens the panel with the rest.
void draw_element_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const auto& element = trace.element();
  const trace::Dictionary& dictionary = trace.trace()->dictionary();
  if (!element || element->type.value() >= dictionary.types.size()) return;
  std::string text = short_name(dictionary.type(element->type).name, kMostName);
  const bool is_link = query::is_link(element->kind);
  if (element->duration.ticks > 0 && (is_link || element->kind == store::RowKind::kState)) {
    text += "  ·  " + length_label(element->duration, trace);
  }
  const float before = std::max(right.left, right.message_end);
  if (text_width(text) + 2 * right.gap > right.x - before) return;
  if (badge(input, "element", text, input.theme.accent, right))
    input.commands.push_back({"panel.open", {{"panel", "inspector"}}});
  if (ImGui::IsItemHovered()) {
    begin_help();
    show_text("Selected on " + short_name(dictionary.path_text(element->lane), 80));
    show_text("Click for the inspector", input.theme.text_dim);
    ImGui::EndTooltip();
  }
}

// The filter, if the bar that shows it is closed.
void draw_filter_badge(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const ViewFilter& filter = trace.view().filter;
  if (!filter.is_set() || input.session.dialogs.shows_find) return;
  std::string text = "filter: " + short_name(filter.text, kMostName);
  ImU32 color = input.theme.warning;
  const char* help = "What does not pass is greyed or hidden: click for the bar that changes it";
  if (!trace.filter_problem.empty()) {
    text = "filter without effect: " + printable(trace.filter_problem, kMostProblem);
    color = input.theme.error;
    help = "Everything is shown and counted: click for the bar that changes the filter";
  }
  if (badge(input, "filter", text, color, right, help))
    input.commands.push_back({"find.show", {{"shown", true}}});
}

std::string tick_words(TimeBase base) {
  if (base == TimeBase::kTicks) return "ticks of unknown length";
  if (base == TimeBase::kCycles) return "ticks of 1 cycle";
  return "ticks of 1 " + (base == TimeBase::kMicroseconds ? "µs" : std::string(name_of(base)));
}

// "3.5 s of 40.41 s": without what is cut out. `extent`: the length of what is shown, in words.
std::string shown_text(const OpenTrace& trace, bool is_whole, const std::string& extent) {
  const FoldedTime& time = trace.folded_time();
  if (!time.cuts() || time.cuts()->cuts().empty()) return "shown: " + extent;
  const TimeWindow& window = trace.view().window;
  const double folded = time.fold(window).length;
  if (!is_whole && folded >= window.length) return "shown: " + extent;
  const Duration left =
      is_whole ? Duration{trace.trace()->range().length().ticks - time.cuts()->length().ticks}
               : Duration{saturating_round(folded)};
  return "shown: " + length_label(left, trace) + " of " + extent;
}

void draw_right_side(const ChromeInput& input, const OpenTrace& trace, RightToLeft& right) {
  const bool has_much = right.x - right.left > 40 * ImGui::GetFontSize();
  if (has_much)
    right.text(tick_words(trace.time_base()), input.theme.text_dim,
               "The trace counts its times in these: none is more exact. Times are shown in units "
               "of their size.");
  draw_loss_badge(input, trace, right);
  draw_partial_note(input, trace, right);
  const TimeWindow& window = trace.view().window;
  const bool is_all = trace.shows_all();
  const bool is_whole = is_all && !trace.shares_line();
  const Duration shown =
      is_whole ? range_shown(trace).length() : Duration{saturating_round(window.length)};
  const Duration pixel = {saturating_round(window.length / 2000)};
  if (!is_all) {
    const auto keys = input.session.keys.labels_of("view.fit");
    const std::string way_back = "Whole trace" + (keys.empty() ? "" : ": " + keys.front());
    if (badge(input, "whole", way_back, input.theme.text_dim, right))
      input.commands.push_back({"view.fit"});
  }
  draw_cut_badge(input, trace, right);
  draw_filter_badge(input, trace, right);
  const std::string extent = is_whole ? extent_label(trace) : length_label(shown, trace);
  right.text(shown_text(trace, is_whole, extent), input.theme.text_dim);
  if (trace.selection) {
    const std::string selected = "selected: " + length_label(trace.selection->length(), trace, 6);
    if (badge(input, "selection", selected, input.theme.accent, right, "Click for what lies in it"))
      input.commands.push_back({"panel.open", {{"panel", "selection"}}});
  }
  draw_element_badge(input, trace, right);
  if (const auto hover = input.session.hover_in(trace)) {
    right.text("at " + time_label(input.session.look.time_display, *hover, trace.reach(),
                                  trace.time_base(), shown, pixel),
               input.theme.text);
  }
}

// If there is nothing to say: the keys that lead to all others, as many as fit.
std::string first_keys(const ChromeInput& input, float room) {
  const auto third = input.session.trace() ? std::pair("find.show", "find and filter")
                                           : std::pair("open.ask", "open a trace");
  const std::pair<const char*, const char*> first[] = {
      {"help.show", "keys and mouse"}, {"palette.show", "every command"}, third};
  std::string text;
  for (const auto& [command, does] : first) {
    const std::vector<std::string> keys = input.session.keys.labels_of(command);
    if (keys.empty()) continue;
    const std::string longer = text + (text.empty() ? "" : "     ") + keys.front() + ": " + does;
    if (text_width(longer) > room) break;
    text = longer;
  }
  return text;
}

float message_width(const ChromeInput& input, const Message& message) {
  const auto button = [&](const std::string& title) {
    return button_width(title.c_str()) + 10 * input.scale;
  };
  const float offer = message.offer ? button(message.offer->title) : 0;
  const float more =
      message.in_a_row > 1 ? button(format_count(message.in_a_row - 1) + " more") : 0;
  return offer + more + text_width(in_words(message));
}

// The last message, what it offers first, and how many came with it: these must stay where there is
// little room.
void draw_message(const ChromeInput& input, const Message& message, Area area, float y) {
  const auto button = [&](const std::string& title, const Command& command) {
    if (button_at(area.x0, y, title.c_str())) input.commands.push_back(command);
    area.x0 += ImGui::GetItemRectSize().x + 10 * input.scale;
  };
  if (message.offer) button(message.offer->title, {message.offer->command, message.offer->args});
  if (message.in_a_row > 1) button(format_count(message.in_a_row - 1) + " more", {"messages.show"});
  const std::string words = in_words(message);
  draw_text(*ImGui::GetWindowDrawList(), {area.x0, y},
            message.is_error ? input.theme.error : input.theme.text_dim, words, area.width());
  const float width = std::clamp(text_width(words), 1.0F, std::max(1.0F, area.width()));
  ImGui::SetCursorScreenPos({area.x0, area.y0});
  if (ImGui::InvisibleButton("message", {width, area.height()})) {
    input.commands.push_back({"messages.show"});
  }
}

}  // namespace

std::string end_of_loading(const Opening& opening) {
  const auto ordered = opening.ordered_share();
  if (ordered && *ordered > 0) return fmt::format("Putting in order: {:.0f} %", 100 * *ordered);
  if (opening.is_stopping()) return "Stopping…";
  return ordered ? "Putting in order…" : "";
}

std::string in_words(const Message& message) {
  const CommandRow* row = message.command.empty() ? nullptr : find_command(message.command);
  if (!row) return message.text;
  std::string_view title = row->title;
  if (title.ends_with("…")) title.remove_suffix(std::string_view("…").size());
  return std::string(title) + message.text.substr(message.command.size());
}

float draw_status_bar(const ChromeInput& input) {
  const float height = std::round(kStatusPx * input.scale);
  const float top = input.area.y1 - height;
  ImGui::SetNextWindowPos({input.area.x0, top});
  ImGui::SetNextWindowSize({input.area.width(), height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, input.theme.header);
  ImGui::Begin("##status", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_hairline_across(list, top, input.area.x0, input.area.x1, input.theme.border);
  const float y = std::floor(top + (height - ImGui::GetFontSize()) / 2);
  const float margin = 12 * input.scale;
  const OpenTrace* trace = input.session.trace();
  // What the page without a trace says is not said twice.
  const auto& refused = input.session.refused;
  const bool is_on_page = !trace && refused && refused->reason == input.session.messages.last.text;
  const Message message = is_on_page ? Message() : input.session.messages.last;
  const bool is_loading = trace && trace->is_loading();
  float x = input.area.x0 + margin;
  const float end = input.area.x1 - margin, gap = 22 * input.scale;
  if (is_loading) draw_loading(input, *trace, x, end, y);
  for (const auto& job : input.session.jobs) {
    draw_progress(input, job->title(), job->share(), "job.cancel", x, end, y);
  }
  const float words = message.text.empty() ? 0 : message_width(input, message) + gap;
  RightToLeft right{list, end, y, gap, x + std::min(words, (end - x) / 2), x + words};
  if (trace && trace->trace()) draw_right_side(input, *trace, right);
  if (!message.text.empty()) {
    draw_message(input, message, {x, top, right.x, input.area.y1}, y);
  } else if (!is_loading && input.session.jobs.empty()) {
    draw_text(list, {x, y}, input.theme.text_dim, first_keys(input, right.x - x), right.x - x);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  return height;
}

}  // namespace weft::app
