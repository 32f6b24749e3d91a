// The bytes of a file or pipe, through as many decoders as they need. Internal to core/io.
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
#include "core/io/watch.h"

namespace weft::io {

inline constexpr size_t kInputBytes = 256 << 10;  // read(2) is fastest at this size
inline constexpr size_t kHeadBytes = 512;         // enough for every magic number

// How long to wait for the beginning of a slow input before judging by what has arrived.
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

// A source of bytes: the disk, or a decoder of another input.
class Input {
 public:
  virtual ~Input() = default;
  // Reads any number of bytes; 0 only at the end. Bytes before an error are delivered first.
  virtual Result<size_t> read(std::span<std::byte> out) = 0;
  // Bytes read from disk, less the `waiting` bytes that the caller has not used yet.
  virtual uint64_t disk_bytes_read(size_t waiting) const = 0;
  // Whether read() would return without waiting, now or once bytes arrive within `patience`.
  virtual bool is_ready(std::chrono::milliseconds patience) const = 0;
  // The descriptor of the file whose bytes these are, unchanged; -1: there is none.
  virtual int plain_file() const { return -1; }
  // Whether it ended since nobody waited for more (OnWait).
  virtual bool was_stopped() const = 0;
};

// Bytes straight from the disk or pipe.
class RawInput final : public Input {
 public:
  // `is_paced`: bytes arrive when somebody writes them, as in a pipe. `bytes_read` were read
  // before.
  RawInput(FileDescriptor fd, bool is_paced, OnWait on_wait, uint64_t bytes_read)
      : fd_(std::move(fd)),
        is_paced_(is_paced),
        on_wait_(std::move(on_wait)),
        bytes_read_(bytes_read) {}

  Result<size_t> read(std::span<std::byte> out) override;
  uint64_t disk_bytes_read(size_t waiting) const override { return bytes_read_ - waiting; }
  bool is_ready(std::chrono::milliseconds patience) const override;
  int plain_file() const override { return is_paced_ ? -1 : fd_.get(); }
  bool was_stopped() const override { return was_stopped_; }

 private:
  FileDescriptor fd_;
  bool is_paced_;
  OnWait on_wait_;
  uint64_t bytes_read_;
  bool was_stopped_ = false;
};

// Bytes already read that precede the rest of the input.
struct Waiting {
  std::vector<std::byte> bytes{};
  size_t taken = 0;

  std::span<const std::byte> left() const { return std::span(bytes).subspan(taken); }
};

// Raw bytes through as many decoders as they need. Bytes before an error are delivered first.
class Stream {
 public:
  // `head`: bytes already read. `is_awaited`: an OnWait was given.
  Stream(RawInput input, std::vector<std::byte> head, uint64_t bytes_total, bool is_awaited)
      : input_(std::make_unique<RawInput>(std::move(input))),
        head_{.bytes = std::move(head)},
        bytes_total_(bytes_total),
        is_awaited_(is_awaited) {}

  // Fails if the input is empty or its compression is not supported.
  Status choose_decoders(SourceLimits limits);
  Result<size_t> read(std::span<std::byte> out);

  // Compressed bytes passed on, without those waiting in a buffer.
  uint64_t disk_bytes_read() const { return input_->disk_bytes_read(head_.left().size()); }
  uint64_t disk_bytes_total() const { return bytes_total_; }
  int plain_file() const { return input_->plain_file(); }
  bool was_stopped() const { return input_->was_stopped(); }
  bool is_ready(std::chrono::milliseconds patience = {}) const {
    return !head_.left().empty() || error_ || input_->is_ready(patience);
  }

 private:
  void fill_head();

  std::unique_ptr<Input> input_;
  Waiting head_;  // the first bytes, which determine the decoder
  std::optional<Error> error_;
  uint64_t bytes_total_;
  bool is_awaited_;
};

}  // namespace weft::io
