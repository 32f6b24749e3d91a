#include "core/formats/embedded/dlt/dlt_message_2.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>

#include "core/base/time.h"
#include "core/formats/base/binary.h"

namespace weft::formats::dlt {
namespace {

constexpr size_t kUnitLengthAt = 13, kStoredBytes = 14, kBaseBytes = 7, kLengthAt = 5;

// Flags for optional parts of a message; others give its content and version.
enum class Has : uint32_t {
  kUnit = 0x4,
  kNames = 0x8,
  kSession = 0x10,
  kPlace = 0x100,
  kTags = 0x200,
  kPrivacy = 0x400,
  kSegment = 0x800,
};
constexpr uint32_t kContentMask = 0x3, kVersionMask = 0xE0, kIsVersion2 = 2 << 5;
enum class Content : uint32_t { kVerbose = 0, kNonVerbose = 1, kControl = 2 };

// In the byte order of the message.
class Fields : public BinaryFields {
 public:
  Fields(std::string_view bytes, bool is_little) : BinaryFields(bytes), is_little_(is_little) {}

  uint8_t u8() { return little<uint8_t>(); }
  uint16_t u16() { return number<uint16_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }
  uint64_t u40() {
    uint64_t value = 0;  // always big-endian
    for (int i = 0; i < 5; ++i) value = value << 8 | u8();
    return value;
  }
  std::string_view name() { return bytes(u8()); }
  // Returns nullopt if the time is out of range.
  std::optional<int64_t> time() {
    constexpr uint32_t kSinceStart = uint32_t{1} << 31;
    const uint32_t nanoseconds = u32() & ~kSinceStart;
    return time_from(u40(), nanoseconds);
  }
  static std::optional<int64_t> time_from(uint64_t seconds, uint32_t nanoseconds) {
    if (nanoseconds >= kNsPerSecond || seconds >= INT64_MAX / kNsPerSecond) return std::nullopt;
    return static_cast<int64_t>(seconds * kNsPerSecond + nanoseconds);
  }

 private:
  template <class Value>
  Value number() {
    return is_little_ ? little<Value>() : big<Value>();
  }

  bool is_little_;
};

void take_kind(Fields& fields, Message& message) {
  const uint8_t kind = fields.u8();
  message.has_kind = true;
  message.kind = static_cast<Kind>(kind >> 1 & 0x7);
  message.detail = kind >> 4;
  message.arguments = fields.u8();
}

void take_content(Fields& fields, Content content, Message& message) {
  message.is_verbose = content == Content::kVerbose;
  if (content != Content::kNonVerbose) take_kind(fields, message);
  if (content != Content::kControl) message.sent_ns = fields.time();
  if (content == Content::kNonVerbose) message.id = fields.u32();
}

// A message that was too long for the network comes in several.
std::string segment_from(Fields& fields) {
  enum Frame : uint8_t { kFirst = 0, kNext = 1, kLast = 2, kAbort = 3 };
  fields.u8();  // reserved
  switch (fields.u8()) {
    case kFirst:
      return fmt::format("first of {} bytes", fields.u64());
    case kNext:
      return fmt::format("number {}", fields.u32());
    case kLast:
      return "last";
    case kAbort:
      return fmt::format("aborted, reason {}", fields.u8());
    default:
      return "of an unknown kind";
  }
}

void take_extended(Fields& fields, uint32_t flags, Message& message) {
  const auto has = [flags](Has what) { return (flags & static_cast<uint32_t>(what)) != 0; };
  if (has(Has::kUnit)) message.unit = fields.name();
  if (has(Has::kNames)) {
    message.application = fields.name();
    message.context = fields.name();
  }
  if (has(Has::kSession)) message.session = fields.u32();
  if (has(Has::kPlace)) {
    message.file = fields.name();
    message.line = fields.u32();
  }
  if (has(Has::kTags)) {
    for (uint8_t left = fields.u8(); left > 0 && !fields.has_failed(); --left) {
      if (!message.tags.empty()) message.tags += ' ';
      message.tags += until_zero(fields.name());
    }
  }
  if (has(Has::kPrivacy)) message.privacy = fields.u8();
  if (has(Has::kSegment)) message.segment = segment_from(fields);
}

// Judges by the type of the first argument, which has few bits.
bool are_arguments_big(std::string_view payload) {
  constexpr uint32_t kKinds = 0x67F0, kAll = 0x3FFFF;
  const uint32_t type = take_little<uint32_t>(payload).value_or(kKinds);
  return (type & kKinds) == 0 || (type & ~kAll) != 0;
}

// What is stored, as read in each way.
struct StoredTimes {
  explicit StoredTimes(std::string_view bytes) {
    Fields big(bytes, false);
    const uint64_t seconds = big.u40();
    Fields little(big.rest(), true);
    as_big = Fields::time_from(seconds, big.u32());
    as_little = Fields::time_from(seconds, little.u32());
    Fields viewer(bytes, true);
    const uint32_t nanoseconds = viewer.u32();
    const uint64_t low = viewer.u32();
    by_viewer = Fields::time_from(low | uint64_t{viewer.u8()} << 32, nanoseconds);
  }

