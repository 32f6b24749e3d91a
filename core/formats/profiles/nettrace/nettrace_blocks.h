// A .NET trace is a row of blocks. Until version 5 they are objects of FastSerialization, each with
// its type's name and between tags; from version 6 on a block has a size and a kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/base/byte_window.h"

namespace weft::formats::nettrace {

struct Block {
  // Numbers of version 6.
  enum class Kind : uint8_t {
    kEnd,
    kTrace,
    kEvents,
    kMetadata,
    kSequencePoint,
    kStacks,
    kThreads,
    kRemovedThreads,
    kLabelLists,
    kUnknown,
  };
  Kind kind = Kind::kUnknown;
  std::string_view bytes;  // valid until the next block; fewer than it has where the input ends
  uint64_t offset = 0;     // of its bytes in the input
};

class Blocks {
 public:
  Blocks(io::Source& source, trace::EventSink& sink, uint64_t most_bytes)
      : window_(source, sink), sink_(sink), most_bytes_(most_bytes) {}

  Status begin();
  // Returns nullopt at the end.
  std::optional<Block> next();
  // Says what is wrong with the end.
  void finish();
  // 3 to 6.
  uint32_t version() const { return version_; }

 private:
  std::optional<Block> next_object();
  std::optional<Block::Kind> take_object_head();
  std::optional<Block::Kind> kind_of(std::string_view name, uint32_t version);
  std::optional<Block> next_row();
  std::optional<Block> block_of(Block::Kind kind, uint64_t size);
  std::nullopt_t stop(std::string_view why);

  ByteWindow window_;
  trace::EventSink& sink_;
  uint64_t most_bytes_;
  uint32_t version_ = 0;
  bool is_netperf_ = false;           // no magic, other tags
  uint64_t size_ = 0;                 // of the block that was given
  std::optional<Block::Kind> first_;  // it was looked at already
  bool has_block_ = false;            // it is still in the window
  bool is_cut_ = false;               // the input ends within the block
  bool lacks_end_ = false;            // the input ends where a block should begin
  bool is_object_open_ = false;       // an end of an object follows the block
};

// Whether a file begins as one.
bool begins_as_trace(std::string_view head);

}  // namespace weft::formats::nettrace
