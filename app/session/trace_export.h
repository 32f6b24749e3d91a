// Writes a trace, or a part of it, to a file: as a .weft or in another format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/job.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/query/selection.h"
#include "core/store/builder.h"
#include "core/store/trace.h"

namespace weft::app {

inline constexpr std::string_view kStoreFormat = "weft";

// Whether `format` is the id of a format that can be written.
bool is_written(std::string_view format);
std::vector<std::string> written_formats();
// The format for a file of that name, by its ending. The error lists the known endings.
Result<std::string> written_format_of(const std::filesystem::path& file);

struct TraceExport {
  store::TracePtr trace;
  query::Selection selection;
  std::string format;          // as is_written() accepts
  std::filesystem::path file;  // replaced when it is complete
  uint64_t memory_bytes = store::kUsualMemoryBytes;
};
struct Exported {
  uint64_t events = 0;
  uint64_t bytes = 0;
  std::string left_out;  // what the format has no place for: "2 events, colours of 3 types"
};

// Takes one pass over the selected events, on the calling thread and, for kStoreFormat, the pool.
// If it fails or is stopped, the file stays as it was.
Result<Exported> export_trace(const TraceExport& what, ThreadPool& pool, Job::Progress& progress);

}  // namespace weft::app
