// Messages of Chrome's DevTools protocol, as puppeteer and others log them: the array of events in
// pieces,
//
//   {"method":"Tracing.dataCollected","params":{"value":[…]}}
//
// whole, or their params alone, or the values of these; one behind the other, or in an array.
#include "core/formats/base/json_text.h"
#include "core/formats/general/chrome_json/document.h"

namespace weft::formats::chrome_json {
namespace {

constexpr std::string_view kCollected = "Tracing.dataCollected";

// Calls each(name, place of the value) for the members of the object at `p`, as far as the text
// goes, until it says false.
template <class Each>
void for_each_of(const char* p, const Each& each) {
  json::Cursor cursor(p);
  if (!cursor.take('{')) return;
  for (;;) {
    json::RawString name;
    cursor.skip_space();
    if (!cursor.string(name) || !cursor.take(':')) return;
    cursor.skip_space();
    json::RawValue value;
    if (!each(name.text, cursor.p) || !cursor.value(value) || !cursor.take(',')) return;
  }
}

bool is_event(const char* p) {
  bool has_phase = false;
  for_each_of(p, [&](std::string_view name, const char*) { return !(has_phase = name == "ph"); });
  return has_phase;
}

bool is_array_of_events(const char* p) {
  json::Cursor cursor(p);
  if (!cursor.take('[')) return false;
  cursor.skip_space();
  return is_event(cursor.p);
}

bool has_piece(const char* p, bool is_params) {
  bool is_found = false;
  for_each_of(p, [&](std::string_view name, const char* value) {
    if (name == "value") is_found = is_array_of_events(value);
    if (name == "params" && !is_params) is_found = has_piece(value, true);
    return !is_found;
  });
  return is_found;
}

}  // namespace

// By the first object; where it is not a piece, by the first 64 KiB, since other messages may stand
// before it. Of a pipe no more is waited for than tells.
bool DocumentReader::is_protocol() {
  constexpr size_t kLookedAt = 64 << 10;
  for (;;) {
    json::Cursor cursor(window_.data());
    const bool is_list = cursor.take('[');
    cursor.skip_space();
    const std::string_view text = window_.view().substr(0, kLookedAt);
    if (is_event(cursor.p) || text.contains("\"traceEvents\"")) return false;
    if (has_piece(cursor.p, false) || (is_list && is_array_of_events(cursor.p))) return true;
    if (text.contains(kCollected)) return true;
    json::RawValue first;
    const bool is_whole = *cursor.p == '{' && cursor.value(first);
    if (is_whole || window_.size() >= kLookedAt || !window_.grow()) return false;
  }
}

Status DocumentReader::read_messages() {
  has_events_ = true;
  bool is_in_list = false;
  for (int first = next_token(); first != kEnd && !is_stopped_; first = next_token()) {
    if (first == '{') {
      if (!read_message(false)) break;
    } else if (first == '[' && is_in_list) {
      json::RawValue array;
      const Token token = read_value(array);
      if (!read_piece(token, array)) break;
    } else if (first == '[' || first == ']' || first == ',') {
      is_in_list = first == '[' || (is_in_list && first == ',');
      window_.consume(1);
    } else {
      WEFT_TRY(broken("text that is not JSON"));
      break;
    }
  }
  events_.finish_added();
  return {};
}

// False: there is no more to read.
bool DocumentReader::read_message(bool is_params) {
  const uint64_t offset = window_.offset();
  const auto cut = [&] {
    if (!window_.error()) sink_.loss("message that is cut or no JSON", offset);
    return false;
  };
  bool has_events = false;
  window_.consume(1);  // the opening brace
  for (int next = ','; next == ',' && next_token() == '"';) {
    json::RawValue name;
    if (read_value(name) != Token::kRead) return cut();
    const std::string key = json::decode_string(name.inner()).text;
    window_.consume(name.text.size());
    if (next_token() != ':') return cut();
    window_.consume(1);
    const int first = next_token();
    if (key == "params" && first == '{' && !is_params) {
      has_events = true;  // or it is counted there
      if (!read_message(true)) return false;
    } else {
      json::RawValue value;
      const Token token = read_value(value);
      if (key == "value" && is_array_of_events(window_.data())) {
        has_events = true;
        if (!read_piece(token, value)) return false;
      } else if (token == Token::kRead) {
        window_.consume(value.text.size());
      } else if (token != Token::kTooLong || !skip_long_value()) {
        return cut();
      }
    }
    next = next_token();
    if (next == ',') window_.consume(1);
  }
  const int end = next_token();
  if (end == kEnd && has_events) return false;  // the array said so
  if (end != '}') return cut();
  window_.consume(1);
  if (!has_events) sink_.note("message without events of the trace", offset);
  return true;
}

// `array`, of events, is what read_value() found at the window's begin. What is short is parsed
// beside others.
bool DocumentReader::read_piece(Token token, const json::RawValue& array) {
  if (token != Token::kRead || array.text.size() > events_.most_added_bytes())
    return events_.finish_added() && read_events(0);
  if (!events_.add(array.text.substr(1), window_.offset() + 1)) {
    is_stopped_ = true;
    return false;
  }
  window_.consume(array.text.size());
  return true;
}

}  // namespace weft::formats::chrome_json
