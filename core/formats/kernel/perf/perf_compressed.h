// The records that `perf record -z` compressed: pieces of one stream, in which they lie one behind
// the other, wherever a piece ends. Source: Linux, tools/perf/util/zstd.c, tool.c.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/kernel/perf/perf_record.h"
#include "core/io/decompress.h"

namespace weft::formats::perf {

class CompressedRecords {
 public:
  // The next piece. Behind one that is damaged nothing more can be read.
  Status add(std::string_view piece);
  // The next record that is there as a whole; none: more pieces are needed.
  Result<std::optional<Record>> next();

 private:
  io::ZstdBlocks blocks_{kWindowLog};
  static constexpr int kWindowLog = 25;  // of all levels but the slowest
  std::string bytes_;
  size_t taken_ = 0;  // of them
  bool is_lost_ = false;
};

}  // namespace weft::formats::perf
