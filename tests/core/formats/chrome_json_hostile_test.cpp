// Inputs that are large, strange or malicious: each must give an answer or one clear line, soon (a
// second or two; a case that hangs is ended by CTest), and never a crash.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "tests/core/formats/cuts.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats {
namespace {

using test::Reading;
using test::ReadingOptions;
using testing::HasSubstr;

class HostileChromeJson : public testing::Test {
 protected:
  // Reads the text as a file.
  std::unique_ptr<Reading> read(std::string_view text, const ReadingOptions& options = {}) {
    return read_path(folder_.write("trace.json", text), options);
  }

  static std::unique_ptr<Reading> read_path(const std::filesystem::path& path,
                                            const ReadingOptions& options = {}) {
    auto reading = test::read(path, options);
    EXPECT_EQ(reading->error.find('\n'), std::string::npos);
    return reading;
  }

  // "[" + event(0) + "," + … + "]".
  static std::string array_of(int count, const std::function<std::string(int)>& event) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ",\n";
      text += event(i);
    }
    return text + "]";
  }

  static std::string instant(int64_t ts, const std::string& name = "a") {
    return fmt::format(R"({{"ph":"i","pid":1,"tid":1,"ts":{},"name":"{}"}})", ts, name);
  }
  static std::string complete(int64_t ts, int64_t dur, int tid = 1) {
    return fmt::format(R"({{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":"a"}})", tid, ts,
                       dur);
  }
  static std::string phase(char ph, int64_t ts, const std::string& more = "") {
    return fmt::format(R"({{"ph":"{}","pid":1,"tid":1,"ts":{},"name":"a"{}}})", ph, ts, more);
  }

  test::ScratchFolder folder_;
};

// ---- Files that are hardly any

TEST_F(HostileChromeJson, AnyOneByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    read(text);
    read(text, {"chrome-json"});
  }
}

TEST_F(HostileChromeJson, Empty) { EXPECT_EQ(read("")->error, "file is empty"); }

TEST_F(HostileChromeJson, HeaderOnly) {
  for (const char* text : {"[", "{\"traceEvents\":[", "{\"traceEvents\":[]}", "[]", " [ ] \n"}) {
    const auto reading = read(text, {"chrome-json"});
    EXPECT_EQ(reading->error, "") << text;
    EXPECT_EQ(reading->sink.total(), 0u);
  }
  for (const char* text :
       {"{", "{}", "{\"traceEvents\"", "{\"traceEvents\":", "{\"traceEvents\":5}"}) {
    EXPECT_THAT(read(text, {"chrome-json"})->error, HasSubstr("Chrome JSON trace: ")) << text;
  }
}

TEST_F(HostileChromeJson, CutAnywhere) {
  const std::string text =
      "{\"otherData\":{\"v\":1},\"traceEvents\":" +
      array_of(40, [](int i) { return complete(i, 1) + "," + instant(i, "\\u00e9\\\"x"); }) +
      ",\"stackFrames\":{\"1\":{\"name\":\"m\"}}}";
  for (const size_t size : test::cuts_of(text.size())) {
    const auto reading = read(text.substr(0, size), {"chrome-json", size % 2 == 0 ? 0u : 64u});
    EXPECT_EQ(reading->error.empty(), size >= text.find('[') + 1) << size;
  }
}

TEST_F(HostileChromeJson, Utf16ThatIsCutIsSaidToBe) {
  const auto reading = read(std::string_view("\xFF\xFE[\0{\0}", 7));
  EXPECT_THAT(reading->error + reading->text(),
              HasSubstr("UTF-16 data at byte 7: the file is cut"));
}

TEST_F(HostileChromeJson, NulBytes) {
  const std::string good = instant(1, "good");
  const std::string nul("\0", 1);
  for (const std::string& text :
       {"[" + nul + good + "]", "[" + good + nul + "," + good + "]",
        "[{\"ph\":\"i\",\"ts\":1,\"name\":\"a" + nul + "b\"}," + good + "]"}) {
    const auto reading = read(text);
    EXPECT_EQ(reading->error, "");
    EXPECT_GE(reading->sink.punctual_events().size(), 1u);
    EXPECT_GE(reading->sink.loss_count("malformed event"), 1u);
  }
}

