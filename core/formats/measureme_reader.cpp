#include "core/formats/measureme_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/binary.h"
#include "core/formats/byte_window.h"
#include "core/formats/measureme/events.h"
#include "core/formats/whole_input.h"

namespace weft::formats {
namespace {

using measureme::Encoding;

constexpr std::string_view kFile = "MMPD";
constexpr std::array<std::string_view, 3> kStreams = {"MMES", "MMSD", "MMSI"};  // by page's kind
constexpr std::array<const char*, 3> kExtensions = {".events", ".string_data", ".string_index"};
constexpr size_t kHeaderBytes = 8, kPageHeaderBytes = 5;
constexpr uint32_t kFirstPaged = 6, kLast = 9, kThreeFiles = 5;

// The bytes of the pages of a kind, and where they lie in the file.
struct Stream {
  struct Piece {
    uint64_t in_stream, in_file;
  };
  std::string bytes;
  std::vector<Piece> pieces;

  uint64_t offset_of(uint64_t in_stream) const {
    const auto it = std::ranges::upper_bound(pieces, in_stream, {}, &Piece::in_stream);
    if (it == pieces.begin()) return in_stream;
    return std::prev(it)->in_file + (in_stream - std::prev(it)->in_stream);
  }
};
using Streams = std::array<Stream, 3>;

uint32_t version_of(std::string_view header) {
  header.remove_prefix(kFile.size());
  return take_little<uint32_t>(header).value_or(0);
}

class PageReader {
 public:
  PageReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink), sink_(sink), left_bytes_(memory_bytes) {}

  void read(Streams& streams) {
    window_.skip(kHeaderBytes);
    while (const auto head = window_.peek(kPageHeaderBytes)) {
      std::string_view header = *head;
      const auto kind = *take_little<uint8_t>(header);
      const auto size = *take_little<uint32_t>(header);
      const uint64_t offset = window_.offset();
      window_.skip(kPageHeaderBytes);
      if (kind >= streams.size()) sink_.loss("page of no kind", offset);
      Stream* const stream = kind < streams.size() ? &streams[kind] : nullptr;
      if (!take_page(stream, size)) {
        sink_.loss("page that is cut", offset);
        break;
      }
      if (!window_.is_wanted()) return;
    }
    window_.finish("the header of a page");
  }

 private:
  // False: the file ends within.
  bool take_page(Stream* stream, uint64_t size) {
    constexpr uint64_t kMostAtOnce = 64 << 10;
    const bool has_room = stream != nullptr && size <= left_bytes_;
    if (stream != nullptr && !has_room)
      sink_.loss("page that the memory has no room for (--memory)", window_.offset());
    if (!has_room) return window_.skip(size);
    stream->pieces.push_back({stream->bytes.size(), window_.offset()});
    while (size > 0) {
      const std::string_view part =
          window_.peek_most(static_cast<size_t>(std::min(size, kMostAtOnce)));
      if (part.empty()) return false;
      stream->bytes += part;
      left_bytes_ -= part.size();
      size -= part.size();
      window_.skip(part.size());
    }
    return true;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  uint64_t left_bytes_;
};

// Version 5: the one of events, which was opened, and the two beside it.
Status read_three_files(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes,
                        Streams& streams) {
  WEFT_TRY_ASSIGN(streams[0].bytes, read_whole(source, sink, memory_bytes));
  for (size_t i = 1; i < streams.size(); ++i) {
    std::filesystem::path path = io::without_compression(source.path());
    path.replace_extension(kExtensions[i]);
    const auto beside = io::Source::open(path);
    if (!beside)
      return fail(fmt::format("needs the texts of its events, {} beside it: {}",
                              path.filename().string(), beside.error().message));
    WEFT_TRY_ASSIGN(streams[i].bytes, read_whole(**beside, sink, memory_bytes));
  }
  return {};
}

void read_events(const Streams& streams, Encoding encoding, trace::EventSink& sink) {
  constexpr std::array<std::string_view, 3> kNames = {"stream of events", "stream of texts",
                                                      "stream of the texts' index"};
  std::array<std::string_view, 3> contents;
  for (size_t i = 0; i < streams.size(); ++i) {
    contents[i] = streams[i].bytes;
    if (contents[i].starts_with(kStreams[i]) && contents[i].size() >= kHeaderBytes) {
      contents[i].remove_prefix(kHeaderBytes);
    } else {
      sink.loss(fmt::format("{} without its header", kNames[i]), trace::LossPlace::nowhere());
      contents[i] = {};
    }
  }
  const measureme::StringTable texts(encoding, contents[1], contents[2], kHeaderBytes);
  measureme::Events events(sink, texts, encoding);
  events.add_metadata();
  std::string_view rest = contents[0];
  for (uint64_t i = 0; rest.size() >= encoding.event_bytes(); ++i) {
    constexpr uint64_t kEventsBetweenLooks = 4096;
    const uint64_t offset = streams[0].bytes.size() - rest.size();
    events.add(rest.substr(0, encoding.event_bytes()), streams[0].offset_of(offset));
    rest.remove_prefix(encoding.event_bytes());
    if (i % kEventsBetweenLooks == 0 && !sink.keep_going()) break;
  }
  events.finish();
  if (!rest.empty() && sink.keep_going())
    sink.loss("event that is cut", streams[0].offset_of(streams[0].bytes.size() - rest.size()));
}

}  // namespace

int sniff_measureme(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.size() < kHeaderBytes) return 0;
  if (text.starts_with(kFile)) return 100;
  return text.starts_with(kStreams[0]) && version_of(text) <= kThreeFiles ? 100 : 0;
}

Status read_measureme(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const std::span<const std::byte> peeked, source.peek(kHeaderBytes));
  const std::string_view head(reinterpret_cast<const char*>(peeked.data()), peeked.size());
  if (head.size() < kHeaderBytes) return fail("ends within its header");
  const bool is_paged = head.starts_with(kFile);
  const Encoding encoding{.version = version_of(head)};
  const bool is_known = is_paged ? encoding.version >= kFirstPaged && encoding.version <= kLast
                                 : head.starts_with(kStreams[0]) && encoding.version == kThreeFiles;
  if (!is_known)
    return fail(fmt::format("is of version {} of rustc's profiles; versions {} to {} are read",
                            encoding.version, kThreeFiles, kLast));
  sink.set_metadata("version", std::to_string(encoding.version));
  Streams streams;
  if (is_paged) {
    PageReader(source, sink, context.memory_bytes).read(streams);
  } else {
    WEFT_TRY(read_three_files(source, sink, context.memory_bytes / streams.size(), streams));
  }
  read_events(streams, encoding, sink);
  return {};
}

std::vector<Page> measureme_pages() {
  return {{"kinds",
           "What took the time",
           "SELECT type AS event, type_group AS kind, count(*) AS times, sum(dur) AS time, "
           "max(dur) AS longest, avg(dur) AS mean "
           "FROM states WHERE begin >= :from AND begin < :to GROUP BY type_id ORDER BY time DESC",
           {"time", "longest", "mean"}},
          {"sizes", "Sizes and counts",
           "SELECT lane AS kind, type AS what, count(*) AS times, sum(value) AS sum "
           "FROM variables WHERE time >= :from AND time <= :to "
           "GROUP BY lane_id, type_id ORDER BY sum DESC"}};
}

}  // namespace weft::formats
