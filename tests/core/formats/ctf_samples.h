// The CTF traces that tests read: a folder each, written by CtfWriter; what reading them gives lies
// in ctf/{succeed,fail}/NAME.txt.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <limits>
#include <string>

#include "tests/core/formats/converted_otf2_samples.h"
#include "tests/core/formats/ctf_writer.h"
#include "tests/core/formats/ros_samples.h"

namespace weft::test {

inline constexpr char kKernelEnvironment[] =
    R"(domain = "kernel"; tracer_name = "lttng-modules"; hostname = "box"; tracer_major = 2;)";
inline constexpr char kUserEnvironment[] =
    R"(domain = "ust"; tracer_name = "lttng-ust"; hostname = "box";)";
inline constexpr char kUserContext[] = "int32_t vpid; int32_t vtid; string procname;";

inline void write_ctf_kernel(const std::filesystem::path& folder) {
  const CtfMetadata metadata =
      CtfMetadata(kKernelEnvironment)
          .event(
              0, "sched_switch",
              "string prev_comm; int32_t prev_tid; int32_t prev_prio; int64_t prev_state; string "
              "next_comm; int32_t next_tid; int32_t next_prio;")
          .event(1, "sched_wakeup", "string comm; int32_t tid; int32_t prio; int32_t target_cpu;")
          .event(2, "irq_handler_entry", "int32_t irq; string name;")
          .event(3, "irq_handler_exit", "int32_t irq; int32_t ret;")
          .event(4, "softirq_entry", "uint32_t vec;")
          .event(5, "softirq_exit", "uint32_t vec;")
          .event(6, "syscall_entry_read", "uint32_t fd; uint64_t count;")
          .event(7, "syscall_exit_read", "int64_t ret; uint32_t fd;")
          .event(8, "block_rq_issue", "uint32_t dev; string comm;")
          .event(9, "cpu_frequency", "uint32_t state; uint32_t cpu_id;")
          .event(10, "sched_process_fork",
                 "string parent_comm; int32_t parent_tid; string child_comm; int32_t child_tid; "
                 "int32_t child_pid;")
          .event(11, "x86_irq_vectors_local_timer_entry", "int32_t vector;")
          .event(12, "x86_irq_vectors_local_timer_exit", "int32_t vector;")
          .event(13, "workqueue_execute_start", "uint64_t work; uint64_t function;")
          .event(14, "workqueue_execute_end", "uint64_t work;");
  const auto switched = [](std::string_view previous, int32_t from, int64_t state,
                           std::string_view next, int32_t to) {
    return CtfFields()
        .text(previous)
        .number(from)
        .number(int32_t{20})
        .number(state)
        .text(next)
        .number(to)
        .number(int32_t{20});
  };
  CtfStream first(0, 0), second(0, 1);
  first.event(0, 100, switched("swapper/0", 0, 0, "cat", 42))
      .event(6, 110, CtfFields().number(uint32_t{3}).number(uint64_t{4096}))
      .event(2, 120, CtfFields().number(int32_t{17}).text("disk"))
      .event(4, 125, CtfFields().number(uint32_t{4}))
      .event(5, 128, CtfFields().number(uint32_t{4}))
      .event(3, 130, CtfFields().number(int32_t{17}).number(int32_t{1}))
      .event(8, 140, CtfFields().number(uint32_t{8}).text("cat"))
      .event(7, 150, CtfFields().number(int64_t{-11}).number(uint32_t{3}))
      .event(0, 200, switched("cat", 42, 2, "swapper/0", 0))
      .event(11, 210, CtfFields().number(int32_t{239}))
      .event(12, 215, CtfFields().number(int32_t{239}))
      .event(13, 220, CtfFields().number(uint64_t{7}).number(uint64_t{4096}))
      .event(14, 230, CtfFields().number(uint64_t{7}))
      .packet();
  second.event(0, 105, switched("swapper/1", 0, 0, "make", 7))
      .event(10, 115,
             CtfFields()
                 .text("make")
                 .number(int32_t{7})
                 .text("cc")
                 .number(int32_t{43})
                 .number(int32_t{43}))
      .packet(3)
      .event(9, 160, CtfFields().number(uint32_t{2400000}).number(uint32_t{1}))
      .event(1, 250,
             CtfFields().text("cat").number(int32_t{42}).number(int32_t{20}).number(int32_t{1}))
      .event(0, 260, switched("make", 7, 0, "cat", 42))
      .packet(5);
  write_file(folder / "metadata", metadata.text());
  write_file(folder / "channel_0", first.bytes());
  write_file(folder / "channel_1", second.bytes());
}

// A thread is made, comes back from its own clone, and dies in the call that ends it: nothing of it
// is lost. 64 is "dead" in kernels before 4.14.
inline void write_ctf_short_life(const std::filesystem::path& folder) {
  const CtfMetadata metadata =
      CtfMetadata(kKernelEnvironment + std::string(R"( kernel_release = "4.4.3-1-ARCH";)"))
          .event(0, "sched_switch",
                 "string prev_comm; int32_t prev_tid; int64_t prev_state; string next_comm; "
                 "int32_t next_tid;")
          .event(1, "sched_process_fork",
                 "string child_comm; int32_t child_tid; int32_t child_pid;")
          .event(2, "syscall_exit_clone", "int64_t ret;")
          .event(3, "syscall_entry_exit", "int32_t error_code;")
          .event(4, "sched_wakeup_new", "string comm; int32_t tid; int32_t target_cpu;");
  const auto switched = [](std::string_view previous, int32_t from, int64_t state,
                           std::string_view next, int32_t to) {
    return CtfFields().text(previous).number(from).number(state).text(next).number(to);
  };
  write_file(folder / "metadata", metadata.text());
  write_file(folder / "channel_0",
             CtfStream(0, 0)
                 .event(0, 100, switched("swapper/0", 0, 0, "make", 7))
                 .event(1, 110, CtfFields().text("make").number(int32_t{8}).number(int32_t{7}))
                 .event(4, 115, CtfFields().text("make").number(int32_t{8}).number(int32_t{0}))
                 .event(0, 120, switched("make", 7, 1, "make", 8))
                 .event(2, 125, CtfFields().number(int64_t{0}))
                 .event(3, 150, CtfFields().number(int32_t{0}))
                 .event(0, 160, switched("make", 8, 64, "swapper/0", 0))
                 .event(0, 300, switched("swapper/0", 0, 0, "make", 7))
                 .event(0, 310, switched("make", 7, 512, "swapper/0", 0))
                 .event(0, 400, switched("swapper/0", 0, 0, "make", 7))
                 .packet()
                 .bytes());
}

// A trace as `perf data convert --to-ctf` writes it: the kernel's own names, the CPU and the task
// in each event, and all in one stream.
inline void write_ctf_perf(const std::filesystem::path& folder) {
  const std::string common = "int32_t perf_tid; int32_t perf_pid; uint32_t perf_cpu; ";
  const CtfMetadata metadata =
      CtfMetadata(R"(domain = "kernel"; tracer_name = "perf"; hostname = "box";)")
          .event(0, "sched:sched_switch",
                 common +
                     "string prev_comm; int32_t prev_pid; int64_t prev_state; string "
                     "next_comm; int32_t next_pid;")
          .event(1, "sched:sched_wakeup", common + "string comm; int32_t pid;")
          .event(2, "syscalls:sys_enter_read", common + "uint64_t fd;")
          .event(3, "syscalls:sys_exit_read", common + "int64_t ret;")
          .event(4, "irq:softirq_entry", common + "uint32_t vec;")
          .event(5, "irq:softirq_exit", common + "uint32_t vec;")
          .event(6, "sched:sched_stat_runtime", common + "string comm; uint64_t runtime;");
  const auto by = [](int32_t task, uint32_t cpu) {
    return CtfFields().number(task).number(task).number(cpu);
  };
  CtfStream stream;
  stream
      .event(0, 100,
             by(0, 1)
                 .text("swapper/1")
                 .number(int32_t{0})
                 .number(int64_t{0})
                 .text("cat")
                 .number(int32_t{42}))
      .event(2, 110, by(42, 1).number(uint64_t{3}))
      .event(4, 115, by(42, 1).number(uint32_t{1}))
      .event(5, 118, by(42, 1).number(uint32_t{1}))
      .event(1, 120, by(0, 0).text("make").number(int32_t{7}))
      .event(0, 130,
             by(0, 0)
                 .text("swapper/0")
                 .number(int32_t{0})
                 .number(int64_t{0})
                 .text("make")
                 .number(int32_t{7}))
      .event(3, 140, by(42, 1).number(int64_t{5}))
      .event(6, 150, by(7, 0).text("make").number(uint64_t{20}))
      .event(0, 160,
             by(42, 1)
                 .text("cat")
                 .number(int32_t{42})
                 .number(int64_t{1})
                 .text("swapper/1")
                 .number(int32_t{0}))
      .packet();
  write_file(folder / "metadata", metadata.text());
  write_file(folder / "perf_stream", stream.bytes());
}

// The state dump with which LTTng begins a trace: tasks, processes, CPUs, and more. One task waits,
// one waits for a CPU and gets it, one had it, as the switch away from it tells.
inline void write_ctf_state_dump(const std::filesystem::path& folder) {
  const CtfMetadata metadata =
      CtfMetadata(kKernelEnvironment)
          .event(0, "sched_switch",
                 "string prev_comm; int32_t prev_tid; int64_t prev_state; string next_comm; "
                 "int32_t next_tid;")
          .event(1, "lttng_statedump_start", "")
          .event(2, "lttng_statedump_process_state",
                 "int32_t tid; int32_t pid; string name; int32_t status; uint64_t "
                 "file_table_address; uint32_t cpu;")
          .event(3, "lttng_statedump_file_descriptor",
                 "uint64_t file_table_address; int32_t fd; string filename;")
          .event(4, "lttng_statedump_process_pid_ns", "int32_t tid; uint32_t ns_inum;")
          .event(5, "lttng_statedump_vm_map", "int32_t pid; uint64_t start;")
          .event(6, "lttng_statedump_cpu_topology", "string vendor; uint32_t cpu_id;")
          .event(7, "lttng_statedump_network_interface", "string name;");
  const auto task = [](int32_t tid, int32_t pid, std::string_view name, int32_t status) {
    return CtfFields()
        .number(tid)
        .number(pid)
        .text(name)
        .number(status)
        .number(uint64_t{0x900} + static_cast<uint64_t>(pid))
        .number(uint32_t{1});
  };
  const auto switched = [](std::string_view previous, int32_t from, std::string_view next,
                           int32_t to) {
    return CtfFields().text(previous).number(from).number(int64_t{1}).text(next).number(to);
  };
  CtfStream stream;
  stream.event(1, 100)
      .event(2, 101, task(0, 0, "swapper/1", 2))
      .event(2, 102, task(42, 42, "waits", 5))
      .event(2, 103, task(43, 42, "ready", 2))
      .event(2, 104, task(7, 7, "runs", 2))
      .event(2, 105, task(8, 8, "gone", 4))
      .event(3, 106, CtfFields().number(uint64_t{0x900 + 42}).number(int32_t{3}).text("/etc/motd"))
      .event(4, 107, CtfFields().number(int32_t{43}).number(uint32_t{0xF0000000}))
      .event(5, 108, CtfFields().number(int32_t{7}).number(uint64_t{0x1000}))
      .event(6, 109, CtfFields().text("maker").number(uint32_t{2}))
      .event(7, 110, CtfFields().text("eth0"))
      .event(0, 200, switched("runs", 7, "ready", 43))
      .event(0, 300, switched("ready", 43, "swapper/0", 0))
      .packet();
  write_file(folder / "metadata", metadata.text());
  write_file(folder / "channel_0", stream.bytes());
}

inline void write_ctf_user(const std::filesystem::path& folder) {
  const CtfMetadata metadata =
      CtfMetadata(kUserEnvironment, kUserContext)
          .event(0, "lttng_ust_cyg_profile:func_entry", "uint64_t addr; uint64_t call_site;")
          .event(1, "lttng_ust_cyg_profile:func_exit", "uint64_t addr; uint64_t call_site;")
          .event(2, "lttng_ust_statedump:bin_info",
                 "uint64_t baddr; uint64_t memsz; string path; uint8_t is_pic;")
          .event(3, "app:load_begin", "uint32_t level;")
          .event(4, "app:load_end", "")
          .event(5, "app:only_begin", "uint32_t vtid;",
                 "loglevel = 4; model.emf.uri = \"http://example.com/app\";")
          .event(6, "lttng_jul:event", "string msg; string logger_name; int32_t int_threadid;")
          .event(7, "lttng_ust_lib:load", "uint64_t baddr; uint64_t memsz; string path;");
  const std::string context =
      CtfFields().number(int32_t{42}).number(int32_t{43}).text("app").bytes();
  CtfStream stream;
  const auto add = [&](uint16_t id, uint64_t time, const CtfFields& fields) {
    stream.event(
        id, time,
        CtfFields().text(context, context.size()).text(fields.bytes(), fields.bytes().size()));
  };
  const auto call = [](uint64_t address) {
    return CtfFields().number(address).number(uint64_t{0x400100});
  };
  add(2, 100,
      CtfFields()
          .number(uint64_t{0x400000})
          .number(uint64_t{0x1000})
          .text("/bin/app")
          .number(uint8_t{0}));
  add(0, 110, call(0x400010));
  add(0, 120, call(0x7F0000000000));
  add(3, 125, CtfFields().number(uint32_t{2}));
  add(1, 130, call(0x7F0000000000));
  add(4, 135, {});
  add(1, 140, call(0x400010));
  add(7, 141,
      CtfFields().number(uint64_t{0x500000}).number(uint64_t{0x1000}).text("/lib/libplugin.so"));
  add(0, 142, call(0x500020));
  add(1, 143, call(0x500020));
  add(5, 150, CtfFields().number(uint32_t{7}));
  const auto say = [](std::string_view message) {
    return CtfFields().text(message).text("log").number(int32_t{9});
  };
  add(6, 160, say(R"({"ts":1.5,"ph":"B","tid":1,"pid":1,"name":"open","cat":"io"})"));
  add(6, 170, say("plain words"));
  add(6, 180, say(R"({"ph":"E","tid":1,"pid":1,"dur":7})"));
  write_file(folder / "metadata", metadata.text());
  write_file(folder / "ch_0", stream.packet().bytes());
}

// The kernel's and user space's of one session.
inline void write_ctf_session(const std::filesystem::path& folder) {
  write_ctf_kernel(folder / "kernel");
  write_ctf_user(folder / "ust/uid/0/64-bit");
}

inline constexpr char kFieldsOfAllKinds[] =
    "uint8_t small; int8_t negative; uint64_t large; integer { size = 5; align = 1; signed = true; "
    "} "
    "five; integer { size = 3; align = 1; signed = false; } three;"
    " floating_point { exp_dig = 8; mant_dig = 24; align = 8; } real;"
    " floating_point { exp_dig = 11; mant_dig = 53; align = 8; } longer;"
    " enum : uint8_t { IDLE = 0, \"BUSY\" = 1 ... 5 } state; enum : uint8_t { NONE = 0 } other;"
    " uint16_t array[3]; uint8_t length; uint8_t sequence[length];"
    " struct { uint8_t x; struct { uint8_t y; } inner; } point;"
    " enum : uint8_t { number = 0, text = 1 } tag;"
    " variant <tag> { uint32_t number; string text; } choice; string bad; string empty;";

inline CtfFields fields_of_all_kinds() {
  return CtfFields()
      .number(uint8_t{255})
      .number(int8_t{-128})
      .number(std::numeric_limits<uint64_t>::max())
      .number(uint8_t{0xBF})  // -1 in the lower five bits, 5 above
      .number(0.1F)
      .number(std::numeric_limits<double>::quiet_NaN())
      .number(uint8_t{3})
      .number(uint8_t{9})
      .number(uint16_t{1})
      .number(uint16_t{2})
      .number(uint16_t{3})
      .number(uint8_t{2})
      .number(uint8_t{7})
      .number(uint8_t{8})
      .number(uint8_t{1})
      .number(uint8_t{2})
      .number(uint8_t{1})
      .text("chosen")
      .text("a\xFF\"b")
      .text("");
}

inline void write_ctf_fields(const std::filesystem::path& folder) {
  write_file(folder / "metadata",
             CtfMetadata().event(0, "all kinds", kFieldsOfAllKinds).event(1, "none", "").text());
  write_file(folder / "stream",
             CtfStream().event(0, 1, fields_of_all_kinds()).event(1, 2).packet().bytes());
}

// An event as Zephyr writes it: a header with a time and the number of the event, in the integers
// of its version, and no clock.
template <class Time, class Id>
class ZephyrTrace {
 public:
  ZephyrTrace& event(int id, const std::string& name, const std::string& fields) {
    events_ += "event { name = " + name + "; id = " + std::to_string(id) + "; fields := struct { " +
               fields + " }; };\n";
    return *this;
  }
  void add(Time time, Id id, const CtfFields& fields = {}) {
    stream_ += CtfFields().number(time).number(id).bytes() + fields.bytes();
  }
  void write(const std::filesystem::path& folder) const {
    std::string metadata = "/* CTF 1.8 */\n";
    for (const int bits : {8, 16, 32, 64}) {
      metadata += "typealias integer { size = " + std::to_string(bits) +
                  "; align = 8; signed = false; } := " + integer(bits) + ";\n";
    }
    metadata +=
        "typealias integer { size = 8; align = 8; signed = false; encoding = ASCII; } := name_t;\n"
        "typealias enum : uint32_t { MUTEX_LOCK = 35, SLEEP = 39 } := call_id;\n"
        "struct event_header { " +
        integer(8 * sizeof(Time)) + " timestamp; " + integer(8 * sizeof(Id)) +
        " id; };\n"
        "trace { major = 1; minor = 8; byte_order = le; };\n"
        "stream { event.header := struct event_header; };\n";
    write_file(folder / "metadata", metadata + events_);
    write_file(folder / "data", stream_);
  }

