// The output of babeltrace2 for a CTF trace reads like the trace itself.
#include "core/formats/kernel/ctf_text/ctf_text_reader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/core/formats/ctf_samples.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

using test::read;
using test::ScratchFolder;

// The dump without what is said of the tracer, of which a text says little, and what it lost, which
// is printed elsewhere.
std::string events_of(const fs::path& path) {
  std::string events;
  const std::string dump = read(path)->text();
  for (size_t at = 0; at < dump.size();) {
    const size_t end = dump.find('\n', at) + 1;
    const std::string line = dump.substr(at, end - at);
    if (!line.starts_with("metadata ") && !line.starts_with("loss ")) events += line;
    at = end;
  }
  return events;
}

bool print(const fs::path& trace, const fs::path& text, const char* options) {
  return std::system(
             fmt::format(
                 "babeltrace2 --clock-gmt --clock-date --fields trace:hostname,loglevel,emf "
                 "{} '{}' > '{}' 2>/dev/null",
                 options, trace.string(), text.string())
                 .c_str()) == 0;
}

TEST(CtfText, ReadsAsTheTraceThatItWasPrintedFrom) {
  if (std::system("command -v babeltrace2 >/dev/null") != 0) GTEST_SKIP() << "no babeltrace2";
  const ScratchFolder folder;
  int compared = 0;
  for (const test::CtfSample& sample : test::kCtfSamples) {
    const std::string name = sample.name;
    const bool is_told_by_events = name.ends_with("/kernel") || name.ends_with("/user") ||
                                   name.ends_with("/state_dump") || name.ends_with("/ros1") ||
                                   name.ends_with("/ros2_caret") ||
                                   name.ends_with("/ros2_tracing") || name.ends_with("/perf");
    if (!is_told_by_events) continue;
    const fs::path trace = folder / name, text = folder / "printed.txt";
    sample.write(trace);
    const std::string expected = events_of(trace);
    for (const char* const options : {"", "--no-delta", "--names all"}) {
      ASSERT_TRUE(print(trace, text, options)) << name << ' ' << options;
      EXPECT_EQ(events_of(text), expected) << name << ' ' << options;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 21);
}

TEST(CtfText, OfOneDayIsThatOfItsLastChange) {
  const ScratchFolder folder;
  const fs::path text = folder / "printed.txt";
  test::write_file(text,
                   "[23:59:59.000000001] (+?.?) box tick: { cpu_id = 0 }, { }\n"
                   "[00:00:01.000000002] (+2.0) box tick: { cpu_id = 0 }, { }\n");
  constexpr int64_t kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
  const auto reading = read(text, {.format = "", .changed = Time{20'000 * kDay + 3600 * kSecond}});
  ASSERT_EQ(reading->error, "");
  ASSERT_EQ(reading->sink.punctual_events().size(), 2u);
  EXPECT_EQ(reading->sink.punctual_events()[0].time.ticks, 20'000 * kDay - kSecond + 1);
  EXPECT_EQ(reading->sink.punctual_events()[1].time.ticks, 20'000 * kDay + kSecond + 2);
}

// None is shown as another's.
TEST(CtfText, EventsOfProcessesBeyondTheMostAreLost) {
  constexpr int kProcesses = 1030, kMost = 1024;
  std::string text;
  for (int i = 0; i < kProcesses; ++i)
    text += fmt::format(
        "[00:00:00.{:09}] (+0.1) box:app:{} demo:tick: {{ cpu_id = 0 }}, {{ i = {} }}\n", i,
        5000 + i, i);
  const ScratchFolder folder;
  const fs::path path = folder / "printed.txt";
  test::write_file(path, text);
  const auto reading = read(path);
  ASSERT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.punctual_events().size(), size_t{kMost});
  EXPECT_EQ(reading->sink.loss_count("event of one process too many"),
            uint64_t{kProcesses - kMost});
}

}  // namespace
}  // namespace weft::formats
