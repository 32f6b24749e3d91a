// Fuzz target: any bytes as what a session of sigrok says of itself, and as its samples.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/core/formats/counting_sink.h"
#include "tests/core/formats/ctf_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace fs = std::filesystem;
  using namespace weft;
  static const fs::path folder = [] {
    std::string name = fs::temp_directory_path() / "weft-sigrok-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return fs::path(name);
  }();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  test::write_file(folder / "metadata",
                   std::string("[global]\nsigrok version=0.5.2\n[device 1]\nprobe1=D0\nanalog2=A\n")
                       .append(bytes));
  for (const char* name : {"logic-1-1", "logic-1-2", "analog-1-2-1"})
    test::write_file(folder / name, bytes);
  test::count_events("sigrok", folder);
  return 0;
}
