#include "core/formats/recognise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/xml_head.h"
#include "core/formats/embedded/tlv/tlv_line.h"
#include "core/formats/formats.h"
#include "core/formats/general/chrome_json/chrome_json_reader.h"
#include "core/formats/general/csv/csv_columns.h"

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
    {"STATES\r\n", "the labels of a Paraver trace: open the .prv beside it"},
    {"LEVEL CPU", "the names of a Paraver trace: open the .prv beside it"},
    {"LEVEL THREAD", "the names of a Paraver trace: open the .prv beside it"},
    {"#!", "a script"},
    {"PK\5\6", "an empty archive"},
    {"Demonstrations of ", "a page that shows how a tool is used, with examples of its output"},
    {"\xC1\x1F\xFC\xC1", "a stream of a CTF trace: open its folder"},
    {"\xC1\xFC\x1F\xC1", "a stream of a CTF trace: open its folder"},
    {"\3B\1\0\0\0\0\0\0\0"sv, "a part of an OTF2 trace: open its .otf2"},
    {"\3#\0\0\0\0\0\0\0\1"sv, "a part of an OTF2 trace: open its .otf2"},
    {"JAVA PROFILE 1.0.1,", "what Java's hprof says as text, which has no times"},
    {"JAVA PROFILE ", "a heap dump of Java, which has no times"},
    {"MMSD", "the texts of a profile of rustc: open the .events beside it"},
    {"MMSI", "the index of the texts of a profile of rustc: open the .events beside it"},
    {"snoop\0\0\0"sv, "a capture of snoop: `editcap FILE OUT.pcapng` converts it"},
    {"GMBU", "a capture of Network Monitor: `editcap FILE OUT.pcapng` converts it"},
    {"TRSNIFF data", "a capture of Sniffer: `editcap FILE OUT.pcapng` converts it"},
    {"XCP\0"sv, "a capture of Sniffer: `editcap FILE OUT.pcapng` converts it"},
    {"\1\x38\0\4"sv, "a dump of GTKWave (LXT): GTKWave's File > Export makes VCD of it"},
    {"\x13\x80\0\1"sv, "a dump of GTKWave (LXT2): `lxt2vcd FILE` makes VCD of it"},
    {"VZ\0\1"sv, "a dump of GTKWave (VZT): `vzt2vcd FILE` makes VCD of it"},
    {"\0FSP"sv, "a recording of Percepio's TraceRecorder (PSF)"},
    {"PSF\0"sv, "a recording of Percepio's TraceRecorder (PSF)"},
};

// JSON that is not a trace, by what stands in it.
constexpr Magic kJson[] = {
    {"\"ResourceHeaders\"", "the resources of a TLV log: open the log (.log) beside it"},
    {"\"AllocationType\"",
     "a resource header of TLV logs: open a log (.log) whose resources (.res) name it"},
    {"\"VisualizeRules\"", "a visualization rule of TLV: open the log (.log) it is for"},
    {"\"Shapes\"", "a visualization rule of TLV: open the log (.log) it is for"},
    {"(?<time>", "a conversion rule of TLV: open the log (.log) it is for"},
    {"\"$STYLE\"", "a conversion rule of TLV: open the log (.log) it is for"},
    {"\"node_fields\"",
     "a heap snapshot of V8: allocations over time are read with `--format heap-timeline`, other "
     "snapshots have no times"},
    {"\"AxisXTitle\"", "a statistics rule of TLV: open the log (.log) it is for"},
};

std::string_view json_of(std::string_view head) {
  for (const Magic& magic : kJson) {
    if (head.find(magic.bytes) != std::string_view::npos) return magic.what;
  }
  return {};
}

// XML that is not a trace; empty: not XML.
std::string_view xml_of(std::string_view head) {
  const std::string_view root = xml_root(head);
  if (root.starts_with("<tmfxml")) return "an analysis of Trace Compass, not a trace";
  if (root.starts_with("<CustomTxtTraceDefinitionList") ||
      root.starts_with("<CustomXMLTraceDefinitionList"))
    return "a trace type of Trace Compass, not a trace";
  if (root.starts_with("<xs:schema") || root.starts_with("<xsd:schema"))
    return "a schema of XML, not a trace";
  return head.starts_with("<?xml") || head.starts_with("<!--") ? "XML" : "";
}

