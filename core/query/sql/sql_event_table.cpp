#include "core/query/sql/sql_event_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/query/cpu_lanes.h"
#include "core/query/link_ends.h"
#include "core/query/selection.h"
#include "core/query/sql/sql_by_type.h"
#include "core/query/sql/sql_event_columns.h"
#include "core/query/sql/sql_order.h"
#include "core/query/sql/sql_scan.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;
using store::RowKind;
using trace::Category;
using Content = EventContent;
using By = SqlScanOrder::By;

// --- Conditions ----------------------------------------------------------------------------------

// One condition of a plan, as two characters: what it is on, and the comparison.
struct Condition {
  Content field;
  unsigned char op;
};

std::string plan_text_of(std::span<const Condition> conditions) {
  std::string text;
  for (const Condition& c : conditions) {
    text += static_cast<char>('A' + static_cast<int>(c.field));
    text += static_cast<char>(c.op == SQLITE_INDEX_CONSTRAINT_EQ   ? '='
                              : c.op == SQLITE_INDEX_CONSTRAINT_GT ? '>'
                              : c.op == SQLITE_INDEX_CONSTRAINT_GE ? 'g'
                              : c.op == SQLITE_INDEX_CONSTRAINT_LT ? '<'
                                                                   : 'l');
  }
  return text;
}

bool is_comparison(unsigned char op) {
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GT ||
         op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_LT ||
         op == SQLITE_INDEX_CONSTRAINT_LE;
}

// The share of events that a condition leaves, for the planner; 1 where it cannot be used.
double selectivity(Content field, unsigned char op, double lanes) {
  if (!is_comparison(op)) return 1;
  const bool is_equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
  switch (field) {
    case Content::kTime:
    case Content::kSend:
    case Content::kEnd:
      return is_equal ? 1e-6 : 0.1;
    case Content::kLane:
    case Content::kLaneId:
    case Content::kSource:
    case Content::kSourceId:
      return is_equal ? 1 / lanes : 0.5;
    case Content::kType:
    case Content::kTypeId:
      return is_equal ? 0.05 : 0.5;
    case Content::kDuration:
    case Content::kDepth:
      return is_equal ? 0.1 : 0.5;
    default:
      return 1;
  }
}

bool is_text(Content field) {
  return field == Content::kLane || field == Content::kSource || field == Content::kType;
}

// Integers that compare so with a number; everything where that cannot be told.
Between between_from(char op, sqlite3_value* value) {
  constexpr double kLimit = 9.2e18;
  int64_t low = 0;
  int64_t high = 0;
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER) {
    low = high = sqlite3_value_int64(value);
  } else if (type == SQLITE_FLOAT && std::fabs(sqlite3_value_double(value)) < kLimit) {
    low = static_cast<int64_t>(std::floor(sqlite3_value_double(value)));
    high = static_cast<int64_t>(std::ceil(sqlite3_value_double(value)));
  } else {
    return {};
  }
  switch (op) {
    case '=':
      return {low, high};
    case '>':
    case 'g':
      return {low, Between{}.most};
    default:
      return {Between{}.least, high};
  }
}

// So many records, and types of all lanes, at most are put together by type; of more SQLite's
// sorting, which writes a file, is faster.
constexpr double kMostByType = 1 << 25;

// --- The table -----------------------------------------------------------------------------------

class EventTable final : public SqlTable {
 public:
  EventTable(const EventTableKind& kind, store::TracePtr trace)
      : kind_(kind),
        trace_(std::move(trace)),
        lane_cpus_(cpu_of_lanes(trace_->dictionary())),
        lane_paths_(trace_->dictionary().lanes.size()) {}

  const EventTableKind& kind() const { return kind_; }
  const store::Trace& trace() const { return *trace_; }
  // The path of a lane, which lasts as long as the table; null: those that are kept are too many.
  const std::string* kept_lane_path(LaneId id) const {
    constexpr size_t kMostBytes = 64 << 20;  // of deeply nested lanes each path is long
    std::string& path = lane_paths_[id.value()];
    if (path.empty() && kept_path_bytes_ > kMostBytes) return nullptr;
    if (path.empty()) {
      path = trace_->dictionary().path_text(id);
      kept_path_bytes_ += path.size();
    }
    return &path;
  }
  // May view `scratch`.
  std::string_view lane_path(LaneId id, std::string& scratch) const {
    const std::string* const kept = kept_lane_path(id);
    return kept != nullptr ? *kept : scratch = trace_->dictionary().path_text(id);
  }
  std::optional<int64_t> cpu_of(const Row& row, const Record& record) const {
    return cpu_of_event(lane_cpus_, *trace_, row, record);
  }

  std::string columns() const override {
    std::string text;
    for (const EventColumn& column : kind_.columns) {
      text += (text.empty() ? "" : ", ") + std::string(column.declaration);
    }
    return text;
  }

