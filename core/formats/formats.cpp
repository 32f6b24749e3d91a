#include "core/formats/formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/btf_reader.h"
#include "core/formats/btrace_reader.h"
#include "core/formats/chrome_json_reader.h"
#include "core/formats/cpu_profile_reader.h"
#include "core/formats/csv_reader.h"
#include "core/formats/ctf_reader.h"
#include "core/formats/dlt_reader.h"
#include "core/formats/firefox_reader.h"
#include "core/formats/folded_reader.h"
#include "core/formats/fst_reader.h"
#include "core/formats/ftrace_reader.h"
#include "core/formats/fxt_reader.h"
#include "core/formats/ghc_reader.h"
#include "core/formats/go_reader.h"
#include "core/formats/gstreamer_reader.h"
#include "core/formats/kanata_reader.h"
#include "core/formats/logcat_reader.h"
#include "core/formats/logged_events_reader.h"
#include "core/formats/message_json_reader.h"
#include "core/formats/message_xml_reader.h"
#include "core/formats/nexus_lite_reader.h"
#include "core/formats/ninja_log_reader.h"
#include "core/formats/otf2_reader.h"
#include "core/formats/pages.h"
#include "core/formats/paje_reader.h"
#include "core/formats/paraver_reader.h"
#include "core/formats/pcap_reader.h"
#include "core/formats/perf_data_reader.h"
#include "core/formats/perf_json_reader.h"
#include "core/formats/perf_script_reader.h"
#include "core/formats/perfetto_reader.h"
#include "core/formats/perfetto_writer.h"
#include "core/formats/pj_dump_reader.h"
#include "core/formats/pprof_reader.h"
#include "core/formats/shiviz_reader.h"
#include "core/formats/simpleperf_reader.h"
#include "core/formats/spall_reader.h"
#include "core/formats/spans_reader.h"
#include "core/formats/speedscope_reader.h"
#include "core/formats/sqlite_reader.h"
#include "core/formats/state_adapter.h"
#include "core/formats/strace_reader.h"
#include "core/formats/syslog_reader.h"
#include "core/formats/systemview_reader.h"
#include "core/formats/tlv_reader.h"
#include "core/formats/trace_dat_reader.h"
#include "core/formats/uftrace_reader.h"
#include "core/formats/vcd_reader.h"
#include "core/formats/writers/chrome_json_writer.h"
#include "core/formats/writers/csv_writer.h"
#include "core/formats/writers/paje_writer.h"
#include "core/formats/writers/pj_dump_writer.h"

