#include "app/panels/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

#include "app/panels/drag.h"
#include "app/panels/hairline.h"
#include "core/base/saturating.h"
#include "core/base/time_span.h"

namespace weft::app {
namespace {

constexpr double kPanPerNotch = 0.12;  // of the window

}  // namespace

layout::TimeScale TimeAxis::scale() const {
  const TimeRange range = window.range();
  const double ticks = ticks_between(time.fold(range.begin), time.fold(range.end));
  return {range, ticks / ticks_per_px(), time.cuts()};
}

float TimeAxis::shift_px() const {
  return static_cast<float>(folded.begin_fraction / ticks_per_px());
}

std::string TimeAxis::label(Time t, const OpenTrace& trace, Duration step) const {
  const Duration span = {saturating_round(window.length)};
  const Duration pixel = {saturating_round(ticks_per_px())};
  const Duration told_apart = step.ticks > 0 ? std::min(step, pixel) : pixel;
  return time_label(trace.time_display, t, trace.reach(), trace.time_base(), span, told_apart);
}

std::string exact_label(Time t, const OpenTrace& trace) {
  return time_label(trace.time_display, t, trace.reach(), trace.time_base(), trace.reach().length(),
                    Duration{1});
}

std::string length_label(Duration d, const OpenTrace& trace, int digits) {
  return length_label(trace.time_display, d, trace.time_base(), digits);
}

void with_enough_digits(const std::function<bool(int digits)>& label) {
  constexpr int kFewest = 3, kMost = 9;
  for (int digits = kFewest; !label(digits) && digits < kMost; ++digits) {
  }
}

std::string length_range_label(Duration least, Duration most, const OpenTrace& trace) {
  std::string from, to;
  with_enough_digits([&](int digits) {
    from = length_label(least, trace, digits);
    to = length_label(most, trace, digits);
    return from != to || least == most;
  });
  return least == most ? from : from + " … " + to;
}

std::string length_cell(Duration d, const OpenTrace& trace) {
  return length_cell(trace.time_display, d, trace.time_base());
}

std::string extent_label(const OpenTrace& trace) {
  if (trace.trace()->is_instant()) return "one instant";
  return length_label(trace.trace()->range().length(), trace);
}

TimeRange range_shown(const OpenTrace& trace) {
  const bool is_whole = trace.trace() && trace.shows_all() && !trace.shares_line();
  return is_whole ? trace.trace()->range() : trace.view().window.range();
}

namespace {

// Whether there is a time at which something happens, in this trace or in others on its line.
bool has_times(const OpenTrace& trace) {
  return trace.reach().length() > Duration{1} ||
         (trace.trace() && trace.trace()->counts().total() > 0);
}

// Of the ruler: so many pixels where its font, the small one, has 11 of them.
float ruler_px(float px) { return std::round(px * ImGui::GetFontSize() / 11); }

float label_offset() { return ruler_px(4); }  // right of its tick
float tick_length(const layout::RulerTick& tick) { return ruler_px(tick.is_major ? 7 : 4); }

// Whether a label has room up to the end of the axis, beside its tick.
bool fits_on(const TimeAxis& axis, double x, const std::string& label) {
  return x + static_cast<double>(label_offset() + text_width(label)) <=
         static_cast<double>(axis.width);
}

}  // namespace

void say_date(std::vector<layout::RulerTick>& ticks, const TimeAxis& axis, const OpenTrace& trace) {
  const auto date_of = [&](Time t) {
    return date_label(trace.time_display, t, trace.reach(), trace.time_base());
  };
  const auto first =
      std::ranges::find_if_not(ticks, &std::string::empty, &layout::RulerTick::label);
  if (first == ticks.end()) return;
  const std::string date = date_of(first->time);
  const bool is_said =
      date.empty() || std::ranges::any_of(ticks, [&](const layout::RulerTick& tick) {
        return !tick.label.empty() && tick.label.starts_with(date_of(tick.time));
      });
  if (is_said) return;
  double end = 0;
  if (axis.direction == AxisDirection::kDown) {
    first->label = date + "\n" + first->label;
    const double line = static_cast<double>(ImGui::GetFontSize());
    end = std::max(first->x + line, 2 * line) + line / 2;  // the half of a label above its tick
  } else {
    const std::string dated = date + " " + first->label;
    if (!fits_on(axis, first->x, dated)) return;
    first->label = dated;
    end = first->x + static_cast<double>(text_width(dated + "  "));
  }
  for (auto tick = first + 1; tick != ticks.end() && tick->x < end; ++tick) tick->label.clear();
}

std::vector<layout::RulerTick> axis_ticks(const TimeAxis& axis, const OpenTrace& trace) {
  if (!has_times(trace)) return {};
  const TimeDisplay& display = trace.time_display;
  const TimeRange range = trace.reach();
  const Duration span = axis.scale().view().length();
  const auto label = [&](Time t, Duration step) {
    return ruler_label(display, t, range, trace.time_base(), span, step);
  };
  // The room that a label takes along the axis.
  const auto along_axis = [&](std::string_view text) -> double {
    if (axis.direction == AxisDirection::kDown) return 2 * ImGui::GetFontSize();
    return text_width(text);
  };
  const bool is_clock = reads_as_clock(display, range, trace.time_base());
  auto ticks = layout::ruler_ticks(
      axis.scale(), {ruler_origin(display, range, trace.time_base(), axis.window.range().begin),
                     label, along_axis, is_clock ? ticks_per_second(trace.time_base()) : 0,
                     ruler_calendar(display, range, trace.time_base())});
  for (layout::RulerTick& tick : ticks) tick.x -= axis.shift_px();
  std::erase_if(ticks,
                [](const layout::RulerTick& tick) { return tick.x < 0; });  // of a part of one
  say_date(ticks, axis, trace);
  return ticks;
}

std::vector<float> grid_lines(const std::vector<layout::RulerTick>& ticks) {
  std::vector<float> lines;
  for (const layout::RulerTick& tick : ticks) {
    if (tick.is_major) lines.push_back(std::floor(static_cast<float>(tick.x)));
  }
  return lines;
}

namespace {

// Labels beside their ticks, which stand on x1.
void draw_ruler_down(ImDrawList& list, const std::vector<layout::RulerTick>& ticks,
                     const TimeAxis& axis, float x0, float x1, const Theme& theme) {
  const float text_height = ImGui::GetFontSize();
  for (const layout::RulerTick& tick : ticks) {
    const float y = std::floor(axis.x0 + static_cast<float>(tick.x));
    draw_hairline_across(list, y, x1 - tick_length(tick), x1,
                         tick.is_major ? theme.text_dim : theme.border);
    const float end = axis.x0 + axis.width;
    if (tick.label.empty() || y < axis.x0 || y > end || text_height > axis.width) continue;
    const size_t line_end = tick.label.find('\n');  // behind a date
    const bool has_date = line_end != std::string::npos;
    const float height = has_date ? 2 * text_height : text_height;
    // At the edges it is whole, too.
    float text_y = std::floor(y - height / 2);
    text_y = std::max(axis.x0, std::min(text_y, end - height));
    const auto draw_line = [&](std::string_view text) {
      const float width = text_width(text);
      const float text_x1 = x1 - ruler_px(7) - label_offset();
      const float text_x = std::max(x0 + label_offset(), text_x1 - width);
      draw_printable(list, {text_x, text_y}, theme.text_dim, text, width, text_x1 - text_x);
      text_y += text_height;
    };
    if (has_date) draw_line(std::string_view(tick.label).substr(0, line_end));
    draw_line(std::string_view(tick.label).substr(has_date ? line_end + 1 : 0));
  }
}

}  // namespace

void draw_ruler(ImDrawList& list, const std::vector<layout::RulerTick>& ticks, const TimeAxis& axis,
                float y0, float y1, const Theme& theme, std::span<const Area> over) {
  const float text_height = ImGui::GetFontSize();
  if (axis.direction == AxisDirection::kDown) {
    draw_ruler_down(list, ticks, axis, y0, y1, theme);
    return;
  }
  const float text_y = std::floor(y0 + (y1 - y0 - text_height) * 0.35F);
  for (const layout::RulerTick& tick : ticks) {
    const float x = std::floor(axis.x0 + static_cast<float>(tick.x));
    draw_hairline_down(list, x, y1 - tick_length(tick), y1,
                       tick.is_major ? theme.text_dim : theme.border);
    if (tick.label.empty()) continue;
    const float left = x + label_offset(), width = text_width(tick.label);
    if (left + width > axis.x0 + axis.width) continue;
    constexpr float kApartPx = 4;
    const bool is_covered = std::ranges::any_of(over, [&](const Area& area) {
      return area.x0 - kApartPx < left + width && area.x1 + kApartPx > left;
    });
    if (is_covered) continue;
    draw_printable(list, {left, text_y}, theme.text_dim, tick.label, width, width);
  }
}

bool turns_height(const ImGuiIO& io) { return io.KeyCtrl && io.KeyShift; }

bool was_double_click() { return ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] > 1; }

