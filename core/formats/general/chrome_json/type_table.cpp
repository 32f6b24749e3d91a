#include "core/formats/general/chrome_json/type_table.h"

#include "core/formats/base/json_text.h"

namespace weft::formats::chrome_json {
namespace {
constexpr size_t kMostTypes = 1 << 14;  // kept from chunk to chunk
constexpr size_t kMostTextBytes = 1 << 20;
}  // namespace

bool TypeTable::is_full() const {
  return types_.size() > kMostTypes || texts_.size_bytes() > kMostTextBytes;
}

uint32_t TypeTable::use(trace::Category category, const json::RawString& name,
                        const json::RawString& group, std::vector<UsedType>& used) {
  const uint64_t hash = json::mix(name.hash, group.hash + static_cast<uint64_t>(category));
  bool is_new = false;
  const uint32_t i = index_.find_or_add(
      hash,
      [&](uint32_t known) {
        const Key& key = keys_[known];
        return key.category == category && key.name.is_of(name.text, types_[known].raw_name) &&
               key.group.is_of(group.text, types_[known].raw_group);
      },
      is_new);
  if (is_new) add(category, name, group);
  Use& use = uses_[i];
  if (use.chunk != chunk_) {
    use = {chunk_, static_cast<uint32_t>(used.size())};
    used.push_back({&types_[i]});
  }
  return use.number;
}

void TypeTable::add(trace::Category category, const json::RawString& name,
                    const json::RawString& group) {
  ChunkType& type = types_.emplace_back();
  uses_.push_back({});
  type.category = category;
  type.raw_name = texts_.add(name.text);
  type.raw_group = texts_.add(group.text);
  keys_.push_back(
      {json::TextHead<32>(type.raw_name), json::TextHead<16>(type.raw_group), category});
  type.name = decoded(name, type.raw_name, type.is_repaired);
  type.group = decoded(group, type.raw_group, type.is_repaired);
  has_repaired_ |= type.is_repaired;
}

std::string_view TypeTable::decoded(const json::RawString& raw, std::string_view kept,
                                    bool& is_repaired) {
  if ((raw.traits & (json::kHasEscape | json::kHasNonAscii)) == 0) return kept;
  const json::DecodedText text = json::decode_string(raw.text);
  is_repaired |= text.is_repaired;
  return texts_.add(text.text);
}

std::shared_ptr<TypeTable> TypeTables::take() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_shared<TypeTable>();
  std::shared_ptr<TypeTable> table = std::move(free_.back());
  free_.pop_back();
  return table;
}

void TypeTables::give_back(std::shared_ptr<TypeTable> table) {
  if (table->is_full()) return;
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(table));
}

}  // namespace weft::formats::chrome_json