namespace weft::formats {
namespace {

std::vector<Format> built_in() {
  return {
      {.id = "chrome-json",
       .name = "Chrome Trace Event JSON",
       .category = "General",
       .icon = "{ }",
       .extensions = {"json", "trace", "log"},
       .sniff = sniff_chrome_json,
       .read = read_chrome_json,
       .create_writer = create_chrome_json_writer,
       .version = 10,
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
       .version = 2},
      {.id = "btrace",
       .name = "Btrace message log",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"btrace", "txt", "log"},
       .sniff = sniff_btrace,
       .read = read_btrace,
       .version = 3,
       .columns = {{"Uid", "uid"}, {"Reason", "Reason"}, {"Data", "data"}},
       .pages = message_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "message-json",
       .name = "Message events in JSON",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"json", "jsonl"},
       .sniff = sniff_message_json,
       .read = read_message_json,
       .version = 3,
       .columns = {{"Uid", "uid"}, {"Priority", "Priority"}},
       .pages = message_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "message-xml",
       .name = "Message events in XML",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"xml"},
       .sniff = sniff_message_xml,
       .read = read_message_xml,
       .version = 4,
       .columns = {{"Uid", "uid"}, {"Priority", "Priority"}},
       .pages = message_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "pcap",
       .name = "Captured network packets (pcap, pcapng)",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"pcap", "pcapng", "cap"},
       .sniff = sniff_pcap,
       .read = read_pcap,
       .version = 2,
       .options = {{"lanes", "\"hosts\" or \"ports\": what packets go between.", "hosts"}},
       .columns = {{"Size", "size"}, {"Flags", "flags"}},
       .pages = packet_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "spans",
       .name = "Spans of Jaeger, OpenTelemetry and Zipkin in JSON",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"json", "jsonl"},
       .sniff = sniff_spans,
       .read = read_spans,
       .place_unit = trace::PlaceUnit::kEntry,
       .version = 2,
       .pages = message_pages(),
       .panels = {"sequence", "density"}},
      {.id = "kanata",
       .name = "Kanata log of a processor's pipeline",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"log", "kanata"},
       .sniff = sniff_kanata,
       .read = read_kanata,
       .columns = {{"Text", "text"}}},
      {.id = "btf",
       .name = "Best Trace Format",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"btf"},
       .sniff = sniff_btf,
       .read = read_btf,
       .version = 2,
       .options = {states_option()}},
      {.id = "dlt",
       .name = "AUTOSAR Diagnostic Log and Trace",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"dlt"},
       .sniff = sniff_dlt,
       .read = read_dlt,
       .options = {states_option()},
       .panels = {"density", "events"}},
      {.id = "nexus-lite",
       .name = "Nexus-lite",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"nexus", "nexuslite"},
       .sniff = sniff_nexus_lite,
       .read = read_nexus_lite,
       .options = {states_option()},
       .columns = {{"Value", "value"}},
       .pages = {{"values", "Values by type",
                  "SELECT type, count(*) AS events, min(params ->> '$.value') AS least, "
                  "avg(params ->> '$.value') AS mean, max(params ->> '$.value') AS most "
                  "FROM punctuals WHERE time >= :from AND time < :to "
                  "GROUP BY type_id ORDER BY events DESC"}},
       .panels = {"density", "events"}},
      {.id = "paje",
       .name = "Pajé",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"trace", "paje"},
       .sniff = sniff_paje,
       .read = read_paje,
       .create_writer = create_paje_writer,
       .version = 3,
       .options = {states_option()}},
      {.id = "ctf",
       .name = "Common Trace Format (LTTng, barectf, Zephyr)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"metadata"},
       .sniff = sniff_ctf,
       .read = read_ctf,
       .sniff_folder = sniff_ctf_folder,
       .is_foreign = true,
       .place_unit = trace::PlaceUnit::kEvent,
       .version = 11,
       .options = {states_option("block_rq_issue/block_rq_complete/sector=block request")},
       .pages = kernel_and_message_pages()},
      {.id = "ftrace",
       .name = "ftrace as text",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"txt", "ftrace", "systrace", "html"},
       .sniff = sniff_ftrace,
       .read = read_ftrace,
       .version = 11,
       .options = {states_option(),
                   {"machine",
                    "What `uname -m` says of the machine that recorded: x86_64, aarch64 or "
                    "riscv64; its system calls are then called by name where the text has numbers",
                    ""}},
       .columns = {{"Text", "text"}},
       .pages = kernel_pages()},
      {.id = "trace-dat",
       .name = "trace.dat of trace-cmd",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"dat"},
       .sniff = sniff_trace_dat,
       .read = read_trace_dat,
       .is_foreign = true,
       .version = 7,
       .options = {states_option("block_rq_issue/block_rq_complete/sector=block request")},
       .pages = kernel_pages()},
      {.id = "uftrace",
       .name = "uftrace",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"data"},
       .sniff = sniff_uftrace,
       .read = read_uftrace,
       .sniff_folder = sniff_uftrace_folder,
       .version = 3},
      {.id = "perf-script",
       .name = "perf script",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"txt", "perf"},
       .sniff = sniff_perf_script,
       .read = read_perf_script,
       .version = 3,
       .columns = {{"CPU", "cpu"}, {"Period", "period"}},
       .panels = {"flame"}},
      {.id = "perf-data",
       .name = "perf.data",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"data"},
       .sniff = sniff_perf_data,
       .read = read_perf_data,
       .version = 4,
       .panels = {"flame"}},
      {.id = "perf-json",
       .name = "perf data convert --to-json",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"json"},
       .sniff = sniff_perf_json,
       .read = read_perf_json,
       .version = 3,
       .panels = {"flame"}},
      {.id = "simpleperf",
       .name = "simpleperf report-sample --protobuf",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"trace", "data"},
       .sniff = sniff_simpleperf,
       .read = read_simpleperf,
       .columns = {{"Period", "period"}},
       .panels = {"flame"}},
      {.id = "perfetto",
       .name = "Perfetto",
       .category = "General",
       .icon = "{ }",
       .extensions = {"pftrace", "perfetto-trace", "pb", "trace"},
       .sniff = sniff_perfetto,
       .read = read_perfetto,
       .create_writer = create_perfetto_writer,
       .version = 12,
       .options = {states_option("block_rq_issue/block_rq_complete/sector=block request")},
       .pages = kernel_pages()},
      {.id = "fxt",
       .name = "Fuchsia trace format",
       .category = "General",
       .icon = "{ }",
       .extensions = {"fxt", "ftf"},
       .sniff = sniff_fxt,
       .read = read_fxt,
       .version = 2},
      {.id = "gstreamer",
       .name = "Debug log of GStreamer",
       .category = "Runtimes",
       .icon = "▲",
       .extensions = {"log", "txt"},
       .sniff = sniff_gstreamer,
       .read = read_gstreamer,
       .options = {states_option()},
       .columns = {{"Object", "object"}, {"Text", "text"}},
       .panels = {"density", "events"}},
      {.id = "go",
       .name = "Go execution trace",
       .category = "Runtimes",
       .icon = "▲",
       .extensions = {"trace", "out"},
       .sniff = sniff_go,
       .read = read_go,
       .version = 5},
      {.id = "ghc",
       .name = "GHC event log",
       .category = "Runtimes",
       .icon = "▲",
       .extensions = {"eventlog"},
       .sniff = sniff_ghc,
       .read = read_ghc,
       .version = 2},
      {.id = "folded",
       .name = "Folded stacks",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"folded", "txt"},
       .sniff = sniff_folded,
       .read = read_folded,
       .version = 4,
       .panels = {"flame"}},