TEST_F(HostileChromeJson, OtherJson) {
  for (const char* text :
       {"{\"a\":1}", "[1,2,3]", "\"text\"", "17", "{\"nodes\":[],\"samples\":1}"}) {
    const auto reading = read(text);
    EXPECT_EQ(reading->sink.total(), 0u) << text;
    EXPECT_TRUE(!reading->error.empty() || reading->sink.dictionary().report.has_damage()) << text;
  }
}

TEST_F(HostileChromeJson, SectionsOfASettingsFileAreNoJson) {
  for (const char* text : {"[General]\nport = 1\n", "[submodule \"x\"]\n\tpath = x\n", "[true]"})
    EXPECT_TRUE(read(text)->error.starts_with("no trace type recognises it")) << text;
  EXPECT_EQ(read("[null, {\"ph\":\"i\",\"ts\":1}]")->error, "");
}

TEST_F(HostileChromeJson, Fifo) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(read_path(folder_ / "fifo")->error, "is a pipe that nobody writes to");
}

TEST_F(HostileChromeJson, FolderAndDevice) {
  EXPECT_THAT(read_path(folder_.path(), {"chrome-json"})->error,
              HasSubstr("is a folder without a trace"));
  EXPECT_EQ(read_path("/dev/zero")->error, "is not a file: it is a device");
}

// ---- Names

TEST_F(HostileChromeJson, NameOfAMegabyte) {
  const auto reading = read("[" + instant(1, std::string(1 << 20, 'n')) + "]");
  EXPECT_EQ(reading->sink.dictionary().types[0].name.size(), 1u << 20);
}

TEST_F(HostileChromeJson, StringOf100Megabytes) {
  const std::string text = "[" + instant(1, "before") + "," +
                           instant(2, std::string(100 << 20, 's')) + ",\n" + instant(3, "after") +
                           "]";
  const auto reading = read(text);
  EXPECT_EQ(reading->error, "");
  EXPECT_EQ(reading->sink.punctual_events().size(), 2u);
  EXPECT_EQ(reading->sink.loss_count("event longer than the limit"), 1u);
}

TEST_F(HostileChromeJson, AMillionNames) {
  const auto reading =
      read(array_of(1'000'000, [](int i) { return instant(i, fmt::format("n{}", i)); }));
  EXPECT_EQ(reading->sink.dictionary().types.size(), 1'000'000u);
}

TEST_F(HostileChromeJson, NamesThatCollide) {
  // Equal sums and equal products: what weak hashes cannot tell apart.
  const auto reading = read(array_of(200'000, [](int i) {
    std::string name;
    for (int bit = 0; bit < 18; ++bit) name += (i >> bit & 1) != 0 ? "Aa" : "BB";
    return instant(i, name);
  }));
  EXPECT_EQ(reading->sink.dictionary().types.size(), 200'000u);
}

TEST_F(HostileChromeJson, AMillionLanes) {
  const auto reading = read(array_of(1'000'000, [](int i) { return complete(i, 1, i); }));
  EXPECT_EQ(reading->sink.dictionary().lanes.size(), 1'000'001u);
}

TEST_F(HostileChromeJson, AMillionAsynchronousNamesAreFewLanes) {
  const auto reading = read(array_of(200'000, [](int i) {
    return fmt::format(R"({{"ph":"{}","cat":"c","id":{},"pid":1,"ts":{},"name":"n{}"}})",
                       i % 2 == 0 ? 'b' : 'e', i / 2, i, i / 2);
  }));
  EXPECT_EQ(reading->sink.state_events().size(), 100'000u);
  EXPECT_LT(reading->sink.dictionary().lanes.size(), 2000u);
}

// ---- Times

