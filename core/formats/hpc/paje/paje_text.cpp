#include "core/formats/hpc/paje/paje_text.h"

#include <string>

#include "core/base/ascii.h"
#include "core/formats/base/decimal_time.h"

namespace weft::formats::paje {
std::optional<Time> parse_seconds(std::string_view text) {
  return nearest_time(text, DecimalUnit::kSeconds);
}

trace::LaneKind lane_kind(std::string_view type) {
  const std::string name = lower_case(std::string(type));
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  for (const trace::LaneKind kind : trace::kLaneKinds)
    if (name == name_of(kind)) return kind;
  if (has("thread")) return trace::LaneKind::kThread;
  if (has("process") || has("mpi") || has("rank") || has("actor")) return trace::LaneKind::kProcess;
  if (has("host") || has("machine") || has("node")) return trace::LaneKind::kMachine;
  return trace::LaneKind::kGroup;
}

}  // namespace weft::formats::paje
