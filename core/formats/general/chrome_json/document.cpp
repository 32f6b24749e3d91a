#include "core/formats/general/chrome_json/document.h"

#include <fmt/core.h>

#include <utility>

#include "core/formats/base/json_text.h"
#include "core/formats/general/chrome_json/plain_spelling.h"
#include "core/formats/kernel/ftrace/ftrace_text.h"

namespace weft::formats::chrome_json {
namespace {

constexpr size_t kMostMetadataBytes = 1 << 20;  // of one value; longer ones are counted
constexpr size_t kMostSampleBytes = 8 << 20;    // that wait for the events

}  // namespace

// The next character that is not white space, which then is the window's first; kEnd at the end.
int DocumentReader::next_token() {
  for (;;) {
    json::Cursor cursor(window_.data());
    cursor.skip_space();
    window_.consume(static_cast<size_t>(cursor.p - window_.data()));
    if (window_.size() > 0) return static_cast<uint8_t>(*window_.data());
    if (!window_.grow()) return kEnd;
  }
}

// The value at the window's begin; not consumed, so that its text stays.
DocumentReader::Token DocumentReader::read_value(json::RawValue& out) {
  for (bool is_whole = false;; is_whole = !window_.grow()) {
    json::Cursor cursor(window_.data());
    const bool is_read = cursor.value(out);
    const bool is_at_end = cursor.p == window_.data() + window_.size();
    if (is_read && (is_whole || !is_at_end)) return Token::kRead;
    if (!is_at_end) return Token::kBroken;
    if (is_whole) return Token::kCut;
    if (window_.size() >= most_value_bytes_) return Token::kTooLong;
  }
}

// Passes over a value of any length, aware of strings and nesting only.
bool DocumentReader::skip_long_value() {
  size_t depth = 0;
  bool in_string = false;
  bool is_escaped = false;
  for (;;) {
    const std::string_view text = window_.view();
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (in_string) {
        if (!is_escaped && c == '"') in_string = false;
        is_escaped = !is_escaped && c == '\\';
      } else if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      }
      if (depth == 0 && !in_string) {
        window_.consume(i + 1);
        return true;
      }
    }
    window_.consume(text.size());
    if (!window_.grow()) return false;
  }
}

bool DocumentReader::read_events(char default_phase) {
  window_.consume(1);                                        // the opening bracket
  has_events_ |= default_phase == 0 || next_token() != ']';  // reports of others may lack samples
  if (!events_.run(default_phase)) {
    is_stopped_ = true;
    return false;
  }
  if (next_token() == ']') window_.consume(1);
  return true;
}

// Damage before the events means that there is nothing to read; behind them it is a loss.
Status DocumentReader::broken(const char* what) {
  if (window_.error()) return {};  // the source's error says it better
  if (!has_events_) {
    return fail(fmt::format("is not a Chrome JSON trace: {} at byte {}", what, window_.offset()));
  }
  sink_.loss(fmt::format("{} behind the events", what), window_.offset());
  return {};
}

Status DocumentReader::read() {
  if (next_token() != kEnd && is_protocol()) return read_messages();
  for (int first = next_token(); first != kEnd && !is_stopped_; first = next_token()) {
    if (first == '[') {
      if (!read_events(0)) break;
    } else if (first == '{') {
      WEFT_TRY(read_object());
      give_samples();
    } else {
      WEFT_TRY(broken("text that is not JSON"));
      return {};
    }
    if (is_stopped_ || next_token() == kEnd) break;
    const bool is_document = *window_.data() == '[' || *window_.data() == '{';
    if (is_document) sink_.note("another document behind the first", window_.offset());
  }
  if (!has_events_ && !window_.error())
    return fail(
        "is JSON, but no Chrome JSON trace: has no traceEvents (for objects on lines, define a "
        "trace type: weftscope trace-type guess FILE)");
  return {};
}

Status DocumentReader::read_object() {
  window_.consume(1);  // the opening brace
  if (next_token() == '}') {
    window_.consume(1);
    return {};
  }
  ++depth_;
  for (bool is_over = false; !is_over;) WEFT_TRY(read_member(is_over));
  --depth_;
  return {};
}

