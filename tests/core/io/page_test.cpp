// covers R7 C-24
#include "core/io/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/io/shortfall.h"
#include "core/io/source.h"
#include "tests/core/io/compress.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::io {
namespace {

using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kBegin = "<!DOCTYPE html>\n<html><head><script>f('<script>');</script>\n";
const std::string kText = "<script class=\"trace-data\" type=\"application/text\">";
const std::string kViewerData = "<script id=\"viewer-data\" type=\"application/json\">\n";

std::string whole(Source& source) {
  std::string text, block(1 << 16, '\0');
  for (;;) {
    const auto n = source.read(std::as_writable_bytes(std::span(block)));
    if (!n) return "error: " + n.error().message;
    if (*n == 0) return text;
    text.append(block, 0, *n);
  }
}

// The content of each trace in a page, or the error.
std::vector<std::string> traces_of(const std::string& page, SourceLimits limits = {}) {
  const ScratchFolder folder;
  const auto source = Source::open(folder.write("page.html", page), limits);
  if (!source) return {"error: " + source.error().message};
  if (!(*source)->is_folder()) return {whole(**source)};
  std::vector<std::string> texts;
  for (const FolderFile& file : (*source)->files()) {
    const auto inner = (*source)->open_file(file.name);
    texts.push_back(inner ? whole(**inner) : "error: " + inner.error().message);
  }
  return texts;
}

// Base64 by its definition: three bytes are four letters.
std::string base64(const std::string& bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size() * 8; i += 6) {
    uint32_t value = 0;
    for (size_t bit = i; bit < i + 6; ++bit) {
      const auto byte = bit / 8 < bytes.size() ? static_cast<uint8_t>(bytes[bit / 8]) : uint8_t{0};
      value = value << 1 | (byte >> (7 - bit % 8) & 1U);
    }
    text += kLetters[value];
    if (text.size() % 77 == 76) text += '\n';
  }
  return text + "==";
}

TEST(Page, AScriptIsTheTrace) {
  EXPECT_THAT(traces_of(kBegin + kText + "the <trace>\n</script></html>"),
              ElementsAre("the <trace>\n"));
  EXPECT_THAT(traces_of("\n<HTML>" + kText + "it breaks off"), ElementsAre("it breaks off"));
}

TEST(Page, EachScriptIsATrace) {
  EXPECT_THAT(
      traces_of(kBegin + kText + "1</script>" + kText + "2</script><p>" + kText + "3</script>"),
      ElementsAre("1", "2", "3"));
}

// systrace prints what `ps` said before the kernel's text.
TEST(Page, ADumpOfProcessesBelongsToTheTextBehindIt) {
  EXPECT_THAT(traces_of(kBegin + kText + "\nPROCESS DUMP\na 1</script>" + kText + "\n# tracer\n" +
                        "</script>" + kText + "3</script>"),
              ElementsAre("\nPROCESS DUMP\na 1\n# tracer\n", "3"));
  EXPECT_THAT(traces_of(kBegin + kText + "PROCESS DUMP</script>" + kText + " {}</script>"),
              ElementsAre("PROCESS DUMP", " {}"));
  EXPECT_THAT(traces_of(kBegin + kText + "PROCESS DUMP"), ElementsAre("PROCESS DUMP"));
}

TEST(Page, ViewerDataAreCompressedOrText) {
  const std::string trace = "[{\"ph\":\"i\"}]";
  for (const std::string& bytes : {test::gzip(trace), test::gzip(trace + "x"), test::gzip("")}) {
    const auto plain = traces_of(kBegin + kViewerData + base64(bytes) + "\n</script>");
    ASSERT_EQ(plain.size(), 1u);
    EXPECT_EQ(test::gzip(plain[0]), bytes);
  }
  EXPECT_THAT(traces_of(kBegin + kViewerData + trace + "</script>"), ElementsAre(trace));
}

TEST(Page, AStringOfJavaScriptIsUnescaped) {
  EXPECT_THAT(traces_of(kBegin + "<script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\r\na\\"
                                 "\"b;\\\\c\\td\\n\\\n\";\n var more = \"not this\";</script>"),
              ElementsAre("# tracer: nop\na\"b;\\c\td\n"));
}

TEST(Page, NamesAndFramesOfAFlameGraphAreATrace) {
  EXPECT_THAT(traces_of(kBegin + "<script>\nfunction f() {}\nconst cpool = [\n'all'\n];\nn(3,5)\n"
                                 "</script></html>"),
              ElementsAre("\n'all'\n];\nn(3,5)\n"));
  EXPECT_THAT(traces_of(kBegin + "<script>\nf(0,0,5,3,'all')\nf(1,0,2,1,'a')\n</script></html>"),
              ElementsAre("5,3,'all')\nf(1,0,2,1,'a')\n"));
}

TEST(Page, AFlameGraphThatIsDrawnIsATraceAndOtherDrawingsAreNone) {
  const std::string graph =
      "<svg width=\"9\" onload=\"init(evt)\"><script>1 > 0</script><svg id=\"frames\"></svg></svg>";
  EXPECT_THAT(traces_of(kBegin + "<svg><path/></svg>" + graph + "<svg/></html>"),
              ElementsAre(graph));
  constexpr size_t kBlock = 256 << 10;
  for (size_t at = kBlock - 100; at < kBlock + 10; ++at)
    ASSERT_THAT(traces_of(kBegin + std::string(at - kBegin.size(), ' ') + graph + " "),
                ElementsAre(graph))
        << at;
  EXPECT_THAT(traces_of(kBegin + "<svg onload=\"init(evt)\"><rect"),
              ElementsAre("<svg onload=\"init(evt)\"><rect"));
  EXPECT_THAT(traces_of(kBegin + "<svg><path/></svg>"),
              ElementsAre("error: is a page of HTML without a trace in it"));
}

TEST(Page, ThatEndsWithinATraceSaysSo) {
  const ScratchFolder folder;
  const auto shortfall = [&](const std::string& page) {
    const auto source = Source::open(folder.write("page.html", page));
    return source ? shortfall_of(**source).why : source.error().message;
  };
  EXPECT_EQ(shortfall(kBegin + kText + "the trace\n"), "the page ends within it");
  EXPECT_EQ(shortfall(kBegin + "<svg onload=\"init(evt)\"><rect/>"), "the page ends within it");
  EXPECT_EQ(shortfall(kBegin + kText + "the trace\n</script>"), "");
}

TEST(Page, MarksAndEndsMayLieAnywhereInTheBlocksThatAreRead) {
  constexpr size_t kBlock = 256 << 10;
  for (size_t at = kBlock - 70; at < kBlock + 10; ++at) {
    const std::string trace(kBlock - 5, 't');
    const std::string page = kBegin + std::string(at - kBegin.size(), ' ') + kText + trace;
    ASSERT_THAT(traces_of(page + "</script>" + kText + "2</script>"), ElementsAre(trace, "2"))
        << at;
  }
}

TEST(Page, WithoutATraceIsRefused) {
  EXPECT_THAT(traces_of(kBegin + "</html>"),
              ElementsAre("error: is a page of HTML without a trace in it"));
}

TEST(Page, RefusesBombs) {
  const std::string page = kBegin + kText + std::string(1 << 20, 'x') + "</script>";
  constexpr SourceLimits kLimits{.free_bytes = 1 << 16, .max_ratio = 200};
  EXPECT_THAT(traces_of(test::gzip(page), kLimits).front(), HasSubstr("refused"));
}

}  // namespace
}  // namespace weft::io