TEST_F(HostileChromeJson, SpanOf2To63) {
  const auto reading = read("[" + complete(-9'000'000'000'000'000, 1) + "," +
                            complete(9'000'000'000'000'000, 200'000'000'000'000) + "," +
                            complete(-9'000'000'000'000'000, 18'000'000'000'000'000) + "]");
  EXPECT_EQ(reading->error, "");
  EXPECT_GE(reading->sink.state_events().size(), 2u);
}

TEST_F(HostileChromeJson, AMillionEventsAtOneTime) {
  EXPECT_EQ(read(array_of(1'000'000, [](int) { return instant(5); }))->sink.total(), 1'000'000u);
}

TEST_F(HostileChromeJson, FullyReversed) {
  const auto reading = read(array_of(200'000, [](int i) {
    const int at = 200'000 - i;
    return phase(at % 2 == 0 ? 'E' : 'B', at);
  }));
  EXPECT_EQ(reading->sink.state_events().size(), 100'000u);
  EXPECT_FALSE(reading->sink.dictionary().report.has_damage());
}

TEST_F(HostileChromeJson, TenYearsEarlyAndAnHourBack) {
  const auto reading = read(array_of(1000, [](int i) {
    return complete(i == 500 ? -315'360'000'000'000 : i < 500 ? i : i - 3'600'000'000, 1);
  }));
  EXPECT_EQ(reading->sink.state_events().size(), 1000u);
  EXPECT_FALSE(reading->sink.dictionary().report.has_damage());
}

TEST_F(HostileChromeJson, OverlappingStates) {
  const auto reading =
      read("[" + complete(0, 10) + "," + complete(5, 10) + "," + complete(7, 1) + "]");
  EXPECT_EQ(reading->sink.state_events().size(), 3u);
}

// ---- Begins, ends, ids

TEST_F(HostileChromeJson, AMillionNested) {
  const auto reading = read(
      array_of(2'000'000, [](int i) { return i < 1'000'000 ? phase('B', i) : phase('E', i); }));
  EXPECT_EQ(reading->sink.state_events().size(), 1'000'000u);
  EXPECT_FALSE(reading->sink.dictionary().report.has_damage());
}

TEST_F(HostileChromeJson, AMillionUnclosed) {
  const auto reading = read(array_of(1'000'000, [](int i) { return phase('B', i); }));
  EXPECT_EQ(reading->sink.state_events().size() +
                reading->sink.loss_count("begin beyond the memory for open states"),
            1'000'000u);
}

TEST_F(HostileChromeJson, AMillionEndsWithoutABegin) {
  const auto reading = read(array_of(1'000'000, [](int i) { return phase('E', i); }));
  EXPECT_EQ(reading->sink.loss_count("end without a begin"), 1'000'000u);
}

TEST_F(HostileChromeJson, AMillionOfOneAsynchronousId) {
  for (const char* phases : {"be", "SF", "bn", "NO"}) {
    const auto reading = read(array_of(300'000, [&](int i) {
      return phase(phases[i < 150'000 ? 0 : 1], i, R"(,"cat":"c","id":1)");
    }));
    EXPECT_EQ(reading->error, "");
    EXPECT_GE(reading->sink.total(), 150'000u);
  }
}

TEST_F(HostileChromeJson, FlowsWithoutEndsAndReusedIds) {
  for (const char* phases : {"ss", "ff", "tt", "sf", "fs"}) {
    const auto reading = read(array_of(300'000, [&](int i) {
      return phase(phases[i < 150'000 ? 0 : 1], 300'000 - i, R"(,"cat":"c","id":1)");
    }));
    EXPECT_GE(reading->sink.link_events().size(), 150'000u) << phases;
    EXPECT_FALSE(reading->sink.dictionary().report.has_damage()) << phases;
  }
  const auto distinct = read(array_of(
      300'000, [](int i) { return phase('f', i, fmt::format(R"(,"cat":"c","id":{})", i)); }));
  EXPECT_EQ(distinct->sink.link_events().size(), 300'000u);
}

TEST_F(HostileChromeJson, FlowEndsThatWaitInVain) {
  const auto reading = read(array_of(200'000, [](int i) {
    return i % 2 == 0 ? phase('f', 1'000'000, fmt::format(R"(,"id":{})", i)) : complete(i, 1);
  }));
  EXPECT_EQ(reading->sink.link_events().size(), 100'000u);
}

// ---- JSON

TEST_F(HostileChromeJson, AMillionDeep) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const auto reading = read("[{\"ph\":\"i\",\"ts\":1,\"name\":\"a\",\"args\":{\"x\":" + deep +
                            "}}," + instant(2) + "]");
  EXPECT_EQ(reading->sink.punctual_events().size(), 2u);
  EXPECT_EQ(reading->sink.loss_count("arguments nested too deeply"), 1u);
  EXPECT_EQ(read("[" + std::string(1'000'000, '['), {"chrome-json"})->sink.total(), 0u);
  EXPECT_EQ(read(std::string(1'000'000, '{'), {"chrome-json"})->sink.total(), 0u);
}

TEST_F(HostileChromeJson, OfDeepStacksTheOutermostFramesAreShown) {
  std::string frames = R"("0":{"name":"frame 0"})";
  for (int i = 1; i < 300; ++i)
    frames += fmt::format(R"(,"{0}":{{"name":"frame {0}","parent":{1}}})", i, i - 1);
  const std::string samples = phase('P', 1, R"(,"sf":299)") + "," + phase('P', 2, R"(,"sf":299)");
  const auto reading =
      read(R"({"traceEvents":[)" + samples + R"(],"stackFrames":{)" + frames + "}}");
  EXPECT_EQ(reading->sink.loss_count("stack deeper than 256 frames"), 1u);
  EXPECT_EQ(reading->sink.state_events().size(), 256u);
  EXPECT_THAT(reading->text(), HasSubstr("\"frame 0\""));
  EXPECT_THAT(reading->text(), testing::Not(HasSubstr("\"frame 299\"")));
}

TEST_F(HostileChromeJson, AMillionKeys) {
  std::string text = "[{\"ph\":\"i\",\"ts\":1,\"name\":\"a\"";
  for (int i = 0; i < 1'000'000; ++i) text += fmt::format(",\"k{}\":{}", i, i);
  EXPECT_EQ(read(text + "}]")->sink.punctual_events().size(), 1u);
}

TEST_F(HostileChromeJson, NonsenseOfTheTimeUnit) {
  const auto reading =
      read("{\"displayTimeUnit\":{\"x\":[1]},\"traceEvents\":[" + instant(1) + "]}");
  EXPECT_EQ(reading->sink.punctual_events().at(0).time.ticks, 1000);
  EXPECT_EQ(reading->sink.dictionary().metadata.at("displayTimeUnit.x"), "[1]");
}

TEST_F(HostileChromeJson, EveryEventDamaged) {
  for (const char* event : {R"({"ph":"i" "ts":1,"name":"no comma"})", R"({"ph":"i","ts":1,)",
                            R"({"ph":"i","ts":1,"name":"a"b"})", "}", "{", "\"", "[", "{\"ph\":"}) {
    const auto reading = read(array_of(100'000, [&](int) { return event; }), {"chrome-json"});
    EXPECT_EQ(reading->sink.total(), 0u) << event;
  }
}

TEST_F(HostileChromeJson, DamageBetweenGoodEventsCostsOnlyItself) {
  const auto reading = read(
      array_of(100'000, [&](int i) { return i % 10 == 5 ? R"({"ph":"i" "ts":1})" : instant(i); }));
  EXPECT_EQ(reading->sink.punctual_events().size(), 90'000u);
  EXPECT_EQ(reading->sink.loss_count("malformed event"), 10'000u);
}

TEST_F(HostileChromeJson, LongOtherValues) {
  const std::string list =
      array_of(300'000, [](int i) { return fmt::format("{{\"name\":\"n{}\"}}", i); });
  const auto reading = read("{\"before\":" + list + ",\"traceEvents\":[" + instant(1) +
                                "],\"after\":" + list + ",\"last\":1}",
                            {"chrome-json", 0, 8 << 20});
  EXPECT_EQ(reading->sink.punctual_events().size(), 1u);
  EXPECT_EQ(reading->sink.loss_count("top-level value too long to keep"), 2u);
  EXPECT_EQ(reading->sink.dictionary().metadata.at("last"), "1");
}

// ---- Compression

TEST_F(HostileChromeJson, BombsAreRefused) {
  const std::string bomb = "[" + std::string(200 << 20, ' ') + "]";
  for (const auto& path :
       {folder_.write("gz", test::gzip(bomb)), folder_.write("zst", test::zstd(bomb))}) {
    const auto reading = read_path(path, {"chrome-json"});
    EXPECT_THAT(reading->text(), HasSubstr("more than 200 times its size"));
  }
}

TEST_F(HostileChromeJson, CutCompressedFilesGiveWhatTheyHave) {
  const std::string text = array_of(100'000, [](int i) { return complete(i, 1, i % 64); });
  std::string compressed = test::gzip(text);
  compressed.resize(compressed.size() / 2);
  const auto reading = read(compressed);
  EXPECT_GT(reading->sink.state_events().size(), 40'000u);
  EXPECT_TRUE(reading->sink.dictionary().report.has_damage());
  EXPECT_THAT(reading->text(), HasSubstr("input ends early: gzip data at byte"));
}

TEST_F(HostileChromeJson, LittleMemoryIsEnough) {
  const std::string text = array_of(100'000, [](int i) { return complete(i, 1, i % 64); });
  const auto reading = read(text, {"", 0, 1 << 20});
  EXPECT_EQ(reading->sink.state_events().size(), 100'000u);
}

}  // namespace
}  // namespace weft::formats
