#include "core/formats/general/sqlite/nsight.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "core/formats/base/text.h"

namespace weft::formats::sqlite {
namespace {

std::string string_of(std::string_view id) {
  return fmt::format("(SELECT value FROM StringIds WHERE id = {})", id);
}

std::string process_of(std::string_view global) {
  return fmt::format("(({} >> 24) & 0xFFFFFF)", global);
}

// "CUPTI_ACTIVITY_KIND_MEMCPY" as "memcpy", "OSRT_API" as "osrt".
std::string group_of(std::string_view table) {
  constexpr std::string_view kPrefix = "CUPTI_ACTIVITY_KIND_";
  take_prefix(table, kPrefix);
  for (const std::string_view ending : {"_EVENTS", "_API"}) {
    if (table.ends_with(ending)) table.remove_suffix(ending.size());
  }
  return lower_case(std::string(table));
}

struct Word {
  int number;
  std::string_view word;
};
// Copy kinds of CUPTI. Migrations of unified memory by the driver are not explicit copies.
constexpr Word kCopies[] = {{1, "copy host to device"},
                            {2, "copy device to host"},
                            {3, "copy host to array"},
                            {4, "copy array to host"},
                            {5, "copy array to array"},
                            {6, "copy array to device"},
                            {7, "copy device to array"},
                            {8, "copy device to device"},
                            {9, "copy host to host"},
                            {10, "copy peer to peer"},
                            {11, "move unified memory to device"},
                            {12, "move unified memory to host"},
                            {13, "move unified memory between devices"}};
constexpr Word kSynchronizations[] = {{1, "wait for event"},
                                      {2, "stream waits for event"},
                                      {3, "wait for stream"},
                                      {4, "wait for context"}};

// An item of a list in SQL: the word of the number that the column has.
std::string word_of(std::string_view column, std::span<const Word> words) {
  std::string text = fmt::format("CASE {}", column);
  for (const Word& word : words) text += fmt::format(" WHEN {} THEN '{}'", word.number, word.word);
  return text + " END, ";
}

// "main 101": the thread of a global number.
std::string thread_of(const Database& database, std::string_view global) {
  std::string name = "NULL";
  if (database.has("ThreadNames", "nameId"))
    name = fmt::format("(SELECT {} FROM ThreadNames n WHERE n.globalTid = {} LIMIT 1)",
                       string_of("n.nameId"), global);
  return fmt::format("coalesce({} || ' ', 'thread ') || ({} & 0xFFFFFF)", name, global);
}

// How an event of the table is called.
std::string type_of(const Database& database, std::string_view table) {
  const bool has_strings = database.has("StringIds", "value");
  std::string names;
  const auto add = [&](std::string_view column, bool is_number) {
    if (!database.has(table, column) || (is_number && !has_strings)) return;
    const std::string name = fmt::format("e.{}", quoted_name(column));
    names += (is_number ? string_of(name) : name) + ", ";
  };
  add("text", false);
  add("textId", true);
  add("nameId", true);
  add("demangledName", true);
  add("shortName", true);
  add("name", false);
  if (database.has(table, "copyKind")) names += word_of("e.copyKind", kCopies);
  if (database.has(table, "syncType")) names += word_of("e.syncType", kSynchronizations);
  const std::string last = fmt::format("'{}'", group_of(table));
  return names.empty() ? last : fmt::format("coalesce({}{})", names, last);
}

// Columns that say what no other says already.
std::string parameters_of(const Database& database, std::string_view table) {
  constexpr std::array<std::string_view, 17> kSaid = {
      "start",     "end",      "text",      "textId",    "nameId",     "demangledName",
      "shortName", "name",     "globalTid", "globalPid", "id",         "correlationId",
      "deviceId",  "streamId", "isSchedIn", "cpu",       "mangledName"};
  std::string parameters;
  for (const std::string& column : database.tables().find(table)->second) {
    const bool is_color = table == "NVTX_EVENTS" && column == "color";
    if (std::ranges::find(kSaid, column) == kSaid.end() && !is_color)
      parameters += fmt::format(", e.{}", quoted_name(column));
  }
  return parameters;
}

// What NVTX adds: ranges that were not ended, colours, and the names of domains and categories,
// which are rows among the events.
struct Marks {
  std::string columns{}, group{}, joined{}, condition{};
};
Marks marks_of(const Database& database, std::string_view table) {
  constexpr int kCategoryName = 33, kPushPop = 59, kStartEnd = 60, kDomainName = 75;
  Marks marks{.group = fmt::format("'{}'", group_of(table))};
  if (table != "NVTX_EVENTS" || !database.has(table, "eventType")) return marks;
  marks.columns = fmt::format(
      R"(, CASE WHEN e."end" IS NULL AND e.eventType IN ({}, {}) THEN -1 END AS "@duration")",
      kPushPop, kStartEnd);
  if (database.has(table, "color")) marks.columns += R"(, e.color AS "@color")";
  marks.condition =
      fmt::format("WHERE coalesce(e.eventType, 0) NOT IN ({}, {})", kCategoryName, kDomainName);
  if (!database.has(table, "domainId") || !database.has(table, "globalTid")) return marks;
  const std::string name =
      fmt::format("coalesce({}{}NULL, NULL)", database.has(table, "text") ? "n.text, " : "",
                  database.has(table, "textId") ? string_of("n.textId") + ", " : std::string());
  const auto join = [&](char alias, int kind, std::string_view key, std::string_view same_key) {
    marks.joined += fmt::format(
        R"( LEFT JOIN (SELECT n.domainId, n.globalTid >> 24 AS process{2}, max({3}) AS name
            FROM NVTX_EVENTS n WHERE n.eventType = {1} GROUP BY 1, 2{4}) {0}
            ON {0}.domainId = e.domainId AND {0}.process = e.globalTid >> 24{5})",
        alias, kind, key, name, key.empty() ? "" : ", 3", same_key);
  };
  join('d', kDomainName, "", "");
  marks.group = fmt::format("coalesce(d.name, {})", marks.group);
  if (!database.has(table, "category")) return marks;
  join('c', kCategoryName, ", n.category", " AND c.category = e.category");
  marks.columns += R"(, c.name AS "category's name")";
  return marks;
}

