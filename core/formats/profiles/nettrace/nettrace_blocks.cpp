#include "core/formats/profiles/nettrace/nettrace_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/formats/profiles/nettrace/nettrace_cursor.h"

namespace weft::formats::nettrace {
namespace {

constexpr std::string_view kMagic = "Nettrace";
constexpr std::string_view kSerialization("\x14\0\0\0!FastSerialization.1", 24);
constexpr uint8_t kNullTag = 1, kBeginTag = 4, kBeginPrivateTag = 5, kEndTag = 6;
constexpr std::string_view kNetperfType = "Microsoft.DotNet.Runtime.EventPipeFile";
constexpr std::string_view kTraceType = "Trace";
constexpr size_t kTraceBytes = 48;
constexpr uint32_t kFirstRead = 3, kFirstOfRows = 6;

Status refuse(uint32_t version) {
  return fail(fmt::format("is a .NET trace of version {}; versions 3 to 6 are read", version));
}

}  // namespace

bool begins_as_trace(std::string_view head) {
  if (head.starts_with(kMagic)) return true;
  if (!head.starts_with(kSerialization)) return false;
  constexpr size_t kTagsAndVersions = 3 + 2 * sizeof(uint32_t);
  Cursor cursor(head.substr(kSerialization.size()));
  cursor.bytes(kTagsAndVersions);
  const std::string_view name = cursor.bytes(cursor.little<uint32_t>());
  return name == kTraceType || name == kNetperfType;
}

Status Blocks::begin() {
  constexpr size_t kRowsHeader = 12;
  if (window_.peek_most(kMagic.size()) == kMagic) {
    window_.skip(kMagic.size());
    const std::string_view head = window_.peek_most(kRowsHeader);
    Cursor cursor(head);
    if (cursor.little<uint32_t>() == 0 && !cursor.has_failed()) {
      version_ = cursor.little<uint32_t>();
      if (cursor.little<uint32_t>(); cursor.has_failed()) return fail("ends within its header");
      if (version_ != kFirstOfRows) return refuse(version_);
      window_.skip(kRowsHeader);
      return {};
    }
  } else {
    is_netperf_ = true;
  }
  if (window_.peek_most(kSerialization.size()) != kSerialization)
    return fail("does not begin as a .NET trace does");
  window_.skip(kSerialization.size());
  first_ = take_object_head();
  if (first_ != Block::Kind::kTrace) return fail("is a .NET trace that ends within its header");
  return version_ < kFirstRead || version_ >= kFirstOfRows ? refuse(version_) : Status();
}

void Blocks::finish() {
  if (lacks_end_ && !is_cut_ && !window_.error() && window_.peek_most(1).empty())
    sink_.loss("input ends without an end of the stream", window_.offset());
  window_.finish("a block");
}

std::nullopt_t Blocks::stop(std::string_view why) {
  sink_.loss(why, window_.offset());
  window_.skip(UINT64_MAX);
  return std::nullopt;
}

std::optional<Block> Blocks::next() {
  if (is_cut_) return std::nullopt;
  if (std::exchange(has_block_, false) && !window_.skip(size_)) return std::nullopt;
  if (!window_.is_wanted()) return std::nullopt;
  return version_ >= kFirstOfRows ? next_row() : next_object();
}

std::optional<Block> Blocks::next_row() {
  constexpr size_t kHeadBytes = 4;
  constexpr uint32_t kSizeBits = 24;
  const auto head = window_.peek(kHeadBytes);
  if (!head) {
    lacks_end_ = true;
    return std::nullopt;
  }
  const auto both = Cursor(*head).little<uint32_t>();
  window_.skip(kHeadBytes);
  const auto kind = static_cast<Block::Kind>(
      std::min(both >> kSizeBits, static_cast<uint32_t>(Block::Kind::kUnknown)));
  if (kind == Block::Kind::kEnd) return std::nullopt;
  return block_of(kind, both & ((1U << kSizeBits) - 1));
}

std::optional<Block> Blocks::block_of(Block::Kind kind, uint64_t size) {
  Block block{.kind = kind, .bytes = {}, .offset = window_.offset()};
  has_block_ = true;
  size_ = size;
  if (size > most_bytes_) {
    sink_.loss("block that is larger than the memory (--memory)", block.offset);
    block.kind = Block::Kind::kUnknown;
    return block;
  }
  block.bytes = window_.peek_most(static_cast<size_t>(size));
  is_cut_ = block.bytes.size() < size;  // what is left of it stays unread, for finish()
  return block;
}

std::optional<Block> Blocks::next_object() {
  if (std::exchange(is_object_open_, false)) {
    const auto tag = window_.peek(1);
    lacks_end_ = !tag;
    if (!tag) return std::nullopt;
    if (static_cast<uint8_t>(tag->front()) != kEndTag)
      return stop("what follows a block that does not end where it should");
    window_.skip(1);
  }
  const auto kind = first_ ? std::exchange(first_, std::nullopt) : take_object_head();
  if (!kind) return std::nullopt;
  is_object_open_ = true;
  if (*kind == Block::Kind::kTrace) return block_of(*kind, kTraceBytes);
  constexpr size_t kSizeBytes = 4;
  const auto size_text = window_.peek(kSizeBytes);
  if (!size_text) return std::nullopt;
  const auto size = Cursor(*size_text).little<uint32_t>();
  window_.skip(kSizeBytes);
  window_.skip((kSizeBytes - window_.offset() % kSizeBytes) % kSizeBytes);
  return block_of(*kind, size);
}

// Tags, the type's versions and its name; nothing at the end, or where it is not a head.
std::optional<Block::Kind> Blocks::take_object_head() {
  constexpr size_t kMostName = 64;
  constexpr size_t kFixedBytes = 3 + 3 * sizeof(uint32_t);
  const std::string_view head = window_.peek_most(kFixedBytes + kMostName + 1);
  lacks_end_ = head.empty();
  if (head.empty()) return std::nullopt;
  if (static_cast<uint8_t>(head.front()) == kNullTag) {
    window_.skip(1);
    return std::nullopt;
  }
  const uint8_t begin = is_netperf_ ? kBeginTag : kBeginPrivateTag;
  Cursor cursor(head);
  const bool has_tags = cursor.little<uint8_t>() == begin && cursor.little<uint8_t>() == begin &&
                        cursor.little<uint8_t>() == kNullTag;
  if (!has_tags) return stop("what does not begin as a block");
  const auto version = cursor.little<uint32_t>();
  cursor.little<uint32_t>();  // the oldest reader
  const auto name_bytes = cursor.little<uint32_t>();
  const std::string name(cursor.bytes(std::min<uint64_t>(name_bytes, kMostName + 1)));
  const auto end = cursor.little<uint8_t>();
  if (cursor.has_failed()) {
    lacks_end_ = true;
    return std::nullopt;
  }
  if (end != kEndTag) return stop("what does not begin as a block");
  window_.skip(cursor.at());
  return kind_of(name, version);
}

std::optional<Block::Kind> Blocks::kind_of(std::string_view name, uint32_t version) {
  using enum Block::Kind;
  if (name == kTraceType || name == kNetperfType) {
    version_ = version;
    return kTrace;
  }
  if (name == "EventBlock") return kEvents;
  if (name == "MetadataBlock") return kMetadata;
  if (name == "StackBlock") return kStacks;
  if (name == "SPBlock") return kSequencePoint;
  return kUnknown;
}

}  // namespace weft::formats::nettrace