  std::optional<int64_t> as_big, as_little, by_viewer;
};

// How well a way of reading times fits: few of them cannot be, and they follow each other.
struct Fit {
  void add(std::optional<int64_t> time) {
    if (!time) {
      ++impossible;
      return;
    }
    const int64_t seconds = *time / kNsPerSecond;
    moved += static_cast<uint64_t>(std::abs(seconds - last.value_or(seconds)));
    last = seconds;
  }

  size_t impossible = 0;
  uint64_t moved = 0;  // seconds
  std::optional<int64_t> last;
};

}  // namespace

std::optional<Message> parse_sent_2(std::string_view bytes, bool is_little) {
  Message message;
  Fields fields(bytes, is_little);
  std::string_view base = fields.bytes(kBaseBytes);
  const uint32_t flags = take_little<uint32_t>(base).value_or(0);
  const auto content = static_cast<Content>(flags & kContentMask);
  if ((flags & kVersionMask) != kIsVersion2 || content > Content::kControl) return std::nullopt;
  take_content(fields, content, message);
  take_extended(fields, flags, message);
  if (fields.has_failed()) return std::nullopt;
  for (std::string_view* const name :
       {&message.unit, &message.application, &message.context, &message.file})
    *name = until_zero(*name);
  message.payload = fields.rest();
  message.is_big_endian = message.is_verbose && are_arguments_big(message.payload);
  return message;
}

// One message of the viewer may have a time in either way, one of the daemon hardly ever.
void Version2::judge_storage(std::string_view head) {
  Fit daemon, viewer;
  for (size_t at = head.find(kMagic2); at != std::string_view::npos;
       at = head.find(kMagic2, at + 1)) {
    if (head.size() - at < kStoredBytes) break;
    const StoredTimes times(head.substr(at + kMagic2.size()));
    daemon.add(times.as_big ? times.as_big : times.as_little);
    viewer.add(times.by_viewer);
  }
  is_by_viewer_ = viewer.last && std::tie(viewer.impossible, viewer.moved) <=
                                     std::tie(daemon.impossible, daemon.moved);
}

size_t Version2::size_of(ByteWindow& window) {
  constexpr size_t kMostHead = kStoredBytes + UINT8_MAX + kBaseBytes;
  const std::string_view head = window.peek_most(kMostHead);
  if (!head.starts_with(kMagic2) || head.size() < kStoredBytes) return 0;
  const size_t stored = kStoredBytes + static_cast<uint8_t>(head[kUnitLengthAt]);
  if (head.size() < stored + kBaseBytes) return 0;
  const std::string_view length = head.substr(stored + kLengthAt, sizeof(uint16_t));
  size_t sizes[2];
  for (const bool is_little : {false, true})
    sizes[is_little ? 1 : 0] = stored + Fields(length, is_little).u16();
  for (const bool is_little : {false, true}) {
    const size_t size = sizes[is_little ? 1 : 0];
    if (size < stored + kBaseBytes) continue;
    const std::string_view bytes = window.peek_most(size + kMagic2.size());
    is_little_ = is_little;
    if (bytes.size() == size || bytes.substr(std::min(size, bytes.size())).starts_with("DLT"))
      return size;
  }
  is_little_ = false;
  return sizes[0] < stored + kBaseBytes ? 0 : sizes[0];
}

// If both byte orders are possible, follows the certain ones so far, or takes what is closer to the
// time of sending.
std::optional<int64_t> Version2::stored_time(std::string_view bytes, std::optional<int64_t> sent) {
  const auto [as_big, as_little, by_viewer] = StoredTimes(bytes);
  if (by_viewer && (is_by_viewer_ || (!as_big && !as_little))) return by_viewer;
  if (!as_big || !as_little) {
    if (as_big || as_little) big_times_ += as_big ? 1 : -1;
    return as_big ? as_big : as_little;
  }
  const auto distance = [&](int64_t time) { return time < *sent ? *sent - time : time - *sent; };
  const bool is_big =
      big_times_ != 0 ? big_times_ > 0 : sent && distance(*as_big) < distance(*as_little);
  return is_big ? as_big : as_little;
}

std::optional<Message> Version2::parse(std::string_view bytes) {
  bytes.remove_prefix(kMagic2.size());
  Fields stored(bytes, is_little_);
  stored.bytes(kUnitLengthAt - kMagic2.size());  // the time
  const std::string_view unit = until_zero(stored.name());
  auto message = parse_sent_2(stored.rest(), is_little_);
  if (!message) return std::nullopt;
  const auto time = stored_time(bytes, message->sent_ns);
  if (!time) return std::nullopt;
  message->time_ns = *time;
  if (message->unit.empty()) message->unit = unit;
  return message;
}

}  // namespace weft::formats::dlt
