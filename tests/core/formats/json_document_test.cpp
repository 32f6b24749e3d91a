#include "core/formats/base/json_document.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/formats/base/json_walk.h"
#include "core/io/memory_source.h"
#include "tests/core/formats/counting_sink.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::formats::json {
namespace {

using test::CountingSink;

Result<Document> read(const std::string& text, CountingSink& sink, uint64_t memory = 1 << 20) {
  io::MemorySource source(std::as_bytes(std::span(text)));
  return Document::read(source, sink, memory);
}

// All scalars with the way to them, in order: "a[1].x=2".
void list(std::optional<Element> value, const std::string& way, std::vector<std::string>& out) {
  if (value->is_object()) {
    for_each_member(value, [&](std::string_view name, Element each) {
      list(each, way + "." + std::string(name), out);
    });
  } else if (value->is_array()) {
    size_t i = 0;
    for_each_part(value,
                  [&](Element each) { list(each, way + "[" + std::to_string(i++) + "]", out); });
  } else {
    out.push_back(way + "=" + plain(value));
  }
}
std::vector<std::string> listed(const Document& document) {
  std::vector<std::string> out;
  list(document.root(), "", out);
  return out;
}

constexpr std::string_view kSmall =
    R"({"a": [{"x": 1, "s": "g\u00fcn\n"}, {"x": 22}, [3, 4.5], []], "b": true, )"
    R"("c": {"d": [1, 2, -3e2], "e": {}}, "n": null, "last": "end"})";

TEST(JsonDocument, GivesWhatIsAskedFor) {
  const auto document = Document::parse(R"({"t":"x\ty","i":7,"i":8,"w":1.0,"r":1e2,"big":)"
                                        R"(123456789012345678901234567890,"\u0061":[1,"2",null],)"
                                        R"("o":{"t":"inner"}})");
  ASSERT_TRUE(document) << document.error().message;
  const Element root = document->root();
  EXPECT_EQ(text(member(root, "t")), "x\ty");
  EXPECT_EQ(integer(member(root, "i")), 7);  // the first of a name
  EXPECT_EQ(integer(member(root, "w")), 1);
  EXPECT_EQ(number(member(root, "r")), 100.0);
  EXPECT_EQ(integer(member(root, "big")), std::nullopt);
  EXPECT_DOUBLE_EQ(number(member(root, "big")).value_or(0), 1.2345678901234568e29);
  EXPECT_EQ(indices(member(root, "a")), (std::vector<int64_t>{1, kNoIndex, kNoIndex}));
  EXPECT_EQ(text(member(member(root, "o"), "t")), "inner");
  EXPECT_EQ(compact(member(root, "a")), R"([1,"2",null])");
  EXPECT_FALSE(member(root, "none"));
  EXPECT_FALSE(member(member(root, "i"), "x"));
}

TEST(JsonDocument, CutAnywhereKeepsWhatIsWhole) {
  const auto whole = Document::parse(kSmall);
  ASSERT_TRUE(whole);
  const std::vector<std::string> all = listed(*whole);
  size_t before = 0;
  for (size_t size = 1; size < kSmall.size(); ++size) {
    SCOPED_TRACE(kSmall.substr(0, size));
    CountingSink sink;
    const auto document = read(std::string(kSmall.substr(0, size)), sink);
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_EQ(sink.lost(), 1u);
    const std::vector<std::string> some = listed(*document);
    ASSERT_LE(some.size(), all.size());
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
    EXPECT_GE(some.size(), before);
    before = some.size();
    // The elements that end before the cut, and no half one.
    size_t ended = 0;
    for (const std::string_view mark : {"\\n\"}", "22}", "4.5]", "[]"})
      ended += size >= kSmall.find(mark) + mark.size() ? 1 : 0;
    size_t found = 0;
    for_each_element(member(document->root(), "a"), [&](Element) { ++found; });
    EXPECT_EQ(found, ended);
  }
  EXPECT_EQ(before, all.size());
}

TEST(JsonDocument, WhatIsBrokenIsReadUpToThere) {
  CountingSink sink;
  const auto document = read(R"({"a":[1,2,3 4,5],"b":6})", sink);
  ASSERT_TRUE(document);
  EXPECT_EQ(sink.lost(), 1u);
  EXPECT_EQ(listed(*document), (std::vector<std::string>{".a[0]=1", ".a[1]=2"}));
  for (const std::string_view text : {"", " ", "hello", "}", "\x01{}"})
    EXPECT_FALSE(read(std::string(text), sink)) << text;
}

TEST(JsonDocument, WhatIsBehindItIsALoss) {
  CountingSink sink;
  EXPECT_TRUE(read("[1] \n", sink));
  EXPECT_EQ(sink.lost(), 0u);
  EXPECT_TRUE(read("[1] []", sink));
  EXPECT_EQ(sink.lost(), 1u);
  EXPECT_FALSE(Document::parse("[1] []"));
}

TEST(JsonDocument, LongContainersArePassedOverWhateverTheMemory) {
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) {
    text += R"({"before":1,"list":[)";
    for (int k = 0; k < 10 + i; ++k) text += "[\"]}\",7],";
    text += "0],\"i\":" + std::to_string(i) + "},";
  }
  text += "{\"i\":3000}]";
  ASSERT_GT(text.size(), size_t{4} << 20);  // it lies in a temporary file
  for (const uint64_t memory : {uint64_t{0}, uint64_t{1} << 24}) {
    CountingSink sink;
    const auto document = read(text, sink, memory);
    ASSERT_TRUE(document) << document.error().message;
    int64_t i = 0;
    for_each_element(document->root(),
                     [&](Element each) { EXPECT_EQ(integer(member(each, "i")), i++); });
    EXPECT_EQ(i, 3001);
  }
}

