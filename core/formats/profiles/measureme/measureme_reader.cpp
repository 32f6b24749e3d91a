#include "core/formats/profiles/measureme/measureme_reader.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/profiles/measureme/events.h"

namespace weft::formats {
namespace {

using measureme::Encoding;

constexpr std::string_view kFile = "MMPD";
constexpr std::array<std::string_view, 3> kStreams = {"MMES", "MMSD", "MMSI"};  // by page's kind
constexpr size_t kHeaderBytes = 8, kPageHeaderBytes = 5;
constexpr uint32_t kFirstPaged = 6, kLast = 9, kThreeFiles = 5;

// A part of the stream of events, and where it lies in the file.
struct Piece {
  std::string_view bytes;
  uint64_t offset;
};

uint32_t version_of(std::string_view header) {
  header.remove_prefix(kFile.size());
  return take_little<uint32_t>(header).value_or(0);
}

// The contents of a file's pages, by kind. The file outlives it.
struct Pages {
  LargeVector<Piece> events;
  LargeVector<char> texts, index;
};

Pages pages_of(std::string_view file, trace::EventSink& sink) {
  Pages pages;
  std::string_view rest = file.substr(kHeaderBytes);
  while (!rest.empty()) {
    const auto lose = [&, begin = file.size() - rest.size()](std::string_view what) {
      sink.loss(what, begin);
    };
    std::string_view header = rest.substr(0, kPageHeaderBytes);
    const auto kind = take_little<uint8_t>(header);
    const auto bytes = take_little<uint32_t>(header);
    if (!bytes) {
      lose("input ends within the header of a page");
      break;
    }
    rest.remove_prefix(kPageHeaderBytes);
    const std::string_view content = rest.substr(0, *bytes);
    if (*kind >= kStreams.size()) {
      lose("page of no kind");
    } else if (*kind == 0) {
      pages.events.push_back({content, file.size() - rest.size()});
    } else {
      LargeVector<char>& stream = *kind == 1 ? pages.texts : pages.index;
      stream.insert(stream.end(), content.begin(), content.end());
    }
    rest.remove_prefix(content.size());
    if (content.size() < *bytes) lose("page that is cut");
  }
  return pages;
}

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

// The stream behind its header.
std::string_view content_of(std::string_view stream, size_t kind, trace::EventSink& sink) {
  constexpr std::array<const char*, 3> kNames = {"events", "texts", "the texts' index"};
  if (stream.starts_with(kStreams[kind]) && stream.size() >= kHeaderBytes)
    return stream.substr(kHeaderBytes);
  sink.loss(fmt::format("stream of {} without its header", kNames[kind]),
            trace::LossPlace::nowhere());
  return {};
}

void play(Encoding encoding, std::span<const Piece> pieces, std::string_view texts,
          std::string_view index, trace::EventSink& sink) {
  const measureme::StringTable table(encoding, content_of(texts, 1, sink),
                                     content_of(index, 2, sink), kHeaderBytes);
  measureme::Events events(sink, table, encoding);
  events.add_metadata();
  EventFeeder feeder(events, encoding, sink);
  for (const Piece& piece : pieces) {
    feeder.feed(piece.bytes, piece.offset);
    sink.progress(piece.offset, pieces.back().offset);
  }
  feeder.finish();
}

// Version 5: the one of events, which was opened, and the two beside it.
Status play_three_files(Encoding encoding, io::Source& source, trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(const WholeInput events, WholeInput::read(source, sink));
  std::vector<WholeInput> beside;
  for (const char* const extension : {".string_data", ".string_index"}) {
    std::filesystem::path path = io::without_compression(source.path());
    path.replace_extension(extension);
    const auto opened = io::Source::open(path);
    if (!opened)
      return fail(fmt::format("needs the texts of its events, {} beside it: {}",
                              path.filename().string(), opened.error().message));
    WEFT_TRY_ASSIGN(WholeInput texts, WholeInput::read(**opened, sink));
    beside.push_back(std::move(texts));
  }
  const Piece all{events.bytes(), 0};
  play(encoding, {&all, 1}, beside[0].bytes(), beside[1].bytes(), sink);
  return {};
}

}  // namespace

int sniff_measureme(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  if (text.size() < kHeaderBytes) return 0;
  if (text.starts_with(kFile)) return 100;
  return text.starts_with(kStreams[0]) && version_of(text) <= kThreeFiles ? 100 : 0;
}

Status read_measureme(io::Source& source, trace::EventSink& sink, const ReadContext&) {
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
  if (!is_paged) return play_three_files(encoding, source, sink);
  WEFT_TRY_ASSIGN(const WholeInput file, WholeInput::read(source, sink));
  const Pages pages = pages_of(file.bytes(), sink);
  play(encoding, pages.events, {pages.texts.data(), pages.texts.size()},
       {pages.index.data(), pages.index.size()}, sink);
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
