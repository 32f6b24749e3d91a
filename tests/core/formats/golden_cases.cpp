// golden_cases FOLDER: writes the cases of every format, one folder each with what stands beside
// the trace, and prints a line for each: the format's id, a tab, what is to be opened. For
// batteries that run the program over them (tests/faults/mutants.py).
//
//   FOLDER/tlv/succeed_kernel/{kernel.log,kernel.res,kernel.resh}
//   FOLDER/ctf/succeed_kernel/trace/{metadata,channel_0,channel_1}
#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "tests/core/formats/boot_samples.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/ctf_2_samples.h"
#include "tests/core/formats/ctf_samples.h"
#include "tests/core/formats/sigrok_samples.h"
#include "tests/core/formats/uftrace_samples.h"
#ifdef WEFT_HAS_OTF2
#include "core/formats/formats.h"
#include "tests/core/formats/otf2_more_samples.h"
#include "tests/core/formats/otf2_samples.h"
#endif

namespace weft::test {
namespace {

namespace fs = std::filesystem;

// Cases that are folders: no files of the repository.
struct WrittenCase {
  std::string format, name;
  void (*write)(const fs::path& folder);
};

std::vector<WrittenCase> written_cases() {
  std::vector<WrittenCase> cases = {{"uftrace", "succeed/small", write_uftrace},
                                    {"sigrok", "succeed/small", write_sigrok},
                                    {"bootchart", "succeed/small", write_bootchart}};
  for (const CtfSample& sample : kCtfSamples) cases.push_back({"ctf", sample.name, sample.write});
  for (const CtfSample& sample : kFatalCtfSamples)
    cases.push_back({"ctf", sample.name, sample.write});
  for (const CtfSample& sample : kCtf2Samples) cases.push_back({"ctf", sample.name, sample.write});
#ifdef WEFT_HAS_OTF2
  cases.push_back({"otf2", "succeed/small", write_otf2});
  cases.push_back({"otf2", "succeed/more", write_otf2_more});
#endif
  return cases;
}

std::string with(std::string text, char old, char with) {
  std::ranges::replace(text, old, with);
  return text;
}

// The trace and what is called like it, but for the text that says what reading it gives.
void copy_case(const fs::path& trace, const fs::path& to) {
  fs::create_directories(to);
  for (const fs::directory_entry& each : fs::directory_iterator(trace.parent_path())) {
    const fs::path extension = each.path().extension();
    const bool is_description =
        extension == ".txt" || extension == ".pbtext" || extension == ".sql";
    // "ring.sts" stands beside "ring.0.log".
    const bool is_called_like_it =
        each.path().stem() == trace.stem() || each.path().stem() == trace.stem().stem();
    if (is_called_like_it && !is_description)
      fs::copy_file(each.path(), to / each.path().filename());
  }
}

void write_cases(const formats::Format& format, const fs::path& folder) {
  for (const WrittenCase& each : written_cases()) {
    if (each.format != format.id) continue;
    const fs::path trace = folder / format.id / with(each.name, '/', '_') / "trace";
    fs::create_directories(trace.parent_path());
    each.write(trace);
    fmt::print("{}\t{}\n", format.id, trace.string());
  }
  const std::string samples = with(format.id, '-', '_');
  if (!fs::exists(fs::path(WEFT_SOURCE_DIR) / "tests/core/formats" / samples)) return;
  for (const fs::path& trace : cases_of(samples)) {
    const fs::path to = folder / format.id /
                        (trace.parent_path().filename().string() + '_' + trace.stem().string());
    copy_case(trace, to);
    fmt::print("{}\t{}\n", format.id, (to / trace.filename()).string());
  }
}

}  // namespace
}  // namespace weft::test

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const weft::formats::FormatPtr& format : weft::formats::formats())
    weft::test::write_cases(*format, argv[1]);
  return 0;
}
