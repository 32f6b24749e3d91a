// Trace types that a user defines: each case is a definition (X.json), what is read by it (X.log,
// X.csv, X.xml) and what comes of it (X.txt); one without a trace cannot be a definition. covers
// XC-33
#include "core/formats/general/custom/custom_reader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/formats/base/json_members.h"
#include "core/io/memory_source.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"

namespace weft::formats::custom {
namespace {

namespace fs = std::filesystem;
using test::Reading;

std::vector<fs::path> definitions() {
  std::vector<fs::path> all;
  for (const fs::path& path : test::cases_of("custom")) {
    if (path.extension() == ".json") all.push_back(path);
  }
  return all;
}

// Empty: there is none.
fs::path trace_of(fs::path definition) {
  for (const char* extension : {".log", ".csv", ".xml"}) {
    if (fs::exists(definition.replace_extension(extension))) return definition;
  }
  return {};
}

Result<RulesPtr> rules_from(const std::string& text) {
  WEFT_TRY_ASSIGN(Definition definition, definition_from_text(text));
  return Rules::compile(std::move(definition));
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::unique_ptr<Reading> read_text(const Rules& rules, const std::string& text) {
  auto reading = std::make_unique<Reading>();
  io::MemorySource source(bytes_of(text));
  const Status status = read_custom(rules, source, reading->sink, 1 << 20);
  if (!status) reading->error = status.error().message;
  return reading;
}

class CustomCase : public testing::TestWithParam<fs::path> {};

TEST_P(CustomCase, ReadsAsWritten) {
  const auto rules = rules_from(test::content_of(GetParam()));
  const fs::path trace = trace_of(GetParam());
  EXPECT_EQ(rules.has_value(), !trace.empty());
  const std::string text = rules ? read_text(**rules, test::content_of(trace))->text()
                                 : "error: " + rules.error().message + '\n';
  test::expect_as_written(GetParam(), text);
}

// A file that was read is recognised by its content, unless most of it is foreign.
TEST_P(CustomCase, IsRecognisedWhereItSucceeds) {
  const auto rules = rules_from(test::content_of(GetParam()));
  if (!rules) return;
  const std::string text = test::content_of(trace_of(GetParam()));
  const bool succeeds = GetParam().parent_path().filename() == "succeed";
  EXPECT_GE(sniff_custom(**rules, bytes_of(text)), succeeds ? 60 : 0);
  EXPECT_EQ(sniff_custom(**rules, bytes_of("nothing\nof\nthe\nkind\n")), 0);
}

TEST_P(CustomCase, ComesBackFromItsJson) {
  const auto definition = definition_from_text(test::content_of(GetParam()));
  if (!definition) return;
  const auto again = definition_from_json(json_from_definition(*definition));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*definition, *again);
}

TEST_P(CustomCase, EveryCutIsAnAnswer) {
  const auto rules = rules_from(test::content_of(GetParam()));
  if (!rules) return;
  const std::string bytes = test::content_of(trace_of(GetParam()));
  for (const size_t size : test::cuts_of(bytes.size())) {
    const std::string error = read_text(**rules, bytes.substr(0, size))->error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << size << ": " << error;
  }
}

INSTANTIATE_TEST_SUITE_P(, CustomCase, testing::ValuesIn(definitions()), test::case_name);

// Bytes of definitions and of traces changed at random: an answer each time.
TEST(JsonMembers, NumbersAreThoseOfJson) {
  const std::string long_one(400, '7');
  for (const std::string_view text : {"0", "-0", "7", "-12.50", "1e5", "1E+05", "2.5e-300", "0.0"})
    EXPECT_TRUE(is_json_number(text)) << text;
  for (const std::string_view text :
       {"", "-", "007", "-01", "+1", "1.", ".5", "1e", "1e+", "0x10", "nan", "inf", "1 ", " 1",
        "1e999", "-1e999", "1,5", long_one.c_str()})
    EXPECT_FALSE(is_json_number(text)) << text;
}

TEST(CustomMutants, AreAnswers) {
  uint32_t state = 1;
  const auto random = [&](size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  const auto mutate = [&](std::string text) {
    for (size_t i = 0; i < 1 + random(6); ++i)
      text[random(text.size())] = static_cast<char>(random(256));
    return text;
  };
  int read = 0;
  for (const fs::path& path : definitions()) {
    const std::string definition = test::content_of(path);
    const fs::path trace = trace_of(path);
    const std::string bytes = trace.empty() ? "1 a b\n" : test::content_of(trace);
    for (int i = 0; i < 60; ++i) {
      const auto rules = rules_from(i % 2 == 0 ? mutate(definition) : definition);
      if (!rules) {
        EXPECT_EQ(rules.error().message.find('\n'), std::string::npos) << rules.error().message;
        continue;
      }
      ++read;
      const std::string text = mutate(bytes);
      sniff_custom(**rules, bytes_of(text));
      EXPECT_EQ(read_text(**rules, text)->error.find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(read, 400);
}

TEST(CustomReader, IsBoundedByItsMemory) {
  const auto rules = rules_from(R"re({"time": "ticks", "rules": [
      {"pattern": "^(?<time>\d+) b(?<id>\d+)", "makes": "begin"},
      {"pattern": "^(?<time>\d+) s(?<id>\d+)", "makes": "send"}]})re");
  ASSERT_TRUE(rules) << rules.error().message;
  std::string text;
  constexpr int kLines = 20'000;
  for (int i = 0; i < kLines; ++i) text += fmt::format("{} b{}\n{} s{}\n", i, i, i, i);
  const auto reading = read_text(**rules, text);
  const auto& sink = reading->sink;
  // Events beyond the memory limit are counted: nothing vanishes silently.
  EXPECT_GT(sink.loss_count("state beyond the memory"), 0u);
  EXPECT_EQ(sink.state_events().size() + sink.loss_count("state beyond the memory"), kLines);
  EXPECT_EQ(sink.link_events().size(), static_cast<size_t>(kLines));
}

}  // namespace
}  // namespace weft::formats::custom
