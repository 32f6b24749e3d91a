// The bytes of a Tracy trace: blocks of 64 KiB, packed by LZ4 or zstd. Each block goes on with what
// its stream had before; with several streams, which are there to be unpacked by several cores, the
// blocks take turns. Nothing but the block that is read, and what the streams need of those before,
// is kept.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/base/byte_window.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::tracy {

inline constexpr std::string_view kManyStreams("tr\xFDP", 4), kOneLz4("tlZ\4", 4),
    kOneZstd("tZst", 4);

class Unpacker;

class Blocks {
 public:
  Blocks(io::Source& source, trace::EventSink& sink);
  ~Blocks();

  // The file's own header.
  Status begin();

  // The next value; 0 where the input ends before, and for everything behind that.
  template <class Value>
  Value take() {
    Value value{};
    if (sizeof value <= block_.size()) {
      block_.copy(reinterpret_cast<char*>(&value), sizeof value);
      block_.remove_prefix(sizeof value);
    } else if (char raw[sizeof value] = {}; take_bytes(raw, sizeof raw)) {
      std::memcpy(&value, raw, sizeof value);
    }
    return value;
  }
  uint32_t take_24() {
    const uint32_t low = take<uint16_t>();
    return low | static_cast<uint32_t>(take<uint8_t>()) << 16;
  }
  // Takes `size` bytes and keeps the first `most`.
  std::string take_text(uint64_t size, uint64_t most);
  void skip(uint64_t n);

  // Returns false if nothing more can be read, or nobody wants it: what was taken last may be
  // nothing.
  bool is_ok() const { return is_ok_; }
  // Call once per record.
  bool go_on() {
    if (is_ok_ && !window_.is_wanted()) stop();
    return is_ok_;
  }
  bool is_stopped() const { return is_stopped_; }
  // Returns true if all was read.
  bool is_at_end() { return block_.empty() && !next_block(); }
  // The block's offset in the file.
  uint64_t offset() const { return block_at_; }
  // The error; empty if the input just ends.
  const std::string& error() const { return error_; }
  // Says why reading ended before the end of the trace.
  void say_why(std::string_view in_what);

 private:
  bool take_bytes(char* out, size_t size);
  bool next_block();
  bool fail_with(std::string message);
  void stop();

  ByteWindow window_;
  trace::EventSink& sink_;
  std::vector<std::unique_ptr<Unpacker>> streams_;  // made when their first block comes
  bool is_zstd_ = false;
  int window_log_ = 0;  // of zstd: the most memory of a stream
  size_t stream_ = 0;   // of the next block
  std::string_view block_;
  uint64_t block_at_ = 0, begin_ = 0, unpacked_ = 0;
  std::string error_;
  bool is_ok_ = true, is_stopped_ = false;
};

static_assert(std::endian::native == std::endian::little, "values are taken as they lie");

}  // namespace weft::formats::tracy
