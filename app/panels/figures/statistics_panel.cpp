#include "app/panels/figures/statistics_panel.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "app/panels/element_menu.h"
#include "app/panels/filter_sign.h"
#include "app/panels/tables/column_filter.h"
#include "app/panels/toolbar.h"
#include "app/session/losses.h"
#include "app/session/option_choices.h"
#include "app/view/element_filter.h"
#include "app/view/view_filter.h"
#include "core/base/text.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

constexpr const char* kMenu[] = {"Filter the timeline to it",
                                 "Hide it in the timeline",
                                 "Its events in a table, the longest first",
                                 "Go to the longest",
                                 "How long such states take",
                                 "Who calls it, and what it calls",
                                 "Exclude",
                                 "Bring all excluded back",
                                 "Merge…",
                                 "Unmerge"};
enum MenuEntry : size_t {
  kFilter,
  kHide,
  kEvents,
  kLongest,
  kDurations,
  kCallers,
  kExclude,
  kRestore,
  kMerge,
  kUnmerge
};
constexpr const char* kMergePopup = "merge slices";
constexpr float kMostPiePx = 460;
constexpr float kHole = 0.56F;  // of the radius

const SliceMetric& chosen_metric(Toolbar& bar) {
  std::vector<Choice> choices;
  for (const SliceMetric& metric : slice_metrics()) choices.push_back({metric.id, metric.title});
  const std::string id = bar.choose_from_list("metric", choices);
  return *std::ranges::find(slice_metrics(), std::string_view(id), &SliceMetric::id);
}

// The measurement of "On Play" is kept as an option, with the trace that it is of:
// {"metric": …, "by": …, "from": …, "to": …, "lanes": […]}; without lanes, it is of all.
Json json_from(const MeasureKey& key) {
  Json json = {{"metric", key.metric->id},
               {"by", key.by == query::GroupBy::kLane ? "lane" : "type"},
               {"from", key.range.begin.ticks},
               {"to", key.range.end.ticks}};
  for (const LaneId lane : key.lanes) json["lanes"].push_back(lane.value());
  return json;
}

std::vector<LaneId> lanes_in(const Json& played) {
  std::vector<LaneId> lanes;
  const auto numbers = played.find("lanes");
  if (numbers == played.end() || !numbers->is_array()) return lanes;
  for (const Json& lane : *numbers) {
    const int64_t number = lane.is_number_integer() ? lane.get<int64_t>() : -1;
    if (number >= 0 && number < LaneId::none().value())
      lanes.emplace_back(static_cast<uint32_t>(number));
  }
  return lanes;
}

// The key as it was when Play was pressed last; nothing where it never was.
std::optional<MeasureKey> played_key(const PanelInput& input) {
  const auto played = input.options.find("played");
  if (played == input.options.end() || !played->is_object()) return std::nullopt;
  const auto metric = played->find("metric"), by = played->find("by");
  const auto from = played->find("from"), to = played->find("to");
  for (const auto& part : {metric, by, from, to}) {
    if (part == played->end()) return std::nullopt;
  }
  if (!metric->is_string() || !by->is_string() || !from->is_number_integer() ||
      !to->is_number_integer()) {
    return std::nullopt;
  }
  const auto row = std::ranges::find(
      slice_metrics(), std::string_view(metric->get_ref<const std::string&>()), &SliceMetric::id);
  if (row == slice_metrics().end()) return std::nullopt;
  const TimeRange range = {{from->get<int64_t>()}, {to->get<int64_t>()}};
  return MeasureKey{{input.trace->trace(), range, lanes_in(*played)},
                    &*row,
                    *by == "lane" ? query::GroupBy::kLane : query::GroupBy::kType};
}

// "played: 1.25 s … 1.5 s, on 2 lanes"
std::string played_text(const PanelInput& input, const Scope& played) {
  const OpenTrace& trace = *input.trace;
  const Duration length = played.range.length();
  const auto time = [&](Time at) {
    return time_label(trace.time_display, at, trace.reach(), trace.time_base(), length,
                      Duration{std::max<int64_t>(1, length.ticks / 1000)});
  };
  const std::string lanes =
      played.lanes.empty() ? "" : ", on " + counted(played.lanes.size(), "lane");
  return "played: " + time(played.range.begin) + " … " + time(played.range.end) + lanes;
}

