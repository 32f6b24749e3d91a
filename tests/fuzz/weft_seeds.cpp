// weft_seeds FOLDER: writes the .weft files that weft_fuzz begins with.
#include <cstdio>
#include <filesystem>

#include "tests/fuzz/small_trace.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const struct {
    const char* name;
    int lanes, states;
  } seeds[] = {
      {"empty.weft", 0, 0}, {"tiny.weft", 1, 2}, {"small.weft", 3, 40}, {"levels.weft", 1, 4000}};
  for (const auto& seed : seeds) {
    if (const auto status =
            weft::test::write_small_trace(folder / seed.name, seed.lanes, seed.states);
        !status) {
      std::fprintf(stderr, "weft_seeds: %s\n", status.error().message.c_str());
      return 1;
    }
  }
  return 0;
}
