// Event types by category, name and group, as they stand in the text → dense numbers.
//
// One table serves one chunk after another, because the same few names come again and again: a type
// keeps its number, its text is copied once, and the committer's id for it is found once. Which of
// them a chunk uses is told apart, so that what is done with a chunk depends on its text alone.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/strong_id.h"
#include "core/formats/chrome_json/hash_index.h"
#include "core/formats/chrome_json/json_cursor.h"
#include "core/formats/chrome_json/text_arena.h"
#include "core/trace/model.h"

namespace weft::formats::chrome_json {

struct ChunkType {
  std::string_view raw_name;
  std::string_view raw_group;
  trace::Category category = trace::Category::kState;
  bool is_repaired = false;
  uint32_t rgb = trace::EventType::kNoColor;  // the first colour in the chunk
  EventTypeId id;                             // the sink's, once the committer knows it
  std::string_view name;                      // decoded
  std::string_view group;
};

class TypeTable {
 public:
  // Nothing is used yet. Forgets all types where they have become too many.
  void start_chunk();

  // The number of a type, which the chunk now uses.
  uint32_t use(trace::Category category, const RawString& name, const RawString& group);

  ChunkType& operator[](uint32_t number) { return types_[number]; }
  const ChunkType& operator[](uint32_t number) const { return types_[number]; }
  size_t size() const { return types_.size(); }
  // In order of first appearance in the chunk.
  std::span<const uint32_t> used() const { return used_; }

 private:
  void add(trace::Category category, const RawString& name, const RawString& group);
  std::string_view decoded(const RawString& raw, std::string_view kept, bool& is_repaired);

  // What a name in the text is compared with: one line of the cache for all but long ones.
  struct alignas(64) Key {
    TextHead<32> name;
    TextHead<16> group;
    trace::Category category;
  };

  HashIndex index_;
  std::vector<Key> keys_;
  std::vector<ChunkType> types_;
  // By type: the latest chunk that uses it. Apart from the keys, which are only read mostly, and so
  // stay in the caches of all cores that parse.
  std::vector<uint32_t> chunks_;
  std::vector<uint32_t> used_;
  TextArena texts_;
  uint32_t chunk_ = 0;
};

}  // namespace weft::formats::chrome_json