ImU32 color_of(const PanelInput& input, const Measured& measured, const Slice& slice) {
  switch (slice.kind) {
    case Slice::Kind::kMerged:
      return render::color_from_rgb(slice.rgb);
    case Slice::Kind::kAggregated:
    case Slice::Kind::kExcluded:
      return blended(input.theme.text_dim, input.theme.background, 0.6F);
    case Slice::Kind::kOne:
      break;
  }
  if (!input.model) return render::color_from_rgb(layout::Palette::kNeutral);
  if (measured.key.by == query::GroupBy::kType)
    return render::color_from_rgb(input.model->palette->color(EventTypeId(slice.id)));
  return render::color_from_rgb(input.model->lane_color(LaneId(slice.id)));
}

class SliceRows final : public TableRows {
 public:
  SliceRows(const PanelInput& input, std::shared_ptr<const SliceTable> slices,
            const SliceOptions& options)
      : input_(input), slices_(std::move(slices)), options_(options) {}

  uint64_t count() const override { return slices_ ? slices_->rows.size() : 0; }
  TableRow row(uint64_t row) const override {
    const Slice& slice = slices_->rows[row];
    TableRow state;
    state.level = slice.level;
    if (!slice.parts.empty()) state.is_open = slice.is_open;
    state.is_selected = options_.selected.contains(slice.name);
    state.is_dim = slice.kind == Slice::Kind::kExcluded || options_.excluded.contains(slice.name);
    state.swatch = color_of(input_, *slices_->measured, slice);
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return slice_cell(slices_->rows[row], *slices_->measured, column,
                      input_.session.look.time_display);
  }
  std::string identity(uint64_t row) const override { return slices_->rows[row].name; }
  Sheet sheet() const override { return slices_ ? sheet_of(slices_) : Sheet{}; }

 private:
  const PanelInput& input_;
  std::shared_ptr<const SliceTable> slices_;
  const SliceOptions& options_;
};

// A wedge of a ring, in pieces that are convex; angles in turns, clockwise from the top. Smoothed
// edges would show between its pieces: only the two arcs get them, by lines along them.
void draw_wedge(ImDrawList& list, ImVec2 center, float radius, float inner_radius, double from,
                double to, ImU32 color) {
  constexpr double kPiece = 1.0 / 96;
  constexpr float kRimPx = 2;
  const auto at = [&](double turns, float r) {
    const double angle = (turns - 0.25) * 2 * std::numbers::pi;
    return ImVec2(center.x + r * static_cast<float>(std::cos(angle)),
                  center.y + r * static_cast<float>(std::sin(angle)));
  };
  const int pieces = std::max(1, static_cast<int>(std::ceil((to - from) / kPiece)));
  const auto turns_of = [&](int piece) { return from + (to - from) * piece / pieces; };
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  const float outer_fill = radius - kRimPx / 2, inner_fill = inner_radius + kRimPx / 2;
  for (int i = 0; i < pieces; ++i) {
    const double a = turns_of(i), b = turns_of(i + 1);
    list.AddQuadFilled(at(a, outer_fill), at(b, outer_fill), at(b, inner_fill), at(a, inner_fill),
                       color);
  }
  list.Flags = flags;
  for (const float rim : {outer_fill, inner_fill}) {
    for (int i = 0; i <= pieces; ++i) list.PathLineTo(at(turns_of(i), rim));
    list.PathStroke(color, ImDrawFlags_None, kRimPx);
  }
  if (to - from < 1) {
    list.AddLine(at(from, radius), at(from, inner_radius), IM_COL32(0, 0, 0, 70));
  }
}

// "9,876 other types": how many the aggregated slice stands for; empty: there is none.
std::string aggregated_text(const SliceTable& slices) {
  const auto folder = std::ranges::find(slices.pie, Slice::Kind::kAggregated, &Slice::kind);
  if (folder == slices.pie.end()) return {};
  const bool is_by_lane = slices.measured->key.by == query::GroupBy::kLane;
  return counted(folder->part_count, is_by_lane ? "other lane" : "other type");
}

