// The frames of a capture of sysprof, one behind the other, whichever machine wrote them.
//
// A header of 256 bytes; then frames: length, processor, process, time and kind in 24 bytes, and
// what is of the kind. Bit fields lie as the compiler of the machine puts them: the first one in
// the lowest bits where it is little-endian, else in the highest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"

namespace weft::formats::sysprof {

enum Kind : uint8_t {
  kTimestamp = 1,
  kSample,
  kMap,
  kProcess,
  kFork,
  kExit,
  kJitMap,
  kCounterDefinition,
  kCounterSet,
  kMark,
  kMetadata,
  kLog,
  kFileChunk,
  kAllocation,
  kOverlay,
  kTrace,
  kDBusMessage,
};

struct Frame {
  Time time;
  uint64_t offset = 0;
  int32_t process = -1;
  uint8_t kind = 0;
  std::string body;
};

// Takes what a frame holds apart.
class Body : public BinaryFields {
 public:
  Body(std::string_view bytes, bool is_big_endian)
      : BinaryFields(bytes), is_big_endian_(is_big_endian) {}

  template <class Value>
  Value number() {
    return BinaryFields::number<Value>(is_big_endian_);
  }
  bool is_big_endian() const { return is_big_endian_; }
  // The first `bits` of a field of 16.
  uint16_t first_bits(uint16_t field, uint32_t bits) const {
    return is_big_endian_ ? static_cast<uint16_t>(field >> (16 - bits))
                          : static_cast<uint16_t>(field & ((1U << bits) - 1));
  }
  // A text in an array of so many bytes; of all that is left.
  std::string_view text(size_t size) { return until_zero(bytes(size)); }
  std::string_view rest_text() { return until_zero(rest()); }

 private:
  bool is_big_endian_;
};

bool begins_as_capture(std::string_view head);

class Frames {
 public:
  // Losses are counted where the capture is read to be shown, not where it is read for its names.
  Frames(io::Source& source, trace::EventSink& sink, bool counts_losses)
      : window_(source, sink), sink_(sink), counts_losses_(counts_losses) {}

  Status begin();
  bool is_big_endian() const { return is_big_endian_; }
  const std::string& captured_at() const { return captured_at_; }

  // Returns false at the end.
  bool next(Frame& frame);

 private:
  ByteWindow window_;
  trace::EventSink& sink_;
  bool counts_losses_;
  bool is_big_endian_ = false;
  std::string captured_at_;
};

}  // namespace weft::formats::sysprof
