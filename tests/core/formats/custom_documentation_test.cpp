// The examples of docs/custom-trace-types.md: a definition, a trace, and the events that come of
// it. covers XC-33
#include <gtest/gtest.h>

#include <sstream>

#include "core/formats/general/custom/custom_reader.h"
#include "core/io/memory_source.h"
#include "tests/core/formats/reading.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats::custom {
namespace {

struct Example {
  std::string definition, trace, events;
};

std::vector<Example> examples() {
  std::istringstream page(
      test::content_of(std::filesystem::path(WEFT_SOURCE_DIR) / "docs/custom-trace-types.md"));
  std::vector<Example> all;
  std::string* block = nullptr;
  for (std::string line; std::getline(page, line);) {
    if (line == "```") {
      block = nullptr;
    } else if (line == "```json") {
      block = &all.emplace_back().definition;
    } else if (line == "```events") {
      block = &all.back().events;
    } else if (line.starts_with("```")) {
      block = &all.back().trace;
    } else if (block != nullptr) {
      *block += line + '\n';
    }
  }
  return all;
}

// The events and losses of a dump.
std::string events_of(const std::string& dump) {
  std::istringstream lines(dump);
  std::string events;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("lane ") && !line.starts_with("type ") && !line.starts_with("time base"))
      events += line + '\n';
  }
  return events;
}

TEST(CustomDocumentation, ItsExamplesAreTrue) {
  const std::vector<Example> all = examples();
  EXPECT_EQ(all.size(), 6u);
  for (const Example& example : all) {
    auto definition = definition_from_text(example.definition);
    ASSERT_TRUE(definition) << definition.error().message;
    const auto rules = Rules::compile(*std::move(definition));
    ASSERT_TRUE(rules) << rules.error().message;
    io::MemorySource source(std::as_bytes(std::span(example.trace)));
    test::RecordingSink sink;
    ASSERT_TRUE(read_custom(**rules, source, sink, 1 << 20));
    EXPECT_EQ(events_of(sink.dump()), example.events);
  }
}

}  // namespace
}  // namespace weft::formats::custom
