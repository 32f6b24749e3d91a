#include "app/panels/desk/quality_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/panels/tables/event_table.h"
#include "app/panels/timeline/time_axis.h"
#include "app/panels/toolbar.h"
#include "app/session/losses.h"
#include "core/base/text.h"
#include "core/io/source.h"
#include "core/query/metrics/metrics.h"
#include "core/trace/message_id.h"

namespace weft::app {
namespace {

constexpr TableColumn kColumns[] = {
    {.id = "kind", .title = "What happened", .width_px = 300, .has_filter = true},
    figure_column("count", "Count", 90),
    {.id = "damage", .title = "Effect", .width_px = 110, .has_filter = true},
    {.id = "lane", .title = "Lane", .width_px = 180, .has_filter = true, .is_path = true},
    figure_column("time", "Time", 120),
    figure_column("places", "In the input", 120),
};
enum Column : size_t { kKind, kCount, kDamage, kLane, kTime, kPlace };

// A kind of loss, one of its places, or the sum of those whose places were not kept.
struct Line {
  const trace::Loss* loss;
  const trace::LossPlace* place;  // of a kind: the first, or null where all follow; of a sum: null
  bool is_kind;
};

// A report has few kinds of losses: arranged anew in every frame.
class LossRows final : public TableRows {
 public:
  LossRows(const OpenTrace& trace, const TableOptions& options, const std::set<std::string>& open)
      : trace_(trace), dictionary_(trace.trace()->dictionary()), open_(open) {
    const TableFilters filters(options, kColumns);
    std::vector<Line> kinds;
    for (const trace::Loss& loss : dictionary_.report.losses()) {
      const Line line{&loss, loss.first.empty() ? nullptr : &loss.first.front(), true};
      if (filters.take([&](size_t column) { return cell_of(line, column); })) kinds.push_back(line);
    }
    kinds_ = kinds.size();
    if (const auto column = sort_column(options, kColumns)) {
      std::ranges::stable_sort(kinds, [&](const Line& a, const Line& b) {
        return options.is_descending ? is_before(b, a, *column) : is_before(a, b, *column);
      });
    }
    for (const Line& kind : kinds) {
      const bool is_open = open_.contains(kind.loss->kind) && kind.loss->first.size() > 1;
      lines_.push_back({kind.loss, is_open ? nullptr : kind.place, true});
      if (!is_open) continue;
      for (const trace::LossPlace& place : kind.loss->first)
        lines_.push_back({kind.loss, &place, false});
      if (count_beyond(*kind.loss) > 0) lines_.push_back({kind.loss, nullptr, false});
    }
  }
  size_t kinds() const { return kinds_; }
  const Line& line(uint64_t row) const { return lines_[row]; }

  uint64_t count() const override { return lines_.size(); }
  TableRow row(uint64_t row) const override {
    const Line& line = lines_[row];
    TableRow state;
    state.level = line.is_kind ? 0 : 1;
    if (line.is_kind && line.loss->first.size() > 1)
      state.is_open = open_.contains(line.loss->kind);
    state.is_selected = !line.is_kind && line.place && trace_.shown_loss() == *line.place;
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return cell_of(lines_[row], column);
  }
  // Every place, whatever is open.
  Sheet sheet() const override {
    std::vector<std::array<Cell, std::size(kColumns)>> cells;
    for (const Line& kind : lines_) {
      if (!kind.is_kind) continue;
      const trace::LossPlace nowhere;
      std::vector<trace::LossPlace> places = kind.loss->first;
      if (places.empty()) places.push_back(nowhere);
      for (const trace::LossPlace& place : places) {
        const Line line{kind.loss, &place, true};
        cells.push_back({cell_of(line, kKind), kind.loss->count, cell_of(line, kDamage),
                         cell_of(line, kLane), cell_of(line, kTime), cell_of(line, kPlace)});
      }
    }
    return sheet_of_cells(column_ids(kColumns), cells.size(),
                          [cells](uint64_t row, size_t column) { return cells[row][column]; });
  }

 private:
  std::string cell_of(const Line& line, size_t column) const {
    switch (column) {
      case kKind:
        if (line.is_kind) return line.loss->kind;
        return line.place ? "" : format_count(count_beyond(*line.loss)) + " more: places not kept";
      case kCount:
        return line.is_kind ? format_count(line.loss->count) : "";
      case kDamage:
        // A message that was never received is there all the same, say.
        return !line.is_kind ? "" : line.loss->is_damage ? "lost" : "nothing lost";
      case kLane:
        return line.place && !line.place->lane.is_none() ? dictionary_.path_text(line.place->lane)
                                                         : "";
      case kTime:
        return line.place && line.place->time ? exact_label(*line.place->time, trace_) : "";
      default:
        return line.place ? in_input(*line.place) : "";
    }
  }
  bool is_before(const Line& a, const Line& b, size_t column) const {
    if (column == kCount) return a.loss->count < b.loss->count;
    if (column == kTime || column == kPlace) {
      const auto key = [&](const Line& line) {
        if (!line.place) return std::pair(std::optional<Time>(), uint64_t{0});
        return column == kPlace ? std::pair(std::optional<Time>(), line.place->offset)
                                : std::pair(line.place->time, uint64_t{0});
      };
      return key(a) < key(b);
    }
    return cell_of(a, column) < cell_of(b, column);
  }

