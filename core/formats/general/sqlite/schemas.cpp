#include "core/formats/general/sqlite/schemas.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/time_form.h"
#include "core/formats/general/csv/csv_columns.h"
#include "core/formats/general/sqlite/nsight.h"
#include "core/formats/general/sqlite/perfetto_tables.h"
#include "core/formats/general/sqlite/trace_streamer_tables.h"

namespace weft::formats::sqlite {
namespace {

// The text of a row of another table, found by its number.
std::string text_of(std::string_view table, std::string_view column, std::string_view id) {
  return fmt::format("(SELECT {} FROM {} WHERE id = {})", column, quoted_name(table), id);
}

// rocprof 5 and the tools beside it (rpd): calls, what they set off on the GPU, and its monitors.
void add_rpd(const Database& database, Plan& plan) {
  if (!database.has("rocpd_api") || !database.has("rocpd_op")) return;
  plan.program = "rocprof";
  const bool has_links = database.has("rocpd_api_ops", "api_id");
  plan.queries.push_back(
      {"rocpd_api",
       fmt::format(R"(SELECT start AS "@time", "end" AS "@end", 'process ' || pid AS "@process",
                      'thread ' || tid AS "@lane", {} AS "@type", 'API' AS "@group",
                      {} AS arguments {} FROM rocpd_api a)",
                   text_of("rocpd_string", "string", "a.apiName_id"),
                   text_of("rocpd_string", "string", "a.args_id"),
                   has_links ? R"(, id AS "@causes")" : "")});
  plan.queries.push_back(
      {"rocpd_op",
       fmt::format(R"(SELECT o.start AS "@time", o."end" AS "@end", 'GPU ' || o.gpuId AS "@process",
                      'queue ' || o.queueId AS "@lane", coalesce(nullif({0}, ''), {1}) AS "@type",
                      {1} AS "@group" {2} FROM rocpd_op o {3})",
                   text_of("rocpd_string", "string", "o.description_id"),
                   text_of("rocpd_string", "string", "o.opType_id"),
                   has_links ? R"(, l.api_id AS "@caused_by")" : "",
                   has_links ? "LEFT JOIN rocpd_api_ops l ON l.op_id = o.id" : "")});
  if (database.has("rocpd_monitor", "monitorType"))
    plan.queries.push_back({"rocpd_monitor",
                            R"(SELECT start AS "@time", deviceType || ' ' || deviceId AS "@process",
            monitorType AS "@type", CAST(value AS REAL) AS "@value" FROM rocpd_monitor)"});
}

// rocprofv3: tables whose names end in the run's number; a file may hold several runs. Since schema
// 4 times and tracks are rows of tables of their own.
class RocpdRun {
 public:
  RocpdRun(const Database& database, std::string run, Plan& plan)
      : database_(database), run_(std::move(run)), plan_(plan) {}

  void add() {
    if (!database_.has(table("info_process"), "pid")) return;
    add_regions();
    add_gpu_work();
    add_counters();
  }

 private:
  std::string table(std::string_view name) const { return fmt::format("rocpd_{}{}", name, run_); }
  std::string quoted(std::string_view name) const { return quoted_name(table(name)); }

  // A row's column `name`, or that of its track.
  std::string of(std::string_view row, std::string_view name) const {
    if (database_.has(table(row), name)) return fmt::format("e.{}", name);
    if (!database_.has(table(row), "track_id") || !database_.has(table("track"), name))
      return "NULL";
    return fmt::format("(SELECT {} FROM {} WHERE id = e.track_id)", name, quoted("track"));
  }
  // Returns "start", "end" or "timestamp" of a row; empty: it has none.
  std::string time(std::string_view row, std::string_view name, char alias = 'e') const {
    if (database_.has(table(row), name)) return fmt::format("{}.\"{}\"", alias, name);
    if (!database_.has(table(row), fmt::format("{}_id", name))) return {};
    return fmt::format("(SELECT value FROM {} WHERE id = {}.{}_id)", quoted("timestamp"), alias,
                       name);
  }
  std::string process(const std::string& id) const {
    return fmt::format("'process ' || (SELECT pid FROM {} WHERE id = {})", quoted("info_process"),
                       id);
  }
  std::string string(std::string_view id) const { return text_of(table("string"), "string", id); }
  // The call's own number; its correlation_id is the program's, and mostly 0.
  std::string cause(std::string_view role) const {
    if (!database_.has(table("event"), "stack_id")) return {};
    return fmt::format(R"(, (SELECT nullif(stack_id, 0) FROM {} WHERE id = e.event_id) AS "{}")",
                       quoted("event"), role);
  }
  void add_states(std::string_view row, const std::string& columns, std::string_view cause_role,
                  const std::string& joined = {}) {
    const std::string start = time(row, "start");
    if (start.empty()) return;
    plan_.queries.push_back(
        {table(row),
         fmt::format(R"(SELECT {} AS "@time", {} AS "@end", {} {} FROM {} e {})", start,
                     time(row, "end"), columns, cause(cause_role), quoted(row), joined)});
  }

