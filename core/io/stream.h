// The bytes of a file or a pipe, through as many decoders as they need. Internal to the room.
#pragma once

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

// Where bytes come from: the disk, or a decoder of what comes from another.
class Input {
 public:
  virtual ~Input() = default;
  // Any number of bytes; 0 only at the end. What comes before an error is delivered first.
  virtual Result<size_t> read(std::span<std::byte> out) = 0;
  // Of what was read, without the `waiting` bytes that whoever reads has not used yet.
  virtual uint64_t disk_bytes_read(size_t waiting) const = 0;
};

// The bytes as they lie on the disk or come through the pipe.
class RawInput final : public Input {
 public:
  explicit RawInput(FileDescriptor fd) : fd_(std::move(fd)) {}

  Result<size_t> read(std::span<std::byte> out) override;
  uint64_t disk_bytes_read(size_t waiting) const override { return bytes_read_ - waiting; }

 private:
  FileDescriptor fd_;
  uint64_t bytes_read_ = 0;
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
  Stream(RawInput input, std::vector<std::byte> head, uint64_t bytes_total)
      : input_(std::make_unique<RawInput>(std::move(input))),
        head_{.bytes = std::move(head)},
        bytes_total_(bytes_total) {}

  Status choose_decoders(SourceLimits limits);
  Result<size_t> read(std::span<std::byte> out);

  // Compressed bytes given on, not those waiting in a buffer.
  uint64_t disk_bytes_read() const { return input_->disk_bytes_read(head_.left().size()); }
  uint64_t disk_bytes_total() const { return bytes_total_; }

 private:
  void fill_head();

  std::unique_ptr<Input> input_;
  Waiting head_;  // the first bytes, which say what decodes them
  std::optional<Error> error_;
  uint64_t bytes_total_;
};

}  // namespace weft::io
