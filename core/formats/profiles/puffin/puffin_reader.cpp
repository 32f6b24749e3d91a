#include "core/formats/profiles/puffin/puffin_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/lz_blocks.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/puffin/bincode.h"
#include "core/formats/profiles/puffin/scopes.h"
#include "core/io/decompress.h"

namespace weft::formats {
namespace {

using puffin::Bincode;

constexpr std::string_view kPuffinMagic = "PUF0", kFrame = "PFD";

enum class Packing : uint8_t { kNone, kLz4, kZstd };

class PuffinReader {
 public:
  PuffinReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink), sink_(sink), scopes_(sink), most_bytes_(memory_bytes / 4) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void read() {
    window_.skip(kPuffinMagic.size());
    while (!is_at_end_ && read_frame() && window_.is_wanted()) {
    }
    if (!is_at_end_) window_.finish("a frame");
  }

 private:
  static constexpr size_t kHeaderBytes = 4, kMostThreads = 1 << 16;
  struct Meta {
    uint64_t index = 0, scopes = 0;
    int64_t begin = 0, end = 0;
  };

  using Details = std::vector<std::pair<uint32_t, puffin::ScopeDetails>>;

  // Returns false at the end.
  bool read_frame() {
    offset_ = window_.offset();
    const auto head = window_.peek(kHeaderBytes);
    if (!head) return false;
    const std::string header(*head);
    if (header == std::string_view("\0\0\0\0", kHeaderBytes)) {
      is_at_end_ = true;  // what puffin ends a stream with
      return false;
    }
    if (!header.starts_with(kFrame)) return read_whole_frame(Packing::kNone);
    const int version = header.back() - '0';
    constexpr int kLastVersion = 5;
    if (version < 0 || version > kLastVersion) {
      sink_.loss("frame of a later version, and what follows", offset_);
      is_at_end_ = true;
      return false;
    }
    window_.skip(kHeaderBytes);
    if (version <= 1) return read_whole_frame(version == 0 ? Packing::kLz4 : Packing::kZstd);
    return read_split_frame(version);
  }

  // Its meta data, its streams and what is new of scopes stand apart.
  bool read_split_frame(int version) {
    std::optional<Meta> meta;
    const bool has_meta = take_part(version, [&](Bincode& fields) {
      meta = meta_of(fields);
      if (!fields.is_ok()) meta.reset();
    });
    if (!has_meta) return false;
    auto packing = Packing::kZstd;
    const auto packed = version == 2 ? take_section() : take_section(&packing);
    if (!packed) return false;
    if (version > 3) {
      Details details;
      if (!take_part(version, [&](Bincode& fields) { details = details_of(fields); })) return false;
      for (auto& [id, each] : details) scopes_.add_details(id, std::move(each));
    }
    if (meta) add_frame(*meta);
    const auto streams = unpacked(packing, *packed);
    if (!streams) return true;
    Bincode of_threads(*streams);
    add_threads(of_threads, version > 3);
    return true;
  }

  // All in one: the frame's number, its threads, then the rest.
  bool read_whole_frame(Packing packing) {
    const auto packed = take_section();
    if (!packed) return false;
    const auto bytes = unpacked(packing, *packed);
    if (!bytes) return true;
    Bincode fields(*bytes);
    Meta meta{.index = fields.number()};
    add_threads(fields, false);
    meta.begin = fields.signed_number();
    meta.end = fields.signed_number();
    fields.number();  // bytes
    meta.scopes = fields.number();
    if (fields.is_ok()) add_frame(meta);
    return true;
  }

  // Calls parse(Bincode&) for what stands behind its size, or, since PFD5, without one, perhaps
  // again with more bytes.
  template <class Parse>
  bool take_part(int version, const Parse& parse) {
    if (version < 5) {
      const auto bytes = take_section();
      if (!bytes) return false;
      Bincode fields(*bytes);
      parse(fields);
      if (!fields.is_ok()) sink_.loss("part of a frame that breaks off", offset_);
      return true;
    }
    for (size_t size = 1 << 10; size <= most_bytes_; size *= 8) {
      const std::string_view bytes = window_.peek_most(size);
      Bincode fields(bytes);
      parse(fields);
      if (fields.is_ok()) return window_.skip(bytes.size() - fields.left_bytes());
      if (bytes.size() < size) return false;
    }
    sink_.loss("frame that the memory has no room for, and what follows", offset_);
    is_at_end_ = true;
    return false;
  }

  // The next size and so many bytes; the packing stands between. None: the file ends before, or the
  // size is nonsense.
  std::optional<std::string> take_section(Packing* packing = nullptr) {
    const size_t head_bytes = sizeof(uint32_t) + (packing != nullptr ? 1 : 0);
    const auto head = window_.peek(head_bytes);
    if (!head) return std::nullopt;
    std::string_view header = *head;
    const auto size = *take_little<uint32_t>(header);
    if (packing != nullptr) *packing = static_cast<Packing>(*take_little<uint8_t>(header));
    if (size > most_bytes_) {
      sink_.loss("frame that the memory has no room for, and what follows", offset_);
      is_at_end_ = true;
      return std::nullopt;
    }
    window_.skip(head_bytes);
    const auto bytes = window_.peek(size);
    if (!bytes) return std::nullopt;
    std::string taken(*bytes);
    window_.skip(size);
    return taken;
  }

