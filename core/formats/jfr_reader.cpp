#include "core/formats/jfr_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/formats/byte_window.h"
#include "core/formats/jfr/jfr_classes.h"
#include "core/formats/jfr/jfr_cursor.h"
#include "core/formats/jfr/jfr_player.h"
#include "core/formats/jfr/jfr_values.h"

namespace weft::formats {
namespace {

constexpr std::string_view kJfrMagic("FLR\0", 4);
constexpr size_t kJfrHeaderBytes = 68;

struct JfrHeader {
  uint16_t major = 0;
  uint64_t size = 0, constants_at = 0, classes_at = 0;
  jfr::Clock clock;
  bool is_compressed = false;
};

std::optional<JfrHeader> header_of(std::string_view bytes) {
  if (bytes.size() < kJfrHeaderBytes || !bytes.starts_with(kJfrMagic)) return std::nullopt;
  jfr::Cursor cursor(bytes, false);
  cursor.move_to(kJfrMagic.size());
  JfrHeader header;
  header.major = cursor.fixed<uint16_t>();
  cursor.fixed<uint16_t>();
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

class JfrReader {
 public:
  JfrReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), window_(source, sink), player_(sink), most_bytes_(memory_bytes) {}

  Status read() {
    constexpr uint16_t kOldest = 2;
    const auto first = header_of(window_.peek_most(kJfrHeaderBytes));
    if (!first) return fail("is a recording of Java's Flight Recorder that ends in its header");
    if (first->major < kOldest)
      return fail(fmt::format(
          "is a recording of version {}.x, of a JDK before 9: `jfr print --json` of JDK 8's "
          "Mission Control reads it",
          first->major));
    sink_.set_time_base(TimeBase::kNanoseconds);
    while (window_.is_wanted() && read_chunk()) {
    }
    window_.finish("a chunk");
    player_.finish();
    return {};
  }

 private:
  // False at the end.
  bool read_chunk() {
    const auto header = header_of(window_.peek_most(kJfrHeaderBytes));
    if (!header) return false;
    if (header->size < kJfrHeaderBytes) {  // its writer did not end it
      sink_.loss("chunk that was not finished", window_.offset());
      return !window_.skip(UINT64_MAX);
    }
    if (header->size > most_bytes_) {
      sink_.loss("chunk that is larger than the memory (--memory)", window_.offset());
      return window_.skip(header->size);
    }
    const auto chunk = window_.peek(static_cast<size_t>(header->size));
    if (!chunk) return false;
    add_chunk(*chunk, *header);
    return window_.skip(header->size);
  }

  void add_chunk(std::string_view chunk, const JfrHeader& header) {
    jfr::Cursor cursor(chunk, header.is_compressed);
    cursor.move_to(static_cast<size_t>(std::min<uint64_t>(header.classes_at, chunk.size())));
    auto classes = jfr::read_classes(cursor);
    if (!classes) return sink_.loss(classes.error().message + ": a chunk", window_.offset());
    jfr::Values values(chunk, header.is_compressed, std::move(*classes));
    const auto constants_at = std::min<uint64_t>(header.constants_at, chunk.size());
    if (!values.add_checkpoints(static_cast<size_t>(constants_at)))
      sink_.loss("constants of a chunk are damaged: names are missing", window_.offset());
    player_.begin_chunk(header.clock);
    for (size_t at = kJfrHeaderBytes; at < chunk.size() && sink_.keep_going();) {
      const size_t size = add_event(values, at, chunk.size() - at);
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
    const auto type = cursor.integer<uint64_t>();
    const uint64_t offset = window_.offset() + at;
    constexpr uint64_t kClasses = 0, kConstants = 1;
    if (cursor.has_failed() || size < cursor.at() - at || size > left) return 0;
    if (type == kClasses || type == kConstants) return size;
    const jfr::Class* const of = values.class_at(type);
    if (of == nullptr || !of->is_event) {
      sink_.loss("event of a kind that is not described", offset);
      return size;
    }
    const jfr::Value event = values.take(cursor, *of);
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
  uint64_t most_bytes_;
};

}  // namespace

int sniff_jfr(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.starts_with(kJfrMagic) ? 100 : 0;
}

Status read_jfr(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  return JfrReader(source, sink, context.memory_bytes).read();
}

}  // namespace weft::formats