// Windows' recordings begin with a buffer's header of 72 bytes (WMI_BUFFER_HEADER), whose type is
// "header", and in it the event that describes the trace.
bool is_etl(std::string_view head) {
  constexpr size_t kBufferType = 54, kEventType = 74, kEventMark = 75, kEventKind = 78, kSize = 80;
  return head.size() >= kSize && head.substr(kBufferType, 2) == "\4\0"sv &&
         (head[kEventType] == '\1' || head[kEventType] == '\2') && head[kEventMark] == '\xC0' &&
         head.substr(kEventKind, 2) == "\0\0"sv;
}

// "4d 59 00 01", and behind it the letters that it begins with, where there are some.
std::string first_bytes(std::string_view head) {
  constexpr size_t kMostBytes = 16, kLeastLetters = 3;
  head = head.substr(0, kMostBytes);
  const auto is_printed = [](char c) { return ' ' <= c && c <= '~'; };
  const auto end = std::ranges::find_if_not(head, is_printed);
  const std::string_view letters(head.begin(), end);
  const std::span bytes(reinterpret_cast<const uint8_t*>(head.data()), head.size());
  std::string text = fmt::format("{:02x}", fmt::join(bytes, " "));
  if (letters.size() >= kLeastLetters) text += fmt::format(" (\"{}\")", printable(letters));
  return text;
}

// Of what is known by its first bytes; empty: nothing.
std::string_view magic_of(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) return magic.what;
  }
  return {};
}

bool is_text(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    return static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
  });
}

// What the content is, and what to do about it.
std::string describe(std::string_view head) {
  if (const std::string_view known = magic_of(head); !known.empty()) return std::string(known);
  if (const std::string_view xml = xml_of(head); !xml.empty()) return std::string(xml);
  if (is_etl(head))
    return "a recording of Event Tracing for Windows (ETL): `tracerpt FILE -of CSV` makes CSV of "
           "it";
  if (head.empty()) return "empty";
  if (!is_text(head)) return "binary data that begins with " + first_bytes(head);
  if (csv::begins_with_row(head)) {
    return "a table without a header: put a line with names before it (time,lane,type), or "
           "make a trace type of it";
  }
  if (tlv::is_raw_log(head)) {
    return "a log as TLV takes it from a kernel, whose lines say the time and any text: make "
           "a trace type of it, or convert it to TLV's standard form "
           "([time]Resource.attribute=value)";
  }
  return fmt::format("text that begins with \"{}\"", printable(head.substr(0, 40)));
}

// A type of the user's is asked no more once the file that defines it is gone: nothing could read
// what it claims.
bool is_there(const Format& format) {
  std::error_code error;
  return format.origin.empty() || std::filesystem::exists(format.origin, error);
}

std::string_view text_in(std::span<const std::byte> head) {
  return {reinterpret_cast<const char*>(head.data()), std::min(head.size(), kHeadBytes)};
}

int sureness(const Format& format, std::span<const std::byte> head) {
  if (!is_there(format)) return 0;
  head = head.first(std::min(head.size(), kHeadBytes));
  int score = format.sniff(head);
  const size_t blank = blank_lines_bytes(head);
  if (score == 0 && blank > 0) score = format.sniff(head.subspan(blank));
  return std::min(score, format.most_sure);
}

// Returns the first row with the highest score, and the score; none if all are 0.
template <class Score>
std::pair<FormatPtr, int> surest(const Score& score_of) {
  constexpr int kSurest = 100;
  FormatPtr best;
  int best_score = 0;
  size_t place = 0;  // of the best
  const auto ask = [&](const std::vector<FormatPtr>& rows, size_t from) {
    std::vector<size_t> order;  // those that may be the surest first
    for (size_t i = from; i < rows.size(); ++i) order.push_back(i);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](size_t i) { return rows[i]->most_sure; });
    const auto is_better = [&](int score, size_t i) {
      return score > best_score || (score == best_score && score > 0 && i < place);
    };
    for (const size_t i : order) {
      if (!is_better(rows[i]->most_sure, i)) continue;
      const int score = score_of(*rows[i]);
      if (!is_better(score, i)) continue;
      best = rows[i];
      best_score = score;
      place = i;
    }
  };
  const std::vector<FormatPtr> present = present_formats();
  ask(present, 0);
  if (best_score < kSurest) ask(formats(), present.size());
  return {best, best_score};
}