// One member and what follows it. An object that just ends behind its events is legal.
Status DocumentReader::read_member(bool& is_over) {
  is_over = true;
  if (next_token() == kEnd) return has_events_ ? Status() : broken("a cut object");
  json::RawValue key_value;
  if (next_token() != '"' || read_value(key_value) != Token::kRead) {
    WEFT_TRY(broken("text that is not JSON"));
    window_.consume(window_.size());
    return {};
  }
  const std::string key = json::decode_string(key_value.inner()).text;
  window_.consume(key_value.text.size());
  if (next_token() != ':') {
    WEFT_TRY(broken("text that is not JSON"));
    window_.consume(window_.size());
    return {};
  }
  window_.consume(1);
  const int first = next_token();
  if (first == '[' && key == "samples" && keep_samples()) {
    // They come behind the events.
  } else if (first == '[' && (key == "traceEvents" || key == "samples")) {
    if (!read_events(key == "samples" ? 'P' : '\0')) return {};
  } else {
    bool is_damaged = false;
    WEFT_TRY(read_other(key, is_damaged));
    if (is_damaged) return {};
  }
  const int next = next_token();
  if (next == ',' || next == '}') window_.consume(1);
  is_over = next != ',';
  return {};
}

// Samples name a thread, but no process: which one has it is known behind the events.
bool DocumentReader::keep_samples() {
  json::RawValue array;
  if (has_events_ || read_value(array) != Token::kRead || array.text.size() > kMostSampleBytes)
    return false;
  samples_ = array.text;
  samples_offset_ = window_.offset();
  window_.consume(1);
  has_events_ = next_token() != ']';
  window_.consume(samples_.size() - (window_.offset() - samples_offset_));
  return true;
}

void DocumentReader::give_samples() {
  const std::string samples = std::exchange(samples_, {});
  if (samples.empty() || is_stopped_) return;
  const std::string_view behind_bracket = std::string_view(samples).substr(1);
  is_stopped_ = !events_.add(behind_bracket, samples_offset_ + 1, 'P') || !events_.finish_added();
}

// Answers to requests and snapshots of other tools have the trace within:
// {"result":{"traceEvents":…
bool DocumentReader::is_around_events(std::string_view value) const {
  constexpr int kMostDepth = 8;
  return !has_events_ && depth_ < kMostDepth && value.starts_with('{') &&
         value.contains("\"traceEvents\"");
}

Status DocumentReader::read_other(const std::string& key, bool& is_damaged) {
  const uint64_t offset = window_.offset();
  json::RawValue value;
  const Token token = read_value(value);
  if (is_around_events(token == Token::kRead ? value.text : window_.view())) return read_object();
  switch (token) {
    case Token::kRead:
      if (key == "stackFrames") {
        if (value.is_object()) keep_stack_frames(value.text);
      } else if (key == "systemTraceEvents" && value.is_string()) {
        committer_.add_kernel_text(json::decode_string(value.inner()).text, offset);
      } else if (key == "systemTraceEvents" && value.is_object()) {
        committer_.add_kernel_text(std::string(value.text), offset);
      } else {
        keep(key, value);
      }
      window_.consume(value.text.size());
      return {};
    case Token::kTooLong:
      sink_.loss("top-level value too long to keep", offset);
      is_damaged = !skip_long_value();
      return {};
    case Token::kCut:
      is_damaged = true;
      window_.consume(window_.size());
      return broken("a cut value");
    case Token::kBroken:
      break;
  }
  is_damaged = true;
  WEFT_TRY(broken("text that is not JSON"));
  window_.consume(window_.size());
  return {};
}

// ---- What the trace says about itself

void DocumentReader::keep(const std::string& key, const json::RawValue& value) {
  if (!value.is_object()) return keep_text(key, value);
  json::for_each_member(value.text, [&](const json::RawString& name, const json::RawValue& member) {
    keep_text(fmt::format("{}.{}", key, json::decode_string(name.text).text), member);
  });
}

void DocumentReader::keep_text(const std::string& key, const json::RawValue& value) {
  if (value.text.size() > kMostMetadataBytes) {
    return sink_.loss("top-level value too long to keep", window_.offset());
  }
  if (value.is_string())
    return committer_.add_metadata(key, json::decode_string(value.inner()).text);
  std::string text;
  json::append_compact(text, value);
  committer_.add_metadata(key, text);
}

// Ids are spelled as those that events name.
void DocumentReader::keep_stack_frames(std::string_view object) {
  std::string spelled;
  if (!is_spelled_plainly(object))
    object = spelled = spelled_plainly(object) + std::string(json::kTextPadding, '\0');
  json::for_each_member(object, [&](const json::RawString& id, const json::RawValue& frame) {
    if (!frame.is_object()) return;
    std::string name;
    std::string_view parent;
    json::for_each_member(frame.text, [&](const json::RawString& key, const json::RawValue& value) {
      if (key.text == "name") name = json::decode_string(value.inner()).text;
      if (key.text == "parent") parent = value.inner();
    });
    committer_.add_stack_frame(id.text, name, parent);
  });
}

}  // namespace weft::formats::chrome_json