TEST(JsonDocument, AMappedFileMayEndWithItsPage) {
  const test::ScratchFolder folder;
  for (const size_t size : {size_t{4095}, size_t{4096}, size_t{4097}, size_t{8192}}) {
    std::string text = "{\"a\":\"";
    const auto path = folder.write("page", text + std::string(size - text.size() - 2, 'x') + "\"}");
    CountingSink sink;
    for (const bool is_cut : {false, true}) {
      if (is_cut) std::filesystem::resize_file(path, 4090);
      const auto source = io::Source::open(path);
      ASSERT_TRUE(source);
      const auto document = Document::read(**source, sink, 1 << 20);
      ASSERT_TRUE(document) << document.error().message;
      EXPECT_EQ(json::text(member(document->root(), "a")).size(), is_cut ? 0 : size - 8);
    }
    EXPECT_EQ(sink.lost(), 1u);
  }
}

TEST(JsonDocument, HostileTextEndsSoon) {
  CountingSink sink;
  EXPECT_TRUE(read(std::string(1'000'000, '['), sink));  // nested too deep
  EXPECT_EQ(sink.lost(), 1u);
  const auto odd = read("{\"n\":" + std::string(1'000'000, '9') +
                            ",\"u\":\"\xC3(\",\"s\":\"\\ud800\",\"e\":\"\\q\",\"f\":\"\xE4\"}",
                        sink);
  ASSERT_TRUE(odd);
  EXPECT_EQ(integer(member(odd->root(), "n")), std::nullopt);
  for (const std::string_view name : {"u", "s", "e", "f"})
    EXPECT_TRUE(is_valid_utf8(text(member(odd->root(), name)))) << name;
  EXPECT_EQ(text(member(odd->root(), "s")), "\uFFFD");
  EXPECT_TRUE(read(std::string("[1,\0,2]", 7), sink));
  EXPECT_EQ(sink.lost(), 2u);
}

TEST(JsonDocument, ATextWithEscapesLivesAsLongAsItsStep) {
  const auto document = Document::parse(R"({"title":"a\"b","list":["c\\d","e\\f"]})");
  ASSERT_TRUE(document);
  const std::string_view title = text(member(document->root(), "title"));
  std::string seen;
  for_each_element(member(document->root(), "list"), [&](Element each) {
    const std::string_view first = text(each), again = text(each);
    seen.append(first).append(again);
  });
  EXPECT_EQ(seen, "c\\dc\\de\\fe\\f");
  EXPECT_EQ(title, "a\"b");
}

