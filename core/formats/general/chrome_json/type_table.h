// Event types by category, name and group, as they stand in the text → a chunk's numbers.
//
// One table serves one chunk after another, because the same few names come again and again: a
// type's text is copied once, and the committer's id for it is found once. Whoever parses takes a
// table that is free, mostly the one that it had: so there are as many as cores that parse, and
// each stays in the cache of one. A chunk has a list of the types that it uses, so that what is
// done with it depends on its text alone; they neither move nor change while somebody has their
// table.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/base/hash_index.h"
#include "core/base/strong_id.h"
#include "core/base/text_arena.h"
#include "core/formats/base/json_cursor.h"
#include "core/trace/model.h"

namespace weft::formats::chrome_json {

struct ChunkType {
  std::string_view raw_name;  // spelled plainly (plain_spelling.h)
  std::string_view raw_group;
  std::string_view name;  // decoded
  std::string_view group;
  trace::Category category = trace::Category::kState;
  bool is_repaired = false;
  EventTypeId id;  // the sink's, once the committer knows it; for the committer alone
};

struct UsedType {
  ChunkType* type;
  uint32_t rgb = trace::EventType::kNoColor;  // the first colour in the chunk
};

static_assert(TextArena::kReadableBehind >= json::kTextPadding);

class TypeTable {
 public:
  // Starts the next chunk, which has used no types yet.
  void start_chunk() { ++chunk_; }
  // Returns a type's number in the chunk, i.e. its index in `used`, adding it if necessary.
  uint32_t use(trace::Category category, const json::RawString& name, const json::RawString& group,
               std::vector<UsedType>& used);

  bool has_repaired() const { return has_repaired_; }
  // Whether it should be replaced.
  bool is_full() const;

 private:
  void add(trace::Category category, const json::RawString& name, const json::RawString& group);
  std::string_view decoded(const json::RawString& raw, std::string_view kept, bool& is_repaired);

  // The key that names are compared with: one cache line for all but long names.
  struct alignas(64) Key {
    json::TextHead<32> name;
    json::TextHead<16> group;
    trace::Category category;
  };
  static_assert(sizeof(Key) == 64);
  // The latest chunk that uses a type, and the type's number there.
  struct Use {
    uint32_t chunk;
    uint32_t number;
  };

  HashIndex index_;
  std::vector<Key> keys_;
  std::vector<Use> uses_;
  std::deque<ChunkType> types_;
  TextArena texts_;
  uint32_t chunk_ = 0;
  bool has_repaired_ = false;
};

// The tables not in use. Thread-safe.
class TypeTables {
 public:
  std::shared_ptr<TypeTable> take();
  void give_back(std::shared_ptr<TypeTable> table);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<TypeTable>> free_;
};

}  // namespace weft::formats::chrome_json
