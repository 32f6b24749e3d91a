// The bytes of a file or a pipe, through as many decoders as they need. Internal to the room.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/io/file_descriptor.h"
#include "core/io/source.h"

namespace weft::io {

inline constexpr size_t kInputBytes = 256 << 10;  // read(2) is fastest at this size
inline constexpr size_t kHeadBytes = 512;         // enough for every magic number

// How long the beginning of what comes slowly is waited for before what has come is looked at.
class Patience {
 public:
  std::chrono::milliseconds left() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    return std::max(left, std::chrono::milliseconds{0});
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end_ = Clock::now() + std::chrono::milliseconds(200);
};

// Where bytes come from: the disk, or a decoder of what comes from another.
class Input {
 public:
  virtual ~Input() = default;
  // Any number of bytes; 0 only at the end. What comes before an error is delivered first.
  virtual Result<size_t> read(std::span<std::byte> out) = 0;
  // Of what was read, without the `waiting` bytes that whoever reads has not used yet.
  virtual uint64_t disk_bytes_read(size_t waiting) const = 0;
  // Whether a read would not wait: now, or as soon as bytes have come within `patience`.
  virtual bool is_ready(std::chrono::milliseconds patience) const = 0;
  // The open file whose bytes these are as they lie there; -1: there is none.
  virtual int plain_file() const { return -1; }
};

// The bytes as they lie on the disk or come through the pipe.
class RawInput final : public Input {
 public:
  // `is_paced`: bytes come when somebody writes them, as into a pipe. Some may have been read.
  RawInput(FileDescriptor fd, bool is_paced, OnWait on_wait, uint64_t bytes_read)
      : fd_(std::move(fd)),
        is_paced_(is_paced),
        on_wait_(std::move(on_wait)),
        bytes_read_(bytes_read) {}

  Result<size_t> read(std::span<std::byte> out) override;
  uint64_t disk_bytes_read(size_t waiting) const override { return bytes_read_ - waiting; }
  bool is_ready(std::chrono::milliseconds patience) const override;
  int plain_file() const override { return is_paced_ ? -1 : fd_.get(); }

 private:
  FileDescriptor fd_;
  bool is_paced_;
  OnWait on_wait_;
  uint64_t bytes_read_;
};

// Bytes that are on their way, in front of the others.
struct Waiting {
  std::vector<std::byte> bytes{};
  size_t taken = 0;

  std::span<const std::byte> left() const { return std::span(bytes).subspan(taken); }
};

// Raw bytes through as many decoders as they need. Delivers what comes before an error, then the
// error.
class Stream {
 public:
  // `head`: what was read already. `is_awaited`: by OnWait.
  Stream(RawInput input, std::vector<std::byte> head, uint64_t bytes_total, bool is_awaited)
      : input_(std::make_unique<RawInput>(std::move(input))),
        head_{.bytes = std::move(head)},
        bytes_total_(bytes_total),
        is_awaited_(is_awaited) {}

  // An error: there is nothing, or it is compressed in a way that cannot be read.
  Status choose_decoders(SourceLimits limits);
  Result<size_t> read(std::span<std::byte> out);

  // Compressed bytes given on, not those waiting in a buffer.
  uint64_t disk_bytes_read() const { return input_->disk_bytes_read(head_.left().size()); }
  uint64_t disk_bytes_total() const { return bytes_total_; }
  int plain_file() const { return input_->plain_file(); }
  bool is_ready(std::chrono::milliseconds patience = {}) const {
    return !head_.left().empty() || error_ || input_->is_ready(patience);
  }

 private:
  void fill_head();

  std::unique_ptr<Input> input_;
  Waiting head_;  // the first bytes, which say what decodes them
  std::optional<Error> error_;
  uint64_t bytes_total_;
  bool is_awaited_;
};

}  // namespace weft::io
