// The formats of operating systems.
#include "core/formats/built_in.h"

#include "core/formats/kernel/blktrace/blktrace_reader.h"
#include "core/formats/kernel/boot/boot_reader.h"
#include "core/formats/kernel/ctf/ctf_reader.h"
#include "core/formats/kernel/ctf_text/ctf_text_reader.h"
#include "core/formats/kernel/ftrace/ftrace_reader.h"
#include "core/formats/kernel/perf/perf_data_reader.h"
#include "core/formats/kernel/perf/perf_json_reader.h"
#include "core/formats/kernel/perf/perf_sched_map_reader.h"
#include "core/formats/kernel/perf/perf_script_reader.h"
#include "core/formats/kernel/perf/perf_stat_reader.h"
#include "core/formats/kernel/perf/perf_summary_reader.h"
#include "core/formats/kernel/perf/simpleperf_reader.h"
#include "core/formats/kernel/strace/strace_reader.h"
#include "core/formats/kernel/strace/strace_summary_reader.h"
#include "core/formats/kernel/tool_output/tool_output_reader.h"
#include "core/formats/kernel/trace_compass/trace_compass_xml_reader.h"
#include "core/formats/kernel/trace_dat/trace_dat_reader.h"
#include "core/formats/pages.h"
#include "core/formats/state_adapter.h"

namespace weft::formats {
namespace {

Option machine_option() {
  return {"machine",
          "What `uname -m` says of the machine that recorded: x86_64, aarch64 or riscv64; its "
          "system calls are then called by name where the text has numbers",
          ""};
}

Option block_requests_option() {
  return states_option("block_rq_issue/block_rq_complete/sector=block request");
}

// perf calls tracepoints by their subsystem, too.
Option perf_block_requests_option() {
  return states_option("block:block_rq_issue/block:block_rq_complete/sector=block request");
}

}  // namespace

std::vector<Format> kernel_formats() {
  return {
      {.id = "boot-plot",
       .name = "Boot of a system (systemd-analyze plot)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"svg"},
       .sniff = sniff_boot,
       .read = read_boot},
      {.id = "bootchart",
       .name = "Boot of a system (bootchart)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"log"},
       .sniff = sniff_bootchart,
       .read = read_bootchart,
       .sniff_folder = sniff_bootchart_folder,
       .version = 2},
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
       .version = 28,
       .options = {block_requests_option()},
       .columns = {{"CPU", "cpu"}},
       .pages = kernel_and_message_pages()},
      {.id = "ctf-text",
       .name = "CTF as babeltrace prints it",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"txt"},
       .sniff = sniff_ctf_text,
       .read = read_ctf_text,
       .is_foreign = true,
       .version = 6,
       .options = {block_requests_option()},
       .columns = {{"CPU", "cpu"}},
       .pages = kernel_and_message_pages()},
      {.id = "trace-compass-xml",
       .name = "Trace of Trace Compass's developers (XML)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"xml"},
       .sniff = sniff_trace_compass_xml,
       .read = read_trace_compass_xml,
       .options = {states_option("block_rq_issue/block_rq_complete/sector=block request")},
       .columns = {{"CPU", "cpu"}},
       .pages = kernel_pages()},
      {.id = "ftrace",
       .name = "ftrace as text",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"txt", "ftrace", "systrace", "html"},
       .sniff = sniff_ftrace,
       .read = read_ftrace,
       .version = 33,
       .options = {block_requests_option(), machine_option()},
       .columns = {{"CPU", "cpu"}, {"Text", "text"}},
       .pages = kernel_pages()},
      {.id = "trace-dat",
       .name = "trace.dat of trace-cmd",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"dat"},
       .sniff = sniff_trace_dat,
       .read = read_trace_dat,
       .is_foreign = true,
       .version = 26,
       .options = {block_requests_option()},
       .columns = {{"CPU", "cpu"}},
       .pages = kernel_pages()},
      {.id = "perf-script",
       .name = "perf script",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"txt", "perf"},
       .sniff = sniff_perf_script,
       .most_sure = 75,
       .read = read_perf_script,
       .version = 19,
       .options = {perf_block_requests_option(), machine_option()},
       .columns = {{"CPU", "cpu"}, {"Period", "period"}},
       .panels = {"flame"}},
      {.id = "perf-data",
       .name = "perf.data",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"data"},
       .sniff = sniff_perf_data,
       .read = read_perf_data,
       .opens_beside = opens_numbered(),
       .version = 18,
       .options = {perf_block_requests_option()},
       .columns = {{"CPU", "cpu"}},
       .panels = {"flame"}},
      {.id = "perf-json",
       .name = "perf data convert --to-json",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"json"},
       .sniff = sniff_perf_json,
       .read = read_perf_json,
       .version = 7,
       .panels = {"flame"}},
      {.id = "perf-stat",
       .name = "perf stat",
       .category = "Kernel",
       .icon = "▤",
       .extensions = {"txt", "csv", "json"},
       .sniff = sniff_perf_stat,
       .read = read_perf_stat,
       .version = 3},
      {.id = "perf-sched-map",
       .name = "perf sched map",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"txt"},
       .sniff = sniff_perf_sched_map,
       .read = read_perf_sched_map},
      {.id = "perf-summary",
       .name = "Summaries of perf (trace -s, sched latency, lock contention, kvm stat)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"txt"},
       .sniff = sniff_perf_summary,
       .read = read_perf_summary,
       .columns = {{"Calls", "calls"}, {"Errors", "errors"}, {"Switches", "switches"}},
       .panels = {"flame"}},
      {.id = "simpleperf",
       .name = "simpleperf report-sample --protobuf",
       .category = "Kernel",
       .icon = "▲",
       .extensions = {"trace", "data"},
       .sniff = sniff_simpleperf,
       .read = read_simpleperf,
       .version = 4,
       .columns = {{"Period", "period"}},
       .panels = {"flame"}},
      {.id = "strace",
       .name = "strace",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"strace", "txt", "log"},
       .sniff = sniff_strace,
       .read = read_strace,
       .run_of = strace_run,
       .version = 18,
       .columns = {{"Result", "result"}, {"Arguments", "args"}},
       .pages = system_call_pages()},
      {.id = "strace-summary",
       .name = "Summary of strace and ltrace (-c)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"txt", "strace", "log"},
       .sniff = sniff_strace_summary,
       .read = read_strace_summary,
       .columns = {{"Calls", "calls"}, {"Errors", "errors"}, {"Seconds", "seconds"}},
       .pages = strace_summary_pages(),
       .panels = {"pages", "flame"}},
      {.id = "blktrace",
       .name = "Records of blktrace",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"blktrace"},
       .sniff = sniff_blktrace,
       .read = read_blktrace,
       .run_of = blktrace_run,
       .version = 2,
       .columns = {{"Kind", "kind"}, {"Sector", "sector"}, {"Process", "process"}}},
      {.id = "tool-output",
       .name =
           "Text of tracing tools (perf trace, blkparse, sysdig, tcpdump, btmon, Wine, CAN logs)",
       .category = "Kernel",
       .icon = "◉",
       .extensions = {"txt", "log", "asc", "trc", "csv"},
       .sniff = sniff_tool_output,
       .most_sure = 58,
       .read = read_tool_output,
       .version = 12,
       .columns = {{"Arguments", "args"}, {"Data", "data"}}},
  };
}

}  // namespace weft::formats