void AxisGestures::handle(const TimeAxis& axis, const PanelInput& input, bool is_hovered,
                          bool drags, PanelOutput& output) {
  const OpenTrace& trace = *input.trace;
  const ImGuiIO& io = ImGui::GetIO();
  if (is_hovered && !turns_height(io)) turn_wheel(axis, trace, output);
  dragged_across_ = 0;
  was_clicked_ = false;
  const bool is_left = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && (drags || io.KeyCtrl);
  if (is_hovered && !drag_ && (is_left || ImGui::IsMouseClicked(ImGuiMouseButton_Middle))) {
    drag_ = Drag{io.MousePos, axis.folded, new_gesture(),
                 is_left ? ImGuiMouseButton_Left : ImGuiMouseButton_Middle};
  }
  if (!drag_) return;
  const ImVec2 moved = {io.MousePos.x - drag_->from.x, io.MousePos.y - drag_->from.y};
  drag_->has_moved |= is_drag(std::hypot(moved.x, moved.y), input.scale);
  if (drag_->has_moved) {
    dragged_across_ = axis.across(moved);
    output.is_direct = true;
    const TimeWindow window =
        axis.time.unfold(drag_->folded.panned(-axis.along(moved) * axis.ticks_per_px()));
    if (window != trace.view().window) {
      output.commands.push_back(view_set_command(window, drag_->gesture));
    }
  }
  if (ImGui::IsMouseDown(drag_->button)) return;
  const bool is_left_click = !drag_->has_moved && drag_->button == ImGuiMouseButton_Left;
  was_clicked_ = is_left_click && !was_double_click();
  drag_.reset();
}

void AxisGestures::turn_wheel(const TimeAxis& axis, const OpenTrace& trace, PanelOutput& output) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0 && io.MouseWheelH == 0) return;
  // Uses the session's window, not the one shown: notches must not be lost while the picture
  // follows.
  const TimeWindow window = axis.time.fold(trace.view().window);
  const bool is_sideways = io.MouseWheelH != 0 || io.KeyShift;
  const double notches = io.MouseWheelH != 0 ? io.MouseWheelH : io.MouseWheel;
  const TimeWindow next = is_sideways ? window.panned(-notches * kPanPerNotch * window.length)
                                      : trace.zoomed(window, std::pow(kZoomPerNotch, notches),
                                                     axis.fraction_from_x(axis.along(io.MousePos)));
  output.commands.push_back(view_set_command(axis.time.unfold(next), wheel_.number()));
}

}  // namespace weft::app