Result<FormatPtr> recognise_folder(const io::Source& folder) {
  const auto score_of = [&](const Format& each) {
    return each.sniff_folder == nullptr || !is_there(each) ? 0 : each.sniff_folder(folder);
  };
  const auto [format, score] = surest(score_of);
  if (format != nullptr) return format;
  return fail("is a folder, but no trace that is one");
}

}  // namespace

bool may_get_type(std::span<const std::byte> head) {
  const std::string_view text = text_in(head);
  return !text.empty() && magic_of(text).empty() && is_text(text);
}

Result<FormatPtr> recognise(io::Source& source) {
  if (source.is_folder()) return recognise_folder(source);
  std::span<const std::byte> peeked;
  FormatPtr format;
  int score = 0;
  // What a pausing pipe has delivered may not suffice to recognise it.
  do {
    WEFT_TRY_ASSIGN(peeked, source.peek(kHeadBytes));
    const auto score_of = [&](const Format& each) { return sureness(each, peeked); };
    std::tie(format, score) = surest(score_of);
  } while (format == nullptr && peeked.size() < kHeadBytes && !source.is_ended());
  const std::string_view text = text_in(peeked);
  if (format != nullptr && score <= kAnyJson) {
    const std::string_view what = json_of(text);
    if (!what.empty()) return fail(fmt::format("is not a trace that is read: it is {}", what));
  }
  if (format != nullptr) return format;
  return fail(fmt::format("no trace type recognises it: it is {}", describe(text)));
}

namespace {

// That are opened together: an archive was made for what is in it, a folder was not.
constexpr size_t kMostOfArchive = 64, kMostOfFolder = 8;

// A trace among the files of a folder or an archive.
struct FoundTrace {
  int score;
  std::string name;  // empty: the folder itself
  FormatPtr format;
  bool is_folder = false;
  uint64_t bytes = 0;
};

class TracesIn {
 public:
  explicit TracesIn(const io::Source& folder)
      : folder_(folder), is_archive_(folder.is_unpacked()) {}

  // In the order of their names. Where a format is rather sure of one, guesses are none.
  // `has_folder`: some of it is a trace that is a folder.
  Status find(bool has_folder) {
    if (has_folder && is_archive_) find_folders();
    WEFT_TRY(look_into(folder_, ""));
    std::ranges::stable_sort(found_, {}, &FoundTrace::name);
    std::erase_if(found_, [&](const FoundTrace& each) { return is_in_folder_trace(each.name); });
    std::erase_if(others_, [&](const std::string& name) { return is_in_folder_trace(name); });
    if (found_.empty()) {
      return fail(fmt::format("is {} without a trace", what()));
    }
    const int best = std::ranges::max_element(found_, {}, &FoundTrace::score)->score;
    const auto is_unlikely = [least = std::min(kLikely, best)](const FoundTrace& each) {
      return each.score < least && !each.is_folder;
    };
    unread_ = std::erase_if(found_, is_unlikely);
    if (folder_.is_page()) keep_largest();
    return {};
  }

  bool is_archive() const { return is_archive_; }
  bool is_all_of(const Format& format) const {
    return std::ranges::all_of(found_, [&](const FoundTrace& each) {
      return each.is_folder && each.format->id == format.id;
    });
  }
  const std::vector<FoundTrace>& found() const { return found_; }
  // Files that no reader opens, not even beside a trace.
  uint64_t others() const {
    return unread_ + static_cast<uint64_t>(std::ranges::count_if(
                         others_, [&](const std::string& name) { return !lies_beside(name); }));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    names.reserve(found_.size());
    for (const FoundTrace& each : found_) names.push_back(each.name);
    return names;
  }

 private:
  static constexpr size_t kMostFiles = 256;
  static constexpr int kRatherSure = 60, kLikely = 45;  // words and a number are folded stacks: 40

