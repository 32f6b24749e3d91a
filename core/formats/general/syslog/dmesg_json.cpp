#include "core/formats/general/syslog/dmesg_json.h"

#include <fmt/core.h>

#include <iterator>

#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

// Lines of a message that go on are indented, as dmesg does it.
void append_line(std::string& lines, json::Element message, double time) {
  const auto member = [&](std::string_view name) { return json::member(message, name); };
  if (const auto facility = member("fac")) {
    fmt::format_to(std::back_inserter(lines), "{}:{}: ", json::plain(facility),
                   json::plain(member("pri")));
  } else if (const auto priority = member("pri")) {
    fmt::format_to(std::back_inserter(lines), "<{}>", json::plain(priority));
  }
  fmt::format_to(std::back_inserter(lines), "[{:.6f}]", time);
  if (const auto caller = member("caller"))
    fmt::format_to(std::back_inserter(lines), "[{}]", json::plain(caller));
  lines += ' ';
  for (const char c : json::text(member("msg"))) {
    lines += c;
    if (c == '\n') lines += ' ';
  }
  lines += '\n';
}

}  // namespace

bool is_dmesg_json(std::string_view head) {
  const auto take_sign = [&](std::string_view sign) {
    head = trimmed(head);
    return take_prefix(head, sign);
  };
  return take_sign("{") && take_sign("\"dmesg\"") && take_sign(":") && take_sign("[");
}

Result<std::string> dmesg_lines(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  WEFT_TRY_ASSIGN(const json::Document document, json::Document::read(source, sink, memory_bytes));
  std::string lines;
  uint64_t left_out = 0;
  json::for_each_element(json::member(document.root(), "dmesg"), [&](json::Element message) {
    const auto time = json::number(json::member(message, "time"));
    if (!time) return sink.loss("message without a time", trace::LossPlace::nowhere());
    if (lines.size() > memory_bytes) {
      ++left_out;
    } else {
      append_line(lines, message, *time);
    }
  });
  if (left_out > 0) sink.loss("message beyond the memory", trace::LossPlace::nowhere(), left_out);
  return lines;
}

}  // namespace weft::formats
