#include "core/formats/profiles/tracy/tracy_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "core/formats/base/binary.h"
#include "core/formats/base/lz_blocks.h"
#include "core/io/decompress.h"

namespace weft::formats::tracy {

namespace {

constexpr size_t kBlockBytes = 64 << 10;
// Maximum packed size: incompressible blocks grow slightly.
constexpr size_t kMostPackedBytes = 2 * kBlockBytes;

}  // namespace

// One stream of blocks.
class Unpacker {
 public:
  virtual ~Unpacker() = default;
  // The block's bytes, which are valid until the next call; nothing where it is damaged.
  virtual std::optional<std::string_view> unpack(std::string_view packed) = 0;
};

namespace {

class Lz4Unpacker final : public Unpacker {
 public:
  std::optional<std::string_view> unpack(std::string_view packed) override {
    constexpr size_t kReach = 64 << 10;  // how far back blocks may refer
    if (bytes_.size() > kReach) bytes_.erase(0, bytes_.size() - kReach);
    const size_t before = bytes_.size();
    if (!unpack_lz4(packed, before + kBlockBytes, bytes_)) return std::nullopt;
    return std::string_view(bytes_).substr(before);
  }

 private:
  std::string bytes_;
};

class ZstdUnpacker final : public Unpacker {
 public:
  explicit ZstdUnpacker(int window_log) : blocks_(window_log), bytes_(kBlockBytes, '\0') {}
  std::optional<std::string_view> unpack(std::string_view packed) override {
    const auto size = blocks_.decompress(packed, bytes_);
    return size ? std::optional(std::string_view(bytes_).substr(0, *size)) : std::nullopt;
  }

 private:
  io::ZstdBlocks blocks_;
  std::string bytes_;
};

}  // namespace

Blocks::Blocks(io::Source& source, trace::EventSink& sink) : window_(source, sink), sink_(sink) {}
Blocks::~Blocks() = default;

Status Blocks::begin() {
  const auto magic = window_.peek(kManyStreams.size());
  if (!magic) return fail("ends within its header");
  bool is_zstd = *magic == kOneZstd;
  size_t count = 1;
  if (*magic == kManyStreams) {
    const auto header = window_.peek(kManyStreams.size() + 2);
    if (!header) return fail("ends within its header");
    const auto packing = static_cast<uint8_t>((*header)[4]);
    count = static_cast<uint8_t>((*header)[5]);
    if (packing > 1 || count == 0)
      return fail("is a Tracy trace that is packed in an unknown way: " +
                  (packing > 1 ? fmt::format("kind {}", packing) : "in no streams"));
    is_zstd = packing == 1;
    window_.skip(2);
  } else if (!is_zstd && *magic != kOneLz4) {
    return fail("does not begin as a Tracy trace does");
  }
  window_.skip(kManyStreams.size());
  begin_ = window_.offset();
  // Together the streams may keep 1 GiB, as 8 of the highest level of zstd would.
  constexpr int kMostLog = 27, kAllLog = 30;
  window_log_ = std::min(kMostLog, kAllLog - static_cast<int>(std::bit_width(count - 1)));
  is_zstd_ = is_zstd;
  streams_.resize(count);
  return {};
}

bool Blocks::next_block() {
  block_ = {};
  if (!is_ok_) return false;
  block_at_ = window_.offset();
  const auto size_bytes = window_.peek(sizeof(uint32_t));
  if (!size_bytes) {
    is_ok_ = false;
    return false;
  }
  std::string_view head = *size_bytes;
  const auto size = *take_little<uint32_t>(head);
  if (size == 0 || size > kMostPackedBytes)
    return fail_with("a block says that it has " + std::to_string(size) + " bytes");
  const auto packed = window_.peek(sizeof size + size);
  if (!packed) {
    is_ok_ = false;
    return false;
  }
  std::unique_ptr<Unpacker>& stream = streams_[stream_];
  if (stream == nullptr && is_zstd_) stream = std::make_unique<ZstdUnpacker>(window_log_);
  if (stream == nullptr) stream = std::make_unique<Lz4Unpacker>();
  const auto bytes = stream->unpack(packed->substr(sizeof size));
  if (!bytes) return fail_with("a block cannot be unpacked");
  stream_ = (stream_ + 1) % streams_.size();
  block_ = *bytes;
  unpacked_ += block_.size();
  window_.skip(sizeof size + size);
  constexpr io::SourceLimits kLimits;
  if (unpacked_ > kLimits.free_bytes && unpacked_ / kLimits.max_ratio > window_.offset() - begin_)
    return fail_with("it unpacks to far more than a trace does");
  return !block_.empty() || fail_with("a block is empty");
}

bool Blocks::fail_with(std::string message) {
  error_ = std::move(message);
  block_ = {};
  is_ok_ = false;
  return false;
}

void Blocks::stop() {
  is_stopped_ = true;
  block_ = {};
  is_ok_ = false;
}

bool Blocks::take_bytes(char* out, size_t size) {
  while (size > 0) {
    if (block_.empty() && !next_block()) return false;
    const size_t part = std::min(size, block_.size());
    block_.copy(out, part);
    block_.remove_prefix(part);
    out += part;
    size -= part;
  }
  return true;
}

std::string Blocks::take_text(uint64_t size, uint64_t most) {
  std::string text;
  uint64_t kept = std::min(size, most);
  size -= kept;
  while (kept > 0 && (!block_.empty() || next_block())) {
    const auto part = static_cast<size_t>(std::min<uint64_t>(kept, block_.size()));
    text += block_.substr(0, part);
    block_.remove_prefix(part);
    kept -= part;
  }
  skip(size);
  return text;
}

void Blocks::skip(uint64_t n) {
  while (n > 0) {
    if (block_.empty() && (!go_on() || !next_block())) return;
    const auto part = static_cast<size_t>(std::min<uint64_t>(n, block_.size()));
    block_.remove_prefix(part);
    n -= part;
  }
}

void Blocks::say_why(std::string_view in_what) {
  if (is_stopped_) return;
  if (!error_.empty()) {
    sink_.loss(fmt::format("{}: {} cannot be read", error_, in_what), block_at_);
  } else if (window_.error()) {
    sink_.loss(fmt::format("input ends early, within {}: {}", in_what, window_.error()->message),
               block_at_);
  } else {
    sink_.loss(fmt::format("input ends within {}", in_what), block_at_);
  }
}

}  // namespace weft::formats::tracy