  void plan(sqlite3_index_info& info) const override {
    const auto lanes = static_cast<double>(std::max<size_t>(1, lane_paths_.size()));
    auto rows = static_cast<double>(kind_.category ? trace_->counts()[*kind_.category]
                                                   : trace_->counts().total());
    std::vector<Condition> conditions;
    for (int i = 0; i < info.nConstraint; ++i) {
      const auto& constraint = info.aConstraint[i];
      if (constraint.usable == 0 || constraint.iColumn < 0) continue;
      const Content field = kind_.columns[static_cast<size_t>(constraint.iColumn)].field;
      const double share = selectivity(field, constraint.op, lanes);
      if (share >= 1) continue;
      const bool is_binary = sqlite3_stricmp(sqlite3_vtab_collation(&info, i), "BINARY") == 0;
      if (is_text(field) && (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || !is_binary)) continue;
      rows *= share;
      conditions.push_back({field, constraint.op});
      info.aConstraintUsage[i].argvIndex = static_cast<int>(conditions.size());
    }
    plan_order(info, rows);
    info.idxStr = sqlite3_mprintf("%s", plan_text_of(conditions).c_str());
    info.needToFreeIdxStr = 1;
    info.estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, rows));
    info.estimatedCost = rows + static_cast<double>(trace_->rows().size());
  }

  std::unique_ptr<SqlCursor> open() const override;

  // The lanes of a path, the types of a name: as a range of ids that holds them all.
  Between lanes_of(std::string_view path) const {
    std::string scratch;
    return ids_of(lane_paths_.size(), [&](size_t i) {
      return lane_path(LaneId(static_cast<uint32_t>(i)), scratch) == path;
    });
  }
  Between types_of(std::string_view name) const {
    const auto& types = trace_->dictionary().types;
    return ids_of(types.size(), [&](size_t i) { return types[i].name == name; });
  }

 private:
  void plan_order(sqlite3_index_info& info, double rows) const {
    const auto order = order_for(info, kind_.columns);
    if (!order) return;
    const bool has_lanes_first = order->lanes_first != By::kNothing;
    const double groups = static_cast<double>(trace_->dictionary().types.size()) *
                          (has_lanes_first ? static_cast<double>(lane_paths_.size()) : 1);
    const bool is_by_type = order->type != By::kNothing;
    if (is_by_type && std::max(rows, groups) > kMostByType) return;
    info.idxNum = order->bits();
    info.orderByConsumed = 1;
  }

  static Between ids_of(size_t count, const auto& is_wanted) {
    Between ids{0, -1};
    for (size_t i = 0; i < count; ++i) {
      if (!is_wanted(i)) continue;
      if (ids.most < 0) ids.least = static_cast<int64_t>(i);
      ids.most = static_cast<int64_t>(i);
    }
    return ids;
  }

  const EventTableKind& kind_;
  store::TracePtr trace_;
  std::vector<std::optional<int64_t>> lane_cpus_;
  mutable std::vector<std::string> lane_paths_;  // made when asked for
  mutable size_t kept_path_bytes_ = 0;
};

// --- The cursor ----------------------------------------------------------------------------------

class EventCursor final : public SqlCursor {
 public:
  explicit EventCursor(const EventTable& table) : table_(table), trace_(table.trace()) {}

  void filter(int plan, const char* plan_text, std::span<sqlite3_value* const> values) override {
    bounds_ = {};
    for (size_t i = 0; i < values.size(); ++i) {
      narrow(static_cast<Content>(plan_text[2 * i] - 'A'), plan_text[2 * i + 1], values[i]);
    }
    order_ = SqlScanOrder::from(plan);
    by_type_.reset();
    scans_.clear();
    waiting_ = wanted_parts();
    if (order_.lane != By::kNothing) {
      std::string scratch[2];
      std::ranges::stable_sort(waiting_, [&](const ScannedPart& a, const ScannedPart& b) {
        return std::pair(lane_name(order_.lane, a, scratch[0]), a.row->lane.value()) <
               std::pair(lane_name(order_.lane, b, scratch[1]), b.row->lane.value());
      });
    }
    std::ranges::reverse(waiting_);
    if (order_.type != By::kNothing) {
      places_ = type_places(trace_.dictionary(), order_.type == By::kName);
      open_types();
    } else {
      order_.is_by_time ? open_all() : open_next();
    }
  }

  bool is_at_end() const override { return by_type_ ? by_type_->is_at_end() : scans_.empty(); }

