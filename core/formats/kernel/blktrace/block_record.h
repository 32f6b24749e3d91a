// A record of blktrace: what happened to a request, and the bytes behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/time.h"
#include "core/formats/base/byte_window.h"

namespace weft::formats::blktrace {

inline constexpr uint8_t kVersion = 7;  // which is read

struct Record {
  uint32_t sequence = 0;  // counts on by device and CPU; notes have none
  Time time;
  uint64_t sector = 0;
  uint32_t bytes = 0;
  uint32_t action = 0;  // the act in its lower half, what kind of request in its upper
  uint32_t pid = 0;
  uint32_t device = 0;
  uint32_t cpu = 0;
  uint16_t error = 0;
  std::string data = {};
  uint64_t offset = 0;
  bool is_big_endian = false;

  static constexpr uint32_t kHalf = 16, kOfGroup = 1 << 8;
  uint32_t act() const { return action & ((1U << kHalf) - 1) & ~kOfGroup; }
  bool is(uint32_t kind) const { return (action >> kHalf & kind) != 0; }
};

// Kinds of requests, as bits.
enum Kind : uint32_t {
  kWrite = 1 << 1,
  kFlush = 1 << 2,
  kSync = 1 << 3,
  kNote = 1 << 10,
  kAhead = 1 << 11,
  kMeta = 1 << 12,
  kDiscard = 1 << 13,
  kForceAccess = 1 << 15,
};

// "WS": as blkparse writes them.
std::string letters_of(const Record& record);

// By the first 4 bytes: the version; nothing where they are none of a record.
struct Magic {
  uint8_t version;
  bool is_big_endian;
};
std::optional<Magic> magic_of(std::string_view bytes);

// The records of a file, of whose damage is told where it is met.
class Records {
 public:
  Records(std::unique_ptr<io::Source> source, trace::EventSink& sink)
      : owned_(std::move(source)), sink_(sink), window_(*owned_, sink) {}
  Records(io::Source& source, trace::EventSink& sink) : sink_(sink), window_(source, sink) {}

  // The next one, which stays until it is taken; null at the end.
  const Record* next();
  void take() { is_read_ = false; }
  bool is_wanted() { return window_.is_wanted(); }

 private:
  bool read();

  std::unique_ptr<io::Source> owned_;
  trace::EventSink& sink_;
  ByteWindow window_;
  Record record_;
  bool is_read_ = false, is_over_ = false;
};

}  // namespace weft::formats::blktrace
