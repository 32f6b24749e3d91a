#include "core/formats/messages/btrace/btrace_reader.h"

#include <string_view>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/messages/log/message_log.h"
#include "core/formats/messages/log/message_text.h"

namespace weft::formats {
namespace {

using messages::LogRecord;

// A line's next field: between tabulators, or, where the line has none, between blanks.
std::string_view take_field(std::string_view& text, char separator) {
  while (!text.empty() && text.front() == separator) text.remove_prefix(1);
  return trimmed(take_to(text, separator));
}

// Words without a colon go on with the field before them: "Data:0A 0B", "Uid: 7".
std::string_view take_words(std::string_view& text) {
  const std::string_view whole = text;
  take_field(text, ' ');
  while (!text.empty()) {
    std::string_view rest = text;
    if (take_field(rest, ' ').find(':') != std::string_view::npos) break;
    text = rest;
  }
  return trimmed(whole.substr(0, whole.size() - text.size()));
}

// Returns false if the line has no time and no kind. Fields without a colon are left out and
// counted.
bool parse_line(std::string_view text, LogRecord& record, uint32_t& bad_fields) {
  record.clear_fields();
  bad_fields = 0;
  text = trimmed(text);
  const char separator = text.find('\t') == std::string_view::npos ? ' ' : '\t';
  record.time = take_field(text, separator);
  record.kind = take_field(text, separator);
  while (!text.empty()) {
    const std::string_view field = separator == ' ' ? take_words(text) : take_field(text, '\t');
    if (field.empty()) continue;
    const size_t colon = field.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      ++bad_fields;
      continue;
    }
    record.add_field(trimmed(field.substr(0, colon)), trimmed(field.substr(colon + 1)));
  }
  return !record.kind.empty() && messages::parse_time(record.time).has_value();
}

void add_comment(std::string_view text, messages::MessageLog& log) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trimmed(text.substr(0, colon));
  if (!key.empty()) log.set_metadata(key, trimmed(text.substr(colon + 1)));
}

}  // namespace

int sniff_btrace(std::span<const std::byte> head) {
  constexpr int kLinesLookedAt = 32;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  while (const auto line = lines.next()) {
    LogRecord record;
    uint32_t bad_fields = 0;
    if (parse_line(*line, record, bad_fields) && messages::is_message(record.kind)) return 85;
  }
  return 0;
}

Status read_btrace(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  constexpr size_t kMostLineBytes = size_t{64} << 20;  // payloads are lines
  messages::MessageLog log(sink, context.memory_bytes);
  LogRecord record;
  const auto add = [&](const io::Line& line) {
    if (line.text.front() == '#') return add_comment(line.text.substr(1), log);
    uint32_t bad_fields = 0;
    if (!parse_line(line.text, record, bad_fields))
      return sink.loss("line without a time and an event", line.offset);
    if (bad_fields > 0) sink.loss("field without a name", line.offset, bad_fields);
    log.add(record, line.offset);
  };
  for_each_line(source, sink, add, kMostLineBytes);
  log.finish();
  return {};
}

}  // namespace weft::formats