  void next() override {
    if (by_type_) {
      by_type_->next();
      if (by_type_->is_at_end()) open_types();
      return;
    }
    PartScan& scan = scans_.front();
    scan.next();
    settle(scan);
    if (!order_.is_by_time) {
      if (scan.is_at_end()) open_next();
      return;
    }
    std::ranges::pop_heap(scans_, is_later());
    if (scans_.back().is_at_end()) {
      scans_.pop_back();
    } else {
      std::ranges::push_heap(scans_, is_later());
    }
  }

  int64_t rowid() const override {
    return static_cast<int64_t>(by_type_ ? by_type_->id() : scans_.front().id());
  }

  void column(sqlite3_context* context, int column) const override {
    const Content field = table_.kind().columns[static_cast<size_t>(column)].field;
    const Row& row = by_type_ ? by_type_->row() : scans_.front().row();
    const Record& r = by_type_ ? by_type_->record() : scans_.front().record();
    if (is_link(row.kind) && give_link(context, field, ends_of(row.kind, row.lane, r))) return;
    give(context, field, row, r);
  }

 private:
  std::vector<ScannedPart> wanted_parts() const {
    std::vector<ScannedPart> parts;
    uint64_t first_id = 0;
    for (const Row& row : trace_.rows()) {
      for (const store::RowPart& part : row.parts) {
        if (is_wanted(row)) parts.push_back({&row, &part, first_id});
        first_id += part.count();
      }
    }
    return parts;
  }

  void narrow(Content field, char op, sqlite3_value* value) {
    if (is_text(field)) {
      if (sqlite3_value_type(value) != SQLITE_TEXT) return;
      const std::string_view text(reinterpret_cast<const char*>(sqlite3_value_text(value)),
                                  static_cast<size_t>(sqlite3_value_bytes(value)));
      if (field == Content::kType) return bounds_.type.narrow(table_.types_of(text));
      bounds_.wants_sent_links_only |= field == Content::kSource;
      return bounds_.lane.narrow(table_.lanes_of(text));
    }
    bounds_.wants_sent_links_only |= field == Content::kSend || field == Content::kSourceId;
    bounds_.wants_states_only |=
        field == Content::kEnd || field == Content::kDuration || field == Content::kDepth;
    const Between between = between_from(op, value);
    switch (field) {
      case Content::kSend:
      case Content::kTime:
        return bounds_.begin.narrow(between);
      case Content::kEnd:
        return bounds_.end.narrow(between);
      case Content::kDuration:
        return bounds_.duration.narrow(between);
      case Content::kDepth:
        return bounds_.depth.narrow(between);
      case Content::kSourceId:
      case Content::kLaneId:
        return bounds_.lane.narrow(between);
      case Content::kTypeId:
        return bounds_.type.narrow(between);
      default:
        return;
    }
  }

  bool is_wanted(const Row& row) const {
    const auto& category = table_.kind().category;
    if (category && category_of(row.kind) != *category) return false;
    if (row.kind == RowKind::kLinkIn && bounds_.wants_sent_links_only) return false;
    if (row.kind == RowKind::kState ? !bounds_.depth.contains(row.depth)
                                    : bounds_.wants_states_only) {
      return false;
    }
    return bounds_.lane.contains(row.lane.value());
  }

  // A link that was sent is a row once, on its way out.
  void settle(PartScan& scan) const {
    scan.settle(bounds_);
    if (scan.row().kind != RowKind::kLinkIn) return;
    while (!scan.is_at_end() && !scan.record().peer.is_none()) {
      scan.next();
      scan.settle(bounds_);
    }
  }

  bool open(const ScannedPart& part) {
    scans_.emplace_back(part, bounds_);
    settle(scans_.back());
    if (!scans_.back().is_at_end()) return true;
    scans_.pop_back();
    return false;
  }

  void open_next() {
    scans_.clear();
    while (!waiting_.empty()) {
      const ScannedPart next = waiting_.back();
      waiting_.pop_back();
      if (open(next)) return;
    }
  }

  // The records of the next lane, where lanes come first, or of all.
  void open_types() {
    by_type_.reset();
    while (!waiting_.empty() && (!by_type_ || by_type_->is_at_end())) {
      std::vector<ScannedPart> parts;
      do {
        parts.push_back(waiting_.back());
        waiting_.pop_back();
      } while (!waiting_.empty() && are_together(parts.front(), waiting_.back()));
      by_type_.emplace(std::move(parts), bounds_, places_,
                       [this](PartScan& scan) { settle(scan); });
    }
  }

  // Returns an empty text if it does not matter. May view `scratch`.
  std::string_view lane_name(By by, const ScannedPart& part, std::string& scratch) const {
    if (by != By::kName) return {};
    return table_.lane_path(part.row->lane, scratch);
  }

  bool are_together(const ScannedPart& a, const ScannedPart& b) const {
    if (order_.lanes_first == By::kNumber) return a.row->lane == b.row->lane;
    std::string scratch[2];
    return lane_name(order_.lanes_first, a, scratch[0]) ==
           lane_name(order_.lanes_first, b, scratch[1]);
  }

