#include "core/query/sql/sql_dictionary.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace weft::query {
namespace {

// Plan 1 where a condition says which id, the first column, and 0, a scan of all, where none does.
bool plan_by_id(sqlite3_index_info& info, uint64_t rows, uint64_t rows_of_one) {
  const auto expect = [&](uint64_t count) {
    info.estimatedRows = static_cast<sqlite3_int64>(count);
    info.estimatedCost = static_cast<double>(count);
  };
  expect(rows);
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (constraint.usable == 0 || constraint.iColumn != 0) continue;
    if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    info.aConstraintUsage[i].argvIndex = 1;
    info.idxNum = 1;
    expect(rows_of_one);
    return true;
  }
  return false;
}

// A table of things numbered from 0, of which one is found by its id, the first column.
class NumberedTable : public SqlTable {
 public:
  explicit NumberedTable(store::TracePtr trace) : trace_(std::move(trace)) {}

  virtual size_t size() const = 0;
  virtual void give(sqlite3_context* context, uint32_t id, int column) const = 0;

  void plan(sqlite3_index_info& info) const override {
    if (plan_by_id(info, size(), 1)) info.idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  }
  std::unique_ptr<SqlCursor> open() const override;

 protected:
  const trace::Dictionary& dictionary() const { return trace_->dictionary(); }

 private:
  store::TracePtr trace_;
};

class NumberedCursor final : public SqlCursor {
 public:
  explicit NumberedCursor(const NumberedTable& table) : table_(table) {}

  void filter(int plan, const char*, std::span<sqlite3_value* const> values) override {
    at_ = 0;
    end_ = table_.size();
    if (plan == 0) return;
    // SQLite compares non-integers itself, over all rows.
    if (sqlite3_value_type(values[0]) != SQLITE_INTEGER) return;
    const sqlite3_int64 id = sqlite3_value_int64(values[0]);
    const bool is_there = id >= 0 && std::cmp_less(id, end_);
    at_ = is_there ? static_cast<size_t>(id) : end_;
    end_ = is_there ? at_ + 1 : end_;
  }
  bool is_at_end() const override { return at_ >= end_; }
  void next() override { ++at_; }
  int64_t rowid() const override { return static_cast<int64_t>(at_); }
  void column(sqlite3_context* context, int column) const override {
    if (column == 0) return sqlite3_result_int64(context, rowid());
    table_.give(context, static_cast<uint32_t>(at_), column);
  }

 private:
  const NumberedTable& table_;
  size_t at_ = 0;
  size_t end_ = 0;
};

std::unique_ptr<SqlCursor> NumberedTable::open() const {
  return std::make_unique<NumberedCursor>(*this);
}

class LanesTable final : public NumberedTable {
 public:
  using NumberedTable::NumberedTable;
  std::string columns() const override {
    return "id INTEGER, name TEXT, path TEXT, parent_id INTEGER, kind TEXT, sort_index INTEGER";
  }
  size_t size() const override { return dictionary().lanes.size(); }
  void give(sqlite3_context* context, uint32_t id, int column) const override {
    const trace::Lane& lane = dictionary().lanes[id];
    switch (column) {
      case 1:
        return give_text(context, lane.name);
      case 2:
        return give_text(context, dictionary().path_text(LaneId(id)));
      case 3:
        return give_id(context, lane.parent);
      case 4:
        return give_text(context, name_of(lane.kind));
      default:
        return sqlite3_result_int(context, lane.sort_index);
    }
  }
};

class TypesTable final : public NumberedTable {
 public:
  using NumberedTable::NumberedTable;
  std::string columns() const override {
    return "id INTEGER, name TEXT, type_group TEXT, category TEXT, color TEXT";
  }
  size_t size() const override { return dictionary().types.size(); }
  void give(sqlite3_context* context, uint32_t id, int column) const override {
    const trace::EventType& type = dictionary().types[id];
    switch (column) {
      case 1:
        return give_text(context, type.name);
      case 2:
        return give_text(context, type.group);
      case 3:
        return give_text(context, name_of(type.category));
      default:
        if (type.rgb != trace::EventType::kNoColor) {
          give_text(context, fmt::format("#{:06x}", type.rgb));
        }
    }
  }
};

// --- Parameters ----------------------------------------------------------------------------------

