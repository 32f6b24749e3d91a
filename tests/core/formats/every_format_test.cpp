// Invariants of every format whose samples are single files: they read as written, and every
// truncation of them gives an answer. covers R6 R7
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/text.h"
#include "core/formats/formats.h"
#include "core/io/source.h"
#include "tests/core/formats/case_folder.h"
#include "tests/core/formats/cuts.h"
#include "tests/core/io/compress.h"

namespace weft::formats {
namespace {

using test::read;
using test::ScratchFolder;

// clang-format off
constexpr const char* kFormats[] = {
    "art_trace",
    "blf",
    "blktrace",
    "boot_plot",
    "btf",
    "callgrind",
    "cmake_trace",
    "cprofile",
    "cpu_profile",
    "csv",
    "ctf_text",
    "dlt",
    "erlang",
    "field_log",
    "firefox",
    "flamebearer",
    "flame_crate",
    "flame_page",
    "flame_svg",
    "flame_tree",
    "folded",
    "fst",
    "fxt",
    "ghc",
    "ghw",
    "ghc_profile",
    "go",
    "gprof",
    "gradle_operations",
    "gstreamer",
    "har",
    "heap_text",
    "heap_timeline",
    "dhat",
    "heaptrack",
    "import_time",
    "jfr",
    "journal",
    "jvm_log",
    "kanata",
    "logcat",
    "logged_events",
    "mcap",
    "measureme",
    "mermaid",
    "mscgen",
    "msgenny",
    "nettrace",
    "ninja_log",
    "o3_pipe_view",
    "orbit",
    "otlp_profile",
    "papyrus",
    "pcap",
    "perf_data",
    "perf_json",
    "perf_sched_map",
    "perf_stat",
    "perf_summary",
    "perf_script",
    "perfetto",
    "plantuml",
    "pprof",
    "psf",
    "program_log",
    "projections",
    "puffin",
    "rosbag",
    "sentry",
    "shiviz",
    "simpleperf",
    "spall",
    "spans",
    "speedscope",
    "sqlite",
    "sigrok_csv",
    "stack_text",
    "stackprof",
    "strace",
    "strace_summary",
    "syslog",
    "sysprof",
    "sysprof_xml",
    "systemview",
    "tlv",
    "tool_output",
    "trace_compass_xml",
    "tracy",
    "v8_log",
    "vcd",
    "webkit_timeline",
    "xctrace",
    "xdebug",
    "xplane",
};
// clang-format on

std::vector<std::filesystem::path> all_cases() {
  std::vector<std::filesystem::path> all;
  for (const char* format : kFormats) {
    const auto cases = test::cases_of(format);
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

// "perf-script", of …/perf_script/succeed/x.txt.
std::string format_of(const std::filesystem::path& path) {
  std::string format = path.parent_path().parent_path().filename();
  std::ranges::replace(format, '_', '-');
  return format;
}

std::string case_name(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.parent_path().parent_path().filename().string() + '_' + test::case_name(info);
}

class FormatCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(FormatCase, ReadsAsWritten) {
  test::expect_as_written(GetParam(), read(GetParam(), {format_of(GetParam())})->text());
}

// One that was read is read, too, where it goes on.
TEST_P(FormatCase, EveryCutIsAnAnswer) {
  if (test::kLooksForRaces) GTEST_SKIP() << "races do not depend on where an input ends";
  const ScratchFolder folder;
  const std::string bytes = test::content_of(GetParam());
  bool was_read = false;
  for (const size_t size : test::cuts_of(bytes.size())) {
    const auto path = folder.write("cut", bytes.substr(0, size));
    const std::string error = read(path, {format_of(GetParam())})->error;
    EXPECT_TRUE(error.empty() || !was_read) << size << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << size << ": " << error;
    was_read |= error.empty();
  }
}

// The text as some editors and shells write it.
std::string utf16_of(std::string_view text) {
  std::u16string units = u"\xFEFF";
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = size == 1 ? lead : lead & (0x7F >> size);
    for (size_t k = 1; k < size; ++k) c = c << 6 | (static_cast<uint8_t>(text[i + k]) & 0x3F);
    i += size;
    if (c >= 0x10000) {
      units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      c = 0xDC00 + ((c - 0x10000) & 0x3FF);
    }
    units += static_cast<char16_t>(c);
  }
  return {reinterpret_cast<const char*>(units.data()), 2 * units.size()};
}

// The result of reading it as the recognised type.
std::string recognised_text(const std::string& bytes) {
  const ScratchFolder folder;
  const auto format = recognise(**io::Source::open(folder.write("trace", bytes)));
  return format ? (*format)->id + '\n' + read(folder.path() / "trace", {(*format)->id})->text()
                : format.error().message;
}

// The places of losses and errors are those in the file.
std::string without_places(const std::string& all) {
  return all.substr(0, std::min({all.find("\nloss "), all.find("\nnote "), all.find(" at byte ")}));
}

bool is_text(const std::string& bytes) { return is_valid_utf8(bytes) && !bytes.contains('\0'); }

TEST_P(FormatCase, TextIsTheSameInUtf16AndBehindAByteOrderMark) {
  if (test::kLooksForRaces) GTEST_SKIP() << "types are told from each other by one thread";
  const std::string text = test::content_of(GetParam());
  if (!is_text(text)) return;
  const std::string plain = recognised_text(text);
  EXPECT_EQ(recognised_text(utf16_of(text)), plain);
  EXPECT_EQ(without_places(recognised_text("\xEF\xBB\xBF" + text)), without_places(plain));
}

// Each line in one, as programs write to terminals.
std::string coloured(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() || out.ends_with('\n')) out += "\x1b[1;32m";
    if (c == '\n' || c == '\r') out += "\x1b[m\x1b[K";
    out += c;
  }
  return out;
}

TEST_P(FormatCase, TextIsTheSameInColours) {
  if (test::kLooksForRaces) GTEST_SKIP() << "types are told from each other by one thread";
  const std::string text = test::content_of(GetParam());
  const auto is_control = [](char c) { return c >= 0 && c < ' ' && !std::isspace(c); };
  if (!is_text(text) || std::ranges::any_of(text, is_control)) return;
  EXPECT_EQ(recognised_text(coloured(text)), recognised_text(text));
}

TEST_P(FormatCase, TextIsTheSameBehindBlankLines) {
  if (test::kLooksForRaces) GTEST_SKIP() << "types are told from each other by one thread";
  const std::string text = test::content_of(GetParam());
  if (!is_text(text)) return;
  const std::string plain = without_places(recognised_text(text));
  if (!plain.starts_with(format_of(GetParam()))) return;
  EXPECT_EQ(without_places(recognised_text("\n\n" + text)), plain);
  EXPECT_EQ(without_places(recognised_text("\r\n \t\r\n" + text)), plain);
}

// Files beside it, such as a TLV log's resources, are missing then.
TEST_P(FormatCase, IsTheSameByStandardInput) {
  const ScratchFolder folder;
  const std::string id = format_of(GetParam());
  const auto path = folder.write("alone", test::content_of(GetParam()));
  const std::string plain = read(path, {id})->text();
  const int file = ::open(path.c_str(), O_RDONLY), before = ::dup(STDIN_FILENO);
  ::dup2(file, STDIN_FILENO);
  const std::string piped = read("-", {id})->text();
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ::close(file);
  EXPECT_EQ(piped, plain);
}

TEST_P(FormatCase, CompressedInputThatIsCutIsSaid) {
  if (test::kLooksForRaces) GTEST_SKIP() << "races do not depend on where an input ends";
  const ScratchFolder folder;
  const std::string bytes = test::gzip(test::content_of(GetParam()));
  for (const size_t percent : {50, 80}) {
    const auto path = folder.write("cut.gz", bytes.substr(0, bytes.size() * percent / 100));
    const auto reading = read(path, {format_of(GetParam())});
    const bool is_said = !reading->error.empty() || reading->text().contains("cut");
    EXPECT_TRUE(is_said) << percent << ": " << reading->text();
  }
}

// What these keep until their end lies in large arrays: nothing of it is beyond the memory.
TEST(Formats, ThatKeepAllLoseNothingWhereThereIsLittleMemory) {
  constexpr std::array kKeepAll = {"heaptrack", "jfr",   "measureme", "pprof",
                                   "shiviz",    "tracy", "xctrace"};
  size_t cases = 0;
  for (const std::filesystem::path& path : all_cases()) {
    const std::string id = format_of(path);
    if (std::ranges::find(kKeepAll, id) == kKeepAll.end()) continue;
    ++cases;
    EXPECT_EQ(read(path, {.format = id, .memory_bytes = 1})->text(), read(path, {id})->text())
        << path;
  }
  EXPECT_GT(cases, kKeepAll.size());
}

INSTANTIATE_TEST_SUITE_P(, FormatCase, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace weft::formats