  // "GPU 0" of an agent's number; of two agents, the GPU. Which of them are CPUs is said by a
  // table.
  std::string agent(const std::string& id, const std::string& other = "NULL") const {
    if (!database_.has(table("info_agent"), "type_index")) return "'GPU ' || " + id;
    const std::string name =
        fmt::format("SELECT type || ' ' || type_index FROM {} WHERE id = ", quoted("info_agent"));
    return fmt::format(R"(coalesce(({0}{1} AND type = 'GPU'), ({0}{2} AND type = 'GPU'), ({0}{1}),
                                   'agent ' || {1}))",
                       name, id, other);
  }

  void add_regions() {
    const std::string_view name =
        database_.has(table("info_thread"), "name") ? "nullif(name, '')" : "NULL";
    const std::string category = database_.has(table("event"), "category_id")
                                     ? string(text_of(table("event"), "category_id", "e.event_id"))
                                     : "NULL";
    const std::string args = args_of_events();
    add_states(
        "region",
        fmt::format(R"({} AS "@process",
                              (SELECT coalesce({} || ' ', 'thread ') || tid FROM {} WHERE id = {})
                              AS "@lane", {} AS "@type", coalesce({}, 'region') AS "@group",
                              {} AS "@args")",
                    process(of("region", "pid")), name, quoted("info_thread"), of("region", "tid"),
                    string("e.name_id"), category, args.empty() ? "NULL" : "a.args"),
        "@causes", args);
  }

  // The arguments of events, one object each, as `a.args`.
  std::string args_of_events() const {
    if (!database_.has(table("arg"), "value") || !database_.has(table("arg"), "position"))
      return {};
    return fmt::format(
        R"( LEFT JOIN (SELECT event_id, json_group_object(
              coalesce(nullif(name, ''), 'argument ' || position), value) AS args
            FROM (SELECT * FROM {} ORDER BY event_id, position) GROUP BY event_id) a
            ON a.event_id = e.event_id)",
        quoted("arg"));
  }

  void add_gpu_work() {
    constexpr std::string_view kKernel = "kernel_dispatch", kCopy = "memory_copy",
                               kAllocate = "memory_allocate", kBy = "@caused_by";
    add_states(kKernel,
               fmt::format(R"({} AS "@process", 'queue ' || {} AS "@lane",
                              {} AS "@type", 'kernel' AS "@group", e.dispatch_id AS dispatch)",
                           agent(of(kKernel, "agent_id")), of(kKernel, "queue_id"),
                           text_of(table("info_kernel_symbol"), "display_name", "e.kernel_id")),
               kBy);
    const bool says_target = database_.has(table(kCopy), "dst_agent_id");
    const std::string copier = says_target
                                   ? agent(of(kCopy, "dst_agent_id"), of(kCopy, "src_agent_id"))
                                   : agent(of(kCopy, "agent_id"));
    add_states(kCopy,
               fmt::format(R"({} AS "@process", 'copies' AS "@lane", {} AS "@type",
                              'copy' AS "@group", e.size AS bytes)",
                           copier, string("e.name_id")),
               kBy);
    add_states(kAllocate,
               fmt::format(R"(coalesce({}, {}) AS "@process", 'memory' AS "@lane",
                              e.type AS "@type", 'memory' AS "@group", e.level AS level,
                              e.address AS address, e.size AS bytes)",
                           agent(of(kAllocate, "agent_id")), process(of(kAllocate, "pid"))),
               kBy);
  }

  // Counters of a kernel are at its begin.
  void add_counters() {
    if (!database_.has(table("pmc_event"), "value")) return;
    for (const auto& [row, name] :
         {std::pair{"sample", "timestamp"}, {"kernel_dispatch", "start"}}) {
      const std::string at = time(row, name, 'r');
      if (at.empty()) continue;
      plan_.queries.push_back(
          {table("pmc_event"),
           fmt::format(R"(SELECT {} AS "@time", coalesce({}, 'counters') AS "@process",
                          coalesce(i.name, 'counter ' || e.pmc_id) AS "@type",
                          CAST(e.value AS REAL) AS "@value" FROM {} e
                          JOIN {} r ON r.event_id = e.event_id
                          LEFT JOIN {} i ON i.id = e.pmc_id)",
                       at, agent("i.agent_id"), quoted("pmc_event"), quoted(row),
                       quoted("info_pmc"))});
    }
  }

  const Database& database_;
  const std::string run_;
  Plan& plan_;
};