  const OpenTrace& trace_;
  const trace::Dictionary& dictionary_;
  const std::set<std::string>& open_;
  size_t kinds_ = 0;
  std::vector<Line> lines_;
};

// The command that goes to a place; none where its time is not known.
std::optional<Command> go_to(const OpenTrace& trace, const trace::LossPlace& place) {
  const auto placed = placed_losses(trace.trace()->dictionary().report);
  const auto at = std::ranges::find(placed, &place, &PlacedLoss::place);
  if (at == placed.end()) return std::nullopt;
  return Command{"losses.goto", {{"number", at - placed.begin() + 1}}};
}

std::string share_read(const OpenTrace& trace) {
  const Opening* opening = trace.opening();
  if (!opening || opening->bytes_total() == 0) {
    if (trace.is_loading()) return "reading…";
    const bool is_whole =
        trace.damage().empty() && !trace.trace()->dictionary().report.has_damage();
    return is_whole ? "all read" : "not all can be read";
  }
  const auto total = static_cast<double>(opening->bytes_total());
  return fmt::format("{:.0f} % of {} read",
                     100 * static_cast<double>(opening->bytes_done()) / total,
                     format_bytes(opening->bytes_total()));
}

// Places are those in what comes out of it.
bool is_packed(const std::filesystem::path& path) { return io::without_compression(path) != path; }

// Ids that several messages have, as the reader counted them.
uint64_t ids_used_again(const trace::ImportReport& report) {
  const auto loss = std::ranges::find(report.losses(), trace::kIdUsedAgain, &trace::Loss::kind);
  return loss == report.losses().end() ? 0 : loss->count;
}

}  // namespace

QualityPanel::QualityPanel(const PanelServices& services)
    : messages_(
          [pool = services.pool](const store::TracePtr& trace,
                                 const std::stop_token& stop) -> std::optional<MessageCounts> {
            const auto selection = query::Selection::all(*trace);
            const auto count = [&](std::string_view id) {
              const query::Metric& metric = *query::metric_from_id(id);
              const query::Work work(*pool, stop);
              return static_cast<uint64_t>(
                  metric.measure(*trace, selection, query::GroupBy::kLane, work).sum);
            };
            const MessageCounts counts{trace, count("unreceived"), count("dropped"),
                                       count("unsent")};
            return stop.stop_requested() ? std::nullopt : std::optional(counts);
          },
          services.wake) {}

Area QualityPanel::draw_messages(const PanelInput& input, PanelOutput& output) {
  const store::TracePtr& trace = input.trace->trace();
  const uint64_t messages = trace->counts()[trace::Category::kLink];
  if (messages == 0) return input.area;
  const auto found = messages_.find(trace);
  output.is_stale |= found.is_stale;
  Toolbar bar(input, output);
  std::string none;  // what there is none of
  const auto offer = [&](uint64_t count, const char* what, const char* filter) {
    const std::string title = format_count(count) + what;
    if (count == 0) {
      none += "; " + title;
    } else if (bar.button(title.c_str())) {
      output.commands.push_back({"filter.set", {{"text", filter}}});
    }
  };
  if (found.value) {
    offer(found.value->unreceived, " never received",
          R"(category == "link" && !(target contains ""))");
    offer(found.value->dropped, " dropped", R"(category == "link" && params.dropped == 1)");
    offer(found.value->unsent, " of unknown senders",
          R"(category == "link" && !(source contains ""))");
  }
  const uint64_t again = ids_used_again(trace->dictionary().report);
  bar.gap();
  bar.say("of " + counted(messages, "message") + none +
          (again > 0 ? "; " + counted(again, "id") + " used again" : std::string()));
  return bar.below();
}

void QualityPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) return;
  const trace::ImportReport& report = input.trace->trace()->dictionary().report;
  const TableOptions options = table_options(input.options);
  const std::set<std::string> open = texts_in(input.options, "open");
  const LossRows rows(*input.trace, options, open);
  const TableTimes times = {input.session.look.time_display, input.trace->reach()};
  std::array columns = std::to_array(kColumns);
  if (is_packed(input.trace->path())) {
    columns[kPlace].title = "In the unpacked input";
    columns[kPlace].width_px = 160;
  }
  columns[kTime].width_px = width_of_times(*input.trace->trace(), times, columns[kTime].width_px);
  TableInput shown{input, draw_messages(input, output), columns};
  const std::string& damage = input.trace->damage();
  const std::string kinds =
      report.losses().empty()
          ? (damage.empty() ? "nothing lost, nothing amiss" : "no problems besides")
      : rows.kinds() == report.losses().size()
          ? counted(rows.kinds(), "kind")
          : format_count(rows.kinds()) + " of " + counted(report.losses().size(), "kind");
  shown.footer = kinds + "  ·  " + share_read(*input.trace);
  if (input.trace->has_failed()) shown.problem = input.trace->error();
  shown.nothing = "Nothing was lost or amiss: all that was read is shown";
  if (!damage.empty()) {
    shown.caution = input.trace->name() + ": " + damage;
    shown.nothing = "Parts of the file cannot be read, and are not shown";
  }
  const TableAnswer answer = view_.draw(shown, rows, output);
  if (answer.folded) {
    std::set<std::string> now = open;
    const std::string& kind = rows.line(*answer.folded).loss->kind;
    if (!now.erase(kind)) now.insert(kind);
    output.commands.push_back(set_option(input, "open", now));
  }
  if (!answer.opened) return;
  const trace::LossPlace* place = rows.line(*answer.opened).place;
  if (const auto command = place ? go_to(*input.trace, *place) : std::nullopt)
    output.commands.push_back(*command);
}

}  // namespace weft::app
