// Fuzz target: any bytes as a stream of CTF, beside metadata that is right: the first byte says
// which. Metadata is Babeltrace's to parse, and it aborts on some (core/formats/README.md).
#include <sanitizer/lsan_interface.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tests/core/formats/counting_sink.h"
#include "tests/core/formats/ctf_samples.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace fs = std::filesystem;
  using namespace weft;
  if (size == 0) return 0;
  static const fs::path folder = [] {
    std::string name = fs::temp_directory_path() / "weft-ctf-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return fs::path(name);
  }();
  constexpr void (*kSamples[])(const fs::path&) = {test::write_ctf_fields, test::write_ctf_kernel,
                                                   test::write_ctf_user,   test::write_ctf_zephyr,
                                                   test::write_ros1,       test::write_ros2_tracing,
                                                   test::write_ros2_caret};
  fs::remove_all(folder);
  kSamples[data[0] % std::size(kSamples)](folder);
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    if (file.path().filename() != "metadata") fs::remove(file.path());
  test::write_file(folder / "stream", {reinterpret_cast<const char*>(data + 1), size - 1});
  const __lsan::ScopedDisabler leaks_of_babeltrace;  // which it has where a stream is damaged
  test::count_events("ctf", folder);
  return 0;
}
