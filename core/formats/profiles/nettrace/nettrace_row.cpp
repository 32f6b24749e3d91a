#include "core/formats/profiles/nettrace/nettrace_row.h"

#include <algorithm>

namespace weft::formats::nettrace {
namespace {

constexpr uint32_t kFirstOfBlocks = 4, kFirstOfLabels = 6;
constexpr uint32_t kKindMask = 0x7FFFFFFF;  // the highest bit says that it is sorted

void take_guid(Cursor& cursor, std::array<char, kGuidBytes>& guid) {
  const std::string_view bytes = cursor.bytes(kGuidBytes);
  guid.fill('\0');
  std::ranges::copy(bytes, guid.begin());
}

}  // namespace

Rows::Rows(std::string_view block, uint32_t version) : cursor_(block), version_(version) {
  if (version < kFirstOfBlocks) return;
  constexpr uint16_t kTaken = 4;
  const auto header_bytes = cursor_.little<uint16_t>();
  is_compressed_ = (cursor_.little<uint16_t>() & 1) != 0;
  cursor_.bytes(header_bytes - std::min(header_bytes, kTaken));
}

bool Rows::next(Row& row) {
  if (cursor_.is_at_end() || cursor_.has_failed()) return false;
  if (version_ < kFirstOfBlocks) {
    take_inline(row);
  } else if (is_compressed_) {
    take_compressed(row);
  } else {
    take_plain(row);
  }
  return !cursor_.has_failed();
}

// Version 3: the stack follows the payload.
void Rows::take_inline(Row& row) {
  Cursor event(cursor_.bytes(cursor_.little<uint32_t>()));
  row.kind = event.little<uint32_t>();
  row.thread = row.capture_thread = event.little<uint32_t>();
  row.ticks = event.little<int64_t>();
  take_guid(event, row.activity);
  take_guid(event, row.related);
  row.payload_bytes = event.little<uint32_t>();
  row.payload = event.bytes(row.payload_bytes);
  row.stack_bytes = event.bytes(event.little<uint32_t>());
  if (event.has_failed()) cursor_.fail();
}

void Rows::take_plain(Row& row) {
  const size_t begin = cursor_.at();
  Cursor event(cursor_.bytes(cursor_.little<uint32_t>()));
  row.kind = event.little<uint32_t>() & kKindMask;
  row.sequence = event.little<uint32_t>();
  row.thread = event.little<uint64_t>();
  row.capture_thread = event.little<uint64_t>();
  row.processor = event.little<uint32_t>();
  row.stack = event.little<uint32_t>();
  row.ticks = event.little<int64_t>();
  if (version_ >= kFirstOfLabels) {
    row.labels = event.little<uint32_t>();
  } else {
    take_guid(event, row.activity);
    take_guid(event, row.related);
  }
  row.payload_bytes = event.little<uint32_t>();
  row.payload = event.bytes(row.payload_bytes);
  if (event.has_failed()) return cursor_.fail();
  constexpr size_t kAligned = 4;
  const size_t beyond = (cursor_.at() - begin) % kAligned;
  if (version_ < kFirstOfLabels && beyond != 0)
    cursor_.bytes(std::min(cursor_.rest().size(), kAligned - beyond));
}

// Missing fields keep their value from the row before.
void Rows::take_compressed(Row& row) {
  constexpr uint8_t kKind = 1, kCapture = 2, kThread = 4, kStack = 8, kActivity = 16, kRelated = 32,
                    kPayload = 128;
  const auto flags = cursor_.little<uint8_t>();
  if ((flags & kKind) != 0) row.kind = cursor_.varint32();
  if ((flags & kCapture) != 0) {
    row.sequence += cursor_.varint32() + 1;
    row.capture_thread = cursor_.varint();
    row.processor = cursor_.varint32();
  } else if (row.kind != 0) {
    ++row.sequence;
  }
  if ((flags & kThread) != 0) row.thread = cursor_.varint();
  if ((flags & kStack) != 0) row.stack = cursor_.varint32();
  row.ticks = static_cast<int64_t>(static_cast<uint64_t>(row.ticks) + cursor_.varint());
  if (version_ >= kFirstOfLabels) {
    if ((flags & kActivity) != 0) row.labels = cursor_.varint32();
  } else {
    if ((flags & kActivity) != 0) take_guid(cursor_, row.activity);
    if ((flags & kRelated) != 0) take_guid(cursor_, row.related);
  }
  if ((flags & kPayload) != 0) row.payload_bytes = cursor_.varint32();
  row.payload = cursor_.bytes(row.payload_bytes);
}

}  // namespace weft::formats::nettrace