TEST(JsonDocument, NumbersAreWhatElementsSayThatTheyAre) {
  const std::string all =
      R"([0,7,1234567,12345678, 123456789 ,-3,-0,[4,5],0.1,-2.675,1234567.7654321,12345678.12345678,)"
      R"(0.123456789012345678,1e3,1.5E-7,2.0,9007199254740993,9223372036854775807,1e400,null,"9",)"
      R"({"a":[1]},[],true,89])";
  for (size_t size = 2; size <= all.size(); ++size) {
    SCOPED_TRACE(all.substr(0, size));
    CountingSink sink;
    const auto document = read(all.substr(0, size), sink);
    ASSERT_TRUE(document) << document.error().message;
    Elements elements(document->root());
    Numbers numbers(document->root());
    while (const auto element = elements.next()) {
      ASSERT_TRUE(numbers.next());
      EXPECT_EQ(numbers.value()->at(), element->at());
      EXPECT_EQ(numbers.index(), integer(element).value_or(kNoIndex));
      const double value = numbers.number();
      const bool is_number =
          *element->at() == '-' || (*element->at() >= '0' && *element->at() <= '9');
      const double right = is_number ? std::strtod(element->at(), nullptr) : NAN;
      EXPECT_TRUE(std::isnan(value) ? !std::isfinite(right) : value == right) << value;
    }
    EXPECT_FALSE(numbers.next());
    EXPECT_FALSE(numbers.value());
    EXPECT_EQ(numbers.index(), kNoIndex);
    EXPECT_FALSE(numbers.next());
  }
}

// Quotes, escapes and brackets at each place of the blocks that are looked at together.
TEST(JsonWalk, ContainersEndAtTheirBracketsWhereverTheyLie) {
  for (size_t n = 0; n < 140; ++n) {
    const std::string filling(n, 'x');
    for (const std::string& text : {"[\"" + filling + "\\\"]}\\\\\",{\"a\":[1]}]",
                                    "{\"[" + filling + "\":\"{\",\"b\":[[" + "[]" + "]]}",
                                    "[" + std::string(n, ' ') + "[\"]\"],\"" + filling + "\"]"}) {
      const std::string padded = text + "]}\"" + std::string(64, '\0');
      const char* const begin = padded.data();
      EXPECT_EQ(skip_container(begin, begin + padded.size() - 64), begin + text.size()) << text;
      // The document is cut at the zeros.
      const std::string cut = text.substr(0, text.size() - 1) + std::string(64, '\0');
      EXPECT_EQ(skip_container(cut.data(), cut.data() + text.size() - 1), nullptr) << text;
    }
  }
}

// In columns of whole numbers, many of which are looked at together.
TEST(JsonWalk, NumbersAreCheckedWhereverTheyStand) {
  struct Item {
    std::string_view text;
    size_t fault;  // behind its begin; npos: there is none
  };
  constexpr size_t kNone = std::string_view::npos;
  constexpr Item kItems[] = {{"7", kNone},
                             {"-7", kNone},
                             {"1.5", kNone},
                             {" 7 ", kNone},
                             {"\"7\"", kNone},
                             {"[7]", kNone},
                             {"1234567890123456789", kNone},
                             {"", 0},
                             {"x", 0},
                             {"07", 1},
                             {"1 2", 2},
                             {"7x", 1},
                             {"1.", 2},
                             {":", 0},
                             {"7]", 2}};
  constexpr size_t kNumbers = 60;
  for (const auto& [item, fault] : kItems) {
    for (size_t at = 0; at < kNumbers; ++at) {
      std::string text = "[";
      size_t begin = 0;
      for (size_t i = 0; i < kNumbers; ++i) {
        if (i == at) begin = text.size();
        text.append(i == at ? item : std::to_string(i * i * i))
            .append(1, i + 1 < kNumbers ? ',' : ']');
      }
      const std::string padded = text + std::string(kTextPadding, '\0');
      LongContainers longs(text.size(), 0);
      const Extent extent = measured(std::string_view(padded).substr(0, text.size()), longs);
      if (item == "7]") {  // the array ends there
        EXPECT_EQ(extent.end, padded.data() + begin + fault) << text;
      } else if (fault == kNone) {
        EXPECT_EQ(extent.how, Extent::End::kWhole) << text;
        EXPECT_EQ(extent.end, padded.data() + text.size()) << text;
      } else {
        EXPECT_EQ(extent.how, Extent::End::kBroken) << text;
        EXPECT_EQ(extent.fault, padded.data() + begin + fault) << text;
      }
    }
  }
}

}  // namespace
}  // namespace weft::formats::json
