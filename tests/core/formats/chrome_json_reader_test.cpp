#include "core/formats/general/chrome_json/chrome_json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "core/base/thread_pool.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/io/compress.h"

namespace weft::formats {
namespace {

using test::read;
using test::Reading;
using test::ReadingOptions;
using test::ScratchFolder;

class ChromeJsonCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ChromeJsonCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam())->text());
}

TEST_P(ChromeJsonCase, DoesNotDependOnTheChunks) {
  const std::string expected = read(GetParam())->text();
  for (const size_t chunk_bytes : {1u, 2u, 3u, 7u, 16u, 50u, 100u, 333u}) {
    EXPECT_EQ(read(GetParam(), {"", chunk_bytes})->text(), expected) << chunk_bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(, ChromeJsonCase, testing::ValuesIn(test::cases_of("chrome_json")),
                         test::case_name);

// ---- Generated traces

// The lines that only one of two dumps has: short enough to read.
std::string difference(const std::string& a, const std::string& b) {
  std::multiset<std::string> only_a;
  std::multiset<std::string> only_b;
  std::istringstream lines_a(a);
  std::istringstream lines_b(b);
  for (std::string line; std::getline(lines_a, line);) only_a.insert(line);
  for (std::string line; std::getline(lines_b, line);) {
    const auto it = only_a.find(line);
    it == only_a.end() ? void(only_b.insert(line)) : void(only_a.erase(it));
  }
  std::string text;
  for (const std::string& line : only_a) text += "\n- " + line;
  for (const std::string& line : only_b) text += "\n+ " + line;
  return text.empty() && a != b ? "the same lines in another order" : text;
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  // Events of every kind, with text in them that looks like the border of an event, and with damage
  // here and there where `is_damaged`.
  std::string trace(int events, bool is_damaged) {
    std::string text = below(2) == 0 ? "[" : "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
    const bool is_object = text[0] == '{';
    for (int i = 0; i < events; ++i) {
      std::string e = event();
      if (is_damaged && below(20) == 0) e.erase(below(static_cast<uint32_t>(e.size())), 1);
      text += (i == 0 ? "" : separator()) + e;
    }
    return text + (is_object ? "],\"otherData\":{\"a\":[{\"ph\":\"X\"}]}}" : "]");
  }

  // How many events of these phases it has made.
  size_t count(std::string_view phases) const {
    size_t sum = 0;
    for (const auto& [phase, n] : phases_) sum += phases.find(phase) != phases.npos ? n : 0;
    return sum;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  std::string number(uint32_t n) { return std::to_string(below(n)); }

  std::string separator() {
    constexpr const char* kSeparators[] = {",", ",\n", " , ", "\n,\r\n\t"};
    return kSeparators[below(4)];
  }

  std::string name() {
    constexpr const char* kNames[] = {
        "a",  "},{\\\"ph\\\":\\\"X\\\"", "]}",        "\\u00e9\\n", "\\\\", "},\\n{\\\"name\\\":1}",
        "[{", "long name of something",  "quote\\\"", "},{"};
    return kNames[below(10)];
  }

  std::string arguments() {
    switch (below(4)) {
      case 0:
        return "{\"list\":[{\"ph\":\"X\"},{\"ph\":\"i\",\"ts\":1},{\"name\":\"x\"}]}";
      case 1:
        return "{\"text\":\"" + name() + "\"}";
      case 2:
        return "{ \"n\" : " + number(3) + " }";
      default:
        return "{\"value\":" + number(100) + "}";
    }
  }

  std::string event() {
    const char phase = "XXXXBEBEiCbenstfMNODpP"[below(22)];
    ++phases_[phase];
    std::vector<std::string> members = {
        "\"ph\":\"" + std::string(1, phase) + '"', "\"pid\":" + number(2), "\"tid\":" + number(3),
        "\"ts\":" + number(1000) + "." + number(10), "\"name\":\"" + name() + '"'};
    if (phase == 'X') members.push_back("\"dur\":" + number(50));
    if (below(3) == 0) members.push_back("\"args\":" + arguments());
    if (below(4) == 0) members.push_back("\"cat\":\"" + name() + '"');
    if (phase != 'X' && phase != 'B') members.push_back("\"id\":" + number(4));
    std::shuffle(members.begin(), members.end(), random_);
    std::string text;
    for (const std::string& member : members) text += (text.empty() ? "{" : ",") + member;
    return text + '}';
  }

  std::mt19937 random_;
  std::map<char, size_t> phases_;
};

TEST(ChromeJson, GeneratedTracesDoNotDependOnTheChunks) {
  const ScratchFolder folder;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const bool is_damaged = seed % 3 == 0;
    const auto path = folder.write("trace.json", Generator(seed).trace(80, is_damaged));
    const std::string expected = read(path)->text();
    std::mt19937 random(seed);
    for (int i = 0; i < 6; ++i) {
      const size_t chunk_bytes = 1 + random() % (i < 3 ? 200 : 3000);
      ASSERT_EQ(difference(expected, read(path, {"", chunk_bytes})->text()), "")
          << "seed " << seed << ", chunks of " << chunk_bytes;
    }
  }
}

TEST(ChromeJson, EveryEventIsReadOrCounted) {
  const ScratchFolder folder;
  Generator generator(7);
  const std::string text = generator.trace(5000, false);
  const auto reading = read(folder.write("trace.json", text));
  ASSERT_EQ(reading->error, "");
  const auto& sink = reading->sink;
  // Begun is shown, whether its end was found or not.
  EXPECT_EQ(sink.state_events().size(), generator.count("XBbSN"));
  // Metadata with a time is a punctual event or, where it has a number alone, a sample.
  EXPECT_EQ(sink.punctual_events().size() + sink.samples().size() +
                sink.loss_count("counter without a number"),
            generator.count("inpOPCM") + sink.loss_count("object deleted that was not created"));
  // Each step of a flow is the target of one link, and each begin the source of one.
  size_t targets = 0;
  size_t sources = 0;
  for (const trace::LinkEvent& link : sink.link_events()) {
    targets += link.target.is_none() ? 0 : 1;
    sources += link.source.is_none() ? 0 : 1;
  }
  EXPECT_EQ(targets, generator.count("tf"));
  EXPECT_GE(sources, generator.count("s"));
  EXPECT_EQ(sink.loss_count("malformed event"), 0u);
}

TEST(ChromeJson, CompressedFilesReadTheSame) {
  const ScratchFolder folder;
  const std::string text = Generator(3).trace(3000, true);
  const std::string expected = read(folder.write("plain", text))->text();
  EXPECT_EQ(read(folder.write("gz", test::gzip(text)))->text(), expected);
  EXPECT_EQ(read(folder.write("zst", test::zstd(text)))->text(), expected);
}

TEST(ChromeJson, StopsWhenTheSinkHasEnough) {
  class Stopping final : public trace::EventSink {
   public:
    void set_time_base(TimeBase) override {}
    void set_metadata(std::string_view, std::string_view) override {}
    LaneId add_lane(const trace::Lane&) override { return LaneId(0); }
    void update_lane(LaneId, const trace::Lane&) override {}
    EventTypeId type(trace::Category, std::string_view, std::string_view) override {
      return EventTypeId(0);
    }
    void set_type_color(EventTypeId, uint32_t) override {}
    ParamsId keep_params(std::string_view, std::span<const std::byte>) override {
      return ParamsId(0);
    }
    void states(std::span<const trace::StateEvent> events) override { count += events.size(); }
    void punctuals(std::span<const trace::PunctualEvent>) override {}
    void links(std::span<const trace::LinkEvent>) override {}
    void variables(std::span<const trace::VariableSample>) override {}
    void loss(std::string_view, const trace::LossPlace&, uint64_t, bool) override {}
    void set_end(Time) override {}
    void progress(uint64_t, uint64_t) override {}
    bool keep_going() const override { return count < 100; }
    size_t count = 0;
  };
  const ScratchFolder folder;
  std::string text = "[";
  for (int i = 0; i < 100000; ++i) {
    text += "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"},\n";
  }
  auto source = io::Source::open(folder.write("trace.json", text));
  ASSERT_TRUE(source);
  ThreadPool pool(2);
  Stopping sink;
  const ReadContext context{pool, 128 << 20, {{"chunk_bytes", "10000"}}};
  EXPECT_TRUE(read_chrome_json(**source, sink, context));
  EXPECT_GE(sink.count, 100u);
  EXPECT_LT(sink.count, 1000u);
}

// Real traces of other programs, where there are some: WEFT_CORPUS names a folder of them.
TEST(ChromeJson, ReadsACorpus) {
  const char* corpus = std::getenv("WEFT_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "WEFT_CORPUS is not set";
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
    if (!entry.is_regular_file()) continue;
    auto source = io::Source::open(entry.path());
    if (!source || !recognise(**source)) continue;
    const auto reading = read(entry.path());
    EXPECT_EQ(reading->error, "") << entry.path();
    EXPECT_EQ(read(entry.path(), {"", 5000})->text(), reading->text()) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace weft::formats