 private:
  static std::string integer(size_t bits) { return "uint" + std::to_string(bits) + "_t"; }

  std::string events_, stream_;
};
inline constexpr char kZephyrThread[] = "uint32_t thread_id; name_t name[20];";

// The times wrap around.
inline void write_ctf_zephyr(const std::filesystem::path& folder) {
  ZephyrTrace<uint32_t, uint8_t> trace;
  trace.event(16, "thread_switched_out", kZephyrThread)
      .event(17, "thread_switched_in", kZephyrThread)
      .event(23, "thread_ready", kZephyrThread)
      .event(24, "thread_pending", kZephyrThread)
      .event(27, "isr_enter", "")
      .event(28, "isr_exit", "")
      .event(30, "idle", "")
      .event(33, "semaphore_init", "uint32_t id;");
  const auto main = CtfFields().number(uint32_t{0x2000}).text("main", 20);
  const auto worker = CtfFields().number(uint32_t{0x3000}).text("unknown", 20);
  trace.add(0xFFFFFF00, 17, main);
  trace.add(0xFFFFFF10, 33, CtfFields().number(uint32_t{5}));
  trace.add(0xFFFFFF20, 27);
  trace.add(0xFFFFFF30, 23, worker);
  trace.add(0xFFFFFF40, 28);
  trace.add(0xFFFFFF50, 24, main);
  trace.add(0xFFFFFF60, 16, main);
  trace.add(0xFFFFFF70, 17, worker);
  trace.add(0x10, 16, worker);
  trace.add(0x20, 30);
  trace.add(0x40, 17, main);
  trace.write(folder);
}

// Functions that were called, by the thread that runs and by interrupts; and what the user named.
inline void write_ctf_zephyr_calls(const std::filesystem::path& folder) {
  ZephyrTrace<uint64_t, uint16_t> trace;
  trace.event(16, "thread_switched_out", kZephyrThread)
      .event(17, "thread_switched_in", kZephyrThread)
      .event(27, "isr_enter", "")
      .event(28, "isr_exit", "")
      .event(31, "start_call", "call_id id;")
      .event(32, "end_call", "call_id id;")
      .event(34, "semaphore_give_enter", "uint32_t id;")
      .event(35, "semaphore_give_exit", "uint32_t id;")
      .event(36, "semaphore_take_enter", "uint32_t id;")
      .event(37, "semaphore_take_blocking", "uint32_t id;")
      .event(38, "semaphore_take_exit", "uint32_t id; uint32_t ret;")
      .event(98, "named_event", "name_t name[20]; uint32_t arg0;")
      .event(127, "k_sleep_enter", "uint32_t timeout;")
      .event(128, "k_sleep_exit", "uint32_t timeout;")
      .event(234, "thread_sched_ready", kZephyrThread)
      .event(235, "thread_sched_pend", kZephyrThread)
      .event(260, "sys_init_enter", "name_t name[20];")
      .event(261, "sys_init_exit", "name_t name[20];");
  const auto main = CtfFields().number(uint32_t{0x2000}).text("main", 20);
  const auto worker = CtfFields().number(uint32_t{0x3000}).text("worker", 20);
  const auto five = CtfFields().number(uint32_t{5});
  trace.add(10, 260, CtfFields().text("uart_init", 20));
  trace.add(20, 261, CtfFields().text("uart_init", 20));
  trace.add(30, 17, main);
  trace.add(40, 36, five);
  trace.add(50, 37, five);
  trace.add(60, 235, main);
  trace.add(70, 16, main);
  trace.add(80, 17, worker);
  trace.add(90, 27);
  trace.add(100, 34, five);
  trace.add(110, 234, main);
  trace.add(120, 35, five);
  trace.add(130, 28);
  trace.add(140, 127, five);
  trace.add(150, 16, worker);
  trace.add(160, 17, main);
  trace.add(170, 38, CtfFields().number(uint32_t{5}).number(uint32_t{0}));
  trace.add(180, 98, CtfFields().text("lap", 20).number(uint32_t{7}));
  trace.add(190, 31, CtfFields().number(uint32_t{35}));
  trace.add(200, 32, CtfFields().number(uint32_t{35}));
  trace.add(210, 16, main);
  trace.add(220, 17, worker);
  trace.add(230, 128, five);
  trace.write(folder);
}

// As GstShark writes it: a version of its own, one packet that does not say when it ends.
inline void write_ctf_gst_shark(const std::filesystem::path& folder) {
  const auto event = [](int id, const std::string& name, const std::string& fields) {
    return "event { name = " + name + "; id = " + std::to_string(id) +
           "; stream_id = 0; fields := struct { " + fields + " }; };\n";
  };
  const std::string number = "integer { size = 64; align = 8; signed = 0; } ";
  const std::string load = "floating_point { exp_dig = 8; mant_dig = 24; align = 8; } ";
  write_file(folder / "metadata",
             "/* CTF 1.8 */\n"
             "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
             "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
             "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
             "\ntrace {\n    major = 1;\n    minor = 3;\n    byte_order = le;\n"
             "    packet.header := struct { uint32_t magic; uint32_t stream_id; };\n};\n"
             "clock { name = monotonic; freq = 1000000; };\n"
             "typealias integer { size = 64; align = 8; signed = false; "
             "map = clock.monotonic.value; } := stamp_t;\n"
             "struct header { uint16_t id; uint32_t timestamp; } align(8);\n"
             "stream { id = 0; event.header := struct header; packet.context := struct { "
             "stamp_t timestamp_begin; stamp_t timestamp_end; }; };\n" +
                 event(0, "init", "") +
                 event(1, "proctime", "string element; " + number + "_time;") +
                 event(2, "interlatency", "string from_pad; string to_pad; " + number + "_time;") +
                 event(3, "cpuusage", load + "_cpu0; " + load + "_cpu1;") +
                 event(4, "framerate", "string pad; " + number + "_fps;") +
                 event(5, "scheduling", "string pad; " + number + "_time;") +
                 event(6, "queuelevel",
                       "string queue; uint32_t size_bytes; uint32_t max_size_bytes; "
                       "uint32_t size_buffers; uint32_t max_size_buffers; uint64_t size_time; "
                       "uint64_t max_size_time;") +
                 event(7, "bitrate", "string pad; " + number + "_bps;"));
  CtfFields stream;
  stream.number(uint32_t{0xC1FC1FC1}).number(uint32_t{0}).number(uint64_t{0}).number(uint64_t{0});
  const auto add = [&](uint16_t id, uint32_t time) -> CtfFields& {
    return stream.number(id).number(time);
  };
  add(1, 1000).text("rate").number(uint64_t{120'000});
  add(2, 1050).text("source_src").text("rate_src").number(uint64_t{400'000});
  add(2, 1100).text("source_src").text("sink_sink").number(uint64_t{900'000});
  add(5, 1150).text("rate_sink").number(uint64_t{33'000'000});
  add(3, 1200).number(12.5F).number(50.0F);
  add(4, 2000).text("rate_src").number(uint64_t{30});
  add(7, 2000).text("rate_src").number(uint64_t{64'000});
  add(6, 2100).text("queue0").number(uint32_t{4096}).number(uint32_t{10'485'760});
  stream.number(uint32_t{2}).number(uint32_t{200});
  stream.number(uint64_t{66'000'000}).number(uint64_t{1'000'000'000});
  add(1, 3000).text("rate").number(uint64_t{150'000});
  write_file(folder / "datastream", stream.bytes());
}

inline void write_ctf_without_clock(const std::filesystem::path& folder) {
  write_file(folder / "metadata",
             "/* CTF 1.8 */\n"
             "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
             "trace { major = 1; minor = 8; byte_order = be; };\n"
             "stream { };\nevent { name = \"tick\"; fields := struct { uint8_t n; }; };\n");
  write_file(folder / "stream", "\1\2\3");
}

inline void write_ctf_with_clock(const std::filesystem::path& folder, std::string_view clock) {
  write_file(
      folder / "metadata",
      fmt::format("/* CTF 1.8: clock {{ */\ntrace {{ major = 1; minor = 8; byte_order = le; }};\n"
                  "clock {{ {} }};\nstream {{ event.header := struct {{ integer {{ size = 8; "
                  "align = 8; map = clock.c.value; }} timestamp; }}; }};\n"
                  "event {{ name = \"tick\"; }};\n",
                  clock));
  write_file(folder / "stream", "\1\2\3");
}

inline void write_ctf_without_frequency(const std::filesystem::path& folder) {
  write_ctf_with_clock(folder, R"(name = c; description = "freq = 1; \"}"; // freq = 2;
    offset_s = 1;)");
}

// ---- What cannot be read, or not to its end

inline void write_ctf_without_cycles(const std::filesystem::path& folder) {
  write_ctf_with_clock(folder, "name = c; freq = 0;");
}

inline void write_ctf_bad_metadata(const std::filesystem::path& folder) {
  write_file(folder / "metadata", "/* CTF 1.8 */\ntrace { major = ; };\n");
}

// A trace that is cut in its third packet.
inline void write_ctf_cut(const std::filesystem::path& folder) {
  write_ctf_fields(folder);
  const std::string whole = CtfStream()
                                .event(1, 1)
                                .packet()
                                .event(1, 2)
                                .packet()
                                .event(0, 3, fields_of_all_kinds())
                                .packet()
                                .bytes();
  write_file(folder / "stream", std::string_view(whole).substr(0, whole.size() - 20));
}

inline void write_ctf_unknown_event(const std::filesystem::path& folder) {
  write_ctf_fields(folder);
  write_file(folder / "stream", CtfStream().event(1, 5).event(99, 6).event(1, 7).packet().bytes());
}

// Events of no bytes: a packet holds any number of them.
inline void write_ctf_endless(const std::filesystem::path& folder) {
  write_file(folder / "metadata",
             "/* CTF 1.8 */\n"
             "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
             "trace { major = 1; minor = 8; byte_order = le;\n"
             "  packet.header := struct { uint32_t magic; }; };\n"
             "event { name = nothing; fields := struct { struct {} s; }; };\n");
  write_file(folder / "stream", "\xC1\x1F\xFC\xC1 ");
}

// One of two traces cannot be read.
inline void write_ctf_half_a_session(const std::filesystem::path& folder) {
  write_ctf_kernel(folder / "kernel");
  write_ctf_bad_metadata(folder / "ust");
}

struct CtfSample {
  const char* name;  // the folder's, below succeed or fail
  void (*write)(const std::filesystem::path& folder);
};
inline constexpr CtfSample kCtfSamples[] = {
    {"succeed/kernel", write_ctf_kernel},
    {"succeed/short_life", write_ctf_short_life},
    {"succeed/state_dump", write_ctf_state_dump},
    {"succeed/perf", write_ctf_perf},
    {"succeed/user", write_ctf_user},
    {"succeed/session", write_ctf_session},
    {"succeed/fields", write_ctf_fields},
    {"succeed/zephyr", write_ctf_zephyr},
    {"succeed/zephyr_calls", write_ctf_zephyr_calls},
    {"succeed/gst_shark", write_ctf_gst_shark},
    {"succeed/without_clock", write_ctf_without_clock},
    {"succeed/converted_otf2", write_ctf_converted_otf2},
    {"succeed/ros1", write_ros1},
    {"succeed/ros2_caret", write_ros2_caret},
    {"succeed/ros2_tracing", write_ros2_tracing},
    {"succeed/ros2_by_time", write_ros2_by_time},
    {"succeed/ros2_services", write_ros2_services},
    {"fail/bad_metadata", write_ctf_bad_metadata},
    {"fail/cut", write_ctf_cut},
    {"fail/unknown_event", write_ctf_unknown_event},
    {"fail/half_a_session", write_ctf_half_a_session},
};

// On these as they are Babeltrace would end its process.
inline constexpr CtfSample kFatalCtfSamples[] = {
    {"succeed/without_frequency", write_ctf_without_frequency},
    {"fail/without_cycles", write_ctf_without_cycles},
};

}  // namespace weft::test
