#include "core/formats/messages/spans/spans_reader.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/messages/spans/otlp_text.h"
#include "core/formats/messages/spans/span_json.h"
#include "core/formats/messages/spans/span_trace.h"
#include "core/io/decompress.h"

namespace weft::formats {
namespace {

// One object or array that ends with the first line, and another in the next.
bool are_lines(std::string_view head) {
  head = trimmed(head);
  const size_t end = head.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view first = trimmed(head.substr(0, end)), next = trimmed(head.substr(end));
  const auto are_each = [&](char open, char close) {
    return first.starts_with(open) && first.ends_with(close) && next.starts_with(open);
  };
  return are_each('{', '}') || are_each('[', ']');
}

bool is_json(std::string_view text) {
  text = trimmed(text);
  return text.starts_with('{') || text.starts_with('[');
}

// Whether an array begins with a span of Zipkin's that says no service, as Next.js writes them.
bool begins_with_timed_span(std::string_view text) {
  constexpr std::string_view kNames[] = {"traceId", "id", "name", "timestamp", "duration"};
  constexpr size_t kEnough = size_t{64} << 10;
  std::string padded(trimmed(text).substr(0, kEnough));
  padded.append(json::kTextPadding, '\0');
  json::Cursor cursor(padded.data());
  size_t found = 0;
  if (!cursor.take('[') || !cursor.take('{')) return false;
  for (json::RawString name; cursor.skip_space(), cursor.string(name) && cursor.take(':');) {
    const bool is_of_span = std::ranges::find(kNames, name.text) != std::end(kNames);
    if (is_of_span && ++found == std::size(kNames)) return true;
    json::RawValue value;
    cursor.skip_space();
    if (!cursor.value(value) || !cursor.take(',')) return false;
  }
  return false;
}

int sniff_json(std::string_view text) {
  constexpr int kSure = 96;
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (has("\"resourceSpans\"") || has("\"scopeSpans\"") || has("\"instrumentationLibrarySpans\""))
    return kSure;
  if (has("\"traceID\"") && has("\"spanID\"") && has("\"operationName\"")) return kSure;
  const bool has_cloud_times = has("\"startTime\"") && has("\"endTime\"") && has("\"spanId\"");
  if (has_cloud_times && has("\"spans\"") && (has("\"traceId\"") || has("\"displayName\"")))
    return kSure;
  const bool is_zipkin = has("\"traceId\"") && has("\"id\"") && has("\"timestamp\"");
  return is_zipkin && (has("\"localEndpoint\"") || begins_with_timed_span(text)) ? kSure : 0;
}

constexpr size_t kLengthBytes = 4;

// A message of protobuf begins with the tag of its first field; a length that begins with the same
// byte is one of 160 MiB.
bool is_message(std::string_view bytes) { return bytes.starts_with('\n'); }

// Unpacks a length-prefixed message, at most `most_bytes`, also if it is damaged.
Status unpack_message(std::string_view message, uint64_t most_bytes, std::string& plain) {
  constexpr std::string_view kZstd = "\x28\xB5\x2F\xFD";
  plain.clear();
  if (message.starts_with(kZstd))
    return io::decompress(io::Compression::kZstd, message, most_bytes, plain);
  plain = message.substr(0, most_bytes);
  return {};
}

int sniff_otlp(std::string_view head) {
  constexpr int kSure = 98;
  if (is_message(head)) return spans::has_otlp_span(head) ? kSure : 0;
  const auto length = take_big<uint32_t>(head);
  if (!length || *length == 0) return 0;
  std::string plain;
  static_cast<void>(unpack_message(head.substr(0, *length), kHeadBytes, plain));  // may be cut
  if (is_json(plain)) return sniff_json(plain);
  return is_message(plain) && spans::has_otlp_span(plain) ? kSure : 0;
}

class SpansReader {
 public:
  SpansReader(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), memory_bytes_(memory_bytes), trace_(sink), spans_(sink, trace_) {}

  // One document, which may be of any size.
  Status read_document(io::Source& source) {
    WEFT_TRY_ASSIGN(const json::Document document,
                    json::Document::read(source, sink_, memory_bytes_));
    return spans_.add(document.root()) ? Status() : found();
  }

  void read_lines(io::Source& source) {
    for_each_line(
        source, sink_, [&](const io::Line& line) { add(line.text, "line without spans"); },
        memory_bytes_ / 2);
  }

  Status read_message(io::Source& source) {
    WEFT_TRY_ASSIGN(const WholeInput whole, WholeInput::read(source, sink_));
    add_message(whole.bytes());
    return found();
  }

  // Messages behind their lengths.
  Status read_messages(io::Source& source) {
    ByteWindow window(source, sink_);
    std::string plain;
    while (window.is_wanted()) {
      auto length_bytes = window.peek(kLengthBytes);
      if (!length_bytes) break;
      const size_t length = *take_big<uint32_t>(*length_bytes);
      if (length > memory_bytes_ / 2) {
        lose("message beyond the reader's memory (--memory)");
        if (!window.skip(kLengthBytes + length)) break;
        continue;
      }
      const auto message = window.peek(kLengthBytes + length);
      if (!message) break;
      if (!unpack_message(message->substr(kLengthBytes), memory_bytes_ / 2, plain)) {
        lose("message that cannot be unpacked");
      } else if (is_json(plain)) {
        add(plain, "message without spans");
      } else {
        add_message(plain);
      }
      window.skip(kLengthBytes + length);
    }
    window.finish("a message");
    return found();
  }

  void finish() { trace_.finish(); }

 private:
  Status found() const {
    if (trace_.count() > 0) return {};
    return fail("is a document about spans without any");
  }
  void lose(std::string_view what) { sink_.loss(what, trace_.count()); }
  void add(std::string_view text, std::string_view what) {
    if (!document_.parse_next(text) || !spans_.add(document_.root())) lose(what);
  }
  void add_message(std::string_view traces) {
    bool has_spans = false;
    const bool is_whole = spans::for_each_otlp_text(traces, [&](std::string_view text) {
      has_spans |= document_.parse_next(text) && spans_.add(document_.root());
      return sink_.keep_going();
    });
    if (!is_whole) lose("message that is cut or damaged");
    if (!has_spans && is_whole) lose("message without spans");
  }

  trace::EventSink& sink_;
  const uint64_t memory_bytes_;
  spans::SpanTrace trace_;
  spans::SpanJson spans_;
  json::Document document_;  // of a line, or a message
};

}  // namespace

int sniff_spans(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return is_json(text) ? sniff_json(text) : sniff_otlp(text);
}

Status read_spans(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  SpansReader reader(sink, context.memory_bytes);
  WEFT_TRY_ASSIGN(const auto head, source.peek(size_t{1} << 20));
  const std::string_view text = as_chars(head);
  if (is_json(text) && are_lines(text)) {
    reader.read_lines(source);
  } else if (is_json(text)) {
    WEFT_TRY(reader.read_document(source));
  } else if (is_message(text)) {
    WEFT_TRY(reader.read_message(source));
  } else {
    WEFT_TRY(reader.read_messages(source));
  }
  reader.finish();
  return {};
}

}  // namespace weft::formats
