#include "core/formats/profiles/nettrace/nettrace_trace.h"

#include <fmt/format.h>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/system_time.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/nettrace/nettrace_cursor.h"

namespace weft::formats::nettrace {
namespace {

void add_known(TraceBlock& trace, std::string_view key, std::string_view value) {
  trace.about.emplace_back(valid_utf8(key), valid_utf8(value));
  if (key == "ProcessId") trace.process = parse_number<uint64_t>(value).value_or(0);
}

}  // namespace

Time TraceBlock::time_of(int64_t ticks) const {
  const auto since = static_cast<Wide>(ticks) - begin_ticks;
  return {saturated(since * kNsPerSecond / ticks_per_second + begin_ns)};
}

std::optional<TraceBlock> take_trace_block(std::string_view block, uint32_t version) {
  constexpr uint32_t kFirstOfKeys = 6;
  Cursor cursor(block);
  TraceBlock trace;
  trace.begin_ns = take_system_time(cursor).ticks;
  trace.begin_ticks = cursor.little<int64_t>();
  trace.ticks_per_second = cursor.little<int64_t>();
  trace.pointer_bytes = cursor.little<uint32_t>();
  if (version >= kFirstOfKeys) {
    const auto count = cursor.little<uint32_t>();
    for (uint32_t i = 0; i < count && !cursor.is_at_end(); ++i) {
      const std::string_view key = cursor.utf8(), value = cursor.utf8();
      if (!cursor.has_failed()) add_known(trace, key, value);
    }
  } else {
    trace.process = cursor.little<uint32_t>();
    const auto processors = cursor.little<uint32_t>(), interval = cursor.little<uint32_t>();
    trace.about.emplace_back("ProcessId", fmt::format("{}", trace.process));
    trace.about.emplace_back("HardwareThreadCount", fmt::format("{}", processors));
    trace.about.emplace_back("ExpectedCPUSamplingRate", fmt::format("{}", interval));
  }
  if (cursor.has_failed()) return std::nullopt;
  return trace;
}

}  // namespace weft::formats::nettrace
