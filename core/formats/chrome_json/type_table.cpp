#include "core/formats/chrome_json/type_table.h"

#include "core/formats/chrome_json/json_text.h"

namespace weft::formats::chrome_json {
namespace {
constexpr size_t kMostTypes = 1 << 14;  // kept from chunk to chunk
constexpr size_t kMostTextBytes = 1 << 20;
}  // namespace

void TypeTable::start_chunk() {
  used_.clear();
  ++chunk_;
  if (types_.size() <= kMostTypes && texts_.size_bytes() <= kMostTextBytes) return;
  index_.clear();
  keys_.clear();
  types_.clear();
  chunks_.clear();
  texts_.clear();
}

uint32_t TypeTable::use(trace::Category category, const RawString& name, const RawString& group) {
  const uint64_t hash = mix(name.hash, group.hash + static_cast<uint64_t>(category));
  bool is_new = false;
  const uint32_t number = index_.find_or_add(
      hash,
      [&](uint32_t i) {
        const Key& key = keys_[i];
        return key.category == category && key.name.is_of(name.text, types_[i].raw_name) &&
               key.group.is_of(group.text, types_[i].raw_group);
      },
      is_new);
  if (is_new) add(category, name, group);
  if (chunks_[number] != chunk_) {
    chunks_[number] = chunk_;
    uint32_t& rgb = types_[number].rgb;
    if (rgb != trace::EventType::kNoColor) rgb = trace::EventType::kNoColor;
    used_.push_back(number);
  }
  return number;
}

void TypeTable::add(trace::Category category, const RawString& name, const RawString& group) {
  ChunkType& type = types_.emplace_back();
  chunks_.push_back(0);
  type.category = category;
  type.raw_name = texts_.add(name.text);
  type.raw_group = texts_.add(group.text);
  keys_.push_back({TextHead<32>(type.raw_name), TextHead<16>(type.raw_group), category});
  type.name = decoded(name, type.raw_name, type.is_repaired);
  type.group = decoded(group, type.raw_group, type.is_repaired);
}

std::string_view TypeTable::decoded(const RawString& raw, std::string_view kept,
                                    bool& is_repaired) {
  if ((raw.traits & (kHasEscape | kHasNonAscii)) == 0) return kept;
  const DecodedText text = decode_string(raw.text);
  is_repaired |= text.is_repaired;
  return texts_.add(text.text);
}

}  // namespace weft::formats::chrome_json