void add_rocpd(const Database& database, Plan& plan) {
  constexpr std::string_view kRegion = "rocpd_region";
  for (const auto& [name, columns] : database.tables()) {
    if (!name.starts_with(kRegion)) continue;
    plan.program = "rocprofv3";
    RocpdRun(database, name.substr(kRegion.size()), plan).add();
  }
}

// FrameSoC's databases of single traces. Categories: 0 punctual, 1 state, 2 link, 3 variable; LPAR
// is the end's time, DPAR a variable's value or the producer at a link's end.
void add_framesoc(const Database& database, Plan& plan) {
  const bool is_known = database.has("EVENT", "EVENT_PRODUCER_ID") &&
                        database.has("EVENT", "LPAR") && database.has("EVENT_TYPE", "NAME") &&
                        database.has("EVENT_PRODUCER", "PARENT_ID");
  if (!is_known) return;
  plan.program = "FrameSoC";
  plan.base = TimeBase::kTicks;
  const auto producer = [](std::string_view id, std::string_view role) {
    return fmt::format(
        R"((SELECT q.NAME FROM EVENT_PRODUCER p JOIN EVENT_PRODUCER q ON q.ID = p.PARENT_ID
            WHERE p.ID = {0}) AS "@{1}process",
           (SELECT NAME FROM EVENT_PRODUCER WHERE ID = {0}) AS "@{1}lane")",
        id, role);
  };
  const auto add = [&](int category, const std::string& columns) {
    plan.queries.push_back(
        {"EVENT", fmt::format(R"(SELECT TIMESTAMP AS "@time", {}, (SELECT NAME FROM EVENT_TYPE
                                 WHERE ID = e.EVENT_TYPE_ID) AS "@type" {} FROM EVENT e
                                 WHERE CATEGORY = {})",
                              producer("e.EVENT_PRODUCER_ID", ""), columns, category)});
  };
  add(0, ", CPU AS cpu");
  add(1, R"(, LPAR AS "@end", CPU AS cpu)");
  add(2, R"(, LPAR AS "@to_time", )" + producer("CAST(e.DPAR AS INTEGER)", "to_"));
  add(3, R"(, DPAR AS "@value")");
}

