#include "app/panels/figures/flame_differences.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/wrapped_text.h"
#include "app/session/option_choices.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

using query::Change;
using query::FlameDifference;
using query::Measure;

// Compared by time, a part of a trace takes less than the whole in every box, so shares come first.
constexpr std::array kOfOneTrace = {kFlameMeasures[1], kFlameMeasures[0]};

// Blue and orange of Okabe and Ito's palette, which everybody tells apart.
constexpr std::array<int, 3> kMore = {0xE6, 0x7A, 0x1E}, kLess = {0x3D, 0x9B, 0xDC};
constexpr std::array<int, 3> kSameOnDark = {0x46, 0x4D, 0x59}, kSameOnLight = {0xCF, 0xD4, 0xDB};
constexpr double kLeastChange = 0.005;  // below it nothing is coloured
constexpr double kFaintest = 0.25;      // of the colour, where there is a change

double share_of(const query::Figures& part, const query::Figures& all) {
  const double whole = *query::figure_of(all, Measure::kTotal);
  return whole > 0 ? *query::figure_of(part, Measure::kTotal) / whole : 0;
}

// Zero has no sign.
std::string signed_percent(double percent) {
  return std::fabs(percent) < 0.05 ? "0.0 %" : fmt::format("{:+.1f} %", percent);
}

std::string length(const PanelInput& input, double ticks, TimeBase base) {
  return length_label(input.session.look.time_display, {std::llround(ticks)}, base);
}

// "count   12   14   +2   +16.7 %"
void show_measure(const PanelInput& input, const FlameDifference& difference, const Change& of,
                  const char* name, Measure measure) {
  const auto text = [&](std::optional<double> value, bool is_signed) -> std::string {
    if (!value) return "–";
    const std::string sign = *value < 0 ? "-" : is_signed && *value > 0 ? "+" : "";
    if (measure == Measure::kCount)
      return sign + format_count(static_cast<uint64_t>(std::llround(std::fabs(*value))));
    return sign + length(input, std::fabs(*value), difference.base);
  };
  const auto percent = of.percent(measure);
  const std::string cells[] = {text(query::figure_of(of.a, measure), false),
                               text(query::figure_of(of.b, measure), false),
                               text(of.of(measure), true),
                               percent                 ? signed_percent(*percent)
                               : of.of(measure) == 0.0 ? ""
                                                       : "new"};
  show_text(name, input.theme.text_dim);
  float x = 56 * input.scale;
  for (const std::string& cell : cells) {
    ImGui::SameLine(x);
    show_text(cell);
    x += 88 * input.scale;
  }
}

}  // namespace

ComparedParts choose_parts(const PanelInput& input, Toolbar& bar, PanelOutput& output) {
  ComparedParts parts;
  const bool has_several = input.session.traces.size() > 1;
  std::vector<const OpenTrace*> sides;
  const auto choose = [&](const char* side, const char* trace_option, const char* part_option,
                          size_t otherwise) -> std::optional<Scope> {
    bar.say(side);
    bar.space(14);
    const OpenTrace* trace =
        has_several ? bar.choose_trace(trace_option, otherwise) : input.session.traces[0].get();
    sides.push_back(trace);
    const bool is_whole = has_several || otherwise == 0;
    const std::string part =
        bar.choose_from_list(part_option, is_whole ? Choices(kFlameParts) : Choices(kScopes));
    if (!trace->trace()) {
      output.is_stale |= trace->is_loading();
      parts.problem = "There is nothing of one of them yet";
      return std::nullopt;
    }
    auto scope = scope_of(*trace, part);
    if (!scope) parts.problem = fmt::format("Select a range for {}", side);
    return scope;
  };
  parts.a = choose("A", "a", "a_of", 0);
  parts.b = choose("B", "b", "b_of", 1);
  const bool is_one = sides[0] == sides[1];
  parts.by_share =
      bar.choose("by", is_one ? Choices(kOfOneTrace) : Choices(kFlameMeasures)) == "share";
  return parts;
}

double change_of(const FlameDifference& difference, uint32_t node, bool by_share) {
  const Change& of = difference.nodes[node];
  double a = *query::figure_of(of.a, Measure::kTotal), b = *query::figure_of(of.b, Measure::kTotal);
  if (by_share) {
    a = share_of(of.a, difference.nodes[0].a);
    b = share_of(of.b, difference.nodes[0].b);
  }
  const double most = std::max(a, b);
  return most > 0 ? (b - a) / most : 0;
}

layout::Rgb color_of_change(double change, layout::Theme theme) {
  const auto& same = theme == layout::Theme::kDark ? kSameOnDark : kSameOnLight;
  const auto& full = change > 0 ? kMore : kLess;
  const double size = std::min(1.0, std::fabs(change));
  const double part = size < kLeastChange ? 0 : kFaintest + (1 - kFaintest) * size;
  layout::Rgb color = 0;
  for (size_t i = 0; i < same.size(); ++i)
    color =
        color << 8 | static_cast<layout::Rgb>(std::lround(same[i] + part * (full[i] - same[i])));
  return color;
}

