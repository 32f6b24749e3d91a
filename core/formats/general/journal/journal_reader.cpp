#include "core/formats/general/journal/journal_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

constexpr std::string_view kTime = "__REALTIME_TIMESTAMP";
constexpr size_t kMostEntryBytes = size_t{8} << 20;
constexpr std::string_view kLeftOut = "part of an entry beyond 8 MiB";

// An entry: names and what they say, in the order of the journal.
using EntryFields = std::vector<std::pair<std::string, std::string>>;

// Parameter names of fields that have one of their own.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kParameters = {{
    {"MESSAGE", "message"},
    {"_PID", "pid"},
    {"PRIORITY", "priority"},
    {"_SYSTEMD_UNIT", "unit"},
    {"_TRANSPORT", "transport"},
}};

class Entries {
 public:
  explicit Entries(trace::EventSink& sink) : sink_(sink), lanes_(sink) {}

  void add(const EntryFields& fields, uint64_t offset) {
    const auto us = parse_number<int64_t>(value_of(fields, kTime));
    int64_t ns = 0;
    if (!us || __builtin_mul_overflow(*us, int64_t{1000}, &ns))
      return sink_.loss("entry without a time", offset);
    std::string_view program = value_of(fields, "SYSLOG_IDENTIFIER");
    if (program.empty()) program = value_of(fields, "_COMM");
    if (program.empty()) program = "message";
    std::string_view host = value_of(fields, "_HOSTNAME");
    if (host.empty()) host = "host";
    sink_.give(
        trace::PunctualEvent{.time = {ns},
                             .params = params_of(fields),
                             .lane = lanes_.lane_of(fmt::format("{}/{}", host, program)),
                             .type = sink_.type(trace::Category::kPunctual, valid_utf8(program))});
  }

 private:
  static std::string_view value_of(const EntryFields& fields, std::string_view name) {
    const auto field = std::ranges::find(fields, name, &EntryFields::value_type::first);
    return field == fields.end() ? std::string_view() : std::string_view(field->second);
  }

  ParamsId params_of(const EntryFields& fields) {
    params_.clear();
    for (const auto& [field, name] : kParameters) {
      const std::string_view value = value_of(fields, field);
      if (!value.empty()) params_.add_as_written(name, value);
    }
    for (const auto& [name, value] : fields) {
      const bool is_told =
          std::ranges::find(kParameters, std::string_view(name),
                            &decltype(kParameters)::value_type::first) != kParameters.end();
      if (!is_told && !name.starts_with('_') && name != "SYSLOG_IDENTIFIER")
        params_.add_as_written(name, value);
    }
    return sink_.params(params_.whole());
  }

  trace::EventSink& sink_;
  LanePaths lanes_;
  ArgsText params_;
};

// Bytes that are not UTF-8 are numbers in an array; a field that is there several times is an array
// of texts.
void append_field(std::string& text, json::Element value, int depth = 0) {
  constexpr int kMostDepth = 8;
  if (value.is_null() || depth == kMostDepth) return;
  if (value.is_string()) {
    text += json::text(value);
  } else if (!value.is_array()) {
    text += json::compact(value);
  } else {
    json::for_each_element(value, [&](json::Element each) {
      const auto byte = json::integer(each);
      if (byte && *byte >= 0 && *byte < 256) {
        text += static_cast<char>(*byte);
      } else {
        if (!text.empty()) text += ' ';
        append_field(text, each, depth + 1);
      }
    });
  }
}

// The object of a line; with json-sse it stands behind "data: ", with json-seq behind a sign.
std::string_view entry_in(std::string_view line) {
  constexpr std::string_view kEvent = "data: ";
  take_prefix(line, kEvent);
  take_prefix(line, "\x1e");
  return trimmed(line);
}

// In `document` and `fields`, for their memory.
bool read_fields(std::string_view object, json::Document& document, EntryFields& fields) {
  if (!document.parse_next(object) || !document.root().is_object()) return false;
  size_t count = 0;
  json::for_each_member(document.root(), [&](std::string_view name, json::Element value) {
    if (count == fields.size()) fields.emplace_back();
    auto& [known, text] = fields[count++];
    known = name;
    text.clear();
    append_field(text, value);
  });
  fields.resize(count);
  return true;
}

