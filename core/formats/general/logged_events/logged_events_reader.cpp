#include "core/formats/general/logged_events/logged_events_reader.h"

#include <string_view>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/general/chrome_json/logged_json.h"

namespace weft::formats {
namespace {

// From the brace on; empty where there is none.
std::string_view object_in(std::string_view line) {
  const size_t brace = line.find("{\"");
  return brace == std::string_view::npos ? std::string_view() : line.substr(brace);
}

}  // namespace

// Plain JSON in lines, and arrays of it, are the Chrome reader's.
int sniff_logged_events(std::span<const std::byte> head) {
  constexpr int kLikely = 75, kLinesLookedAt = 20;
  HeadLines lines(as_chars(head), kLinesLookedAt);
  while (const auto next = lines.next()) {
    const std::string_view line = *next;
    // Not the lines of a document; those that are an object each, or one of an array whose bracket
    // is missing, are a log of them.
    const std::string_view end = trimmed(line);
    const bool is_alone = line.starts_with('{') && (end.ends_with('}') || end.ends_with("},"));
    if ((line.starts_with('{') && !is_alone) || line.starts_with('[')) return 0;
    const std::string_view object = object_in(line);
    const auto has = [&](std::string_view name) { return object.find(name) != object.npos; };
    if (has("\"traceEvents\":")) return 0;  // a document behind something
    if (has("\"ph\":") && has("\"ts\":")) return kLikely;
  }
  return 0;
}

Status read_logged_events(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  chrome_json::LoggedJson events;
  for_each_line(source, sink, [&](const io::Line& line) {
    if (events.add_each(object_in(line.text)) > 0) return;
    const bool has_phase = line.text.find("\"ph\":") != std::string_view::npos;
    sink.loss(has_phase ? "line with an event that is no JSON" : "line without an event",
              line.offset, 1, has_phase);
  });
  return events.finish(sink, context);
}

}  // namespace weft::formats
