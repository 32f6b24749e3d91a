#include "core/formats/profiles/jfr/jfr_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/jfr/jfr_classes.h"
#include "core/formats/profiles/jfr/jfr_cursor.h"
#include "core/formats/profiles/jfr/jfr_old_chunk.h"
#include "core/formats/profiles/jfr/jfr_player.h"
#include "core/formats/profiles/jfr/jfr_values.h"

namespace weft::formats {
namespace {

constexpr std::string_view kJfrMagic("FLR\0", 4);
constexpr size_t kJfrHeaderBytes = 68;

// The header of JDK 9 and later.
struct JfrHeader {
  uint64_t size = 0, constants_at = 0, classes_at = 0;
  jfr::Clock clock;
  bool is_compressed = false;
};

std::optional<JfrHeader> header_of(std::string_view bytes) {
  if (bytes.size() < kJfrHeaderBytes || !bytes.starts_with(kJfrMagic)) return std::nullopt;
  jfr::Cursor cursor(bytes, false);
  cursor.move_to(kJfrMagic.size());
  JfrHeader header;
  cursor.fixed<uint32_t>();  // the version
  header.size = cursor.fixed<uint64_t>();
  header.constants_at = cursor.fixed<uint64_t>();
  header.classes_at = cursor.fixed<uint64_t>();
  header.clock.begin_ns = cursor.fixed<int64_t>();
  cursor.fixed<uint64_t>();  // how long it took
  header.clock.begin_ticks = cursor.fixed<int64_t>();
  header.clock.ticks_per_second = cursor.fixed<int64_t>();
  header.is_compressed = (cursor.fixed<uint32_t>() & 1) != 0;
  return header;
}

// Whether it is a chunk of JDK 7 or 8.
bool is_old_chunk(std::string_view bytes) {
  if (bytes.size() < jfr::kOldHeaderBytes || !take_prefix(bytes, kJfrMagic)) return false;
  return take_big<uint16_t>(bytes) == 0;
}

class JfrReader {
 public:
  JfrReader(io::Source& source, trace::EventSink& sink)
      : sink_(sink), window_(source, sink), player_(sink) {}

  Status read() {
    const std::string_view head = window_.peek_most(kJfrHeaderBytes);
    if (!is_old_chunk(head) && !header_of(head))
      return fail("is a recording of Java's Flight Recorder that ends in its header");
    sink_.set_time_base(TimeBase::kNanoseconds);
    while (window_.is_wanted() && read_chunk()) {
    }
    window_.finish("a chunk");
    player_.finish();
    return {};
  }

 private:
  // Returns false at the end.
  bool read_chunk() {
    const std::string_view head = window_.peek_most(kJfrHeaderBytes);
    if (is_old_chunk(head)) return read_old_chunk();
    const auto header = header_of(head);
    if (!header) return false;
    if (header->size < kJfrHeaderBytes) {  // its writer did not end it
      sink_.loss("chunk that was not finished", window_.offset());
      return !window_.skip(UINT64_MAX);
    }
    const auto chunk = window_.peek(header->size);
    if (chunk) add_chunk(*chunk, *header);
    return chunk && window_.skip(header->size);
  }

  // Its size stands with its metadata.
  bool read_old_chunk() {
    const auto header = window_.peek(jfr::kOldHeaderBytes);
    if (!header) return false;
    std::string_view place = header->substr(jfr::kOldHeaderBytes - sizeof(uint64_t));
    const uint64_t metadata_at = take_big<uint64_t>(place).value_or(0);
    if (metadata_at < jfr::kOldHeaderBytes) {  // its writer did not end it
      sink_.loss("chunk that was not finished", window_.offset());
      return !window_.skip(UINT64_MAX);
    }
    constexpr size_t kSizeBytes = sizeof(uint32_t);
    const auto first = window_.peek(std::max(metadata_at, metadata_at + kSizeBytes));
    if (!first) return false;
    std::string_view size = first->substr(static_cast<size_t>(metadata_at));
    const uint64_t chunk_size = metadata_at + take_big<uint32_t>(size).value_or(0);
    const auto chunk = window_.peek(chunk_size);
    if (chunk) add_old_chunk(*chunk, static_cast<size_t>(metadata_at));
    return chunk && window_.skip(chunk_size);
  }