class ParamsTable final : public SqlTable {
 public:
  explicit ParamsTable(store::TracePtr trace) : trace_(std::move(trace)) {}
  const store::Trace& trace() const { return *trace_; }
  std::string columns() const override { return "id INTEGER, name TEXT, value"; }
  void plan(sqlite3_index_info& info) const override {
    constexpr uint64_t kUsualMembers = 4;
    plan_by_id(info, trace_->counts().total(), kUsualMembers);
  }
  std::unique_ptr<SqlCursor> open() const override;

 private:
  store::TracePtr trace_;
};

class ParamsCursor final : public SqlCursor {
 public:
  explicit ParamsCursor(const store::Trace& trace) : trace_(trace) {}

  void filter(int plan, const char*, std::span<sqlite3_value* const> values) override {
    rowid_ = 0;
    is_single_ = plan == 1 && sqlite3_value_type(values[0]) == SQLITE_INTEGER;
    if (is_single_) {
      const sqlite3_int64 id = sqlite3_value_int64(values[0]);
      id_ = id >= 0 ? ParamsId(static_cast<uint64_t>(id)) : ParamsId::none();
    } else {
      id_ = trace_.next_params(ParamsId::none());
    }
    read();
  }
  bool is_at_end() const override { return id_.is_none(); }
  void next() override {
    ++rowid_;
    if (++at_ < members_.size()) return;
    id_ = is_single_ ? ParamsId::none() : trace_.next_params(id_);
    read();
  }
  int64_t rowid() const override { return rowid_; }
  void column(sqlite3_context* context, int column) const override {
    if (column == 0) return give_id(context, id_);
    const auto& [name, value] = members_[at_];
    if (column == 1) return give_text(context, name);
    if (value.is_number_float()) return sqlite3_result_double(context, value.get<double>());
    // As SQL reads a number beyond its integers.
    if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX)
      return sqlite3_result_double(context, static_cast<double>(value.get<uint64_t>()));
    if (value.is_number()) return sqlite3_result_int64(context, value.get<int64_t>());
    if (value.is_boolean()) return sqlite3_result_int(context, value.get<bool>() ? 1 : 0);
    if (value.is_string()) return give_text(context, value.get_ref<const std::string&>());
  }

 private:
  using Json = nlohmann::ordered_json;

  // The parameters at id_, or of the next ones that have any.
  void read() {
    for (;; id_ = is_single_ ? ParamsId::none() : trace_.next_params(id_)) {
      members_.clear();
      at_ = 0;
      if (id_.is_none()) return;
      add_members("", Json::parse(trace_.params(id_).json, nullptr, /*allow_exceptions=*/false));
      if (!members_.empty()) return;
    }
  }

  // Without recursion: hostile parameters nest deeply. Leaves come in order.
  void add_members(std::string name, Json value) {
    std::vector<std::pair<std::string, Json>> open;
    open.emplace_back(std::move(name), std::move(value));
    while (!open.empty()) {
      auto [path, top] = std::move(open.back());
      open.pop_back();
      if (!top.is_structured()) {
        if (!path.empty() && !top.is_discarded()) members_.emplace_back(path, std::move(top));
        continue;
      }
      const size_t first = open.size();
      for (const auto& [key, member] : top.items()) {
        open.emplace_back(path.empty() ? key : path + "." + key, member);
      }
      std::reverse(open.begin() + static_cast<ptrdiff_t>(first), open.end());
    }
  }

  const store::Trace& trace_;
  bool is_single_ = false;
  ParamsId id_ = ParamsId::none();
  std::vector<std::pair<std::string, Json>> members_;
  size_t at_ = 0;
  int64_t rowid_ = 0;
};

std::unique_ptr<SqlCursor> ParamsTable::open() const {
  return std::make_unique<ParamsCursor>(*trace_);
}

}  // namespace

std::unique_ptr<SqlTable> make_sql_lanes(store::TracePtr trace) {
  return std::make_unique<LanesTable>(std::move(trace));
}
std::unique_ptr<SqlTable> make_sql_types(store::TracePtr trace) {
  return std::make_unique<TypesTable>(std::move(trace));
}
std::unique_ptr<SqlTable> make_sql_params(store::TracePtr trace) {
  return std::make_unique<ParamsTable>(std::move(trace));
}

}  // namespace weft::query