  void open_all() {
    for (; !waiting_.empty(); waiting_.pop_back()) open(waiting_.back());
    std::ranges::make_heap(scans_, is_later());
  }

  // At one time as rows are displayed; nulls, which links without a send have, come first.
  std::function<bool(const PartScan&, const PartScan&)> is_later() const {
    const bool has_nulls = table_.kind().category == Category::kLink;
    return [has_nulls](const PartScan& a, const PartScan& b) {
      const auto key = [&](const PartScan& scan) {
        const bool is_null = has_nulls && scan.row().kind == RowKind::kLinkIn;
        return std::pair(is_null ? Between{}.least : scan.record().begin.ticks, scan.id());
      };
      return key(a) > key(b);
    };
  }

  static void give_time(sqlite3_context* context, Time time, bool is_known) {
    is_known ? sqlite3_result_int64(context, time.ticks) : sqlite3_result_null(context);
  }
  void give_lane(sqlite3_context* context, LaneId lane) const {
    if (lane.is_none()) return sqlite3_result_null(context);
    if (const std::string* const kept = table_.kept_lane_path(lane))
      return give_lasting(context, *kept);
    give_text(context, trace_.dictionary().path_text(lane));
  }
  static void give_lasting(sqlite3_context* context, std::string_view text) {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }

  // Returns false if a link shows nothing of its own there.
  bool give_link(sqlite3_context* context, Content field, const LinkEnds& ends) const {
    switch (field) {
      case Content::kSend:
        return give_time(context, ends.send, ends.is_sent()), true;
      case Content::kReceive:
        return give_time(context, ends.receive, ends.is_received()), true;
      case Content::kLatency:
        if (const auto latency = latency_of(trace_, ends))
          sqlite3_result_int64(context, latency->ticks);
        return true;
      case Content::kSource:
        return give_lane(context, ends.source), true;
      case Content::kSourceId:
        return give_id(context, ends.source), true;
      case Content::kTarget:
        return give_lane(context, ends.target), true;
      case Content::kTargetId:
        return give_id(context, ends.target), true;
      default:
        return false;
    }
  }

  void give(sqlite3_context* context, Content field, const Row& row, const Record& r) const {
    const bool is_state = row.kind == RowKind::kState;
    const trace::EventType& type = trace_.dictionary().type(r.type);
    switch (field) {
      case Content::kCategory:
        return give_lasting(context, name_of(category_of(row.kind)));
      case Content::kTime:
        return sqlite3_result_int64(context, r.begin.ticks);
      case Content::kEnd:
        if (is_state) sqlite3_result_int64(context, r.end().ticks);
        return;
      case Content::kDuration:
        if (is_state) sqlite3_result_int64(context, r.duration.ticks);
        return;
      case Content::kDepth:
        if (is_state) sqlite3_result_int64(context, row.depth);
        return;
      case Content::kLane:
        return give_lane(context, row.lane);
      case Content::kLaneId:
        return give_id(context, row.lane);
      case Content::kType:
        return give_lasting(context, type.name);
      case Content::kTypeId:
        return give_id(context, r.type);
      case Content::kTypeGroup:
        return give_lasting(context, type.group);
      case Content::kCpu:
        if (const auto cpu = table_.cpu_of(row, r)) sqlite3_result_int64(context, *cpu);
        return;
      case Content::kValue:
        if (row.kind == RowKind::kVariable) sqlite3_result_double(context, r.value);
        return;
      case Content::kParamsId:
        return give_id(context, r.params);
      case Content::kParams:
        return give_params(context, trace_.params(r.params));
      case Content::kPayload: {
        const auto payload = trace_.params(r.params).payload;
        if (payload.empty()) return;
        return sqlite3_result_blob64(context, payload.data(), payload.size(), SQLITE_TRANSIENT);
      }
      default:
        return;  // null
    }
  }

  static void give_params(sqlite3_context* context, const store::Params& params) {
    if (!params.json.empty()) give_text(context, params.json);
  }

  const EventTable& table_;
  const store::Trace& trace_;
  ScanBounds bounds_;
  SqlScanOrder order_;
  std::vector<ScannedPart> waiting_;  // the next one last
  std::vector<PartScan> scans_;  // the first is where the cursor stands: one, or a heap by time
  std::optional<RecordsByType> by_type_;  // instead of them
  std::vector<uint32_t> places_;          // of types in it
};

std::unique_ptr<SqlCursor> EventTable::open() const { return std::make_unique<EventCursor>(*this); }

}  // namespace

std::unique_ptr<SqlTable> make_sql_event_table(const EventTableKind& kind, store::TracePtr trace) {
  return std::make_unique<EventTable>(kind, std::move(trace));
}

}  // namespace weft::query
