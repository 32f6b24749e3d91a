#include "app/cli/event_writer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "app/base/json_text.h"
#include "app/cli/input.h"
#include "core/base/text.h"
#include "core/formats/base/own_csv.h"
#include "core/query/link_ends.h"
#include "core/query/selection.h"

namespace weft::cli {
namespace {

using query::Event;
using query::is_link;
using query::LinkEnds;
using store::Record;
using store::RowKind;

// Both ends are empty unless it is a link.
LinkEnds ends_of(const Event& event) {
  const store::Row& row = *event.row;
  return is_link(row.kind) ? query::ends_of(row.kind, row.lane, *event.record) : LinkEnds{};
}

// Text made once per lane or type, when it is first asked for.
class TextCache {
 public:
  TextCache(size_t size, std::function<std::string(uint32_t)> make)
      : texts_(size), make_(std::move(make)) {}
  std::string_view operator[](uint32_t id) {
    if (id >= texts_.size()) return {};
    if (texts_[id].empty()) texts_[id] = make_(id);
    return texts_[id];
  }

 private:
  std::vector<std::string> texts_;
  std::function<std::string(uint32_t)> make_;
};

// The text of a JSON object on one line. What is not JSON (a damaged file) becomes {"text": "…"}.
std::string one_line_json(std::string_view json) {
  std::string text = valid_utf8(json);
  if (!nlohmann::json::accept(text)) return fmt::format("{{\"text\":{}}}", app::json_string(text));
  return app::tame_json(std::move(text));
}

class JsonLinesWriter final : public EventWriter {
 public:
  JsonLinesWriter(const store::Trace& trace, Output& output)
      : trace_(trace),
        output_(output),
        lanes_(trace.dictionary().lanes.size(), [&](uint32_t id) { return lane_json(LaneId(id)); }),
        types_(trace.dictionary().types.size(),
               [&](uint32_t id) { return app::json_string(trace.dictionary().types[id].name); }),
        groups_(trace.dictionary().types.size(), [&](uint32_t id) {
          const std::string_view group = trace.dictionary().types[id].group;
          return group.empty() ? "" : fmt::format(R"(,"group":{})", app::json_string(group));
        }) {}

  void write(const Event& event) override {
    const Record& record = *event.record;
    const RowKind kind = event.row->kind;
    const LinkEnds ends = ends_of(event);
    output_.print(R"({{"category":"{}","time":{},"lane":)", name_of(query::category_of(kind)),
                  record.begin.ticks);
    lane(is_link(kind) ? ends.source : event.row->lane);
    output_.print(R"(,"type":{})", types_[record.type.value()]);
    output_.text(groups_[record.type.value()]);
    if (kind == RowKind::kState) {
      output_.print(R"(,"duration":{},"depth":{})", record.duration.ticks, event.row->depth);
    } else if (kind == RowKind::kVariable) {
      variable(record.value);
    } else if (is_link(kind)) {
      link(ends);
    }
    if (!record.params.is_none()) params(record);
    output_.text("}\n");
  }

 private:
  std::string lane_json(LaneId id) const {
    std::string text = "[";
    for (const std::string& name : trace_.dictionary().path(id)) {
      if (text.size() > 1) text += ',';
      text += app::json_string(name);
    }
    return text + "]";
  }

  void lane(LaneId id) {
    const std::string_view text = lanes_[id.value()];
    output_.text(text.empty() ? "null" : text);
  }

  void variable(double value) {
    // JSON has no word for what is not a number.
    if (std::isfinite(value)) {
      output_.print(R"(,"value":{})", value);
    } else {
      output_.text(R"(,"value":null)");
    }
  }

  void link(const LinkEnds& ends) {
    output_.text(R"(,"target_lane":)");
    lane(ends.target);
    if (ends.target.is_none()) {
      output_.text(R"(,"target_time":null)");
    } else {
      output_.print(R"(,"target_time":{})", ends.receive.ticks);
    }
  }

  void params(const Record& record) {
    const store::Params params = trace_.params(record.params);
    if (!params.json.empty()) output_.print(R"(,"params":{})", one_line_json(params.json));
    if (!params.payload.empty()) output_.print(R"(,"payload":"{}")", hexadecimal(params.payload));
    const std::string fields = trace_.payload_fields(record.type, record.params);
    if (!fields.empty()) output_.print(R"(,"fields":{})", app::tame_json(fields));
  }

  const store::Trace& trace_;
  Output& output_;
  TextCache lanes_;
  TextCache types_;
  TextCache groups_;  // as members of the object
};

// The cells of an event as text, shared by what prints lines of cells.
class EventCells {
 public:
  // How a name, and the names down to a lane, become text of one line.
  using ShowName = std::string (*)(std::string_view name);
  using ShowPath = std::string (*)(const trace::Dictionary& dictionary, LaneId lane);

  EventCells(const store::Trace& trace, ShowName show, ShowPath show_path)
      : trace_(trace),
        lanes_(
            trace.dictionary().lanes.size(),
            [&trace, show_path](uint32_t id) { return show_path(trace.dictionary(), LaneId(id)); }),
        types_(trace.dictionary().types.size(),
               [&trace, show](uint32_t id) { return show(trace.dictionary().types[id].name); }) {}

