#include "core/formats/kernel/blktrace/block_record.h"

#include "core/formats/base/binary.h"

namespace weft::formats::blktrace {
namespace {

constexpr size_t kMagicBytes = 4, kRecordBytes = 48;

}  // namespace

std::optional<Magic> magic_of(std::string_view bytes) {
  constexpr uint32_t kMagic = 0x656174;
  constexpr uint32_t kVersionBits = 8;
  for (const bool is_big_endian : {false, true}) {
    BinaryFields fields(bytes);
    const auto word = fields.number<uint32_t>(is_big_endian);
    if (!fields.has_failed() && word >> kVersionBits == kMagic)
      return Magic{static_cast<uint8_t>(word), is_big_endian};
  }
  return std::nullopt;
}

std::string letters_of(const Record& record) {
  std::string letters;
  if (record.is(kFlush)) letters += 'F';
  if (record.is(kDiscard))
    letters += 'D';
  else if (record.is(kWrite))
    letters += 'W';
  else
    letters += record.bytes > 0 ? 'R' : 'N';
  if (record.is(kForceAccess)) letters += 'F';
  if (record.is(kAhead)) letters += 'A';
  if (record.is(kSync)) letters += 'S';
  if (record.is(kMeta)) letters += 'M';
  return letters;
}

const Record* Records::next() {
  if (!is_read_ && !is_over_) {
    is_read_ = read();
    is_over_ = !is_read_;
    if (is_over_) window_.finish("a record");
  }
  return is_read_ ? &record_ : nullptr;
}

// Resynchronises at the next record if bytes are none.
bool Records::read() {
  std::optional<Magic> magic;
  for (bool is_damaged = false;; is_damaged = true) {
    const auto bytes = window_.peek(kMagicBytes);
    if (!bytes) return false;
    magic = magic_of(*bytes);
    if (magic && magic->version == kVersion) break;
    if (!is_damaged) sink_.loss("bytes that are not records", window_.offset());
    window_.skip(1);
  }
  const auto bytes = window_.peek(kRecordBytes);
  if (!bytes) return false;
  BinaryFields fields(*bytes);
  const auto number = [&]<class Value>(Value& value) {
    value = fields.number<Value>(magic->is_big_endian);
  };
  record_.offset = window_.offset();
  record_.is_big_endian = magic->is_big_endian;
  uint32_t word = 0;
  uint64_t time = 0;
  uint16_t data_bytes = 0;
  number(word);
  number(record_.sequence);
  number(time);
  number(record_.sector);
  number(record_.bytes);
  number(record_.action);
  number(record_.pid);
  number(record_.device);
  number(record_.cpu);
  number(record_.error);
  number(data_bytes);
  record_.time = Time{static_cast<int64_t>(std::min<uint64_t>(time, INT64_MAX / 2))};
  const auto whole = window_.peek(kRecordBytes + data_bytes);
  if (!whole) return false;
  record_.data = whole->substr(kRecordBytes);
  constexpr size_t kGroupBytes = 8;  // before the others
  if ((record_.action & Record::kOfGroup) != 0)
    record_.data.erase(0, std::min(kGroupBytes, record_.data.size()));
  window_.skip(whole->size());
  return true;
}

}  // namespace weft::formats::blktrace