  void add_old_chunk(std::string_view chunk, size_t metadata_at) {
    jfr::Cursor cursor(chunk, false);
    cursor.move_to(metadata_at);
    auto described = jfr::read_old_metadata(cursor);
    if (!described) return sink_.loss(described.error().message + ": a chunk", window_.offset());
    const jfr::Clock clock = described->clock;
    jfr::Values values(chunk, false, std::move(described->classes));
    if (!jfr::add_old_constants(values, described->constants_at)) say_constants_are_damaged();
    add_events(values, clock, jfr::kOldHeaderBytes, metadata_at);
  }

  void say_constants_are_damaged() {
    sink_.loss("constants of a chunk are damaged: names are missing", window_.offset());
  }

  void add_chunk(std::string_view chunk, const JfrHeader& header) {
    jfr::Cursor cursor(chunk, header.is_compressed);
    cursor.move_to(static_cast<size_t>(std::min<uint64_t>(header.classes_at, chunk.size())));
    auto classes = jfr::read_classes(cursor);
    if (!classes) return sink_.loss(classes.error().message + ": a chunk", window_.offset());
    jfr::Values values(chunk, header.is_compressed, std::move(*classes));
    const auto constants_at = std::min<uint64_t>(header.constants_at, chunk.size());
    if (!values.add_checkpoints(static_cast<size_t>(constants_at))) say_constants_are_damaged();
    add_events(values, header.clock, kJfrHeaderBytes, chunk.size());
  }

  void add_events(jfr::Values& values, const jfr::Clock& clock, size_t begin, size_t end) {
    is_old_ = begin == jfr::kOldHeaderBytes;
    player_.begin_chunk(clock);
    for (size_t at = begin; at < end && sink_.keep_going();) {
      const size_t size = add_event(values, at, end - at);
      if (size == 0) {
        sink_.loss("what follows in the chunk", window_.offset() + at);
        break;
      }
      at += size;
    }
    player_.end_chunk();
  }

  // How long it is; 0: it cannot be one.
  size_t add_event(jfr::Values& values, size_t at, size_t left) {
    jfr::Cursor cursor = values.cursor_at(at);
    const auto size = static_cast<uint32_t>(cursor.integer<int32_t>());
    const auto type = is_old_ ? cursor.fixed<uint32_t>() : cursor.integer<uint64_t>();
    const uint64_t offset = window_.offset() + at;
    constexpr uint64_t kClasses = 0, kConstants = 1, kOldLost = 2;
    if (cursor.has_failed() || size < cursor.at() - at || size > left) return 0;
    if (type == kClasses || type == kConstants) return size;
    if (is_old_ && type == kOldLost) {
      sink_.loss("buffer of events that the recorder had no room for", offset);
      return size;
    }
    const jfr::Class* const of = values.class_at(type);
    if (of == nullptr || !of->is_event) {
      sink_.loss("event of a kind that is not described", offset);
      return size;
    }
    const jfr::Value event =
        is_old_ ? jfr::take_old_event(values, cursor, *of) : values.take(cursor, *of);
    if (cursor.has_failed() || cursor.at() > at + size) {
      sink_.loss("event that is damaged", offset);
    } else {
      player_.add(values, *of, event, offset);
    }
    return size;
  }

  trace::EventSink& sink_;
  ByteWindow window_;
  jfr::Player player_;
  bool is_old_ = false;  // the chunk
};

}  // namespace

int sniff_jfr(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kJfrMagic) ? 100 : 0;
}

Status read_jfr(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  return JfrReader(source, sink).read();
}

}  // namespace weft::formats