Json selection_with(const SliceOptions& options, const std::string& name, bool is_added) {
  std::set<std::string> selected;
  if (is_added) selected = options.selected;
  if (!selected.erase(name)) selected.insert(name);
  return selected;
}

// Types of one name are told apart by category and group.
std::string filter_to_types(const trace::Dictionary& dictionary,
                            const std::vector<uint32_t>& types) {
  std::unordered_map<std::string_view, uint32_t> uses;
  for (const trace::EventType& type : dictionary.types) ++uses[type.name];
  std::string names;
  std::vector<std::string> parts;
  for (const uint32_t id : types) {
    const trace::EventType& type = dictionary.types[id];
    const std::string name = query::quoted_for_filter(type.name);
    if (uses[type.name] == 1) {
      names += (names.empty() ? "" : ", ") + name;
      continue;
    }
    parts.push_back(fmt::format("type == {} && category == {} && group == {}", name,
                                trace::name_of(type.category),
                                query::quoted_for_filter(type.group)));
  }
  if (!names.empty()) parts.insert(parts.begin(), "type in [" + names + "]");
  return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, ") || ("));
}

// The slice, or what is in it.
std::string filter_to(const Measured& measured, const Slice& slice) {
  const trace::Dictionary& dictionary = measured.key.trace->dictionary();
  std::vector<uint32_t> ids;
  if (slice.parts.empty()) ids.push_back(slice.id);
  for (const Slice& part : slice.parts) ids.push_back(part.id);
  if (measured.key.by == query::GroupBy::kType) return filter_to_types(dictionary, ids);
  std::string names;
  for (const uint32_t id : ids)
    names +=
        (names.empty() ? "" : ", ") + query::quoted_for_filter(dictionary.path_text(LaneId(id)));
  return "lane in [" + names + "]";
}

// Whether the slice is one type or one lane, not several.
bool is_one(const Slice& slice) { return slice.kind == Slice::Kind::kOne && slice.parts.empty(); }

// Why an entry that is about one type or lane cannot be used; empty: it can.
std::string obstacle_of_one(size_t entry, const Measured& measured, const Slice& slice) {
  if (entry == kFilter || entry >= kExclude) return {};
  if (!is_one(slice)) return "it stands for several";
  const bool is_of_states = entry == kDurations || entry == kCallers;
  if (measured.key.by == query::GroupBy::kLane) return is_of_states ? "it is a lane" : "";
  using trace::Category;
  const trace::Dictionary& dictionary = measured.key.trace->dictionary();
  const Category category = dictionary.type(EventTypeId(slice.id)).category;
  if (is_of_states && category != Category::kState) return "it is no state";
  const bool has_length = category == Category::kState || category == Category::kLink;
  return entry == kLongest && !has_length ? "it has no length" : "";
}

// What the event table is to show of one type or lane.
Json event_filters(const Measured& measured, const Slice& slice) {
  const trace::Dictionary& dictionary = measured.key.trace->dictionary();
  if (measured.key.by == query::GroupBy::kLane)
    return {{"lane", exactly(dictionary.path_text(LaneId(slice.id)))}};
  return {{"type", exactly(dictionary.type(EventTypeId(slice.id)).name)}};
}

// The slice, of what was measured: of some lanes, and of what passes the filter.
std::string filter_to_measured(const PanelInput& input, const Measured& measured,
                               const Slice& slice) {
  std::string text = filter_to(measured, slice);
  if (measured.key.only) text = both(input.trace->view().filter.text, text);
  std::vector<std::string> lanes;
  for (const LaneId lane : measured.key.lanes)
    lanes.push_back(lane_and_below_filter(measured.key.trace->dictionary(), lane));
  return lanes.empty() ? text : both(fmt::format("({})", fmt::join(lanes, ") || (")), text);
}

// Left of the table where there is room, above it otherwise.
std::pair<Area, Area> pie_and_table(const Area& area, float scale) {
  Area pie = area, table = area;
  if (area.width() > 1.2F * area.height()) {
    pie.x1 = table.x0 =
        area.x0 + std::round(std::min({area.height(), area.width() * 0.34F, kMostPiePx * scale}));
  } else {
    pie.y1 = table.y0 = area.y0 + std::round(area.height() * 0.42F);
  }
  return {pie, table};
}

}  // namespace