  std::string_view lane(LaneId id) { return lanes_[id.value()]; }
  std::string_view type(EventTypeId id) { return types_[id.value()]; }
  std::string params(const Record& record) const {
    if (record.params.is_none()) return "";
    return printable(app::tame_json(valid_utf8(trace_.params(record.params).json)), 0);
  }
  std::string payload(const Record& record) const {
    return record.params.is_none() ? "" : hexadecimal(trace_.params(record.params).payload);
  }

 private:
  const store::Trace& trace_;
  TextCache lanes_;
  TextCache types_;
};

// RFC 4180, except that a line ends with LF and that control characters are made visible, so that
// an event is always one line (formats/base/own_csv.h).
class CsvWriter final : public EventWriter {
 public:
  CsvWriter(const store::Trace& trace, Output& output)
      : output_(output), cells_(trace, formats::visible_name, formats::visible_path) {
    output_.print("{}\n", formats::kOwnCsvColumns);
  }

  void write(const Event& event) override {
    const Record& record = *event.record;
    const RowKind kind = event.row->kind;
    const LinkEnds ends = ends_of(event);
    output_.print("{},{},", name_of(query::category_of(kind)), record.begin.ticks);
    cell(cells_.lane(is_link(kind) ? ends.source : event.row->lane));
    cell(cells_.type(record.type));
    if (kind == RowKind::kState) {
      output_.print("{},{},", record.duration.ticks, event.row->depth);
    } else {
      output_.text(",,");
    }
    cell(cells_.lane(ends.target));
    output_.print("{},", ends.target.is_none() ? "" : std::to_string(ends.receive.ticks));
    output_.print("{},", kind == RowKind::kVariable ? fmt::format("{}", record.value) : "");
    cell(cells_.params(record));
    output_.print("{}\n", cells_.payload(record));
  }

 private:
  void cell(std::string_view text) { output_.print("{},", csv_cell(text)); }

  Output& output_;
  EventCells cells_;
};

// A table for people. Columns have fixed widths, since the table begins before its widest cell is
// known.
class TableWriter final : public EventWriter {
 public:
  TableWriter(const store::Trace& trace, Output& output)
      : trace_(trace),
        output_(output),
        cells_(
            trace, [](std::string_view name) { return printable(name, 0); },
            [](const trace::Dictionary& dictionary, LaneId lane) {
              return printable(dictionary.path_text(lane), 0);
            }),
        base_(trace.dictionary().time_base),
        span_(trace.range().length()) {
    line("time", "category", "lane", "type", "");
  }

  void write(const Event& event) override {
    const Record& record = *event.record;
    const RowKind kind = event.row->kind;
    const LinkEnds ends = ends_of(event);
    const LaneId lane = is_link(kind) ? ends.source : event.row->lane;
    line(time(record.begin), name_of(query::category_of(kind)),
         lane.is_none() ? "(unknown)" : cells_.lane(lane), cells_.type(record.type),
         details(event, ends));
  }

 private:
  void line(std::string_view time, std::string_view category, std::string_view lane,
            std::string_view type, std::string_view details) {
    output_.print("{:>20}  {:<8}  {:<32}  {:<32}  {}\n", time, category, lane, type, details);
  }

  std::string time(Time t) const { return format_time(t, base_, span_, Duration{1}); }

  std::string way(const LinkEnds& ends) {
    if (!ends.is_received()) return "→ never arrived";
    std::string text = fmt::format("→ {} at {}", cells_.lane(ends.target), time(ends.receive));
    if (const auto latency = query::latency_of(trace_, ends))
      text += " after " + format_duration(*latency, base_);
    return text;
  }

  std::string details(const Event& event, const LinkEnds& ends) {
    const Record& record = *event.record;
    std::string text;
    switch (event.row->kind) {
      case RowKind::kState:
        text =
            fmt::format("{} (depth {})", format_duration(record.duration, base_), event.row->depth);
        break;
      case RowKind::kVariable:
        text = fmt::format("{}", record.value);
        break;
      case RowKind::kLinkOut:
      case RowKind::kLinkIn:
        text = way(ends);
        break;
      case RowKind::kPunctual:
        break;
    }
    for (const std::string& more : {cells_.params(record), cells_.payload(record)}) {
      if (!more.empty()) text += (text.empty() ? "" : "  ") + more;
    }
    return text;
  }

  const store::Trace& trace_;
  Output& output_;
  EventCells cells_;
  TimeBase base_;
  Duration span_;
};

template <class Writer>
std::unique_ptr<EventWriter> make(const store::Trace& trace, Output& output) {
  return std::make_unique<Writer>(trace, output);
}

struct EventFormat {
  std::string_view id;  // "jsonl"
  std::unique_ptr<EventWriter> (*make)(const store::Trace& trace, Output& output);
};
constexpr EventFormat kFormats[] = {
    {"table", make<TableWriter>}, {"csv", make<CsvWriter>}, {"jsonl", make<JsonLinesWriter>}};

}  // namespace

std::unique_ptr<EventWriter> make_event_writer(std::string_view format, const store::Trace& trace,
                                               Output& output) {
  return std::ranges::find(kFormats, format, &EventFormat::id)->make(trace, output);
}

void declare_event_format(CLI::App& app, std::string& format) {
  std::set<std::string> ids;
  for (const EventFormat& each : kFormats) ids.emplace(each.id);
  declare_print_format(app, "How to print them: table (default), csv or jsonl", std::move(ids),
                       "jsonl", format);
}

}  // namespace weft::cli