  std::optional<std::string> unpacked(Packing packing, std::string_view packed) {
    if (packing == Packing::kNone) return std::string(packed);
    std::string bytes;
    bool is_right = false;
    if (packing == Packing::kZstd) {
      is_right = io::decompress(io::Compression::kZstd, packed, most_bytes_, bytes).has_value();
    } else if (packing == Packing::kLz4) {
      // A byte makes at most 255.
      constexpr uint64_t kMostRatio = 255;
      const auto size = take_little<uint32_t>(packed);
      is_right = size && *size <= std::min<uint64_t>(most_bytes_, kMostRatio * packed.size()) &&
                 unpack_lz4(packed, *size, bytes) && bytes.size() == *size;
    }
    if (is_right) return bytes;
    sink_.loss("frame that cannot be unpacked", offset_);
    return std::nullopt;
  }

  static Meta meta_of(Bincode& fields) {
    Meta meta;
    meta.index = fields.number();
    meta.begin = fields.signed_number();
    meta.end = fields.signed_number();
    fields.number();  // bytes
    meta.scopes = fields.number();
    return meta;
  }

  void add_frame(const Meta& meta) {
    if (meta.end < meta.begin) return sink_.note("frame without a length", offset_);
    if (frames_.is_none())
      frames_ =
          sink_.add_lane({.name = "frames", .kind = trace::LaneKind::kAsync, .sort_index = -1});
    sink_.give(trace::StateEvent{.begin = Time{meta.begin},
                                 .duration = Time{meta.end} - Time{meta.begin},
                                 .params = sink_.params(fmt::format(R"({{"frame":{},"scopes":{}}})",
                                                                    meta.index, meta.scopes)),
                                 .lane = frames_,
                                 .type = sink_.type(trace::Category::kState, "frame", "frames")});
  }

  void add_threads(Bincode& fields, bool has_ids) {
    for (uint64_t left = fields.number(); left > 0 && fields.is_ok(); --left) {
      const bool has_start = fields.has_value();
      const int64_t start = has_start ? fields.signed_number() : 0;
      const std::string_view name = fields.bytes();
      const std::string_view stream = fields.bytes();
      fields.number();  // scopes
      fields.number();  // how deep
      fields.signed_number();
      fields.signed_number();
      if (fields.is_ok()) scopes_.play(stream, has_ids, lane_of(start, name), offset_);
    }
    if (!fields.is_ok()) sink_.loss("threads of a frame that break off", offset_);
  }

  // Threads of the same name differ by when they began.
  LaneId lane_of(int64_t start, std::string_view name) {
    const auto key = std::pair(start, valid_utf8(name));
    const auto known = lanes_.find(key);
    if (known != lanes_.end()) return known->second;
    if (lanes_.size() == kMostThreads) {
      sink_.note("thread beyond the first that there is room for", offset_);
      return lanes_.begin()->second;
    }
    const LaneId lane = sink_.add_lane(
        {.name = key.second.empty() ? "(unnamed)" : key.second, .kind = trace::LaneKind::kThread});
    return lanes_.emplace(key, lane).first->second;
  }

  static Details details_of(Bincode& fields) {
    Details all;
    for (uint64_t left = fields.number(); left > 0 && fields.is_ok(); --left) {
      const bool has_id = fields.has_value();
      const uint64_t id = has_id ? fields.number() : 0;
      puffin::ScopeDetails details;
      if (fields.has_value()) details.name = valid_utf8(fields.bytes());
      details.function = valid_utf8(fields.bytes());
      details.file = valid_utf8(fields.bytes());
      details.line = fields.number();
      if (fields.is_ok() && has_id) all.emplace_back(static_cast<uint32_t>(id), std::move(details));
    }
    return all;
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  puffin::Scopes scopes_;
  uint64_t most_bytes_;  // of a part of a frame
  uint64_t offset_ = 0;  // of the frame
  bool is_at_end_ = false;
  LaneId frames_ = LaneId::none();
  std::map<std::pair<int64_t, std::string>, LaneId> lanes_;  // by when it began, and name
};

}  // namespace

int sniff_puffin(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return text.starts_with(kPuffinMagic) ? 100 : 0;
}

Status read_puffin(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  PuffinReader(source, sink, context.memory_bytes).read();
  return {};
}

std::vector<Page> puffin_pages() {
  return {{"frames",
           "Slowest frames",
           "SELECT params ->> '$.frame' AS frame, begin, dur AS length, "
           "params ->> '$.scopes' AS scopes "
           "FROM states WHERE type_group = 'frames' AND begin >= :from AND begin < :to "
           "ORDER BY dur DESC LIMIT 1000",
           {"length"}},
          {"scopes",
           "Scopes",
           "SELECT type AS scope, type_group AS file, count(*) AS times, sum(dur) AS time, "
           "max(dur) AS longest, avg(dur) AS mean "
           "FROM states WHERE type_group <> 'frames' AND begin >= :from AND begin < :to "
           "GROUP BY type_id ORDER BY time DESC",
           {"time", "longest", "mean"}}};
}

}  // namespace weft::formats
