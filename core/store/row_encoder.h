// Encodes one row: takes records in order of begin, produces packed blocks and the forest's lists.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/store/forest.h"
#include "core/store/packed.h"
#include "core/store/slab_writer.h"
#include "core/store/trace.h"

namespace weft::store {

struct EncodedRow {
  uint64_t count = 0;
  int64_t first_begin = 0;
  int64_t last_begin = 0;
  int64_t last_end = 0;  // the latest end
  int64_t busy = 0;
  double min_value = 0;
  double max_value = 0;
  TableRef records;
  std::vector<TableRef> lists;
};

class RowEncoder {
 public:
  // Starts a row. Without a forest, as for runs that are only merged, finish() sets only the row's
  // records.
  void start(RowKind kind, bool has_forest);
  void add(std::span<const Record> records, SlabWriter& out);
  // Writes the rest and returns the row; the encoder can then be restarted.
  EncodedRow finish(SlabWriter& out);

 private:
  struct List {
    RadixGrouper<Node> grouper{kFanOut};
    uint64_t rows = 0;
    uint64_t grouped = 0;  // nodes that the list above summarises so far
    std::vector<Node> block;
    std::vector<uint64_t> offsets;
    // Blocks of lists above 0 are held back, so that the lists an overview reads lie together.
    std::string waiting;
    std::vector<uint64_t> waiting_at;  // offsets in `waiting`
  };

  void note(std::span<const Record> records);
  void add_leaf(std::span<const Record> group, SlabWriter& out);
  void add_inner(size_t list, std::span<const Node> group, SlabWriter& out);
  void add_node(size_t list, const Node& node, SlabWriter& out);
  void write_records(std::span<const Record> block, SlabWriter& out);
  void write_nodes(size_t list, SlabWriter& out);
  void write_waiting(List& list, SlabWriter& out);
  TableRef write_offsets(const std::vector<uint64_t>& offsets, uint64_t rows, SlabWriter& out);

  RowKind kind_ = RowKind::kState;
  bool has_forest_ = true;
  EncodedRow row_;
  uint64_t grouped_ = 0;       // records that list 0 summarises so far
  std::vector<Record> block_;  // an incomplete block
  std::vector<uint64_t> offsets_;
  RadixGrouper<Record> grouper_{kLeafRecords};
  std::vector<std::unique_ptr<List>> lists_;
  std::string scratch_;
};

}  // namespace weft::store
