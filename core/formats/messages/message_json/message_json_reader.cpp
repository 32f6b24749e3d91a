#include "core/formats/messages/message_json/message_json_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/early_end.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_window.h"
#include "core/formats/messages/log/message_event.h"

namespace weft::formats {
namespace {

using json::Cursor;
using json::RawString;
using json::RawValue;
using messages::MessageEvent;

bool is_container(char c) { return c == '{' || c == '['; }

std::string_view text_of(const RawString& raw, MessageEvent& event) {
  const bool is_ascii = (raw.traits & json::kHasNonAscii) == 0;
  const bool has_escapes = (raw.traits & json::kHasEscape) != 0;
  if (!has_escapes && (is_ascii || is_valid_utf8(raw.text))) return raw.text;
  return event.keep(json::decode_string(raw.text).text);
}

void append_json(std::string& params, std::string_view name, const RawValue& value) {
  if (!params.empty()) params += ',';
  json::append_quoted(params, name);
  params += ':';
  json::append_compact(params, value);
}

// An array of numbers from 0 to 255, as hexadecimal text.
bool hexadecimal_from(const RawValue& array, std::string& out) {
  std::string_view text = array.text;
  if (!take_prefix(text, "[")) return false;
  for (;;) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(", \t\r\n")));
    if (text == "]") return true;
    const auto byte = take_number<uint8_t>(text);
    if (!byte) return false;
    fmt::format_to(std::back_inserter(out), "{:02x}", *byte);
  }
}

constexpr CharSet kSigns(std::string_view(",:{}[]\" \t\r\n\0", 12));

// A number, a word: what ends before the next of JSON's signs.
std::string_view take_word(Cursor& cursor) {
  const char* const begin = cursor.p;
  while (!kSigns.contains(*cursor.p)) ++cursor.p;
  return {begin, static_cast<size_t>(cursor.p - begin)};
}

// The kind of object at a brace.
enum class Found : uint8_t { kEvent, kEnvelope, kNothing, kBroken };

void add_container(std::string_view name, const RawValue& value, MessageEvent& event) {
  if (name != "MessageData") return append_json(event.params, name, value);
  std::string bytes;
  if (hexadecimal_from(value, bytes)) {
    event.fields.emplace_back(name, event.keep(std::move(bytes)));
  } else {
    append_json(event.params, "data", value);
  }
}

bool are_events(std::string_view name) { return name == "MessageEvents" || name == "MessageEvent"; }

// The first container in an object of which no MessageId is known yet: a parameter, or what an
// envelope holds.
struct Content {
  Cursor place;
  size_t fields_before = 0;
};

Found envelope_of(const Content& content, Cursor& cursor, MessageEvent& event) {
  cursor = content.place;
  event.fields.resize(content.fields_before);
  return Found::kEnvelope;
}

// Whatever is in it; false: it does not end.
bool pass_over_container(Cursor& cursor) {
  size_t depth = 0;
  do {
    RawString text;
    if (*cursor.p == '"' && !cursor.string(text)) return false;
    if (*cursor.p == 0) return false;
    if (is_container(*cursor.p)) ++depth;
    if (*cursor.p == '}' || *cursor.p == ']') --depth;
    if (*cursor.p != '"') ++cursor.p;
  } while (depth > 0);
  return true;
}

// How a container is told from events, where no MessageId stands before it.
struct Looks {
  bool may_look = true;    // whether it is looked through before it is entered
  bool may_guess = false;  // without its end: what holds a MessageId then holds events
};

// What is no strict JSON ("[0x10]") is kept as text.
enum class Taken : uint8_t { kParameter, kEvents, kBroken };

Taken take_container(Cursor& cursor, std::string_view name, bool is_event, Looks looks,
                     MessageEvent& event) {
  if (!is_event && !looks.may_look) return Taken::kEvents;
  const char* const begin = cursor.p;
  RawValue value;
  if (cursor.value(value)) {
    add_container(name, value, event);
    return Taken::kParameter;
  }
  cursor.p = begin;
  const bool is_closed = pass_over_container(cursor);
  const std::string_view text =
      is_closed ? std::string_view(begin, cursor.p) : std::string_view(begin);
  const bool may_tell = is_closed || looks.may_guess;
  if (!is_event && may_tell && text.contains("\"MessageId\"")) return Taken::kEvents;
  if (!is_closed) return Taken::kBroken;
  event.fields.emplace_back(name, event.keep(valid_utf8(text)));
  return Taken::kParameter;
}

