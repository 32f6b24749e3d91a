#include "core/formats/general/sqlite/perfetto_tables.h"

#include <fmt/core.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/kernel/ftrace/scheduler.h"

namespace weft::formats::sqlite {
namespace {

class PerfettoTables {
 public:
  PerfettoTables(const Database& database, Plan& plan) : database_(database), plan_(plan) {}

  void add() {
    const bool is_known =
        has("slice", "track_id") && has("thread", "utid") && table("process") && table("track");
    if (!is_known) return;
    plan_.program = "Perfetto's trace processor";
    add_slices();
    add_scheduling();
    add_thread_states();
    add_wake_ups();
    add_logs();
    add_counters();
    add_flows();
    for (const std::string_view name : {"ftrace_event", "raw", "perf_sample"}) {
      if (auto found = table(name)) plan_.not_read.push_back(*std::move(found));
    }
  }

 private:
  std::optional<std::string> table(std::string_view name) const {
    for (const std::string_view prefix : {"", "internal_", "__intrinsic_"}) {
      std::string found = std::string(prefix).append(name);
      if (database_.has(found)) return found;
    }
    return std::nullopt;
  }
  bool has(std::string_view name, std::string_view column) const {
    const auto found = table(name);
    return found && database_.has(*found, column);
  }
  std::string quoted(std::string_view name) const { return quoted_name(*table(name)); }

  // What a track's own row says, or else its row in a table of tracks of its kind. Exports have no
  // indices: what is joined has one row for each key, and SQLite makes an index of it.
  struct OfTrack {
    std::string value, joined;
  };
  OfTrack of_track(std::string_view column, std::initializer_list<std::string_view> kinds) const {
    OfTrack of;
    if (has("track", column)) of.value += fmt::format("t.{}, ", column);
    for (const std::string_view kind : kinds) {
      if (!has(kind, column)) continue;
      of.value += fmt::format("{}.{}, ", kind, column);
      of.joined += fmt::format(
          " LEFT JOIN (SELECT id, max({0}) AS {0} FROM {1} GROUP BY id) {2} ON {2}.id = t.id",
          column, quoted(kind), kind);
    }
    of.value = fmt::format("coalesce({}NULL, NULL)", of.value);
    return of;
  }
  // Newer versions have what tells tracks apart among the arguments.
  OfTrack cpu_of_track() const {
    const std::string_view column = has("cpu_counter_track", "ucpu") ? "ucpu" : "cpu";
    OfTrack of = of_track(column, {"cpu_track", "cpu_counter_track"});
    if (!has("track", "dimension_arg_set_id") || !has("args", "int_value")) return of;
    of.value = fmt::format("coalesce({}, c.cpu)", of.value);
    of.joined += fmt::format(
        R"( LEFT JOIN (SELECT arg_set_id, max(int_value) AS cpu FROM {} WHERE key = 'cpu' AND
            arg_set_id IN (SELECT dimension_arg_set_id FROM {}) GROUP BY arg_set_id) c
            ON c.arg_set_id = t.dimension_arg_set_id)",
        quoted("args"), quoted("track"));
    return of;
  }

