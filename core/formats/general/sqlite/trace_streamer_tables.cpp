#include "core/formats/general/sqlite/trace_streamer_tables.h"

#include <fmt/core.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/general/sqlite/perfetto_tables.h"

namespace weft::formats::sqlite {
namespace {

// Begins a query: `processes` and `threads` have their names, by their numbers in the export.
constexpr std::string_view kWithThreads =
    R"(WITH processes AS MATERIALIZED (SELECT id, max(pid) AS pid,
         coalesce(nullif(max(name), '') || ' ', 'process ') || max(pid) AS name
         FROM process GROUP BY id),
       threads AS MATERIALIZED (SELECT id, max(ipid) AS ipid, max(tid) AS tid,
         coalesce(nullif(max(name), '') || ' ', 'thread ') || max(tid) AS name
         FROM thread GROUP BY id) )";

class TraceStreamerTables {
 public:
  TraceStreamerTables(const Database& database, Plan& plan) : database_(database), plan_(plan) {}

  void add() {
    const bool is_known = has("callstack", "callid") && has("thread", "ipid") &&
                          has("process", "pid") && has("trace_range", "start_ts");
    if (!is_known) return;
    plan_.program = "OpenHarmony's trace_streamer";
    add_calls();
    add_interrupts();
    add_scheduling();
    add_thread_states();
    add_instants();
    add_logs();
    for (const std::string_view table : {"measure", "process_measure", "sys_mem_measure"})
      add_values(table);
    for (const std::string_view table :
         {"raw", "syscall", "native_hook", "perf_sample", "frame_slice", "gpu_slice"}) {
      if (database_.has(table)) plan_.not_read.emplace_back(table);
    }
  }