// "render 42": the process of a global number, by what is joined for it.
struct ProcessName {
  std::string column, joined;
};

ProcessName process_name_of(const Database& database, std::string_view global) {
  const std::string pid = process_of(global);
  if (!database.has("PROCESSES", "pid") || !database.has("PROCESSES", "name"))
    return {fmt::format("'process ' || {}", pid), ""};
  return {fmt::format("coalesce(p.name || ' ', 'process ') || {}", pid),
          fmt::format(" LEFT JOIN (SELECT pid, max(name) AS name FROM PROCESSES GROUP BY pid) p"
                      " ON p.pid = {}",
                      pid)};
}

void add_table(const Database& database, const std::string& table, Plan& plan) {
  const bool has_thread = database.has(table, "globalTid"),
             has_stream = database.has(table, "streamId"),
             has_device = database.has(table, "deviceId") && (has_stream || !has_thread),
             has_process = database.has(table, "globalPid");
  std::string columns;
  ProcessName process;
  if (has_device) {
    // Data of a whole GPU, such as its memory, has a lane of its own.
    columns =
        fmt::format(R"('GPU ' || e.deviceId AS "@process", {} AS "@lane")",
                    has_stream ? "'stream ' || e.streamId" : fmt::format("'{}'", group_of(table)));
  } else if (has_thread) {
    process = process_name_of(database, "e.globalTid");
    columns = fmt::format(R"({} AS "@process", {} AS "@lane")", process.column,
                          thread_of(database, "e.globalTid"));
  } else if (has_process) {
    process = process_name_of(database, "e.globalPid");
    columns = fmt::format(R"({} AS "@process", '{}' AS "@lane")", process.column, group_of(table));
  } else {
    columns = fmt::format(R"('{}' AS "@lane")", group_of(table));
  }
  if (database.has(table, "correlationId")) {
    const std::string pid = has_process  ? process_of("e.globalPid")
                            : has_thread ? process_of("e.globalTid")
                                         : "0";
    columns += fmt::format(R"(, ({} << 32 | e.correlationId) AS "{}")", pid,
                           has_device ? "@caused_by" : "@causes");
  }
  const Marks marks = marks_of(database, table);
  TableQuery query{
      .table = table,
      .sql = fmt::format(R"(SELECT e.start AS "@time", {} {}, {} AS "@type", {} AS "@group" {} {}
                            FROM {} e {}{} {})",
                         database.has(table, "end") ? R"(e."end" AS "@end", )" : "", columns,
                         type_of(database, table), marks.group, marks.columns,
                         parameters_of(database, table), quoted_name(table), marks.joined,
                         process.joined, marks.condition)};
  // Causes precede what they cause.
  plan.queries.insert(has_device ? plan.queries.end() : plan.queries.begin(), std::move(query));
}

