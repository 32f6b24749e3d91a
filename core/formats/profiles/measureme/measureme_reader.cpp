#include "core/formats/profiles/measureme/measureme_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/profiles/measureme/events.h"
#include "core/io/reopen.h"

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
};
using Streams = std::array<Stream, 3>;

uint32_t version_of(std::string_view header) {
  header.remove_prefix(kFile.size());
  return take_little<uint32_t>(header).value_or(0);
}

class PageReader {
 public:
  // Read again, it has told already what is wrong.
  PageReader(io::Source& source, trace::EventSink& sink, bool is_first)
      : window_(source, sink), sink_(sink), is_first_(is_first) {}

  // Calls take(kind, bytes, offset) for the parts of the pages.
  template <class Take>
  void read(const Take& take) {
    window_.skip(kHeaderBytes);
    while (const auto head = window_.peek(kPageHeaderBytes)) {
      std::string_view header = *head;
      const auto kind = *take_little<uint8_t>(header);
      const auto size = *take_little<uint32_t>(header);
      const uint64_t offset = window_.offset();
      window_.skip(kPageHeaderBytes);
      const bool is_known = kind < kStreams.size();
      if (!is_known && is_first_) sink_.loss("page of no kind", offset);
      if (!(is_known ? take_page(kind, size, take) : window_.skip(size))) {
        if (is_first_) sink_.loss("page that is cut", offset);
        break;
      }
      if (!window_.is_wanted()) return;
    }
    if (is_first_) window_.finish("the header of a page");
  }

 private:
  // False: the file ends within.
  template <class Take>
  bool take_page(uint8_t kind, uint64_t size, const Take& take) {
    constexpr uint64_t kMostAtOnce = 64 << 10;
    while (size > 0) {
      const std::string_view part =
          window_.peek_most(static_cast<size_t>(std::min(size, kMostAtOnce)));
      if (part.empty()) return false;
      take(kind, part, window_.offset());
      size -= part.size();
      window_.skip(part.size());
    }
    return true;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  bool is_first_;
};

// Cuts the stream of events, which comes in pieces, into these.
class EventFeeder {
 public:
  EventFeeder(measureme::Events& events, Encoding encoding, trace::EventSink& sink)
      : events_(events), event_bytes_(encoding.event_bytes()), sink_(sink) {}

  void feed(std::string_view bytes, uint64_t offset) {
    while (!bytes.empty() && is_right_ && sink_.keep_going()) {
      const size_t wanted = has_header_ ? event_bytes_ : kHeaderBytes;
      if (pending_.empty()) offset_ = offset;
      const std::string_view part = bytes.substr(0, wanted - pending_.size());
      pending_ += part;
      offset += part.size();
      bytes.remove_prefix(part.size());
      if (pending_.size() == wanted) take();
    }
  }

  void finish() {
    events_.finish();
    if (!has_header_) {
      sink_.loss("stream of events without its header", trace::LossPlace::nowhere());
    } else if (!pending_.empty() && sink_.keep_going()) {
      sink_.loss("event that is cut", offset_);
    }
  }

 private:
  void take() {
    if (has_header_) {
      events_.add(pending_, offset_);
    } else {
      has_header_ = true;
      is_right_ = pending_.starts_with(kStreams[0]);
      if (!is_right_) sink_.loss("stream of events without its header", offset_);
    }
    pending_.clear();
  }

