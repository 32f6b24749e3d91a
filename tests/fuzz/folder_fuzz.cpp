// Traces that are folders: any bytes as each of their files.
#include <sanitizer/lsan_interface.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "tests/core/formats/counting_sink.h"
#include "tests/core/formats/ctf_samples.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

namespace weft::fuzz {

namespace fs = std::filesystem;

void bootchart(const uint8_t* data, size_t size) {
  static const Folder folder;
  for (const char* name : {"header", "proc_ps.log", "proc_stat.log", "proc_diskstats.log"})
    folder.write(name, text_of(data, size));
  test::count_events("bootchart", folder.path());
}

// Used as a stream beside valid metadata, chosen by the first byte. Babeltrace would parse
// metadata, and aborts on some (core/formats/README.md).
void ctf(const uint8_t* data, size_t size) {
  if (size == 0) return;
  static const Folder folder;
  constexpr void (*kSamples[])(const fs::path&) = {test::write_ctf_fields, test::write_ctf_kernel,
                                                   test::write_ctf_user,   test::write_ctf_zephyr,
                                                   test::write_ros1,       test::write_ros2_tracing,
                                                   test::write_ros2_caret};
  fs::remove_all(folder.path());
  kSamples[data[0] % std::size(kSamples)](folder.path());
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path()))
    if (file.path().filename() != "metadata") fs::remove(file.path());
  folder.write("stream", text_of(data + 1, size - 1));
  const __lsan::ScopedDisabler leaks_of_babeltrace;  // which it has where a stream is damaged
  test::count_events("ctf", folder.path());
}

// The session's own description begins correctly.
void sigrok(const uint8_t* data, size_t size) {
  static const Folder folder;
  folder.write("metadata",
               std::string("[global]\nsigrok version=0.5.2\n[device 1]\nprobe1=D0\nanalog2=A\n")
                   .append(text_of(data, size)));
  for (const char* name : {"logic-1-1", "logic-1-2", "analog-1-2-1"})
    folder.write(name, text_of(data, size));
  test::count_events("sigrok", folder.path());
}

// The records of a thread, perf's, and the texts beside them.
void uftrace(const uint8_t* data, size_t size) {
  static const Folder folder;
  std::string info("Ftrace!\0\4\0\0\0\x28\0\1\2\x22", 17);
  info.resize(40, '\0');
  folder.write("info", info);
  for (const char* name : {"42.dat", "perf-cpu0.dat", "task.txt", "sid-00.map", "x.sym"})
    folder.write(name, text_of(data, size));
  test::count_events("uftrace", folder.path());
}

}  // namespace weft::fuzz
