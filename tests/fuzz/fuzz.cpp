// The fuzz targets, all in one program of libFuzzer, because most of core is in each:
//
//   fuzz                                   prints them: a name, a tab, the folder of its samples
//   WEFT_FUZZ_TARGET=NAME fuzz [-OPTION=VALUE…] [FOLDER…]   searches from the files of folders
//   WEFT_FUZZ_TARGET=NAME fuzz FILE…                        runs files
//
// A built-in format is a target by being in their table.
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/formats/formats.h"
#include "tests/core/formats/counting_sink.h"

namespace weft::fuzz {
namespace {

namespace fs = std::filesystem;
using Function = std::function<void(const uint8_t* data, size_t size)>;

struct Target {
  fs::path samples;
  Function run;
};
using Targets = std::map<std::string, Target>;

const fs::path kSource = WEFT_SOURCE_DIR, kCases = kSource / "tests/core/formats",
               kMade = fs::path(WEFT_BINARY_DIR) / "fuzz/made";

// How bytes are read as a trace of this format; null: they are not to be, because the library that
// reads it may end the process.
Function reading_of(const formats::Format& format) {
  static const std::map<std::string, Function> own = {
      {"bootchart", bootchart}, {"chrome-json", chrome_json}, {"ctf", ctf},
      {"ctf-text", ctf_text},   {"sigrok", sigrok},           {"uftrace", uftrace}};
  if (const auto it = own.find(format.id); it != own.end()) return it->second;
  if (format.is_foreign) return nullptr;
  if (format.sniff_folder) {
    std::fprintf(stderr, "fuzz: %s is of folders: it needs a function\n", format.id.c_str());
    std::exit(1);
  }
  return [id = format.id](const uint8_t* data, size_t size) { test::count_events(id, data, size); };
}

Targets all_targets() {
  Targets targets = {{"c-source", {kSource / "capture/demo", c_source}},
                     {"ctf-metadata-2", {kCases / "ctf_2", ctf_metadata_2}},
                     {"custom", {kCases / "custom", custom_format}},
                     {"event-wire", {{}, event_wire}},
                     {"filter", {kSource / "tests/core/query/expressions", filter}},
                     {"lenient-json", {kCases / "tlv", lenient_json}},
                     {"recognise", {kMade / "recognise", recognise}},
                     {"weft", {kMade / "weft", weft_file}}};
  for (const formats::Format& format : formats::built_in_formats()) {
    std::string folder = format.id;
    std::ranges::replace(folder, '-', '_');
    if (const Function run = reading_of(format)) targets[format.id] = {kCases / folder, run};
  }
  return targets;
}

void print(const Targets& targets) {
  write_weft_seeds(kMade / "weft");
  write_recognise_seeds(kCases, kMade / "recognise");
  for (const auto& [name, target] : targets)
    std::printf("%s\t%s\n", name.c_str(), target.samples.c_str());
}

Function chosen;

}  // namespace
}  // namespace weft::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace weft::fuzz;
  const Targets targets = all_targets();
  const char* name = std::getenv("WEFT_FUZZ_TARGET");
  if (name == nullptr) {
    print(targets);
    std::exit(0);
  }
  const auto it = targets.find(name);
  if (it == targets.end()) {
    std::fprintf(stderr, "fuzz: there is no target %s\n", name);
    std::exit(2);
  }
  chosen = it->second.run;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  weft::fuzz::chosen(data, size);
  return 0;
}