// The members of the object; the cursor then stands behind it, before an envelope's content, or at
// what broke it.
Found parse_object(Cursor& cursor, Looks looks, MessageEvent& event) {
  event.clear();
  bool is_event = false;
  std::optional<Content> content;
  cursor.take('{');
  while (!cursor.take('}')) {
    RawString raw_name;
    cursor.take(',');
    cursor.skip_space();
    if (!cursor.string(raw_name) || !cursor.take(':')) return Found::kBroken;
    const std::string_view name = text_of(raw_name, event);
    is_event |= name == "MessageId";
    cursor.skip_space();
    if (is_container(*cursor.p)) {
      if (!content) content = {cursor, event.fields.size()};
      if (!is_event && are_events(name)) return envelope_of(*content, cursor, event);
      switch (take_container(cursor, name, is_event, looks, event)) {
        case Taken::kParameter:
          break;
        case Taken::kEvents:
          return envelope_of(*content, cursor, event);
        case Taken::kBroken:
          return Found::kBroken;
      }
    } else if (*cursor.p == '"') {
      RawString value;
      if (!cursor.string(value)) return Found::kBroken;
      event.fields.emplace_back(name, text_of(value, event));
    } else {
      const std::string_view word = take_word(cursor);
      if (word.empty()) return Found::kBroken;
      if (word != "null") event.fields.emplace_back(name, word);
    }
  }
  if (is_event) return Found::kEvent;
  return content ? envelope_of(*content, cursor, event) : Found::kNothing;
}

class MessageJsonReader {
 public:
  MessageJsonReader(io::Source& source, trace::EventSink& sink, uint64_t max_bytes)
      : window_(source), sink_(sink), log_(sink, max_bytes), max_event_bytes_(max_bytes) {}

  Status read() {
    while (window_.size() > 0 || window_.grow()) {
      if (!step()) break;
    }
    log_.finish();
    if (window_.error() && window_.offset() == 0) return fail(*window_.error());
    if (window_.error()) report_early_end(sink_, *window_.error(), window_.offset());
    return {};
  }

 private:
  // Passes over one thing; false at the end.
  bool step() {
    const std::string_view text = window_.view();
    const size_t next = text.find_first_of("{\"");
    const auto ends = std::ranges::count(text.substr(0, next), '}');
    envelopes_ -= std::min(envelopes_, ends);
    window_.consume(std::min(next, text.size()));
    if (next == std::string_view::npos) return true;
    Cursor cursor(window_.data());
    if (*cursor.p == '{') return read_object(cursor);
    RawString name;
    if (cursor.string(name) || !may_be_cut(cursor)) {
      consume_to(std::max(cursor.p, window_.data() + 1));
      return true;
    }
    return want_more();
  }

  bool read_object(Cursor cursor) {
    constexpr uint64_t kEventsBetweenLooks = 4096;
    constexpr ptrdiff_t kMostEnvelopes = 16;    // within each other: each is looked through
    constexpr size_t kEnoughToGuess = 1 << 20;  // of what may go on to the end of the file
    const uint64_t offset = window_.offset();
    const bool may_look = envelopes_ < kMostEnvelopes;
    Found found = parse_object(cursor, {.may_look = may_look}, event_);
    if (found == Found::kBroken && may_be_cut(cursor)) {
      if (window_.size() < kEnoughToGuess && window_.grow()) return true;
      cursor = Cursor(window_.data());
      found = parse_object(cursor, {.may_look = may_look, .may_guess = true}, event_);
    }
    if (found == Found::kBroken && may_be_cut(cursor)) return want_more();
    if (found == Found::kBroken) return skip_damage();
    if (found == Found::kEvent) log_.add(event_, offset);
    if (found == Found::kNothing) sink_.loss("object without a MessageId", offset);
    if (found == Found::kEnvelope) {
      ++envelopes_;
      for (const auto& [name, value] : event_.fields) log_.set_metadata(name, value);
    }
    consume_to(cursor.p);
    if (log_.events() % kEventsBetweenLooks != 0) return true;
    sink_.progress(window_.source().disk_bytes_read(), window_.source().disk_bytes_total());
    return sink_.keep_going();
  }

  bool skip_damage() {
    sink_.loss("damaged message event", window_.offset());
    Cursor cursor(window_.data());
    const auto skim = cursor.skim_object(window_.size());
    consume_to(skim == Cursor::Skim::kClosed ? cursor.p : window_.data() + 1);
    return true;
  }

  // The text ended before what stands at the window's begin did.
  bool want_more() {
    if (window_.size() > max_event_bytes_) {
      sink_.loss("message event too long", window_.offset());
      window_.consume(window_.size());
      return true;
    }
    if (window_.grow()) return true;
    sink_.loss("message event cut off by the end of the input", window_.offset());
    window_.consume(window_.size());
    return false;
  }

  bool may_be_cut(const Cursor& cursor) const {
    return cursor.p >= window_.data() + window_.size();
  }
  void consume_to(const char* p) { window_.consume(static_cast<size_t>(p - window_.data())); }

  json::TextWindow window_;
  trace::EventSink& sink_;
  messages::MessageEventLog log_;
  MessageEvent event_;
  uint64_t max_event_bytes_;
  ptrdiff_t envelopes_ = 0;  // that are open, within each other
};

}  // namespace

int sniff_message_json(std::span<const std::byte> head) {
  const std::string_view text = trimmed(as_chars(head));
  if (text.empty() || std::string_view("{[\"").find(text.front()) == std::string_view::npos)
    return 0;
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  return has("\"MessageId\"") || has("\"MessageEvents\"") ? 88 : 0;
}

Status read_message_json(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return MessageJsonReader(source, sink, context.memory_bytes).read();
}

}  // namespace weft::formats
