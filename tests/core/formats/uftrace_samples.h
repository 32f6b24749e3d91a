// The uftrace recording that tests read: a folder of records, and of what stands beside them; what
// reading it gives lies in uftrace/succeed/small.txt.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/ctf_writer.h"

namespace weft::test {

enum class UftraceKind : uint8_t { kCall, kReturn, kLost, kEvent };

template <class T>
std::string uftrace_number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

inline std::string uftrace_record(uint64_t time, UftraceKind kind, uint64_t depth, uint64_t address,
                                  bool has_more = false) {
  const uint64_t word = static_cast<uint64_t>(kind) | uint64_t{has_more} << 2 | uint64_t{5} << 3 |
                        depth << 6 | address << 16;
  return uftrace_number(time) + uftrace_number(word);
}

// perf's record of a switch away from or to a thread.
inline std::string uftrace_switch(int32_t thread, uint64_t time, uint16_t misc) {
  return uftrace_number(uint32_t{14}) + uftrace_number(misc) + uftrace_number(uint16_t{24}) +
         uftrace_number(int32_t{42}) + uftrace_number(thread) + uftrace_number(time);
}

inline void write_uftrace(const std::filesystem::path& folder) {
  const auto write = [&](const std::string& name, const std::string& content) {
    write_file(folder / name, content);
  };
  // Flags of what follows the head: the program, the command and the threads.
  constexpr uint64_t kSaid = 1 | 1 << 3 | 1 << 7;
  write("info", std::string("Ftrace!\0", 8) + uftrace_number(uint32_t{4}) +
                    uftrace_number(uint16_t{40}) + "\x01\x02" + uftrace_number(uint64_t{0x62}) +
                    uftrace_number(kSaid) + uftrace_number(uint64_t{1024}) +
                    "exename:/bin/app\ncmdline:uftrace record app\ntaskinfo:lines=2\n"
                    "taskinfo:nr_tid=2\ntaskinfo:tids=42,43\n");
  write("task.txt",
        "SESS timestamp=0.000000900 pid=42 sid=00aa exename=\"/bin/app\"\n"
        "TASK timestamp=0.000000950 tid=42 pid=42\n"
        "TASK timestamp=0.000001500 tid=43 pid=42\n");
  write("sid-00aa.map",
        "400000-402000 r-xp 00000000 00:00 0    /bin/app\n"
        "7f0000-7f1000 r-xp 00000000 00:00 0    /lib/libc.so.6\n");
  write("app.sym",
        "# symbols: 3\n"
        "0000000000000100 00000010 T main\n"
        "0000000000000110 00000010 t helper(int, char)\n"
        "0000000000001000 00000010 D data\n");
  write("42.dat", uftrace_record(1000, UftraceKind::kCall, 0, 0x400104) +
                      uftrace_record(1010, UftraceKind::kCall, 1, 0x400110, true) +
                      uftrace_number(uint64_t{7}) + uftrace_number(uint64_t{0}) +
                      uftrace_record(1020, UftraceKind::kReturn, 1, 0x400110) +
                      uftrace_record(1030, UftraceKind::kCall, 1, 0x7F0040) +
                      uftrace_record(1040, UftraceKind::kEvent, 0, 100) +
                      uftrace_record(1050, UftraceKind::kReturn, 0, 0x400104));
  write("43.dat", uftrace_record(1500, UftraceKind::kReturn, 2, 0x400110) +
                      uftrace_record(1510, UftraceKind::kCall, 0, 0x123456789) +
                      uftrace_record(1520, UftraceKind::kLost, 0, 3) +
                      uftrace_record(1530, UftraceKind::kCall, 0, 0x400110) + "cut");
  write("perf-cpu0.dat", uftrace_switch(43, 1400, 0x2000) + uftrace_switch(43, 1450, 0) +
                             uftrace_switch(42, 1460, 0x6000) + uftrace_switch(42, 1470, 0));
  write("extern.dat", "# messages\n0.000001005 half way\nnone\n");
}

inline std::string uftrace_text(std::string_view text) {
  return uftrace_number(static_cast<uint16_t>(text.size())) + std::string(text);
}

// Behind a record: up to a multiple of 8 bytes.
inline std::string uftrace_values(std::string values) {
  values.resize((values.size() + 7) / 8 * 8);
  return values;
}

// Values in all their forms, as they were asked for, by debug information and by what uftrace
// knows; events, and a process that was forked.
inline void write_uftrace_values(const std::filesystem::path& folder) {
  write_uftrace(folder);
  const auto write = [&](const std::string& name, const std::string& content) {
    write_file(folder / name, content);
  };
  std::string info = content_of(folder / "info");
  const std::string_view threads = "42,43";
  info.replace(info.find(threads), threads.size(), "42,9");
  write("info", info +
                    "argspec:lines=6\nargspec:main@arg1/i32,arg2/s;^get_@arg1/x\n"
                    "retspec:main@retval/c\nargauto:strlen@arg1/s;_Znwm@arg1/u;open@arg1/"
                    "e:mode,arg2/e:kind,arg3/e:none\nretauto:strlen@retval/d64\n"
                    "enumauto:enum mode {NONE, READ, WRITE = 0x2,CREATE = 0100,};enum odd\n"
                    "auto-args:1\n");
  write("events.txt", "EVENT: 1000000 app:tick\n");
  write("task.txt",
        "SESS timestamp=0.000000900 pid=42 sid=00aa exename=\"/bin/app\"\n"
        "TASK timestamp=0.000000950 tid=42 pid=42\n"
        "FORK timestamp=0.000001500 pid=9 ppid=42\n");
  write("app.sym",
        "0000000000000100 00000010 T main\n0000000000000110 00000010 T get_it\n"
        "0000000000000120 00000010 T _ZN3Box3putIdEEvT_fPv\n0000000000000130 00000010 P strlen\n"
        "0000000000000140 00000010 P fork\n0000000000000150 00000010 T other\n"
        "0000000000000160 00000010 P _Znwm\n0000000000000170 00000010 P open\n");
  write("app.dbg",
        "# path name: /bin/app\nE: enum kind {OFF=-1,A,B=5,C}\nF: 120 Box::put\nL: 5 box.cc\n"
        "A: @fparg1/64,fparg2/32,arg1/t12:Pair%RDI,arg2/p,arg3/u16,arg4\nR: @retval\n");
  const auto record = [](uint64_t time, UftraceKind kind, uint64_t depth, uint64_t address,
                         const std::string& values = {}) {
    return uftrace_record(time, kind, depth, address, !values.empty()) + values;
  };
  constexpr auto kCall = UftraceKind::kCall, kReturn = UftraceKind::kReturn;
  write(
      "42.dat",
      record(1000, kCall, 0, 0x400100, uftrace_values(uftrace_number(-5) + uftrace_text("a b"))) +
          record(1010, kCall, 1, 0x400110, uftrace_values(uftrace_number(uint64_t{255}))) +
          record(1020, kReturn, 1, 0x400110) +
          record(1030, kCall, 1, 0x400120,
                 uftrace_values(uftrace_number(1.5) + uftrace_number(0.25F) + "twelve bytes" +
                                uftrace_number(uint64_t{0}) + uftrace_number(uint32_t{65535}) +
                                uftrace_number(uint64_t{0xFFFFFFFB}))) +
          record(1040, kReturn, 1, 0x400120, uftrace_values(uftrace_number(uint64_t{1} << 40))) +
          record(1050, kCall, 1, 0x400130, uftrace_values(uftrace_text("size"))) +
          record(1060, kReturn, 1, 0x400130, uftrace_values(uftrace_number(uint64_t{4}))) +
          record(1065, kCall, 1, 0x400130, uftrace_values(uftrace_text("too short") + "12345678")) +
          record(1072, kReturn, 1, 0x400130) +
          record(1080, UftraceKind::kEvent, 0, 100002,
                 uftrace_values(uftrace_number(uint16_t{16}) + uftrace_number(uint64_t{1}) +
                                uftrace_number(uint64_t{20}))) +
          record(1090, UftraceKind::kEvent, 0, 1000000, uftrace_values(uftrace_text("said"))) +
          record(1092, kCall, 1, 0x400160, uftrace_values(uftrace_number(uint64_t{24}))) +
          record(1094, kReturn, 1, 0x400160) +
          record(1095, kCall, 1, 0x400170,
                 uftrace_values(uftrace_number(uint64_t{01103}) + uftrace_number(uint64_t{6}) +
                                uftrace_number(uint64_t{7}))) +
          record(1096, kReturn, 1, 0x400170) + record(1100, kCall, 1, 0x400140) +
          record(1200, kReturn, 1, 0x400140) +
          record(1300, kReturn, 0, 0x400100, uftrace_values("z")));
  // Read behind its parent, though its number is smaller.
  write("9.dat", record(1500, kReturn, 1, 0x400140) + record(1510, kCall, 1, 0x400150) +
                     record(1520, kReturn, 1, 0x400150));
  for (const char* name : {"43.dat", "perf-cpu0.dat", "extern.dat"})
    std::filesystem::remove(folder / name);
}

}  // namespace weft::test