StatisticsPanel::StatisticsPanel(const PanelServices& services)
    : measured_(
          [pool = services.pool](const MeasureKey& key, const std::stop_token& stop) {
            return measure_slices(key, *pool, stop);
          },
          services.wake),
      slices_(arrange_slices, services.wake) {}

void StatisticsPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  MeasureKey key;
  Area area;
  {
    Toolbar bar(input, output);
    key.metric = &chosen_metric(bar);
    key.by =
        bar.choose("by", kTypeOrLane) == "lane" ? query::GroupBy::kLane : query::GroupBy::kType;
    static_cast<Scope&>(key) = bar.choose_scope();
    const aggregate::FormulaPtr only = bar.choose_filter();
    const bool is_played = bar.choose_from_list("update", kStatisticsUpdates) == "play";
    if (is_played) {
      if (bar.button("▶ Play")) {
        output.commands.push_back(set_option(input, "played", json_from(key)));
      }
    }
    const auto played = is_played ? played_key(input) : std::nullopt;
    if (played) bar.say(played_text(input, *played));
    area = bar.below();
    if (is_played && !played) {
      draw_notice(input, area, "Choose what to add up, then press Play");
      return;
    }
    if (played) key = *played;
    key.only = only;
  }
  const SliceOptions options = slice_options(input.options);
  const auto measured = question_.find(measured_, *input.trace, key, is_filter_pending(input));
  is_stale_ = measured.is_stale;
  std::shared_ptr<const SliceTable> slices;
  if (measured.value && question_.is_of_this(measured.value->key.trace)) {
    const auto arranged = slices_.find({measured.value, options, input.session.look.time_display});
    is_stale_ |= arranged.is_stale;
    if (arranged.value && question_.is_of_this(arranged.value->measured->key.trace)) {
      slices = arranged.value;
    }
  }
  table_bytes_ = slices ? slices->size_bytes : 0;
  output.is_stale |= is_stale_;
  const auto [pie, table] = pie_and_table(area, input.scale);
  if (slices) draw_pie(input, pie, *slices, options, output);
  const SliceMetric& shown = slices ? *slices->measured->key.metric : *key.metric;
  draw_table(input, table, slices, shown, options, output);
  draw_merge(input, output);
}

void StatisticsPanel::draw_pie(const PanelInput& input, const Area& area, const SliceTable& slices,
                               const SliceOptions& options, PanelOutput& output) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 center = {(area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2};
  const float radius = std::min(area.width(), area.height()) / 2 - 14 * input.scale;
  if (radius < 16 * input.scale) return;
  if (slices.pie.empty()) {
    return;  // the table says why
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float dx = mouse.x - center.x, dy = mouse.y - center.y;
  const float distance = std::hypot(dx, dy);
  const double turns = std::atan2(dx, -dy) / (2 * std::numbers::pi);
  const double pointed = turns < 0 ? turns + 1 : turns;
  const bool is_hovered =
      ImGui::IsWindowHovered() && distance < radius && distance > radius * kHole;
  double from = 0;
  for (const Slice& slice : slices.pie) {
    const double to = from + slice.share;
    const bool is_pointed = is_hovered && pointed >= from && pointed < to;
    const bool is_lit = is_pointed || options.selected.contains(slice.name);
    const float grown = is_lit ? radius + 4 * input.scale : radius;
    draw_wedge(list, center, grown, radius * kHole, from, to,
               color_of(input, *slices.measured, slice));
    if (is_pointed) {
      ImGui::BeginTooltip();
      ImGui::PushFont(input.fonts.bold);
      show_text(short_name(slice.name, 120));
      ImGui::PopFont();
      show_text(
          slice_cell(slice, *slices.measured, kSliceValue, input.session.look.time_display) +
              "  ·  " +
              slice_cell(slice, *slices.measured, kSliceShare, input.session.look.time_display) +
              " %",
          input.theme.text_dim);
      if (slice.part_count > 0) {
        show_text(counted(slice.part_count, "slice") + ": open the row to list them",
                  input.theme.text_dim);
      }
      ImGui::EndTooltip();
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        output.commands.push_back(set_option(
            input, "selected", selection_with(options, slice.name, ImGui::GetIO().KeyCtrl)));
      }
      const auto row = std::ranges::find(slices.rows, slice.name, &Slice::name);
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Right) && row != slices.rows.end())
        view_.open_menu(static_cast<uint64_t>(row - slices.rows.begin()));
    }
    from = to;
  }
  Slice all;
  all.value = slices.sum;
  std::string total =
      slice_cell(all, *slices.measured, kSliceValue, input.session.look.time_display);
  if (const SliceMetric& metric = *slices.measured->key.metric; !metric.is_time)
    total = counted(static_cast<uint64_t>(slices.sum), metric.id == "count" ? "event" : "message");
  const float room = 2 * radius * kHole - 12 * input.scale;
  const auto draw_line = [&](const std::string& text, float y, ImU32 color) {
    const float width = std::min(room, text_width(text));
    draw_text(list, {center.x - width / 2, center.y + y}, color, text, room);
  };
  const float line = ImGui::GetFontSize();
  // A sum that is cut would be a wrong one.
  ImGui::PushFont(text_width(total) > room ? input.fonts.small : input.fonts.body);
  if (text_width(total) <= room) draw_line(total, -ImGui::GetFontSize() / 2, input.theme.text);
  ImGui::PopFont();
  const std::string below = aggregated_text(slices);
  ImGui::PushFont(input.fonts.small);
  if (text_width(below) < room) {
    draw_line(below, line / 2 + 3 * input.scale, input.theme.text_dim);
  }
  ImGui::PopFont();
}

