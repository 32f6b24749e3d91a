#include "core/formats/btrace_reader.h"

#include <string_view>

#include "core/formats/messages/message_log.h"
#include "core/formats/messages/message_text.h"
#include "core/formats/text.h"
#include "core/formats/text_lines.h"

namespace weft::formats {
namespace {

using messages::LogRecord;

// The text before the next tabulator; `rest` begins behind it.
std::string_view take_field(std::string_view& rest) {
  const size_t end = rest.find('\t');
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return field;
}

// False where the line has no time and no kind. Fields without a colon are left out and counted.
bool parse_line(std::string_view text, LogRecord& record, uint32_t& bad_fields) {
  record.clear_fields();
  bad_fields = 0;
  record.time = trimmed(take_field(text));
  record.kind = trimmed(take_field(text));
  while (!text.empty()) {
    const std::string_view field = trimmed(take_field(text));
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
  std::string_view text = as_chars(head);
  for (int i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const size_t end = text.find('\n');
    LogRecord record;
    uint32_t bad_fields = 0;
    if (parse_line(text.substr(0, end), record, bad_fields) && messages::is_message(record.kind))
      return 85;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
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
