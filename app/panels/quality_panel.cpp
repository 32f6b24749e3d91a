#include "app/panels/quality_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/toolbar.h"
#include "core/base/text.h"
#include "core/query/metrics.h"
#include "core/trace/message_id.h"

namespace weft::app {
namespace {

constexpr TableColumn kColumns[] = {
    {"kind", "What happened", 300, /*is_number=*/false, /*has_filter=*/true},
    {"count", "Count", 100, true},
    {"damage", "Effect", 110, false, true},
    {"places", "First places in the file, in bytes", 340},
};
enum Column : size_t { kKind, kCount, kDamage, kPlaces };

std::string cell_of(const trace::Loss& loss, size_t column) {
  switch (column) {
    case kKind:
      return loss.kind;
    case kCount:
      return format_count(loss.count);
    case kDamage:
      return loss.is_damage ? "lost" : "repaired";
    default: {
      std::string places;
      for (const uint64_t offset : loss.first) {
        places += (places.empty() ? "" : ", ") + format_count(offset);
      }
      return places + (loss.count > loss.first.size() ? ", …" : "");
    }
  }
}

// A report has few kinds of losses: arranged anew in every frame.
class LossRows final : public TableRows {
 public:
  LossRows(const trace::ImportReport& report, const TableOptions& options) {
    const TableFilters filters(options, kColumns);
    for (const trace::Loss& loss : report.losses()) {
      if (filters.take([&](size_t column) { return cell_of(loss, column); })) {
        losses_.push_back(&loss);
      }
    }
    const auto column = sort_column(options, kColumns);
    if (!column) return;
    std::ranges::stable_sort(losses_, [&](const trace::Loss* a, const trace::Loss* b) {
      if (options.is_descending) std::swap(a, b);
      if (*column == kCount) return a->count < b->count;
      return cell_of(*a, *column) < cell_of(*b, *column);
    });
  }
  uint64_t count() const override { return losses_.size(); }
  TableRow row(uint64_t row) const override {
    TableRow state;
    state.is_dim = !losses_[row]->is_damage;
    return state;
  }
  std::string cell(uint64_t row, size_t column) const override {
    return cell_of(*losses_[row], column);
  }
  Sheet sheet() const override {
    std::vector<trace::Loss> losses;
    for (const trace::Loss* loss : losses_) losses.push_back(*loss);
    return sheet_of_cells(column_ids(kColumns), losses.size(),
                          [losses](uint64_t row, size_t column) -> Cell {
                            if (column == kCount) return losses[row].count;
                            return cell_of(losses[row], column);
                          });
  }

 private:
  std::vector<const trace::Loss*> losses_;
};

std::string share_read(const OpenTrace& trace) {
  const Opening* opening = trace.opening();
  if (!opening || opening->bytes_total() == 0) return trace.is_loading() ? "reading …" : "all read";
  const auto total = static_cast<double>(opening->bytes_total());
  return fmt::format("{:.0f} % of {} read",
                     100 * static_cast<double>(opening->bytes_done()) / total,
                     format_bytes(opening->bytes_total()));
}

// Ids that several messages have, as the reader counted them.
uint64_t ids_used_again(const trace::ImportReport& report) {
  const auto loss = std::ranges::find(report.losses(), trace::kIdUsedAgain, &trace::Loss::kind);
  return loss == report.losses().end() ? 0 : loss->count;
}

}  // namespace

QualityPanel::QualityPanel(const PanelServices& services)
    : messages_(
          [pool = services.pool](const TracePtr& trace,
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
  const TracePtr& trace = input.trace->trace();
  const uint64_t messages = trace->counts()[trace::Category::kLink];
  if (messages == 0) return input.area;
  const auto found = messages_.find(trace);
  output.is_stale |= found.is_stale;
  Toolbar bar(input, output);
  const auto offer = [&](uint64_t count, const char* what, const char* filter) {
    const std::string title = format_count(count) + what;
    if (bar.button(title.c_str(), count > 0))
      output.commands.push_back({"filter.set", {{"text", filter}}});
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
  bar.say("of " + counted(messages, "message") +
          (again > 0 ? "; " + counted(again, "id") + " used again" : std::string()));
  return bar.below();
}

void QualityPanel::draw(const PanelInput& input, PanelOutput& output) {
  if (!input.trace || !input.trace->trace()) {
    draw_notice(input, input.area, "No trace is open");
    return;
  }
  const trace::ImportReport& report = input.trace->trace()->dictionary().report;
  const TableOptions options = table_options(input.options);
  const LossRows rows(report, options);
  TableInput shown{input, draw_messages(input, output), kColumns};
  const std::string kinds =
      report.losses().empty() ? "nothing lost, nothing repaired"
      : rows.count() == report.losses().size()
          ? counted(rows.count(), "kind")
          : format_count(rows.count()) + " of " + counted(report.losses().size(), "kind");
  shown.footer = kinds + "  ·  " + share_read(*input.trace);
  if (input.trace->has_failed()) shown.problem = input.trace->error();
  (void)view_.draw(shown, rows, output);
}

}  // namespace weft::app