void StatisticsPanel::draw_table(const PanelInput& input, const Area& area,
                                 const std::shared_ptr<const SliceTable>& slices,
                                 const SliceMetric& metric, const SliceOptions& options,
                                 PanelOutput& output) {
  std::vector<TableColumn> columns(slice_columns(metric).begin(), slice_columns(metric).end());
  columns[kSliceValue].title = metric.title;
  if (metric.id == "count") columns.erase(columns.begin() + kSliceCount);
  TableInput shown{input, area, columns};
  shown.is_stale = is_stale_;
  shown.menu = kMenu;
  shown.nothing = metric.id == "latency"
                      ? no_latencies_here(input, "messages")
                      : nothing_here(input, metric.is_time ? "such events" : "events");
  if (slices) {
    shown.footer = slices->matched == slices->total
                       ? counted(slices->total, "slice")
                       : format_count(slices->matched) + " of " + counted(slices->total, "slice");
    shown.caution = caution_of(*input.trace->trace());
  }
  shown.obstacle = [&](size_t entry, uint64_t row) -> std::string {
    const Slice& slice = slices->rows[row];
    const auto is_meant = [&](const std::string& name) {
      const bool is_of_several = options.selected.contains(slice.name);
      return is_of_several ? options.selected.contains(name) : name == slice.name;
    };
    if (entry == kExclude) {
      const bool is_excluded =
          slice.kind == Slice::Kind::kExcluded || options.excluded.contains(slice.name);
      return is_excluded ? "it is excluded" : "";
    }
    if (entry == kRestore) return options.excluded.empty() ? "no slice is excluded" : "";
    if (entry == kUnmerge) {
      const bool is_merged = std::ranges::any_of(options.merged, is_meant, &MergedSlice::name);
      return is_merged ? "" : "it is not a merged slice";
    }
    return obstacle_of_one(entry, *slices->measured, slice);
  };
  const SliceRows rows(input, slices, options);
  const TableAnswer answered = view_.draw(shown, rows, output);
  if (slices) answer(input, answered, *slices, options, output);
}