std::string percent_text(const FlameDifference& difference, uint32_t node, bool by_share) {
  const Change& of = difference.nodes[node];
  std::optional<double> percent = of.percent(Measure::kTotal);
  const double before = share_of(of.a, difference.nodes[0].a);
  if (by_share && percent)
    percent = before > 0 ? std::optional((share_of(of.b, difference.nodes[0].b) / before - 1) * 100)
                         : std::nullopt;
  return percent ? "  " + signed_percent(*percent) : "  new";
}

void show_change(const PanelInput& input, const FlameDifference& difference, uint32_t node,
                 const std::string& name) {
  const Change& of = difference.nodes[node];
  ImGui::BeginTooltip();
  ImGui::PushFont(input.fonts.bold);
  show_text(printable(name, 200));
  ImGui::PopFont();
  float x = 56 * input.scale;
  show_text(" ");
  for (const char* title : {"A", "B", "B − A", "of A"}) {
    ImGui::SameLine(x);
    show_text(title, input.theme.text_dim);
    x += 88 * input.scale;
  }
  show_measure(input, difference, of, "total", Measure::kTotal);
  if (node != 0) {
    show_measure(input, difference, of, "self", Measure::kSelf);
    show_measure(input, difference, of, "count", Measure::kCount);
    show_measure(input, difference, of, "mean", Measure::kMean);
    show_measure(input, difference, of, "longest", Measure::kMax);
    const double a = 100 * share_of(of.a, difference.nodes[0].a);
    const double b = 100 * share_of(of.b, difference.nodes[0].b);
    show_text("share", input.theme.text_dim);
    x = 56 * input.scale;
    for (const std::string& cell : {fmt::format("{:.2f} %", a), fmt::format("{:.2f} %", b),
                                    fmt::format("{:+.2f} %", b - a)}) {
      ImGui::SameLine(x);
      show_text(cell);
      x += 88 * input.scale;
    }
  }
  ImGui::EndTooltip();
}

void draw_change_line(const PanelInput& input, const Area& line,
                      const FlameDifference& difference) {
  const Change& all = difference.nodes[0];
  std::string note = fmt::format(
      "A {}, B {}", length(input, *query::figure_of(all.a, Measure::kTotal), difference.base),
      length(input, *query::figure_of(all.b, Measure::kTotal), difference.base));
  if (const auto percent = all.percent(Measure::kTotal)) note += ": " + signed_percent(*percent);
  if (difference.gone_paths > 0)
    note += fmt::format("; {} of A in {} that B has not",
                        length(input, difference.gone, difference.base),
                        counted(difference.gone_paths, "stack"));
  const float pad = 8 * input.scale, strip_px = 96 * input.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(input.fonts.small);
  const float less_px = text_width("less"), more_px = text_width("more");
  const float begin = line.x0 + pad + less_px + pad, end = begin + strip_px + pad + more_px + pad;
  ImGui::PopFont();
  draw_note_line(input, {std::min(end, line.x1), line.y0, line.x1, line.y1}, note);
  list.AddRectFilled({line.x0, line.y0}, {std::min(end, line.x1), line.y1}, input.theme.header);
  list.PushClipRect({line.x0, line.y0}, {line.x1, line.y1}, /*intersect=*/true);
  ImGui::PushFont(input.fonts.small);
  const float y = std::round((line.y0 + line.y1 - ImGui::GetFontSize()) / 2);
  draw_text(list, {line.x0 + pad, y}, input.theme.text_dim, "less", less_px + 1);
  draw_text(list, {begin + strip_px + pad, y}, input.theme.text_dim, "more", more_px + 1);
  ImGui::PopFont();
  const layout::Theme theme = input.model ? input.model->palette->theme() : layout::Theme::kDark;
  for (float x = 0; x < strip_px; ++x) {
    const double change = 2 * static_cast<double>(x / strip_px) - 1;
    list.AddRectFilled({begin + x, y + 2}, {begin + x + 1, y + ImGui::GetFontSize() - 4},
                       render::color_from_rgb(color_of_change(change, theme)));
  }
  list.PopClipRect();
}

Sheet sheet_of_changes(const std::shared_ptr<const FlameDifference>& difference,
                       const std::function<std::string(uint32_t)>& name_of,
                       const std::function<std::string(uint32_t)>& path_of) {
  std::vector<std::string> columns = {"path", "name", "depth"};
  for (const char* measure : {"count", "total", "self", "mean", "max"}) {
    for (const char* part : {"a", "b", "difference", "percent"})
      columns.push_back(fmt::format("{}_{}", measure, part));
  }
  const auto cell = [difference, name_of, path_of](uint64_t row, size_t column) -> Cell {
    const auto node = static_cast<uint32_t>(row + 1);  // the root is not a call
    const Change& of = difference->nodes[node];
    if (column == 0) return path_of(node);
    if (column == 1) return name_of(node);
    if (column == 2) return uint64_t{difference->tree[node].depth};
    const auto measure = static_cast<Measure>((column - 3) / 4);
    const std::optional<double> values[] = {query::figure_of(of.a, measure),
                                            query::figure_of(of.b, measure), of.of(measure),
                                            of.percent(measure)};
    const std::optional<double>& value = values[(column - 3) % 4];
    return value ? Cell(*value) : Cell();
  };
  return sheet_of_cells(std::move(columns), difference->nodes.size() - 1, cell);
}

}  // namespace weft::app
