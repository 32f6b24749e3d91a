#include "core/formats/general/program_log/event_list.h"

#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"

namespace weft::formats {

bool is_event_list(std::string_view head) {
  const auto take_sign = [&](std::string_view sign) {
    head = trimmed(head);
    return take_prefix(head, sign);
  };
  return take_sign("{") && (take_sign("\"events\"") || take_sign("\"Events\"")) && take_sign(":") &&
         take_sign("[") && take_sign("{");
}

Result<std::string> lines_of_events(io::Source& source, trace::EventSink& sink,
                                    uint64_t memory_bytes) {
  WEFT_TRY_ASSIGN(const json::Document document, json::Document::read(source, sink, memory_bytes));
  auto events = json::member(document.root(), "events");
  if (!events) events = json::member(document.root(), "Events");
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