// Entries of `-o export`: a line a field, "NAME=text", an empty line behind each entry. A field
// that is not plain text is a line "NAME", 8 bytes of its size, its bytes, and a line feed.
class Export {
 public:
  Export(io::Source& source, trace::EventSink& sink, Entries& entries)
      : window_(source, sink), sink_(sink), entries_(entries) {}

  void read() {
    while (window_.is_wanted() && !window_.peek_some(1, 1).empty()) take_line();
    finish();
    window_.finish("an entry");
  }

 private:
  void take_line() {
    if (fields_.empty() && !is_broken_ && left_out_ == 0) offset_ = window_.offset();
    std::string_view line = line_ahead();
    const size_t taken = line.size() + 1;
    if (line.size() > kMostEntryBytes) {
      window_.skip_to(1, [](std::string_view text) { return text.find('\n'); });
      window_.skip(1);
      ++left_out_;
      return;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t equals = line.find('=');
    if (line.empty()) {
      finish();
    } else if (!is_broken_ && equals == std::string_view::npos) {
      const std::string name(line);
      window_.skip(taken);
      return take_bytes(name);
    } else if (!is_broken_) {
      add_field(line.substr(0, equals), line.substr(equals + 1));
    }
    window_.skip(taken);
  }

  // The next line, or more of it than an entry may have.
  std::string_view line_ahead() {
    for (size_t looked = 0;;) {
      const std::string_view text = window_.peek_some(looked + 1, kMostEntryBytes + 1);
      const size_t end = text.find('\n', looked);
      if (end != std::string_view::npos) return text.substr(0, end);
      if (text.size() == looked || text.size() > kMostEntryBytes) return text;
      looked = text.size();
    }
  }

  // A field whose size is not followed by as many bytes and a line feed breaks its entry.
  void take_bytes(std::string_view name) {
    constexpr uint64_t kMostFieldBytes = uint64_t{768} << 20;  // of journald
    std::string_view head = window_.peek_some(sizeof(uint64_t), sizeof(uint64_t));
    const auto size = take_little<uint64_t>(head);
    is_broken_ = !size || *size > kMostFieldBytes;
    if (is_broken_) return;
    window_.skip(sizeof(uint64_t));
    if (has_room(name.size() + *size)) {
      add_field(name, window_.peek_most(*size));
    } else {
      ++left_out_;
    }
    window_.skip(*size);
    is_broken_ = window_.peek_some(1, 1) != "\n";
    if (!is_broken_) window_.skip(1);
  }

  bool has_room(uint64_t bytes) const { return bytes <= kMostEntryBytes - bytes_; }

  void add_field(std::string_view name, std::string_view value) {
    if (!has_room(name.size() + value.size())) {
      ++left_out_;
      return;
    }
    bytes_ += name.size() + value.size();
    fields_.emplace_back(name, value);
  }

  void finish() {
    if (is_broken_) {
      sink_.loss("field that does not end", offset_);
    } else if (!fields_.empty()) {
      entries_.add(fields_, offset_);
    }
    if (left_out_ > 0) sink_.loss(kLeftOut, offset_, left_out_);
    fields_.clear();
    is_broken_ = false;
    bytes_ = left_out_ = 0;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  Entries& entries_;
  EntryFields fields_;
  bool is_broken_ = false;
  uint64_t bytes_ = 0;     // of the fields
  uint64_t left_out_ = 0;  // fields
  uint64_t offset_ = 0;    // of the entry
};

// Entries of `-o verbose`: a line with the time and, in brackets, the cursor, whose part "t" is the
// time in hexadecimal; then a line a field behind four spaces, whose further lines stand below what
// it says.
class Verbose {
 public:
  Verbose(trace::EventSink& sink, Entries& entries) : sink_(sink), entries_(entries) {}

  // Returns the time in such a first line.
  static std::optional<uint64_t> time_us(std::string_view line) {
    const size_t cursor = line.find(" [s=");
    if (cursor == std::string_view::npos || !line.ends_with(']')) return std::nullopt;
    std::string_view rest = line.substr(cursor);
    const size_t time = rest.find(";t=");
    if (time == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(time + 3);
    return take_hexadecimal(rest);
  }

  void add(const io::Line& line) {
    if (const auto us = time_us(line.text)) {
      finish();
      offset_ = line.offset;
      fields_.emplace_back(kTime, std::to_string(*us));
    } else if (fields_.empty() || !add_field(line.text)) {
      // Notices by journalctl itself: "-- Boot 3c5a… --".
      if (!line.text.starts_with("-- ")) sink_.loss("line that is not an entry", line.offset);
    }
  }

  void finish() {
    if (!fields_.empty()) entries_.add(fields_, offset_);
    if (left_out_ > 0) sink_.loss(kLeftOut, offset_, left_out_);
    fields_.clear();
    bytes_ = left_out_ = 0;
  }

 private:
  bool add_field(std::string_view line) {
    constexpr std::string_view kIndent = "    ";
    if (!take_prefix(line, kIndent)) return false;
    if (bytes_ += line.size(); bytes_ > kMostEntryBytes) {
      ++left_out_;
      return true;
    }
    const std::string& last = fields_.back().first;
    const size_t below = last.size() + 1;
    if (last != kTime && line.find_first_not_of(' ') >= below) {
      (fields_.back().second += '\n') += line.substr(std::min(below, line.size()));
      return true;
    }
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return false;
    fields_.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    return true;
  }

  trace::EventSink& sink_;
  Entries& entries_;
  EntryFields fields_;
  size_t bytes_ = 0;
  size_t left_out_ = 0;  // lines
  uint64_t offset_ = 0;  // of the entry
};

// Objects of `-o json`, a line each, or of `-o json-pretty`, between lines that are a brace.
class Objects {
 public:
  Objects(trace::EventSink& sink, Entries& entries) : sink_(sink), entries_(entries) {}

  void add(const io::Line& line) {
    if (open_.empty() && line.text != "{") return take(entry_in(line.text), line.offset);
    if (open_.empty()) offset_ = line.offset;
    if (open_.size() < kMostEntryBytes) (open_ += line.text) += '\n';
    if (line.text == "}") finish();
  }

  void finish() {
    take(open_, offset_);
    open_.clear();
  }

 private:
  void take(std::string_view object, uint64_t offset) {
    if (object.empty()) return;
    read_fields(object, document_, fields_) ? entries_.add(fields_, offset)
                                            : sink_.loss("line that is not an entry", offset);
  }

  trace::EventSink& sink_;
  Entries& entries_;
  json::Document document_;
  EntryFields fields_;
  std::string open_;  // lines of an object that goes on
  uint64_t offset_ = 0;
};

bool is_export(std::string_view head) {
  return head.starts_with("__CURSOR=") || head.starts_with("__REALTIME_TIMESTAMP=");
}

bool is_verbose(std::string_view head) {
  HeadLines lines(head, 2);
  while (const auto line = lines.next()) {
    if (Verbose::time_us(*line)) return true;
    if (!line->starts_with("-- ")) break;
  }
  return false;
}

// In the first object, whichever member it is.
bool is_json(std::string_view head) {
  head = entry_in(head);
  const size_t end = head.starts_with("{\n") ? head.find("\n}") : find_any<'\n'>(head);
  return head.starts_with('{') &&
         head.substr(0, end).find("\"__REALTIME_TIMESTAMP\"") != std::string_view::npos;
}

}  // namespace

int sniff_journal(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  const std::string_view text = as_chars(head);
  return is_export(text) || is_verbose(text) || is_json(text) ? kSure : 0;
}

Status read_journal(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  constexpr size_t kHeadBytes = 4 << 10;
  WEFT_TRY_ASSIGN(const auto head, source.peek(kHeadBytes));
  const std::string_view text = as_chars(head);
  Entries entries(sink);
  const auto read = [&](auto notation) {
    const auto add = [&](const io::Line& line) { notation.add(line); };
    for_each_whole_line(source, sink, add, kMostEntryBytes);
    notation.finish();
  };
  if (is_export(text)) {
    Export(source, sink, entries).read();
  } else if (is_verbose(text)) {
    read(Verbose(sink, entries));
  } else {
    read(Objects(sink, entries));
  }
  return {};
}

}  // namespace weft::formats