  measureme::Events& events_;
  size_t event_bytes_;
  trace::EventSink& sink_;
  std::string pending_;
  uint64_t offset_ = 0;  // of what is pending
  bool has_header_ = false, is_right_ = true;
};

// Version 5: the one of events, which was opened, and the two beside it.
Status read_three_files(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes,
                        Streams& streams) {
  WEFT_TRY_ASSIGN(const WholeInput events, WholeInput::read(source, sink, memory_bytes));
  streams[0] = {std::string(events.bytes()), {{0, 0}}};
  for (size_t i = 1; i < streams.size(); ++i) {
    std::filesystem::path path = io::without_compression(source.path());
    path.replace_extension(kExtensions[i]);
    const auto beside = io::Source::open(path);
    if (!beside)
      return fail(fmt::format("needs the texts of its events, {} beside it: {}",
                              path.filename().string(), beside.error().message));
    WEFT_TRY_ASSIGN(const WholeInput texts, WholeInput::read(**beside, sink, memory_bytes));
    streams[i].bytes = texts.bytes();
  }
  return {};
}

// Texts are needed as long as there are events. Those are kept, too, as long as there is room:
// false where they have to be read again.
bool read_pages(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes,
                Streams& streams) {
  uint64_t text_bytes = 0;
  bool has_room = true;
  PageReader(source, sink, true).read([&](uint8_t kind, std::string_view part, uint64_t offset) {
    Stream& stream = streams[kind];
    if (kind == 0) {
      has_room &= stream.bytes.size() + part.size() <= memory_bytes / 2;
      if (!has_room) stream = {};
      if (!has_room) return;
    } else if (text_bytes + part.size() > memory_bytes) {
      return sink.loss("texts that the memory has no room for (--memory)", offset);
    } else {
      text_bytes += part.size();
    }
    stream.pieces.push_back({stream.bytes.size(), offset});
    stream.bytes += part;
  });
  return has_room;
}

void feed_again(io::Source& source, trace::EventSink& sink, EventFeeder& feeder) {
  const auto again = io::can_be_reopened(source) ? io::Source::open(source.path()) : fail("");
  if (!again || (*again)->is_folder())
    return sink.loss("events that the memory has no room for (--memory)",
                     trace::LossPlace::nowhere());
  PageReader(**again, sink, false).read([&](uint8_t kind, std::string_view part, uint64_t offset) {
    if (kind == 0) feeder.feed(part, offset);
  });
}

// The stream behind its header.
std::string_view content_of(const Streams& streams, size_t kind, trace::EventSink& sink) {
  constexpr std::array<const char*, 3> kNames = {"events", "texts", "the texts' index"};
  const std::string_view bytes = streams[kind].bytes;
  if (bytes.starts_with(kStreams[kind]) && bytes.size() >= kHeaderBytes)
    return bytes.substr(kHeaderBytes);
  sink.loss(fmt::format("stream of {} without its header", kNames[kind]),
            trace::LossPlace::nowhere());
  return {};
}

}  // namespace

int sniff_measureme(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (text.size() < kHeaderBytes) return 0;
  if (text.starts_with(kFile)) return 100;
  return text.starts_with(kStreams[0]) && version_of(text) <= kThreeFiles ? 100 : 0;
}

Status read_measureme(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const std::span<const std::byte> peeked, source.peek(kHeaderBytes));
  const std::string_view head = as_chars(peeked);
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
  bool has_events = true;
  if (is_paged) {
    has_events = read_pages(source, sink, context.memory_bytes, streams);
  } else {
    WEFT_TRY(read_three_files(source, sink, context.memory_bytes / streams.size(), streams));
  }
  const measureme::StringTable texts(encoding, content_of(streams, 1, sink),
                                     content_of(streams, 2, sink), kHeaderBytes);
  measureme::Events events(sink, texts, encoding);
  events.add_metadata();
  EventFeeder feeder(events, encoding, sink);
  if (has_events) {
    const Stream& kept = streams[0];
    for (size_t i = 0; i < kept.pieces.size(); ++i) {
      const uint64_t begin = kept.pieces[i].in_stream;
      const uint64_t end =
          i + 1 < kept.pieces.size() ? kept.pieces[i + 1].in_stream : kept.bytes.size();
      feeder.feed(std::string_view(kept.bytes).substr(begin, end - begin), kept.pieces[i].in_file);
    }
  } else {
    feed_again(source, sink, feeder);
  }
  feeder.finish();
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
