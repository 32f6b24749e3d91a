// A Nexus-lite file on the disk, any event of it in O(1): by rank, by ratio, by location; and by
// time with at most one chunk read again.
//
// Reads through one mapped window of kWindowBytes, so a file larger than memory costs the same as a
// small one. A context (NexusFile::Context) is an iterator and ephemeral; a location is a value
// that names exactly one event and may be kept. Not thread-safe: one NexusFile for each thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/io/mapped_file.h"

namespace weft::formats {

inline constexpr size_t kNexusNames = 64;
inline constexpr size_t kNexusRecordBytes = 8;

struct NexusHeader {
  std::array<std::string, kNexusNames> names;  // valid UTF-8; "Type 12" where there is none
  size_t size_bytes = 0;                       // with the line feed
};

// Parses the first bytes of a trace. Errors follow the specification; `is_cut` is set if `head` may
// merely lack the line feed.
Result<NexusHeader> parse_nexus_header(std::string_view head, bool& is_cut);

struct NexusRecord {
  uint32_t microseconds = 0;  // as written
  uint8_t type = 0;
  uint32_t payload = 0;
};
NexusRecord decode_nexus_record(const std::byte* bytes);

// Times that never go back: each step back of the written time adds 2^32 µs.
class NexusClock {
 public:
  NexusClock() = default;
  explicit NexusClock(Time before)
      : epoch_(before.ticks & ~0xFFFFFFFFll), last_(static_cast<uint32_t>(before.ticks)) {}
  Time advance(uint32_t microseconds) {
    if (microseconds < last_) epoch_ += int64_t{1} << 32;
    last_ = microseconds;
    return Time{epoch_ + microseconds};
  }

 private:
  int64_t epoch_ = 0;
  uint32_t last_ = 0;
};

class NexusFile {
 public:
  struct Location {
    uint64_t rank = 0;
    bool operator==(const Location&) const = default;
  };
  struct Event {
    uint64_t rank = 0;
    NexusRecord record;
  };

  // An iterator: the position of the next event.
  class Context {
   public:
    Location location() const { return {rank_}; }

   private:
    friend class NexusFile;
    explicit Context(uint64_t rank) : rank_(rank) {}
    uint64_t rank_;
  };

  static Result<NexusFile> open(const std::filesystem::path& path);

  const NexusHeader& header() const { return header_; }
  uint64_t event_count() const { return event_count_; }

  // All three lead to the same event. A rank past the end, or a ratio of 1 or more, leads to the
  // end.
  Context seek_rank(uint64_t rank) const;
  Context seek_ratio(double ratio) const;
  Context seek_location(Location location) const { return seek_rank(location.rank); }
  double ratio(Location location) const;

  // Returns the event at the context and advances it; nullopt at the end.
  Result<std::optional<Event>> next(Context& context);

  // Finds the first event at or after a (rolled-over) time. The first call reads the file once to
  // place checkpoints; later ones read at most one window.
  Result<Context> seek_time(Time time);

 private:
  static constexpr size_t kWindowBytes = 64 << 10;
  static constexpr size_t kRecordsPerWindow = kWindowBytes / kNexusRecordBytes;

  NexusFile() = default;
  Result<const std::byte*> record_at(uint64_t rank);
  Status place_checkpoints();

  io::FileDescriptor file_;
  NexusHeader header_;
  uint64_t event_count_ = 0;
  io::MappedFile window_;
  uint64_t window_rank_ = 0;  // of the window's first record
  uint64_t window_count_ = 0;
  std::vector<Time> checkpoints_;  // the time of the last event before each window
};

}  // namespace weft::formats
