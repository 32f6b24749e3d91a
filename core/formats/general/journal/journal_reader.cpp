#include "core/formats/general/journal/journal_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"

namespace weft::formats {
namespace {

constexpr std::string_view kTime = "__REALTIME_TIMESTAMP";
constexpr size_t kMostEntryBytes = size_t{8} << 20;

// An entry: names and what they say, in the order of the journal.
using EntryFields = std::vector<std::pair<std::string, std::string>>;

// Of a field: how its parameter is called where it has a name of its own.
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
    const trace::PunctualEvent event{
        .time = {ns},
        .params = params_of(fields),
        .lane = lanes_.lane_of(fmt::format("{}/{}", host, program)),
        .type = sink_.type(trace::Category::kPunctual, valid_utf8(program))};
    sink_.punctuals({&event, 1});
  }

 private:
  static std::string_view value_of(const EntryFields& fields, std::string_view name) {
    const auto field = std::ranges::find(fields, name, &EntryFields::value_type::first);
    return field == fields.end() ? std::string_view() : std::string_view(field->second);
  }

  ParamsId params_of(const EntryFields& fields) {
    members_.clear();
    for (const auto& [field, name] : kParameters) {
      const std::string_view value = value_of(fields, field);
      if (!value.empty()) append_member(members_, name, value);
    }
    for (const auto& [name, value] : fields) {
      const bool is_told =
          std::ranges::find(kParameters, std::string_view(name),
                            &decltype(kParameters)::value_type::first) != kParameters.end();
      if (!is_told && !name.starts_with('_') && name != "SYSLOG_IDENTIFIER")
        append_member(members_, name, value);
    }
    return members_.empty() ? ParamsId::none() : sink_.params('{' + members_ + '}');
  }

  trace::EventSink& sink_;
  LanePaths lanes_;
  std::string members_;
};

// Bytes that are no UTF-8 are numbers in an array; a field that is there several times is an array
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
// with line feeds is a line "NAME", 8 bytes of its size, its bytes, and a line feed.
class Export {
 public:
  Export(trace::EventSink& sink, Entries& entries) : sink_(sink), entries_(entries) {}

  void add(const io::Line& line) {
    if (fields_.empty() && !is_binary_) offset_ = line.offset;
    if (is_binary_) return go_on(line.text);
    if (line.text.empty()) return finish();
    const size_t equals = line.text.find('=');
    const std::string_view name = line.text.substr(0, equals);
    if (bytes_ += line.text.size(); bytes_ > kMostEntryBytes) return;
    fields_.emplace_back(name, std::string());
    is_binary_ = equals == std::string_view::npos;
    if (!is_binary_) fields_.back().second = line.text.substr(equals + 1);
  }

  void finish() {
    if (is_binary_) {
      sink_.loss("field that does not end", offset_);
    } else if (!fields_.empty()) {
      entries_.add(fields_, offset_);
    }
    fields_.clear();
    binary_.clear();
    is_binary_ = false;
    bytes_ = 0;
  }

 private:
  void go_on(std::string_view line) {
    binary_ += line;
    std::string_view bytes = binary_;
    if (const auto size = take_little<uint64_t>(bytes)) {
      if (*size > kMostEntryBytes || bytes.size() > *size) return finish();
      if (bytes.size() == *size) {
        fields_.back().second = bytes;
        binary_.clear();
        is_binary_ = false;
        return;
      }
    }
    binary_ += '\n';
  }

  trace::EventSink& sink_;
  Entries& entries_;
  EntryFields fields_;
  std::string binary_;  // of the last field
  bool is_binary_ = false;
  size_t bytes_ = 0;
  uint64_t offset_ = 0;  // of the entry
};

bool is_export(std::string_view head) {
  return head.starts_with("__CURSOR=") || head.starts_with("__REALTIME_TIMESTAMP=");
}

}  // namespace

int sniff_journal(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  std::string_view text = as_chars(head);
  if (is_export(text)) return kSure;
  text = entry_in(text.substr(0, find_any<'\n'>(text)));
  const bool has_time = text.find("\"__REALTIME_TIMESTAMP\"") != std::string_view::npos;
  return text.starts_with('{') && has_time ? kSure : 0;
}

Status read_journal(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(64));
  const bool is_of_lines = is_export(as_chars(head));
  Entries entries(sink);
  Export fields(sink, entries);
  json::Document document;
  EntryFields parsed;
  const auto add = [&](const io::Line& line) {
    if (is_of_lines) return fields.add(line);
    const std::string_view object = entry_in(line.text);
    if (object.empty()) return;
    read_fields(object, document, parsed) ? entries.add(parsed, line.offset)
                                          : sink.loss("line that is no entry", line.offset);
  };
  for_each_whole_line(source, sink, add, kMostEntryBytes);
  fields.finish();
  return {};
}

}  // namespace weft::formats