void StatisticsPanel::answer(const PanelInput& input, const TableAnswer& answer,
                             const SliceTable& slices, const SliceOptions& options,
                             PanelOutput& output) {
  const auto toggle_folder = [&](uint64_t row) {
    const Slice& slice = slices.rows[row];
    if (slice.parts.empty()) return;
    std::set<std::string> open = options.open;
    if (!open.erase(slice.name)) open.insert(slice.name);
    output.commands.push_back(set_option(input, "open", open));
  };
  if (answer.folded) toggle_folder(*answer.folded);
  if (answer.opened) {
    const Slice& slice = slices.rows[*answer.opened];
    toggle_folder(*answer.opened);
    if (is_one(slice)) show_longest(input, event_filters(*slices.measured, slice), output);
  }
  if (answer.clicked) {
    const std::string& name = slices.rows[*answer.clicked].name;
    output.commands.push_back(
        set_option(input, "selected", selection_with(options, name, answer.is_added)));
  }
  if (answer.menu_at) {
    const std::string& name = slices.rows[*answer.menu_at].name;
    if (!options.selected.contains(name))
      output.commands.push_back(set_option(input, "selected", Json::array({name})));
  }
  if (answer.menu && !answer_of_one(input, answer, slices, output))
    answer_of_slices(input, answer, slices, options, output);
}

// What the menu offers for one type or lane in the trace; false: for slices.
bool StatisticsPanel::answer_of_one(const PanelInput& input, const TableAnswer& answer,
                                    const SliceTable& slices, PanelOutput& output) const {
  const Measured& measured = *slices.measured;
  const Slice& slice = slices.rows[answer.menu_row];
  const bool is_lane = measured.key.by == query::GroupBy::kLane;
  const trace::Dictionary& dictionary = measured.key.trace->dictionary();
  const auto type = [&] { return dictionary.type(EventTypeId(slice.id)).name; };
  switch (*answer.menu) {
    case kFilter:
      output.commands.push_back({"filter.add", {{"text", filter_to(measured, slice)}}});
      return true;
    case kHide:
      output.commands.push_back(is_lane
                                    ? Command{"lane.hide", {{"lane", slice.id}}}
                                    : Command{"type.hide", {{"type", type()}, {"shown", false}}});
      return true;
    case kEvents:
      show_longest(input, event_filters(measured, slice), output);
      return true;
    case kLongest:
      output.commands.push_back({"find.longest",
                                 {{"text", filter_to_measured(input, measured, slice)},
                                  {"from", measured.key.range.begin.ticks},
                                  {"to", measured.key.range.end.ticks}}});
      return true;
    case kDurations:
      show_durations(type(), output);
      return true;
    case kCallers:
      output.commands.push_back({"panel.open", {{"panel", "flame"}}});
      show_sandwich("flame", type(), output);
      return true;
    default:
      return false;
  }
}

void StatisticsPanel::answer_of_slices(const PanelInput& input, const TableAnswer& answer,
                                       const SliceTable& slices, const SliceOptions& options,
                                       PanelOutput& output) {
  // The menu is of the row it was opened on, and of all that are selected with it.
  const std::string& name = slices.rows[answer.menu_row].name;
  Json names = options.selected;
  if (!options.selected.contains(name)) names = Json::array({name});
  switch (*answer.menu) {
    case kExclude:
      output.commands.push_back({"slice.exclude", {{"panel", input.id}, {"names", names}}});
      break;
    case kRestore:
      output.commands.push_back({"slice.restore", {{"panel", input.id}}});
      break;
    case kMerge:
      output.commands.push_back(set_option(input, "selected", names));
      wants_merge_ = true;
      break;
    default:
      output.commands.push_back({"slice.unmerge", {{"panel", input.id}, {"names", names}}});
  }
}

void StatisticsPanel::draw_merge(const PanelInput& input, PanelOutput& output) {
  if (std::exchange(wants_merge_, false)) ImGui::OpenPopup(kMergePopup);
  if (!ImGui::BeginPopup(kMergePopup)) return;
  ImGui::TextUnformatted("One slice of those selected");
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(220 * input.scale);
  const bool is_entered =
      ImGui::InputTextWithHint("##name", "name", merge_name_.data(), merge_name_.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  ImGui::ColorEdit3("##color", merge_color_.data(), ImGuiColorEditFlags_NoInputs);
  if ((ImGui::Button("Merge") || is_entered) && merge_name_[0] != 0) {
    const auto part = [&](size_t i) { return std::lround(merge_color_[i] * 255); };
    output.commands.push_back(
        {"slice.merge",
         {{"panel", input.id},
          {"name", std::string(merge_name_.data())},
          {"color", fmt::format("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))}}});
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace weft::app
