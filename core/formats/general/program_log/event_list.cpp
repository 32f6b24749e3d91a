#include "core/formats/general/program_log/event_list.h"

#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"

namespace weft::formats {

namespace {

bool is_name_of_events(std::string_view name) { return name == "events" || name == "Events"; }

// What is said of all events, in members beside their list.
void keep_metadata(json::Element object, trace::EventSink& sink) {
  json::for_each_member(object, [&](std::string_view name, json::Element value) {
    if (name == "metadata") {
      json::for_each_member(value, [&](std::string_view key, json::Element said) {
        if (!said.is_object() && !said.is_array()) sink.set_metadata(key, json::plain(said));
      });
    } else if (!is_name_of_events(name) && !value.is_object() && !value.is_array()) {
      sink.set_metadata(name, json::plain(value));
    }
  });
}

}  // namespace

bool is_event_list(std::string_view head) {
  const bool may_be = trimmed(head).starts_with('{') &&
                      (head.contains("\"events\"") || head.contains("\"Events\""));
  if (!may_be) return false;
  std::string padded(head);
  padded.append(json::kTextPadding, '\0');
  json::Cursor cursor(padded.data());
  if (!cursor.take('{')) return false;
  for (json::RawString name; cursor.skip_space(), cursor.string(name) && cursor.take(':');) {
    if (is_name_of_events(name.text)) return cursor.take('[') && cursor.take('{');
    json::RawValue other;
    cursor.skip_space();
    if (!cursor.value(other) || !cursor.take(',')) return false;
  }
  return false;
}

Result<std::string> lines_of_events(io::Source& source, trace::EventSink& sink,
                                    uint64_t memory_bytes) {
  WEFT_TRY_ASSIGN(const json::Document document, json::Document::read(source, sink, memory_bytes));
  auto events = json::member(document.root(), "events");
  if (!events) events = json::member(document.root(), "Events");
  keep_metadata(document.root(), sink);
  std::string lines;
  uint64_t left_out = 0, others = 0;
  json::for_each_element(events, [&](json::Element event) {
    if (!event.is_object()) {
      ++others;
    } else if (lines.size() > memory_bytes) {
      ++left_out;
    } else {
      lines += json::compact(event);
      lines += '\n';
    }
  });
  const auto nowhere = trace::LossPlace::nowhere();
  if (others > 0) sink.loss("element that is not an event", nowhere, others);
  if (left_out > 0) sink.loss("event beyond the memory", nowhere, left_out);
  return lines;
}

}  // namespace weft::formats
