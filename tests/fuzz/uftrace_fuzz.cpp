// Fuzz target: any bytes as the records of a thread of uftrace, as perf's, and as its texts.
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/core/formats/counting_sink.h"
#include "tests/core/formats/ctf_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace fs = std::filesystem;
  using namespace weft;
  static const fs::path folder = [] {
    std::string name = fs::temp_directory_path() / "weft-uftrace-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return fs::path(name);
  }();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string info("Ftrace!\0\4\0\0\0\x28\0\1\2\x22", 17);
  info.resize(40, '\0');
  test::write_file(folder / "info", info);
  for (const char* name : {"42.dat", "perf-cpu0.dat", "task.txt", "sid-00.map", "x.sym"})
    test::write_file(folder / name, bytes);
  test::count_events("uftrace", folder);
  return 0;
}