  const char* what() const { return is_archive_ ? "an archive" : "not a file: it is a folder"; }

  // Tools put what they say of themselves beside what they recorded.
  void keep_largest() {
    const auto largest = std::ranges::max_element(found_, {}, &FoundTrace::bytes);
    unread_ += found_.size() - 1;
    found_ = {std::move(*largest)};
  }

  static bool begins_folder(io::Source& file) {
    const auto head = file.peek(kHeadBytes);
    return head && std::ranges::any_of(formats(), [&](const FormatPtr& format) {
             return format->sniff_folder != nullptr && sureness(*format, *head) > 0;
           });
  }

  // Of folders that are traces one file tells; what else is in them may be much, and is not looked
  // at.
  void find_folders() {
    constexpr size_t kMostLooks = 4096;
    for (const io::FolderFile& each :
         folder_.files().first(std::min(folder_.files().size(), kMostLooks))) {
      if (is_in_folder_trace(each.name)) continue;
      const auto file = folder_.open_file(each.name);
      if (file && !(*file)->is_folder() && begins_folder(**file)) take(**file, each.name);
    }
    std::erase_if(found_, [](const FoundTrace& each) { return !each.is_folder; });
    runs_.clear();
  }

  Status look_into(const io::Source& folder, const std::string& prefix) {
    for (const io::FolderFile& each : folder.files()) {
      const std::string name = prefix + each.name;
      if (is_of_run(name) || is_in_folder_trace(name)) continue;
      if (++looked_at_ > kMostFiles)
        return fail(fmt::format("is {} of many files, no trace", what()));
      const auto file = folder.open_file(each.name);
      if (file && (*file)->is_folder() && is_archive_) {
        WEFT_TRY(look_into(**file, name + "/"));
      } else if (!file || (*file)->is_folder() || !take(**file, name)) {
        others_.push_back(name);
      }
    }
    return {};
  }

  // Whether the file is a trace.
  bool take(io::Source& file, const std::string& name) {
    const auto head = file.peek(kHeadBytes);
    if (!head) return false;
    FoundTrace best = {
        .score = 0, .name = name, .format = nullptr, .bytes = file.disk_bytes_total()};
    for (const FormatPtr& format : formats()) {
      const int score = sureness(*format, *head);
      if (score > best.score) best.format = format;
      best.score = std::max(score, best.score);
    }
    if (best.score < (is_archive_ ? 1 : kRatherSure)) return false;
    if (best.score <= kAnyJson && !json_of(text_in(*head)).empty()) return false;
    best.is_folder = is_archive_ && best.format->sniff_folder != nullptr;
    if (best.is_folder)
      best.name = folders_.emplace_back(std::filesystem::path(name).parent_path().string());
    const std::string run = run_in_folder(*best.format, name);
    if (!run.empty()) runs_.emplace_back(best.format, run);
    found_.push_back(std::move(best));
    return true;
  }

  // The trace of several files that a file is a part of, by its name; empty: none.
  static std::string run_in_folder(const Format& format, const std::string& name) {
    const std::filesystem::path path(name);
    const std::string run = format.run_of == nullptr ? "" : format.run_of(path.filename().string());
    return run.empty() ? run : (path.parent_path() / run).string();
  }
  bool is_of_run(const std::string& name) const {
    return std::ranges::any_of(
        runs_, [&](const auto& run) { return run_in_folder(*run.first, name) == run.second; });
  }
  bool lies_beside(const std::string& other) const {
    const std::filesystem::path path(other);
    return std::ranges::any_of(found_, [&](const FoundTrace& each) {
      const std::filesystem::path trace(each.name);
      return each.format->opens_beside && trace.parent_path() == path.parent_path() &&
             each.format->opens_beside(trace.filename().string(), path.filename().string());
    });
  }
  bool is_in_folder_trace(const std::string& name) const {
    return std::ranges::any_of(folders_, [&](const std::string& folder) {
      return folder.empty() ? !name.empty() : name.starts_with(folder + "/");
    });
  }