#ifdef WEFT_HAS_OTF2
      {.id = "otf2",
       .name = "Open Trace Format 2",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"otf2"},
       .sniff = sniff_otf2,
       .read = read_otf2,
       .sniff_folder = sniff_otf2_folder,
       .is_foreign = true,
       .place_unit = trace::PlaceUnit::kEvent,
       .version = 4,
       .pages = message_pages()},
#endif
      {.id = "paraver",
       .name = "Paraver",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"prv"},
       .sniff = sniff_paraver,
       .read = read_paraver,
       .version = 3,
       .columns = {{"Tag", "tag"}, {"Size", "size"}},
       .pages = message_pages()},
      {.id = "pj-dump",
       .name = "pj_dump of a Pajé trace",
       .category = "High-performance computing",
       .icon = "▤",
       .extensions = {"csv", "pjdump"},
       .sniff = sniff_pj_dump,
       .read = read_pj_dump,
       .create_writer = create_pj_dump_writer,
       .version = 2},
      {.id = "spall",
       .name = "Spall",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"spall"},
       .sniff = sniff_spall,
       .read = read_spall},
      {.id = "pprof",
       .name = "pprof profile",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"pb", "pprof", "prof"},
       .sniff = sniff_pprof,
       .read = read_pprof,
       .version = 3,
       .panels = {"flame"}},
      {.id = "speedscope",
       .name = "speedscope",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"json"},
       .sniff = sniff_speedscope,
       .read = read_speedscope,
       .place_unit = trace::PlaceUnit::kEntry,
       .version = 3,
       .panels = {"flame"}},
      {.id = "firefox",
       .name = "Firefox profile",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"json"},
       .sniff = sniff_firefox,
       .read = read_firefox,
       .place_unit = trace::PlaceUnit::kEntry,
       .version = 6,
       .panels = {"flame"}},
      {.id = "cpu-profile",
       .name = "CPU profile of Chrome and Node.js",
       .category = "Profiles",
       .icon = "▲",
       .extensions = {"cpuprofile", "json"},
       .sniff = sniff_cpu_profile,
       .read = read_cpu_profile,
       .place_unit = trace::PlaceUnit::kEntry,
       .version = 3,
       .panels = {"flame"}},
      {.id = "sqlite",
       .name = "SQLite database (Nsight Systems, rocprof, Perfetto, FrameSoC, any table)",
       .category = "General",
       .icon = "▦",
       .extensions = {"sqlite", "sqlite3", "db", "rpd"},
       .sniff = sniff_sqlite,
       .read = read_sqlite,
       .place_unit = trace::PlaceUnit::kRow,
       .version = 3},
      {.id = "strace",
       .name = "strace",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"strace", "txt", "log"},
       .sniff = sniff_strace,
       .read = read_strace,
       .version = 6,
       .columns = {{"Result", "result"}, {"Arguments", "args"}},
       .pages = system_call_pages()},
      {.id = "logcat",
       .name = "Android log (logcat)",
       .category = "General",
       .icon = "≡",
       .extensions = {"log", "logcat", "txt"},
       .sniff = sniff_logcat,
       .read = read_logcat,
       .columns = {{"Level", "level"}, {"Message", "message"}}},
      {.id = "syslog",
       .name = "System log (syslog, journalctl, dmesg)",
       .category = "General",
       .icon = "≡",
       .extensions = {"log", "syslog", "txt"},
       .sniff = sniff_syslog,
       .read = read_syslog,
       .columns = {{"Process", "pid"}, {"Message", "message"}}},
      {.id = "shiviz",
       .name = "ShiViz log",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"log"},
       .sniff = sniff_shiviz,
       .read = read_shiviz,
       .version = 3,
       .columns = {{"Event", "event"}},
       .panels = {"sequence", "traffic"}},
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
      {.id = "csv",
       .name = "Comma-separated values",
       .category = "General",
       .icon = "▦",
       .extensions = {"csv", "tsv"},
       .sniff = sniff_csv,
       .read = read_csv,
       .create_writer = create_csv_writer,
       .version = 5,
       .options = {states_option()}},
      {.id = "systemview",
       .name = "SEGGER SystemView recording",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"SVDat", "SVdat"},
       .sniff = sniff_systemview,
       .read = read_systemview,
       .options = {states_option()}},
      {.id = "tlv",
       .name = "TLV standard log",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"log"},
       .sniff = sniff_tlv,
       .read = read_tlv,
       .version = 2,
       .options = {states_option()}},
      {.id = "vcd",
       .name = "Value change dump",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"vcd"},
       .sniff = sniff_vcd,
       .read = read_vcd,
       .version = 5},
      {.id = "fst",
       .name = "Fast Signal Trace",
       .category = "Embedded",
       .icon = "▣",
       .extensions = {"fst"},
       .sniff = sniff_fst,
       .read = read_fst},
  };
}