// Threads that come to a CPU and leave it; the rows are in no order.
void add_scheduling(const Database& database, Plan& plan) {
  if (!database.has("SCHED_EVENTS", "isSchedIn")) return;
  plan.queries.push_back(
      {"SCHED_EVENTS",
       fmt::format(R"(SELECT start AS "@time", 'CPUs' AS "@process", 'CPU ' || cpu AS "@lane",
                      {} AS "@type", isSchedIn AS "@is_begin"
                      FROM SCHED_EVENTS e ORDER BY start, isSchedIn)",
                   thread_of(database, "e.globalTid"))});
}

// Adds the profiler's own messages.
void add_diagnostics(const Database& database, Plan& plan) {
  if (!database.has("DIAGNOSTIC_EVENT", "timestamp") || !database.has("DIAGNOSTIC_EVENT", "text"))
    return;
  constexpr Word kSeverities[] = {{1, "info"}, {2, "warning"}, {3, "error"}, {4, "verbose"}};
  plan.queries.push_back(
      {"DIAGNOSTIC_EVENT",
       fmt::format(R"(SELECT timestamp AS "@time", 'diagnostics' AS "@lane",
                      coalesce({}'unknown') AS "@type", 'diagnostics' AS "@group", text
                      FROM DIAGNOSTIC_EVENT e)",
                   database.has("DIAGNOSTIC_EVENT", "severity") ? word_of("e.severity", kSeverities)
                                                                : "NULL, ")});
}

void add_metrics(const Database& database, Plan& plan) {
  const bool is_named = database.has("TARGET_INFO_GPU_METRICS", "metricName");
  if (!database.has("GPU_METRICS", "value") || !database.has("GPU_METRICS", "timestamp")) return;
  plan.queries.push_back(
      {"GPU_METRICS",
       fmt::format(R"(SELECT timestamp AS "@time", 'GPU ' || (typeId & 0xFF) AS "@process",
                      {} AS "@type", value AS "@value" FROM GPU_METRICS m)",
                   is_named ? "coalesce((SELECT metricName FROM TARGET_INFO_GPU_METRICS i WHERE "
                              "i.typeId = m.typeId AND i.metricId = m.metricId), 'metric ' || "
                              "metricId)"
                            : "'metric ' || metricId")});
}

}  // namespace

void add_nsight(const Database& database, Plan& plan) {
  if (!database.has("StringIds", "value")) return;
  for (const auto& [table, columns] : database.tables()) {
    const bool is_of_events = database.has(table, "start") && table != "SCHED_EVENTS";
    if (is_of_events) add_table(database, table, plan);
  }
  add_scheduling(database, plan);
  add_metrics(database, plan);
  add_diagnostics(database, plan);
  if (!plan.queries.empty()) plan.program = "Nsight Systems";
}

}  // namespace weft::formats::sqlite
