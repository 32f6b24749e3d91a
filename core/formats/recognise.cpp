// Which format a source is of.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/chrome_json_reader.h"
#include "core/formats/csv/csv_columns.h"
#include "core/formats/formats.h"
#include "core/formats/text.h"
#include "core/formats/tlv/tlv_line.h"

namespace weft::formats {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

using namespace std::literals;

// Contents that people open by mistake, and formats that nothing here reads, with the tool that
// makes of them what is read, for the error message.
constexpr Magic kMagics[] = {
    {"\x7F"
     "ELF",
     "an ELF executable"},
    {"WEFT", "a .weft store, which is opened, not imported"},
    {"\x89PNG", "a PNG picture"},
    {"%PDF", "a PDF document"},
    {"DEFAULT_OPTIONS", "the labels of a Paraver trace: open the .prv beside it"},
    {"STATES\n", "the labels of a Paraver trace: open the .prv beside it"},
    {"LEVEL CPU", "the names of a Paraver trace: open the .prv beside it"},
    {"LEVEL THREAD", "the names of a Paraver trace: open the .prv beside it"},
    {"#!", "a script"},
    {"<?xml", "XML"},
    {"\xC1\x1F\xFC\xC1", "a stream of a CTF trace: open its folder"},
    {"\xC1\xFC\x1F\xC1", "a stream of a CTF trace: open its folder"},
    {"v8-version,", "a log of V8: `node --cpu-prof` writes a profile that is read"},
    {"JAVA PROFILE ", "a heap dump of Java, which has no times"},
    {"MMSD", "the texts of a profile of rustc: open the .events beside it"},
    {"MMSI", "the index of the texts of a profile of rustc: open the .events beside it"},
    {"\0FSP"sv, "a recording of Percepio's TraceRecorder (PSF)"},
    {"PSF\0"sv, "a recording of Percepio's TraceRecorder (PSF)"},
    {"DLT\x02", "a log of DLT's version 2; version 1 is read"},
};

// JSON that is no trace, by what stands in it.
constexpr Magic kJson[] = {
    {"\"ResourceHeaders\"", "the resources of a TLV log: open the log (.log) beside it"},
    {"\"AllocationType\"",
     "a resource header of TLV logs: open a log (.log) whose resources (.res) name it"},
    {"\"VisualizeRules\"", "a visualization rule of TLV: open the log (.log) it is for"},
    {"\"Shapes\"", "a visualization rule of TLV: open the log (.log) it is for"},
    {"(?<time>", "a conversion rule of TLV: open the log (.log) it is for"},
    {"\"$STYLE\"", "a conversion rule of TLV: open the log (.log) it is for"},
    {"\"node_fields\"", "a heap snapshot of V8, which has no times"},
    {"\"AxisXTitle\"", "a statistics rule of TLV: open the log (.log) it is for"},
};

std::string_view json_of(std::string_view head) {
  for (const Magic& magic : kJson) {
    if (head.find(magic.bytes) != std::string_view::npos) return magic.what;
  }
  return {};
}

// Windows' recordings begin with a buffer's header of 72 bytes (WMI_BUFFER_HEADER), whose type is
// "header", and in it the event that describes the trace.
bool is_etl(std::string_view head) {
  constexpr size_t kBufferType = 54, kEventType = 74, kEventMark = 75, kEventKind = 78, kSize = 80;
  return head.size() >= kSize && head.substr(kBufferType, 2) == "\4\0"sv &&
         (head[kEventType] == '\1' || head[kEventType] == '\2') && head[kEventMark] == '\xC0' &&
         head.substr(kEventKind, 2) == "\0\0"sv;
}

std::string describe(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) return std::string(magic.what);
  }
  if (is_etl(head))
    return "a recording of Event Tracing for Windows (ETL): `tracerpt FILE -of CSV` makes CSV of "
           "it";
  const bool is_text = std::ranges::none_of(head, [](char c) {
    return static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
  });
  if (is_text && csv::begins_with_row(head)) {
    return "a table without a header: put a line with names before it (time,lane,type), or let "
           "`weftscope trace-type guess` make a type of it";
  }
  if (is_text && tlv::is_raw_log(head)) {
    return "a log as TLV takes it from a kernel, whose lines say the time and any text: let "
           "`weftscope trace-type guess` make a type of it, or convert it to TLV's standard form "
           "([time]Resource.attribute=value)";
  }
  const std::string begin = printable(head.substr(0, 40));
  return fmt::format("{} that begins with \"{}\"", is_text ? "text" : "binary data", begin);
}

// A type of the user's is asked no more once the file that defines it is gone: nothing could read
// what it claims.
bool is_there(const Format& format) {
  std::error_code error;
  return format.origin.empty() || std::filesystem::exists(format.origin, error);
}

int sureness(const Format& format, std::span<const std::byte> head) {
  if (!is_there(format)) return 0;
  head = head.first(std::min(head.size(), kHeadBytes));
  const int score = format.sniff(head);
  const size_t blank = blank_lines_bytes(head);
  return score > 0 || blank == 0 ? score : format.sniff(head.subspan(blank));
}