// rosbag2: messages of ROS by topic, when they were received. Of each the first bytes.
void add_rosbag(const Database& database, Plan& plan) {
  const bool is_known = database.has("topics", "type") && database.has("messages", "topic_id") &&
                        database.has("messages", "data");
  if (!is_known) return;
  plan.program = "rosbag2";
  plan.queries.push_back(
      {"messages", R"(SELECT m.timestamp AS "@time", coalesce(t.name, 'topic ' || m.topic_id)
                      AS "@lane", t.type AS "@type", t.serialization_format AS "@group",
                      length(m.data) AS bytes, substr(m.data, 1, 1024) AS "@payload"
                      FROM messages m LEFT JOIN topics t ON t.id = m.topic_id)"});
}

std::string_view role_of(csv::Meaning meaning) {
  switch (meaning) {
    case csv::Meaning::kTime:
      return "@time";
    case csv::Meaning::kEnd:
      return "@end";
    case csv::Meaning::kDuration:
      return "@duration";
    case csv::Meaning::kCategory:
      return "@group";
    case csv::Meaning::kLane:
      return "@lane";
    case csv::Meaning::kType:
      return "@type";
    case csv::Meaning::kTargetLane:
      return "@to_lane";
    case csv::Meaning::kTargetTime:
      return "@to_time";
    case csv::Meaning::kValue:
      return "@value";
    default:
      return {};
  }
}

// Units of times whose columns name none.
enum class Times : uint8_t { kCounted, kSeconds, kDates };

// Seconds have fractions, and fit a trace as seconds. `columns`: of the table's times.
Times times_of(const Database& database, std::string_view table, const std::string& columns) {
  constexpr double kMostSeconds = 9.2e9;
  auto rows =
      database.query(fmt::format("SELECT {} FROM {} LIMIT 5000", columns, quoted_name(table)));
  if (!rows) return Times::kCounted;
  bool has_fraction = false, fit = true;
  for (auto is_row = rows->next(); is_row && *is_row; is_row = rows->next()) {
    for (int i = 0; i < rows->columns(); ++i) {
      const int type = rows->type(i);
      if (type == SQLITE_NULL || type == SQLITE_BLOB) continue;
      const std::string_view text = type == SQLITE_TEXT ? rows->bytes(i) : std::string_view();
      if (TimeForm::of(text)) return Times::kDates;
      has_fraction |= type == SQLITE_FLOAT || text.contains('.');
      fit &= std::abs(rows->real(i)) < kMostSeconds;
    }
  }
  return has_fraction && fit ? Times::kSeconds : Times::kCounted;
}

// Says of what units the table's times are, and so the trace's. `names`: of the columns.
void take_times(const Database& database, const std::vector<csv::Column>& columns,
                const std::vector<std::string>& names, TableQuery& query, Plan& plan) {
  std::string times;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (csv::is_time(columns[i].meaning))
      times += (times.empty() ? "" : ", ") + quoted_name(names[i]);
  }
  const auto named = csv::unit_of_times(columns);
  const Times found = named ? Times::kCounted : times_of(database, query.table, times);
  query.has_dates = found == Times::kDates;
  if (named || found != Times::kCounted) plan.base = TimeBase::kNanoseconds;
  const DecimalUnit unit =
      named.value_or(found == Times::kCounted ? DecimalUnit::kNanoseconds : DecimalUnit::kSeconds);
  for (const csv::Column& column : columns) {
    if (csv::is_time(column.meaning))
      query.units[role_of(column.meaning)] = column.unit.value_or(unit);
  }
}

// Tables whose columns have the names by which tables of comma-separated values are understood.
void add_tables(const Database& database, Plan& plan) {
  plan.base = TimeBase::kTicks;
  for (const auto& [table, names] : database.tables()) {
    std::string header;
    for (const std::string& name : names) header += (header.empty() ? "" : ",") + csv_cell(name);
    const auto columns = csv::columns_of(header, ',');
    if (!csv::is_trace(columns) || columns.size() != names.size()) continue;
    std::string selected;
    bool has_type = false;
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string_view role = role_of(columns[i].meaning);
      has_type |= columns[i].meaning == csv::Meaning::kType;
      selected += fmt::format("{}{} AS {}", selected.empty() ? "" : ", ", quoted_name(names[i]),
                              quoted_name(role.empty() ? std::string_view(names[i]) : role));
    }
    TableQuery query{.table = table, .sql = {}};
    take_times(database, columns, names, query, plan);
    if (!has_type) {
      std::string text = table;
      for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\'');
      selected += fmt::format(R"(, '{}' AS "@type")", text);
    }
    query.sql = fmt::format("SELECT {} FROM {}", selected, quoted_name(table));
    plan.queries.push_back(std::move(query));
  }
}

}  // namespace

Plan plan_of(const Database& database) {
  Plan plan;
  constexpr void (*kSchemas[])(const Database&, Plan&) = {
      add_nsight,         add_rocpd,    add_rpd,    add_perfetto,
      add_trace_streamer, add_framesoc, add_rosbag, add_tables};
  for (const auto add : kSchemas) {
    add(database, plan);
    if (!plan.queries.empty()) break;
  }
  return plan;
}

}  // namespace weft::formats::sqlite
