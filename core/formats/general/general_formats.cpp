// The formats that are of no one field.
#include "core/formats/built_in.h"

#include "core/formats/general/chrome_json/chrome_json_reader.h"
#include "core/formats/general/cmake_trace/cmake_trace_reader.h"
#include "core/formats/general/csv/csv_reader.h"
#include "core/formats/general/field_log/field_log_reader.h"
#include "core/formats/general/fxt/fxt_reader.h"
#include "core/formats/general/gradle_operations/gradle_operations_reader.h"
#include "core/formats/general/journal/journal_reader.h"
#include "core/formats/general/logcat/logcat_reader.h"
#include "core/formats/general/logged_events/logged_events_reader.h"
#include "core/formats/general/ninja_log/ninja_log_reader.h"
#include "core/formats/general/perfetto/perfetto_reader.h"
#include "core/formats/general/perfetto/perfetto_writer.h"
#include "core/formats/general/program_log/program_log_reader.h"
#include "core/formats/general/sqlite/sqlite_reader.h"
#include "core/formats/general/syslog/syslog_reader.h"
#include "core/formats/pages.h"
#include "core/formats/state_adapter.h"
#include "core/formats/writers/chrome_json_writer.h"
#include "core/formats/writers/csv_writer.h"

namespace weft::formats {

std::vector<Format> general_formats() {
  return {
      {.id = "chrome-json",
       .name = "Chrome Trace Event JSON",
       .category = "General",
       .icon = "{ }",
       .extensions = {"json", "trace", "log"},
       .sniff = sniff_chrome_json,
       .read = read_chrome_json,
       .create_writer = create_chrome_json_writer,
       .version = 27,
       .options = {{"chunk_bytes",
                    "Bytes that are parsed at a time (default: what suits the memory)", "",
                    Option::Kind::kNumber}}},
      {.id = "logged-events",
       .name = "Log of Trace Event JSON",
       .category = "General",
       .icon = "{ }",
       .extensions = {"log", "txt"},
       .sniff = sniff_logged_events,
       .read = read_logged_events,
       .version = 7},
      {.id = "perfetto",
       .name = "Perfetto",
       .category = "General",
       .icon = "{ }",
       .extensions = {"pftrace", "perfetto-trace", "pb", "trace"},
       .sniff = sniff_perfetto,
       .read = read_perfetto,
       .create_writer = create_perfetto_writer,
       .version = 39,
       .options = {states_option("block_rq_issue/block_rq_complete/sector=block request,"
                                 "block_io_start/block_io_done/sector=block I/O")},
       .pages = kernel_pages()},
      {.id = "fxt",
       .name = "Fuchsia trace format",
       .category = "General",
       .icon = "{ }",
       .extensions = {"fxt", "ftf"},
       .sniff = sniff_fxt,
       .read = read_fxt,
       .version = 9},
      {.id = "sqlite",
       .name =
           "SQLite database (Nsight Systems, rocprof, Perfetto, OpenHarmony, rosbag2, any table)",
       .category = "General",
       .icon = "▦",
       .extensions = {"sqlite", "sqlite3", "db", "rpd"},
       .sniff = sniff_sqlite,
       .read = read_sqlite,
       .opens_beside = opens_endings({"-wal"}),
       .place_unit = trace::PlaceUnit::kRow,
       .version = 9},
      {.id = "logcat",
       .name = "Android log (logcat)",
       .category = "General",
       .icon = "≡",
       .extensions = {"log", "logcat", "txt"},
       .sniff = sniff_logcat,
       .most_sure = 85,  // what a user defined for such a log goes first
       .read = read_logcat,
       .version = 5,
       .columns = {{"Level", "level"}, {"Message", "message"}},
       .panels = {"density", "events"}},
      {.id = "syslog",
       .name = "System log (syslog, journalctl, dmesg)",
       .category = "General",
       .icon = "≡",
       .extensions = {"log", "syslog", "txt", "json"},
       .sniff = sniff_syslog,
       .most_sure = 90,
       .read = read_syslog,
       .version = 7,
       .columns = {{"Process", "pid"}, {"Message", "message"}},
       .panels = {"density", "events"}},
      {.id = "program-log",
       .name = "Log of a program (lines with levels, JSON lines, Spark, requests, CI jobs)",
       .category = "General",
       .icon = "≡",
       .extensions = {"log", "txt", "json", "jsonl"},
       .sniff = sniff_program_log,
       .most_sure = 57,  // many texts begin with a time
       .read = read_program_log,
       .version = 6,
       .columns = {{"Message", "message"}},
       .panels = {"density", "events"}},
      {.id = "field-log",
       .name = "Log whose header names its fields (Zeek, IIS and others in W3C's format)",
       .category = "General",
       .icon = "≡",
       .extensions = {"log"},
       .sniff = sniff_field_log,
       .read = read_field_log,
       .version = 2,
       .pages = message_pages(),
       .panels = {"density", "traffic"}},
      {.id = "journal",
       .name = "Journal of systemd (journalctl -o json, -o export, -o verbose)",
       .category = "General",
       .icon = "≡",
       .extensions = {"json", "journal", "export", "txt"},
       .sniff = sniff_journal,
       .read = read_journal,
       .version = 5,
       .columns = {{"Process", "pid"}, {"Priority", "priority"}, {"Message", "message"}},
       .panels = {"density", "events"}},
      {.id = "ninja-log",
       .name = "Ninja build log",
       .category = "General",
       .icon = "◆",
       .extensions = {"ninja_log"},
       .sniff = sniff_ninja_log,
       .read = read_ninja_log,
       .version = 2,
       .columns = {{"Command", "command"}},
       .pages = {{"slowest",
                  "What took longest",
                  "SELECT type AS output, dur, begin, lane, lane_id, type_id FROM states "
                  "WHERE begin < :to AND end > :from ORDER BY dur DESC LIMIT 200",
                  {"dur"}}}},
      {.id = "gradle-operations",
       .name = "Operations of a Gradle build",
       .category = "General",
       .icon = "◆",
       .extensions = {"log", "txt", "jsonl"},
       .sniff = sniff_gradle_operations,
       .read = read_gradle_operations,
       .columns = {{"Details", "details class"}, {"Failure", "failure"}}},
      {.id = "cmake-trace",
       .name = "Trace of CMake (--trace-format=json-v1)",
       .category = "General",
       .icon = "◆",
       .extensions = {"json", "txt"},
       .sniff = sniff_cmake_trace,
       .read = read_cmake_trace,
       .columns = {{"Arguments", "args"}, {"File", "file"}, {"Line", "line"}}},
      {.id = "csv",
       .name = "Comma-separated values",
       .category = "General",
       .icon = "▦",
       .extensions = {"csv", "tsv"},
       .sniff = sniff_csv,
       .most_sure = 58,
       .read = read_csv,
       .create_writer = create_csv_writer,
       .version = 22,
       .options = {states_option()}},
  };
}

}  // namespace weft::formats
