// The definition of event logs of Spark: tasks on executors, stages, jobs, queries in SQL.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/formats/general/custom/built_in_rules.h"

namespace weft::formats {

inline constexpr std::string_view kSpark = R"json({
  "kind": "json",
  "time": "ms",
  "rules": [
    {"where": {"Event": "^SparkListenerTaskStart$"}, "makes": "begin", "time": "{Task Info/Launch Time}",
     "lane": "executors/{Task Info/Executor ID}/tasks", "type": "stage {Stage ID}",
     "id": "task {Task Info/Task ID}",
     "params": {"task": "{Task Info/Task ID}", "index": "{Task Info/Index}", "attempt": "{Task Info/Attempt}",
                "host": "{Task Info/Host}", "locality": "{Task Info/Locality}"}},
    {"where": {"Event": "^SparkListenerTaskEnd$"}, "makes": "end", "time": "{Task Info/Finish Time}",
     "lane": "executors/{Task Info/Executor ID}/tasks", "id": "task {Task Info/Task ID}",
     "params": {"end": "{Task End Reason/Reason}", "run ms": "{Task Metrics/Executor Run Time}",
                "GC ms": "{Task Metrics/JVM GC Time}", "deserialize ms": "{Task Metrics/Executor Deserialize Time}",
                "result bytes": "{Task Metrics/Result Size}",
                "shuffle read bytes": "{Task Metrics/Shuffle Read Metrics/Remote Bytes Read}",
                "shuffle written bytes": "{Task Metrics/Shuffle Write Metrics/Shuffle Bytes Written}",
                "spilled bytes": "{Task Metrics/Disk Bytes Spilled}"}},
    STAGES
    {"where": {"Event": "^SparkListenerJobStart$"}, "makes": "begin", "time": "{Submission Time}",
     "lane": "jobs", "type": "job {Job ID}", "id": "job {Job ID}", "params": {"stages": "{Stage IDs}"}},
    {"where": {"Event": "^SparkListenerJobEnd$"}, "makes": "end", "time": "{Completion Time}",
     "lane": "jobs", "id": "job {Job ID}", "params": {"result": "{Job Result/Result}"}},
    {"where": {"Event": "SparkListenerSQLExecutionStart$"}, "makes": "begin", "time": "{time}",
     "lane": "SQL", "type": "{description}", "id": "SQL {executionId}", "params": {"execution": "{executionId}"}},
    {"where": {"Event": "SparkListenerSQLExecutionEnd$"}, "makes": "end", "time": "{time}",
     "lane": "SQL", "id": "SQL {executionId}", "params": {"error": "{errorMessage}"}},
    {"where": {"Event": "^SparkListenerApplicationStart$"}, "makes": "begin", "time": "{Timestamp}",
     "lane": "application", "type": "{App Name}", "id": "application", "params": {"id": "{App ID}", "user": "{User}"}},
    {"where": {"Event": "^SparkListenerApplicationEnd$"}, "makes": "end", "time": "{Timestamp}",
     "lane": "application", "id": "application", "params": {}},
    {"where": {"Event": "^SparkListenerExecutorAdded$"}, "makes": "begin", "time": "{Timestamp}",
     "lane": "executors/{Executor ID}", "type": "executor", "id": "executor {Executor ID}",
     "params": {"host": "{Executor Info/Host}", "cores": "{Executor Info/Total Cores}"}},
    {"where": {"Event": "^SparkListenerExecutorRemoved$"}, "makes": "end", "time": "{Timestamp}",
     "lane": "executors/{Executor ID}", "id": "executor {Executor ID}", "params": {"removed": "{Removed Reason}"}},
    {"where": {"Event": "^SparkListener(?:BlockManager|ExecutorExcluded|ExecutorUnexcluded|NodeExcluded|NodeUnexcluded).*$", "Timestamp": "\d"},
     "time": "{Timestamp}", "lane": "application", "type": "{Event}"},
    {"where": {"Event": "\S"}, "makes": "nothing"}
  ]
})json";

// A stage that was submitted without tasks has no time.
inline constexpr std::string_view kSparkStages = R"json(
    {"where": {"Event": "^SparkListenerStageSubmitted$", "Stage Info/Submission Time": "\d"}, "makes": "begin",
     "time": "{Stage Info/Submission Time}", "lane": "stages", "type": "{Stage Info/Stage Name}",
     "id": "stage {Stage Info/Stage ID} {Stage Info/Stage Attempt ID}",
     "params": {"stage": "{Stage Info/Stage ID}", "attempt": "{Stage Info/Stage Attempt ID}",
                "tasks": "{Stage Info/Number of Tasks}"}},
    {"where": {"Event": "^SparkListenerStageCompleted$"}, "makes": "end", "time": "{Stage Info/Completion Time}",
     "lane": "stages", "id": "stage {Stage Info/Stage ID} {Stage Info/Stage Attempt ID}",
     "params": {"failed": "{Stage Info/Failure Reason}"}},)json";
// Versions up to 2 say when a stage was submitted only once it is completed.
inline constexpr std::string_view kOlderSparkStages = R"json(
    {"where": {"Event": "^SparkListenerStageCompleted$", "Stage Info/Submission Time": "\d"}, "makes": "state",
     "time": "{Stage Info/Submission Time}", "end": "{Stage Info/Completion Time}", "lane": "stages",
     "type": "{Stage Info/Stage Name}",
     "params": {"stage": "{Stage Info/Stage ID}", "attempt": "{Stage Info/Stage Attempt ID}",
                "tasks": "{Stage Info/Number of Tasks}", "failed": "{Stage Info/Failure Reason}"}},)json";

// The definition with one of these for the stages.
inline std::string spark_log(std::string_view stages) {
  return custom::with_parts(std::string(kSpark), {{"STAGES", stages}});
}

// Whether stages of a log of Spark are submitted without a time: all of them, since one without
// tasks has none in any version.
inline bool has_older_stages(std::string_view head) {
  constexpr std::string_view kSubmitted = "\"SparkListenerStageSubmitted\"";
  bool has_stages = false;
  for (size_t at = head.find(kSubmitted); at != std::string_view::npos;
       at = head.find(kSubmitted, at)) {
    const size_t line_end = head.find('\n', at);
    if (line_end == std::string_view::npos) break;
    if (head.substr(at, line_end - at).contains("\"Submission Time\"")) return false;
    has_stages = true;
    at = line_end;
  }
  return has_stages;
}

}  // namespace weft::formats
