#include "core/formats/pages.h"

#include <fmt/core.h>

#include <utility>

namespace weft::formats {
namespace {

Page cpu_time_page() {
  return {"tasks",
          "CPU time of tasks",
          "SELECT lane AS task, count(*) AS times, sum(min(end, :to) - max(begin, :from)) AS "
          "running, max(dur) AS longest "
          "FROM states WHERE type = 'running' AND begin < :to AND end > :from "
          "GROUP BY lane_id ORDER BY running DESC",
          {"running", "longest"}};
}

// In states of the type.
Page waiting_page(std::string id, std::string_view type) {
  return {std::move(id),
          "Waiting for a CPU",
          fmt::format(
              "SELECT lane AS task, count(*) AS times, sum(dur) AS waiting, max(dur) AS longest, "
              "avg(dur) AS mean "
              "FROM states WHERE type = '{}' AND begin >= :from AND begin < :to "
              "GROUP BY lane_id ORDER BY longest DESC",
              type),
          {"waiting", "longest", "mean"}};
}

// For the longest wait of each task, the threads that ran on the CPU that it ran on next or, if the
// trace ends before, previously; as in query/ran_instead.h. With several machines, the CPU is that
// of the task's machine.
Page instead_page() {
  return {
      "instead",
      "Who ran instead",
      "WITH waits AS (SELECT lane, lane_id, type_id, begin, end, dur, row_number() OVER (PARTITION "
      "BY lane_id ORDER BY dur DESC, begin) AS nth FROM states WHERE type = 'runnable' AND "
      "type_group = 'scheduler' AND begin >= :from AND begin < :to), "
      "longest AS MATERIALIZED (SELECT lane, lane_id, type_id, begin, end, dur, "
      "coalesce((SELECT next.cpu FROM states AS next WHERE next.lane_id = "
      "waits.lane_id AND next.begin = waits.end AND next.type = 'running'), "
      "(SELECT before.cpu FROM states AS before WHERE before.lane_id = waits.lane_id AND "
      "before.end = waits.begin AND before.type = 'running')) AS cpu FROM waits WHERE nth = 1), "
      "placed AS MATERIALIZED (SELECT *, (SELECT id FROM lanes WHERE kind = 'cpu' AND "
      "name = 'CPU ' || cpu AND instr(lane, substr(path, 1, length(path) - length('CPUs/' || "
      "name))) = 1 ORDER BY length(path) DESC LIMIT 1) AS cpu_id FROM longest) "
      "SELECT waiting.lane AS task, waiting.dur AS waited, waiting.cpu, "
      "coalesce(instead.type, '') AS ran_instead, count(instead.begin) AS times, "
      "sum(min(instead.end, waiting.end) - max(instead.begin, "
      "waiting.begin)) AS ran, waiting.begin, waiting.lane_id, waiting.type_id, waiting.dur "
      "FROM placed AS waiting LEFT JOIN states AS instead ON instead.lane_id = cpu_id AND "
      "instead.begin < waiting.end AND instead.end > waiting.begin AND "
      "instead.type_group = 'task' GROUP BY waiting.lane_id, instead.type_id "
      "ORDER BY waited DESC, waiting.lane_id, ran DESC",
      {"waited", "ran", "dur"}};
}

// From the release of a task until it waits again, or ends: states that follow each other without a
// gap, of one instance where the trace tells instances apart. A row leads to the longest.
Page response_page(std::string_view states) {
  return {
      "responses",
      "Response times",
      fmt::format(
          "WITH live AS (SELECT lane, lane_id, type_id, begin, end, params ->> '$.instance' AS "
          "instance FROM states WHERE {} AND begin >= :from AND begin < :to), "
          "marked AS (SELECT *, lag(end) OVER (PARTITION BY lane_id, instance ORDER BY begin) "
          "IS NOT begin AS is_first FROM live), "
          "numbered AS (SELECT *, sum(is_first) OVER (PARTITION BY lane_id, instance "
          "ORDER BY begin) AS job FROM marked), "
          "jobs AS (SELECT lane, lane_id, min(begin) AS begin, max(end) - min(begin) AS response, "
          "max(iif(is_first, type_id, 0)) AS type_id FROM numbered GROUP BY lane_id, instance, "
          "job) "
          "SELECT lane AS task, count(*) AS jobs, avg(response) AS mean, max(response) AS longest, "
          "begin, lane_id, type_id FROM jobs GROUP BY lane_id ORDER BY longest DESC",
          states),
      {"mean", "longest"}};
}

}  // namespace

std::vector<Page> kernel_pages() {
  return {cpu_time_page(),
          waiting_page("waits", "runnable"),
          instead_page(),
          {"calls",
           "System calls",
           "SELECT type AS call, count(*) AS calls, "
           "count(*) FILTER (WHERE params ->> '$.ret' BETWEEN -4095 AND -1) AS errors, "
           "sum(dur) AS time, max(dur) AS longest "
           "FROM states WHERE type_group = 'system calls' AND begin >= :from AND begin < :to "
           "GROUP BY type ORDER BY time DESC, calls DESC",
           {"time", "longest"}},
          {"errors", "Failed calls",
           "SELECT type AS call, coalesce(params ->> '$.error', params ->> '$.ret') AS result, "
           "count(*) AS calls "
           "FROM states WHERE type_group = 'system calls' AND begin >= :from AND begin < :to "
           "AND params ->> '$.ret' BETWEEN -4095 AND -1 "
           "GROUP BY type, result ORDER BY calls DESC"}};
}

std::vector<Page> message_pages() {
  return {{"queues",
           "Messages by queue",
           "SELECT target AS queue, source AS sender, type, count(*) AS messages, "
           "min(latency) AS shortest, avg(latency) AS mean, max(latency) AS longest, "
           "sum(receive IS NULL) AS never_received "
           "FROM links WHERE send >= :from AND send < :to "
           "GROUP BY target_id, source_id, type_id ORDER BY messages DESC",
           {"shortest", "mean", "longest"}}};
}

std::vector<Page> packet_pages() {
  return {{"packets", "Packets by host",
           "SELECT source, target, type, count(*) AS packets, sum(params ->> '$.size') AS bytes "
           "FROM links WHERE send >= :from AND send < :to "
           "GROUP BY source_id, target_id, type_id ORDER BY bytes DESC"}};
}

std::vector<Page> kernel_and_message_pages() {
  std::vector<Page> pages = kernel_pages();
  for (Page& page : message_pages()) pages.push_back(std::move(page));
  return pages;
}

std::vector<Page> rtos_pages() {
  std::vector<Page> pages = {
      cpu_time_page(),
      waiting_page("ready", "ready"),
      response_page("type IN ('ready', 'running')"),
      {"waits",
       "Waiting for objects",
       "SELECT lane AS task, type AS wait, count(*) AS times, sum(dur) AS waiting, "
       "max(dur) AS longest "
       "FROM states WHERE type_group = 'wait' AND begin >= :from AND begin < :to "
       "GROUP BY lane_id, type_id ORDER BY waiting DESC",
       {"waiting", "longest"}},
      {"interrupts",
       "Interrupts",
       "SELECT type AS interrupt, count(*) AS times, sum(dur) AS time, max(dur) AS longest, "
       "avg(dur) AS mean "
       "FROM states WHERE type_group = 'interrupt' AND begin >= :from AND begin < :to "
       "GROUP BY type_id ORDER BY time DESC",
       {"time", "longest", "mean"}}};
  for (Page& page : message_pages()) pages.push_back(std::move(page));
  return pages;
}

std::vector<Page> task_pages() {
  return {cpu_time_page(), waiting_page("ready", "ready"),
          response_page("type IN ('ready', 'running')")};
}

std::vector<Page> process_pages() {
  return {cpu_time_page(), waiting_page("ready", "ready"), response_page("type_group = 'process'")};
}

std::vector<Page> request_pages() {
  return {{"hosts",
           "Requests by host",
           "SELECT iif(instr(lane, '/') = 0, lane, substr(lane, 1, instr(lane, '/') - 1)) AS host, "
           "count(*) AS requests, sum(params ->> '$.size') AS bytes, "
           "sum(CAST(params ->> '$.status' AS INTEGER) NOT BETWEEN 1 AND 399) AS failed, "
           "avg(dur) AS mean, max(dur) AS longest FROM states "
           "WHERE type_group NOT IN ('phase', 'page') AND begin >= :from AND begin < :to "
           "GROUP BY host ORDER BY requests DESC",
           {"mean", "longest"}},
          {"phases",
           "Phases of requests",
           "SELECT type AS phase, count(*) AS times, sum(dur) AS time, avg(dur) AS mean, "
           "max(dur) AS longest FROM states "
           "WHERE type_group = 'phase' AND begin >= :from AND begin < :to "
           "GROUP BY type_id ORDER BY time DESC",
           {"time", "mean", "longest"}}};
}

std::vector<Page> system_call_pages() {
  return {
      {"calls",
       "System calls",
       "SELECT type AS call, count(*) AS calls, sum(params ->> '$.result' LIKE '-%') AS errors, "
       "sum(dur) AS time, max(dur) AS longest "
       "FROM events WHERE time >= :from AND time < :to AND type_group = '' "
       "AND category IN ('state', 'punctual') "
       "GROUP BY type ORDER BY time DESC, calls DESC",
       {"time", "longest"}},
      {"errors", "Failed calls",
       "SELECT type AS call, params ->> '$.result' AS result, count(*) AS calls "
       "FROM events WHERE time >= :from AND time < :to AND params ->> '$.result' LIKE '-%' "
       "GROUP BY type, result ORDER BY calls DESC"}};
}

}  // namespace weft::formats
