// A trace type of the user's, through the program: listed, chosen by name, and read in the process
// that reads what the window opens. covers XC-33, R10
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/opening/reader_process.h"
#include "core/formats/user_formats.h"
#include "tests/app/cli/program.h"
#include "tests/core/formats/recording_sink.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kDefinition = R"({
  "name": "Boot log", "kind": "text", "time": "ms", "panels": ["events"],
  "rules": [{"pattern": "^(?<time>\\d+) (?<lane>\\w+) (?<type>.*) for (?<duration>\\d+)$",
             "makes": "state"},
            {"pattern": "^(?<time>\\d+) (?<lane>\\w+) (?<type>.*)$"}]})";
constexpr std::string_view kLog = "10 main probe for 25\n40 main ready\nnonsense\n50 net up\n";

class CustomType : public ProgramTest {
 protected:
  CustomType() {
    fs::create_directories(definition_.parent_path());
    folder_.write("config/weftscope/trace-types/boot.json", kDefinition);
    log_ = folder_.write("a.log", kLog);
  }
  const fs::path definition_ = folder_.path() / "config/weftscope/trace-types/boot.json";
  std::string log_;
};

TEST_F(CustomType, IsListedAndChosenByName) {
  const auto type = run({"formats", "boot", "--json"}).json();
  EXPECT_EQ(type["name"], "Boot log");
  EXPECT_EQ(type["category"], "Own");
  EXPECT_EQ(type["panels"], nlohmann::json::parse(R"(["events"])"));
  const Outcome info = run({"info", log_, "--format", "boot", "--json"});
  EXPECT_EQ(info.exit_code, 3) << info.err;
  EXPECT_EQ(info.json()["format"], "boot");
  EXPECT_EQ(info.json()["counts"]["state"], 1);
  EXPECT_EQ(info.json()["counts"]["punctual"], 2);
  EXPECT_EQ(info.json()["losses"][0]["kind"], "line that no rule takes");
  // A file that is JSON by its content is read by these rules, too, and no rule takes anything.
  EXPECT_EQ(run({"info", small_}).exit_code, 0);
  const Outcome forced = run({"info", small_, "--format", "boot"});
  EXPECT_EQ(forced.exit_code, 1);
  EXPECT_THAT(forced.err, HasSubstr("no line that a rule takes"));
}

TEST_F(CustomType, ReadsTheSameInAProcessOfItsOwn) {
  const auto format = formats::format_from_file(definition_);
  ASSERT_TRUE(format) << format.error().message;
  test::RecordingSink here, apart;
  const auto source = io::Source::open(log_);
  ASSERT_TRUE(source);
  ThreadPool pool(1);
  ASSERT_TRUE(formats::read(*format, **source, here, {.pool = pool, .options = {}}));
  const auto read = app::read_apart({.program = app::reader_program().value(),
                                     .path = log_,
                                     .format = "boot",
                                     .origin = definition_,
                                     .options = {},
                                     .memory_bytes = 16 << 20},
                                    apart);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(here.state_events().size(), 1u);
  EXPECT_EQ(apart.dump(), here.dump());
}

TEST_F(CustomType, ThatIsBrokenIsToldAboutAndCostsNothingElse) {
  folder_.write("config/weftscope/trace-types/boot.json", "{\"kind\": \"text\"}");
  const Outcome info = run({"info", small_});
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_THAT(info.err, HasSubstr("boot.json"));
  EXPECT_THAT(run({"info", log_, "--format", "boot"}).err,
              HasSubstr("not a format that can be read"));
}

}  // namespace
}  // namespace weft::cli
