#include "core/formats/kernel/perf/perf_compressed.h"

#include "core/formats/base/binary.h"

namespace weft::formats::perf {

Status CompressedRecords::add(std::string_view piece) {
  constexpr uint64_t kMostBytes = 64 << 20;  // perf compresses its buffers, of some 100 KiB
  if (is_lost_) return fail("follow damaged ones");
  bytes_.erase(0, taken_);
  taken_ = 0;
  const Status added = blocks_.append(piece, kMostBytes, bytes_);
  is_lost_ = !added;
  return added;
}

Result<std::optional<Record>> CompressedRecords::next() {
  std::string_view rest = std::string_view(bytes_).substr(taken_);
  Record record;
  const auto type = take_little<uint32_t>(rest);
  const auto misc = take_little<uint16_t>(rest);
  const auto size = take_little<uint16_t>(rest);
  if (!size) return std::nullopt;
  if (*size < kRecordHeaderBytes) {
    is_lost_ = true;
    taken_ = bytes_.size();
    return fail("hold one without a length");
  }
  const auto body = take_bytes(rest, *size - kRecordHeaderBytes);
  if (!body) return std::nullopt;
  record.type = *type;
  record.misc = *misc;
  record.body = *body;
  taken_ += *size;
  return record;
}

}  // namespace weft::formats::perf