// Of a score for each; none where all are 0.
template <class Score>
FormatPtr surest(const Score& score_of) {
  FormatPtr best;
  int best_score = 0;
  const auto ask = [&](const std::vector<FormatPtr>& rows, size_t from) {
    for (size_t i = from; i < rows.size() && best_score < 100; ++i) {  // nobody is surer than that
      const int score = score_of(*rows[i]);
      if (score <= best_score) continue;
      best = rows[i];
      best_score = score;
    }
  };
  const std::vector<FormatPtr> present = present_formats();
  ask(present, 0);
  if (best_score < 100) ask(formats(), present.size());
  return best;
}

Result<FormatPtr> recognise_folder(const io::Source& folder) {
  FormatPtr format = surest([&](const Format& each) {
    return each.sniff_folder == nullptr || !is_there(each) ? 0 : each.sniff_folder(folder);
  });
  if (format != nullptr) return format;
  return fail("is a folder, but no trace that is one (`weftscope formats` lists them)");
}

}  // namespace

Result<FormatPtr> recognise(io::Source& source) {
  if (source.is_folder()) return recognise_folder(source);
  WEFT_TRY_ASSIGN(const std::span<const std::byte> peeked, source.peek(kHeadBytes));
  FormatPtr format = surest([&](const Format& each) { return sureness(each, peeked); });
  const auto head = peeked.first(std::min(peeked.size(), kHeadBytes));
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (format != nullptr && sureness(*format, peeked) <= kAnyJson) {
    const std::string_view what = json_of(text);
    if (!what.empty()) return fail(fmt::format("is no trace that is read: it is {}", what));
  }
  if (format != nullptr) return format;
  return fail(fmt::format("is of no known format (`weftscope formats` lists them): it is {}",
                          describe(text)));
}

// The trace of several files that the file of a folder is a part of, by its name; empty: none.
std::string run_in_folder(const Format& format, const std::string& name) {
  const std::filesystem::path path(name);
  const std::string run = format.run_of == nullptr ? "" : format.run_of(path.filename().string());
  return run.empty() ? run : (path.parent_path() / run).string();
}

// The one trace among the files of a folder, or the file of an archive that a format is surest of;
// what it needs lies beside it.
Result<std::unique_ptr<io::Source>> trace_in(const io::Source& folder) {
  constexpr size_t kMostFiles = 256;
  constexpr int kRatherSure = 60;  // an archive was made for the trace in it, a folder was not
  const bool is_archive = folder.is_unpacked();
  const int least = is_archive ? 1 : kRatherSure;
  const char* what = is_archive ? "an archive" : "a folder";
  std::vector<std::pair<int, std::string>> traces;      // how sure, and which
  std::vector<std::pair<FormatPtr, std::string>> runs;  // of several files, one of which is enough
  size_t looked_at = 0;
  for (const io::FolderFile& each : folder.files()) {
    const bool is_of_run = std::ranges::any_of(
        runs, [&](const auto& run) { return run_in_folder(*run.first, each.name) == run.second; });
    if (is_of_run) continue;
    if (++looked_at > kMostFiles) return fail(fmt::format("is {} of many files, no trace", what));
    auto file = folder.open_file(each.name);
    if (!file || (*file)->is_folder()) continue;
    const auto head = (*file)->peek(kHeadBytes);
    if (!head) continue;
    FormatPtr best;
    int score = 0;
    for (const FormatPtr& format : formats()) {
      const int sure = sureness(*format, *head);
      if (sure > score) best = format;
      score = std::max(score, sure);
    }
    if (score < least) continue;
    traces.emplace_back(score, each.name);
    const std::string run = run_in_folder(*best, each.name);
    if (!run.empty()) runs.emplace_back(best, run);
  }
  if (traces.empty()) {
    return fail(
        fmt::format("is {} without a trace (`weftscope formats` lists what is read)", what));
  }
  std::ranges::stable_sort(traces, std::greater{}, &std::pair<int, std::string>::first);
  const bool is_clear = traces.size() == 1 || (is_archive && traces[0].first > traces[1].first);
  if (is_clear) return folder.open_file(traces[0].second);
  return fail(fmt::format("is {} of several traces, {} and {}: {}", what,
                          printable(traces[0].second), printable(traces[1].second),
                          is_archive ? "unpack it" : "open them by their names"));
}

Result<Input> recognise(std::unique_ptr<io::Source> source, std::string_view id) {
  Input input;
  input.source = std::move(source);
  if (!id.empty()) {
    input.format = format_from_id(id);
    if (input.format == nullptr || !input.format->reads)
      return fail(fmt::format("'{}' is no format that can be read", id));
  }
  const bool is_wanted_whole = input.format != nullptr && input.format->sniff_folder != nullptr;
  if (input.source->is_folder() && !is_wanted_whole && !recognise_folder(*input.source)) {
    WEFT_TRY_ASSIGN(input.source, trace_in(*input.source));
  }
  if (input.format == nullptr) {
    WEFT_TRY_ASSIGN(input.format, recognise(*input.source));
  }
  const bool reads_folders = input.format->sniff_folder != nullptr;
  if (!reads_folders && input.source->is_folder()) return fail("is not a file: it is a folder");
  if (!reads_folders || input.source->is_folder()) return input;
  if (input.source->path() == "-") return fail("is a part of a trace that is a folder: open that");
  const std::filesystem::path folder = input.source->path().parent_path();
  WEFT_TRY_ASSIGN(input.source, io::Source::open(folder.empty() ? "." : folder));
  return input;
}

}  // namespace weft::formats