  // Begins a query: `processes` and `threads` have their names and numbers.
  std::string with_threads() const {
    return fmt::format(
        R"(WITH processes AS MATERIALIZED (SELECT upid,
             coalesce(max(name) || ' ', 'process ') || coalesce(max(pid), upid) AS name
             FROM {process} GROUP BY upid),
           threads AS MATERIALIZED (SELECT utid, max(upid) AS upid,
             coalesce(max(name) || ' ', 'thread ') || coalesce(max(tid), utid) AS name
             FROM {thread} GROUP BY utid) )",
        fmt::arg("process", quoted("process")), fmt::arg("thread", quoted("thread")));
  }
  // Begins one where `places` has the process, the thread and the name of each track of `row`, too.
  std::string with_places(std::string_view row) const {
    const OfTrack utid = of_track("utid", {"thread_track", "thread_counter_track"}),
                  upid = of_track("upid", {"process_track", "process_counter_track"}),
                  cpu = cpu_of_track();
    return fmt::format(
        R"({threads}, tracks AS MATERIALIZED (SELECT t.id, max(t.name) AS name, {utid} AS utid,
             {upid} AS upid, iif({utid} IS NULL AND {upid} IS NULL, {cpu}, NULL) AS cpu
             FROM {track} t {joined}
             WHERE t.id IN (SELECT track_id FROM {row}) GROUP BY t.id),
           places AS MATERIALIZED (SELECT t.id,
             t.cpu, iif(t.cpu IS NULL, p.name, 'CPUs') AS process,
             coalesce(d.name, 'CPU ' || t.cpu) AS thread,
             coalesce(t.name, 'track') || CASE WHEN t.name IS NULL OR
               count(*) OVER (PARTITION BY t.name, t.utid, t.upid, t.cpu) > 1
               THEN ' ' || t.id ELSE '' END AS name
             FROM tracks t LEFT JOIN threads d ON d.utid = t.utid
             LEFT JOIN processes p ON p.upid = coalesce(t.upid, d.upid)) )",
        fmt::arg("threads", with_threads()), fmt::arg("track", quoted("track")),
        fmt::arg("row", quoted(row)), fmt::arg("utid", utid.value), fmt::arg("upid", upid.value),
        fmt::arg("cpu", cpu.value), fmt::arg("joined", utid.joined + upid.joined + cpu.joined));
  }
  // The lane of a row's track; `role`: "" or "to_".
  static std::string lane_of(char row, char place, std::string_view role) {
    return fmt::format(
        R"({1}.process AS "@{2}process",
           coalesce({1}.thread, {1}.name, 'track ' || {0}.track_id) AS "@{2}lane",
           iif({1}.cpu IS NULL, NULL, {1}.name) AS "@{2}below")",
        row, place, role);
  }

  // The arguments of slices by their number, one object each, as `a.args`; empty in versions
  // without.
  std::string args_of_slices() const {
    const auto value = [this](std::string_view column) {
      return has("args", column) ? std::string(column) : "NULL";
    };
    if (!has("slice", "arg_set_id") || !has("args", "key")) return {};
    return fmt::format(
        R"( LEFT JOIN (SELECT arg_set_id, json_group_object(
              CASE WHEN key GLOB 'debug.*' THEN substr(key, 7)
                   WHEN key GLOB 'args.*' THEN substr(key, 6) ELSE key END,
              CASE {type} WHEN 'bool' THEN json(iif({integer}, 'true', 'false'))
                   WHEN 'pointer' THEN printf('0x%x', {integer})
                   WHEN 'json' THEN iif(json_valid({text}), json({text}), {text})
                   ELSE coalesce({text}, {integer}, iif(abs({real}) < 9e999, {real},
                                 CAST({real} AS TEXT))) END) AS args
            FROM (SELECT * FROM {args} WHERE arg_set_id IN (SELECT arg_set_id FROM {slice})
                  ORDER BY arg_set_id, id)
            GROUP BY arg_set_id) a ON a.arg_set_id = s.arg_set_id)",
        fmt::arg("type", value("value_type")), fmt::arg("integer", value("int_value")),
        fmt::arg("text", value("string_value")), fmt::arg("real", value("real_value")),
        fmt::arg("args", quoted("args")), fmt::arg("slice", quoted("slice")));
  }

  // One without a duration is an instant.
  void add_slices() {
    const std::string args = args_of_slices();
    plan_.queries.push_back(
        {*table("slice"),
         fmt::format(R"({} SELECT s.ts AS "@time", nullif(s.dur, 0) AS "@duration", {},
                        coalesce(s.name, 'slice') AS "@type", s.category AS "@group",
                        {} AS "@args" FROM {} s LEFT JOIN places p ON p.id = s.track_id {})",
                     with_places("slice"), lane_of('s', 'p', ""), args.empty() ? "NULL" : "a.args",
                     quoted("slice"), args)});
  }

  // What each thread did, below its slices.
  void add_thread_states() {
    if (!has("thread_state", "utid") || !has("thread_state", "state")) return;
    const auto parameter = [this](std::string_view column) {
      return has("thread_state", column) ? fmt::format(", s.{0} AS {0}", column) : std::string();
    };
    plan_.queries.push_back(
        {*table("thread_state"),
         fmt::format(R"({} SELECT s.ts AS "@time", s.dur AS "@duration", p.name AS "@process",
                        d.name AS "@lane", 'scheduler' AS "@below", {} AS "@type", 'task state' AS "@group"
                        {} {} FROM {} s JOIN threads d ON d.utid = s.utid
                        LEFT JOIN processes p ON p.upid = d.upid WHERE s.utid <> 0)",
                     with_threads(), name_of_thread_state("s.state"), parameter("io_wait"),
                     parameter("blocked_function"), quoted("thread_state"))});
  }

  // From who woke a thread to when it ran.
  void add_wake_ups() {
    if (!has("thread_state", "waker_utid")) return;
    plan_.queries.push_back({*table("thread_state"),
                             fmt::format(R"({} SELECT s.ts AS "@time", s.ts + s.dur AS "@to_time",
                        q.name AS "@process", w.name AS "@lane", 'scheduler' AS "@below",
                        p.name AS "@to_process", d.name AS "@to_lane", 'scheduler' AS "@to_below",
                        'wake-up' AS "@type"
                        FROM {} s JOIN threads d ON d.utid = s.utid
                        JOIN threads w ON w.utid = s.waker_utid
                        LEFT JOIN processes p ON p.upid = d.upid
                        LEFT JOIN processes q ON q.upid = w.upid
                        WHERE s.dur >= 0 AND s.state IN ('R', 'R+') AND s.waker_utid <> 0)",
                                         with_threads(), quoted("thread_state"))});
  }

  void add_logs() {
    if (!has("android_logs", "msg") || !has("android_logs", "utid")) return;
    plan_.queries.push_back(
        {*table("android_logs"), fmt::format(R"({} SELECT s.ts AS "@time", p.name AS "@process",
                        coalesce(d.name, 'log') AS "@lane", coalesce(s.tag, 'log') AS "@type",
                        'log' AS "@group", s.prio AS priority, s.msg AS message
                        FROM {} s LEFT JOIN threads d ON d.utid = s.utid
                        LEFT JOIN processes p ON p.upid = d.upid)",
                                             with_threads(), quoted("android_logs"))});
  }

  void add_scheduling() {
    if (!has("sched_slice", "utid")) return;
    plan_.queries.push_back(
        {*table("sched_slice"),
         fmt::format(R"(SELECT s.ts AS "@time", s.dur AS "@duration", 'CPUs' AS "@process",
                        'CPU ' || s.{} AS "@lane", coalesce((SELECT coalesce(t.name || ' ', 'thread ') || t.tid
                        FROM {} t WHERE t.utid = s.utid), 'idle') AS "@type", 'task' AS "@group",
                        s.end_state AS end_state FROM {} s WHERE s.utid <> 0)",
                     has("sched_slice", "cpu") ? "cpu" : "ucpu", quoted("thread"),
                     quoted("sched_slice"))});
  }

  void add_counters() {
    if (!has("counter", "value")) return;
    plan_.queries.push_back(
        {*table("counter"), fmt::format(R"({} SELECT c.ts AS "@time", p.process AS "@process",
                        p.thread AS "@lane", coalesce(p.name, 'counter ' || c.track_id)
                        AS "@type", c.value AS "@value"
                        FROM {} c LEFT JOIN places p ON p.id = c.track_id)",
                                        with_places("counter"), quoted("counter"))});
  }

  void add_flows() {
    if (!has("flow", "slice_out") || !has("flow", "slice_in") || !has("slice", "id")) return;
    plan_.queries.push_back(
        {*table("flow"),
         fmt::format(R"({0}, ends AS MATERIALIZED (SELECT id, ts, track_id FROM {1} WHERE id IN
                          (SELECT slice_out FROM {2} UNION SELECT slice_in FROM {2}))
                        SELECT a.ts AS "@time", b.ts AS "@to_time", {3}, {4}, 'flow' AS "@type"
                        FROM {2} f JOIN ends a ON a.id = f.slice_out
                        JOIN ends b ON b.id = f.slice_in
                        LEFT JOIN places p ON p.id = a.track_id
                        LEFT JOIN places q ON q.id = b.track_id)",
                     with_places("slice"), quoted("slice"), quoted("flow"), lane_of('a', 'p', ""),
                     lane_of('b', 'q', "to_"))});
  }

  const Database& database_;
  Plan& plan_;
};

}  // namespace

std::string name_of_thread_state(std::string_view column) {
  std::string names = fmt::format("CASE WHEN {} = 'Running' THEN 'running'", column);
  for (const char letter : std::string_view("RSDTtXxZPIK")) {
    names += fmt::format(" WHEN substr({}, 1, 1) = '{}' THEN '{}'", column, letter,
                         ftrace::name_of_task_state({&letter, 1}));
  }
  return names + fmt::format(" ELSE '{}' END", ftrace::kNotRunning);
}

void add_perfetto(const Database& database, Plan& plan) { PerfettoTables(database, plan).add(); }

}  // namespace weft::formats::sqlite