  const io::Source& folder_;
  bool is_archive_;
  std::vector<FoundTrace> found_;
  std::vector<std::pair<FormatPtr, std::string>> runs_;  // of several files, one of which is enough
  std::vector<std::string> folders_;                     // that are traces
  std::vector<std::string> others_;                      // files that are none
  size_t looked_at_ = 0;
  size_t unread_ = 0;
};

std::unexpected<Error> several(const std::vector<std::string>& traces, bool is_archive) {
  constexpr size_t kMostListed = 20;
  std::string names;
  for (const std::string& each : std::span(traces).first(std::min(traces.size(), kMostListed)))
    names += (names.empty() ? "" : ", ") + printable(each);
  if (traces.size() > kMostListed) names += fmt::format(", {} more", traces.size() - kMostListed);
  return fail(fmt::format("is {} of several traces, {}: {}", is_archive ? "an archive" : "a folder",
                          names,
                          is_archive ? "name one behind it, as ARCHIVE/" + printable(traces[0])
                                     : "open them by their names"));
}

Result<Input> recognise_one(std::unique_ptr<io::Source> source, const FormatPtr& wanted) {
  Input input{.source = std::move(source), .format = wanted};
  if (input.format == nullptr) {
    WEFT_TRY_ASSIGN(input.format, recognise(*input.source));
  }
  const bool reads_folders = input.format->sniff_folder != nullptr;
  if (!reads_folders && input.source->is_folder()) return fail("is not a file: it is a folder");
  if (!reads_folders || input.source->is_folder()) return input;
  if (input.source->path() == "-") return fail("is a part of a trace that is a folder: open that");
  WEFT_TRY_ASSIGN(input.source, input.source->open_folder());
  return input;
}

Result<Inputs> only(std::unique_ptr<io::Source> source, const FormatPtr& wanted) {
  Inputs all;
  WEFT_TRY_ASSIGN(Input input, recognise_one(std::move(source), wanted));
  all.inputs.push_back(std::move(input));
  return all;
}

}  // namespace

Result<Inputs> recognise_all(std::unique_ptr<io::Source> source, std::string_view id) {
  FormatPtr wanted;
  if (!id.empty()) {
    wanted = format_from_id(id);
    if (wanted == nullptr || !wanted->reads)
      return fail(fmt::format(
          "'{}' is not a format that can be read (`weftscope formats` lists them)", id));
  }
  const bool is_wanted_whole = wanted != nullptr && wanted->sniff_folder != nullptr;
  if (!source->is_folder() || is_wanted_whole) return only(std::move(source), wanted);
  const auto whole = recognise_folder(*source);
  if (whole && !source->is_unpacked()) return only(std::move(source), wanted);
  TracesIn traces(*source);
  const Status status = traces.find(whole.has_value());
  if (whole && (!status || traces.is_all_of(**whole))) return only(std::move(source), wanted);
  WEFT_TRY(status);
  const std::vector<FoundTrace>& found = traces.found();
  if (found.size() == 1) {
    const uint64_t left_out = traces.is_archive() ? traces.others() : 0;
    WEFT_TRY_ASSIGN(source, source->open_file(found.front().name));
    WEFT_TRY_ASSIGN(Inputs one, only(std::move(source), wanted));
    one.others = left_out;
    return one;
  }
  const bool is_archive = traces.is_archive();
  if (found.size() > (is_archive ? kMostOfArchive : kMostOfFolder))
    return several(traces.names(), is_archive);
  Inputs all{.inputs = {}, .names = traces.names(), .others = is_archive ? traces.others() : 0};
  for (const FoundTrace& each : found) {
    WEFT_TRY_ASSIGN(std::unique_ptr<io::Source> file, source->open_file(each.name));
    WEFT_TRY_ASSIGN(Input input, recognise_one(std::move(file), wanted));
    all.inputs.push_back(std::move(input));
  }
  return all;
}

Result<Inputs> recognise_single(std::unique_ptr<io::Source> source, std::string_view id) {
  const bool is_archive = source->is_unpacked();
  WEFT_TRY_ASSIGN(Inputs all, recognise_all(std::move(source), id));
  if (all.inputs.size() > 1) return several(all.names, is_archive);
  return all;
}

}  // namespace weft::formats