 private:
  bool has(std::string_view table, std::string_view column) const {
    return database_.has(table, column);
  }
  // What begins without an end lasts until the trace's.
  static std::string duration(std::string_view row) {
    return fmt::format(R"({0}.ts AS "@time", coalesce({0}.dur, -1) AS "@duration")", row);
  }
  // ", s.a AS a" for each of the table's columns that says something.
  std::string parameters(std::string_view table,
                         std::initializer_list<std::string_view> columns) const {
    std::string text;
    for (const std::string_view column : columns)
      if (has(table, column)) text += fmt::format(", nullif(s.{0}, '') AS {0}", column);
    return text;
  }
  // The arguments of a row of `table`, as `a.args`; names and texts are numbers of a dictionary.
  std::string args_of(std::string_view table) const {
    if (!has("args", "argset") || !has("data_dict", "data") || !has(table, "argsetid")) return {};
    return fmt::format(
        R"( LEFT JOIN (SELECT g.argset, json_group_object(coalesce(k.data, 'argument ' || g.key),
              iif(g.datatype = 1, v.data, g.value)) AS args
            FROM args g LEFT JOIN data_dict k ON k.id = g.key
            LEFT JOIN data_dict v ON v.id = g.value
            WHERE g.argset IN (SELECT argsetid FROM {}) GROUP BY g.argset) a
            ON a.argset = s.argsetid)",
        table);
  }
  void add_query(std::string_view table, std::string sql) {
    plan_.queries.push_back({std::string(table), std::move(sql)});
  }

  // Calls with a cookie are a process's, and lie on lanes of their own; interrupts of older
  // versions are a CPU's. What took no time is an instant.
  void add_calls() {
    const std::string args = args_of("callstack");
    add_query("callstack",
              fmt::format(R"({}, calls AS (SELECT *, iif(cat IN ('irq', 'softirq', 'ipi'), callid,
                         NULL) AS cpu, iif(cat IN ('irq', 'softirq', 'ipi') OR cookie IS NOT NULL,
                         NULL, callid) AS itid FROM callstack)
                       SELECT s.ts AS "@time", nullif(coalesce(s.dur, -1), 0) AS "@duration",
                       iif(s.cpu IS NULL, p.name, 'CPUs') AS "@process",
                       coalesce('CPU ' || s.cpu, d.name, 'thread ' || s.itid, s.name) AS "@lane",
                       iif(s.cpu IS NULL, NULL, 'interrupts') AS "@below", s.name AS "@type",
                       nullif(s.cat, '') AS "@group", {} AS "@args" {} FROM calls s
                       LEFT JOIN threads d ON d.id = s.itid LEFT JOIN processes p
                       ON p.id = iif(s.itid IS NULL, s.callid, d.ipid) {})",
                          kWithThreads, args.empty() ? "NULL" : "a.args",
                          parameters("callstack", {"cookie", "args", "chainId", "spanId",
                                                   "parentSpanId", "flag", "trace_level",
                                                   "trace_tag", "custom_category", "custom_args"}),
                          args));
  }

  void add_interrupts() {
    if (!has("irq", "callid")) return;
    const std::string args = args_of("irq");
    add_query("irq", fmt::format(R"(SELECT {}, 'CPUs' AS "@process", 'CPU ' || s.callid AS "@lane",
                       'interrupts' AS "@below", s.name AS "@type", s.cat AS "@group",
                       {} AS "@args" FROM irq s {})",
                                 duration("s"), args.empty() ? "NULL" : "a.args", args));
  }

  // Some versions say that what a CPU ran at the end of the trace took no time.
  void add_scheduling() {
    if (!has("sched_slice", "itid")) return;
    add_query("sched_slice", fmt::format(R"({} SELECT s.ts AS "@time",
                       iif(s.dur IS NULL OR (s.dur = 0 AND l.ts = s.ts), -1, s.dur)
                       AS "@duration", 'CPUs' AS "@process", 'CPU ' || s.cpu AS "@lane",
                       coalesce(d.name, 'thread ' || s.itid) AS "@type", 'task' AS "@group",
                       s.end_state AS end_state, s.priority AS priority FROM sched_slice s
                       JOIN (SELECT cpu, max(ts) AS ts FROM sched_slice GROUP BY cpu) l
                       ON l.cpu = s.cpu
                       LEFT JOIN threads d ON d.id = s.itid WHERE coalesce(d.tid, -1) <> 0)",
                                         kWithThreads));
  }

  void add_thread_states() {
    if (!has("thread_state", "itid")) return;
    add_query("thread_state",
              fmt::format(R"({} SELECT {}, p.name AS "@process", d.name AS "@lane",
                       'scheduler' AS "@below", {} AS "@type", 'task state' AS "@group",
                       s.cpu AS cpu FROM thread_state s JOIN threads d ON d.id = s.itid
                       LEFT JOIN processes p ON p.id = d.ipid WHERE d.tid <> 0)",
                          kWithThreads, duration("s"), name_of_thread_state("s.state")));
  }

  // Wake-ups, mostly.
  void add_instants() {
    if (!has("instant", "ref") || !has("instant", "ref_type")) return;
    const bool has_waker = has("instant", "wakeup_from");
    add_query("instant",
              fmt::format(R"({} SELECT s.ts AS "@time", p.name AS "@process", d.name AS "@lane",
                       s.name AS "@type" {} FROM instant s
                       LEFT JOIN threads d ON s.ref_type = 'itid' AND d.id = s.ref
                       LEFT JOIN processes p ON p.id = d.ipid {})",
                          kWithThreads, has_waker ? ", w.name AS waker" : "",
                          has_waker ? "LEFT JOIN threads w ON w.id = s.wakeup_from" : ""));
  }

  void add_logs() {
    if (!has("log", "context") || !has("log", "tid")) return;
    add_query("log", fmt::format(R"({} SELECT s.ts AS "@time", (SELECT max(name) FROM processes
                       WHERE pid = s.pid) AS "@process", coalesce((SELECT max(name) FROM threads
                       WHERE tid = s.tid), 'thread ' || s.tid) AS "@lane",
                       coalesce(nullif(s.tag, ''), 'log') AS "@type", 'log' AS "@group",
                       s.level AS level, s.context AS message FROM log s)",
                                 kWithThreads));
  }

  // A value's filter says what it is of: a CPU, a process or the machine.
  void add_values(std::string_view table) {
    if (!has(table, "filter_id")) return;
    std::string cpus;
    for (const std::string_view filter :
         {"cpu_measure_filter", "clock_event_filter", "clk_event_filter"}) {
      if (has(filter, "cpu"))
        cpus += fmt::format("{} SELECT id, name, cpu FROM {}", cpus.empty() ? "" : " UNION ALL",
                            filter);
    }
    const auto named = [this](std::string_view filter, std::string_view column) {
      return has(filter, column)
                 ? fmt::format("SELECT id, name, {} FROM {}", column, filter)
                 : fmt::format("SELECT NULL AS id, NULL AS name, NULL AS {}", column);
    };
    if (cpus.empty()) cpus = named("cpu_measure_filter", "cpu");
    add_query(table, fmt::format(R"({}, cpus AS MATERIALIZED ({}), owned AS MATERIALIZED ({}),
                         named AS MATERIALIZED ({})
                       SELECT s.ts AS "@time", iif(c.id IS NULL, p.name, 'CPUs') AS "@process",
                       'CPU ' || c.cpu AS "@lane",
                       coalesce(c.name, o.name, n.name, 'measure ' || s.filter_id) AS "@type",
                       iif(c.name = 'cpu_idle' AND s.value = 4294967295, -1, s.value) AS "@value"
                       FROM {} s LEFT JOIN cpus c ON c.id = s.filter_id
                       LEFT JOIN owned o ON o.id = s.filter_id
                       LEFT JOIN processes p ON p.id = o.ipid
                       LEFT JOIN named n ON n.id = s.filter_id)",
                                 kWithThreads, cpus, named("process_measure_filter", "ipid"),
                                 named("sys_event_filter", "type"), table));
  }

  const Database& database_;
  Plan& plan_;
};

}  // namespace

void add_trace_streamer(const Database& database, Plan& plan) {
  TraceStreamerTables(database, plan).add();
}

}  // namespace weft::formats::sqlite
