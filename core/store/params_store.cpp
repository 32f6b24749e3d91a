#include "core/store/params_store.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "core/store/file_format.h"

namespace weft::store {
namespace {

constexpr size_t kWriteFrom = 256 << 10;
constexpr size_t kFirstTable = 1 << 10;
constexpr size_t kMostTable = 1 << 21;  // entries: 32 MiB
constexpr size_t kNearTable = 1 << 16;  // 1 MiB; larger only where it is worth to look for values

void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Takes a varint off the front of `bytes`; nothing where it is cut or too long.
std::optional<uint64_t> take_varint(std::span<const std::byte>& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[0]);
    bytes = bytes.subspan(1);
    value |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

Params decode_params(std::span<const std::byte> bytes) {
  const auto json = take_varint(bytes);
  if (!json) return {};
  const auto payload = take_varint(bytes);
  if (!payload || *json > bytes.size() || *payload > bytes.size() - *json) return {};
  return {{reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(*json)},
          bytes.subspan(*json, *payload)};
}

bool ParamsStore::start_extent() {
  flush();
  if (!status_) return false;
  // The file is as long as its last extent from the beginning, so that the extent can be mapped.
  const uint64_t begin = extents_.size() * kParamsExtent;
  status_ = file_->resize(at_ + begin + kParamsExtent);
  if (!status_) return false;
  auto map = file_->map(at_ + begin, kParamsExtent);
  if (!map) {
    status_ = fail(std::move(map).error());
    return false;
  }
  std::lock_guard lock(mutex_);
  extents_.push_back(std::move(*map));
  end_ = begin;
  return true;
}

ParamsStore::ParamsStore(std::shared_ptr<io::NewFile> file, uint64_t at, uint64_t memory_bytes)
    : file_(std::move(file)),
      at_(at),
      most_table_(std::bit_floor(
          std::clamp<size_t>(memory_bytes / 8 / sizeof(Known), kNearTable, kMostTable))) {}

ParamsId ParamsStore::add(std::string_view json, std::span<const std::byte> payload) {
  if ((json.empty() && payload.empty()) || !status_) return ParamsId::none();
  record_.clear();
  append_varint(record_, json.size());
  append_varint(record_, payload.size());
  record_ += json;
  record_.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  if (record_.size() > kParamsExtent) return ParamsId::none();

  const uint64_t hash = XXH3_64bits(record_.data(), record_.size());
  if (!reuse_.is_looked_for(hash)) return append(record_);
  const size_t most = reuse_.is_worth_it() ? most_table_ : kNearTable;
  if (known_ * 2 >= table_.size() && table_.size() < most) grow_table();
  const size_t mask = table_.size() - 1;
  // A full table is a cache: a value is looked for in a few places, and the last of them is taken.
  constexpr size_t kProbes = 8;
  size_t slot = hash & mask;
  for (size_t i = 0; i < kProbes; ++i) {
    slot = (hash + i) & mask;
    Known& k = table_[slot];
    if (k.id == Known::kFree) break;
    if (k.hash != hash) continue;
    const auto bytes = bytes_at(k.id, record_.size());
    if (!bytes.empty() && std::memcmp(bytes.data(), record_.data(), record_.size()) == 0) {
      reuse_.found(true);
      return ParamsId(k.id);
    }
  }
  reuse_.found(false);
  const ParamsId id = append(record_);
  if (id.is_none()) return id;
  if (table_[slot].id == Known::kFree) ++known_;
  table_[slot] = {hash, id.value()};
  return id;
}

ParamsId ParamsStore::append(std::string_view record) {
  const uint64_t room = extents_.size() * kParamsExtent - end_;
  if (record.size() > room && !start_extent()) return ParamsId::none();
  const uint64_t id = end_;
  waiting_ += record;
  end_ += record.size();
  if (waiting_.size() >= kWriteFrom) flush();
  return ParamsId(id);
}

void ParamsStore::flush() {
  if (waiting_.empty()) return;
  const Status written =
      file_->write_at(at_ + end_ - waiting_.size(), std::as_bytes(std::span(waiting_)));
  if (status_) status_ = written;
  waiting_.clear();
}

std::span<const std::byte> ParamsStore::bytes_at(uint64_t id, size_t size) const {
  const uint64_t written = end_ - waiting_.size();
  if (id >= written) {
    const auto waiting = std::as_bytes(std::span(waiting_)).subspan(id - written);
    return size <= waiting.size() ? waiting.first(size) : std::span<const std::byte>();
  }
  if (size > written - id || size > kParamsExtent - id % kParamsExtent) return {};
  return extents_[id / kParamsExtent].bytes().subspan(id % kParamsExtent, size);
}

Params ParamsStore::get(ParamsId id) const {
  std::lock_guard lock(mutex_);
  const uint64_t extent = id.value() / kParamsExtent;
  if (extent >= extents_.size()) return {};
  return decode_params(extents_[extent].bytes().subspan(id.value() % kParamsExtent));
}

Status ParamsStore::health() const {
  WEFT_TRY(status_);
  for (const io::MappedFile& extent : extents_) WEFT_TRY(extent.health());
  return {};
}

std::span<const std::byte> ParamsStore::extent(size_t index) const {
  const uint64_t begin = index * kParamsExtent;
  return extents_[index].bytes().first(std::min(kParamsExtent, end_ - begin));
}

void ParamsStore::grow_table() {
  std::vector<Known> old(std::clamp(table_.size() * 4, kFirstTable, most_table_));
  old.swap(table_);
  known_ = 0;
  for (const Known& k : old) {
    if (k.id == Known::kFree) continue;
    size_t slot = k.hash & (table_.size() - 1);
    while (table_[slot].id != Known::kFree) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = k;
    ++known_;
  }
}

}  // namespace weft::store