// What was added may be asked for by any thread.
class Registry {
 public:
  Registry() {
    for (Format& format : built_in())
      rows_.push_back(std::make_shared<const Format>(std::move(format)));
    built_in_ = rows_.size();
  }

  std::vector<FormatPtr> rows() const {
    const std::lock_guard lock(mutex_);
    return rows_;
  }

  void add_later(std::function<void()> add) {
    const std::lock_guard lock(later_mutex_);
    later_ = std::move(add);
  }

  void complete() {
    const std::lock_guard lock(later_mutex_);
    if (const auto add = std::exchange(later_, nullptr)) add();
  }

  FormatPtr find(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto it = place(id);
    return it == rows_.end() ? nullptr : *it;
  }

  Status add(Format format) {
    auto row = std::make_shared<const Format>(std::move(format));
    const std::lock_guard lock(mutex_);
    const auto at = static_cast<size_t>(place(row->id) - rows_.begin());
    if (at < built_in_) return fail(fmt::format("'{}' is a trace type of the program", row->id));
    if (at == rows_.size()) rows_.emplace_back();
    rows_[at] = std::move(row);
    return {};
  }

 private:
  std::vector<FormatPtr>::const_iterator place(std::string_view id) const {
    return std::ranges::find_if(rows_, [&](const FormatPtr& row) { return row->id == id; });
  }

  mutable std::mutex mutex_;
  std::vector<FormatPtr> rows_;
  size_t built_in_ = 0;
  std::mutex later_mutex_;  // held while they are added: who wants them waits
  std::function<void()> later_;
};

Registry& registry() {
  static Registry rows;
  return rows;
}

}  // namespace

std::vector<FormatPtr> formats() {
  registry().complete();
  return registry().rows();
}

std::vector<FormatPtr> present_formats() { return registry().rows(); }

FormatPtr format_from_id(std::string_view id) {
  if (FormatPtr present = registry().find(id)) return present;
  registry().complete();
  return registry().find(id);
}

void add_formats_later(std::function<void()> add) { registry().add_later(std::move(add)); }

Status add_format(Format format) {
  const auto is_of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (format.id.empty() || !std::ranges::all_of(format.id, is_of_word))
    return fail(fmt::format("'{}' is no id: a word of a-z, 0-9 and -", printable(format.id)));
  const auto has_no_name = [](const Page& page) { return page.id.empty() || page.title.empty(); };
  if (format.name.empty() || std::ranges::any_of(format.pages, has_no_name))
    return fail(fmt::format("'{}' has no name, or a page without one", format.id));
  return registry().add(std::move(format));
}

}  // namespace weft::formats
