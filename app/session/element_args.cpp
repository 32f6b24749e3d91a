#include "app/session/element_args.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>

#include "app/session/commands/arguments.h"

namespace weft::app {
namespace {

using store::RowKind;

Result<RowKind> kind_arg(const Json& args) {
  WEFT_TRY_ASSIGN(const std::string name, choice_arg(args, "kind", kElementKinds));
  const auto at = std::ranges::find(kElementKinds, name, &Choice::id) - kElementKinds.begin();
  return static_cast<RowKind>(at);
}

}  // namespace

Json args_from_element(const query::ElementRef& element) {
  Json args = {{"lane", element.lane.value()},
               {"kind", kElementKinds[static_cast<size_t>(element.kind)].id},
               {"type", element.type.value()},
               {"at", element.begin.ticks}};
  if (element.kind == RowKind::kState) args["depth"] = element.which;
  if (element.duration.ticks != 0) args["duration"] = element.duration.ticks;
  if (!element.peer.is_none()) args["peer"] = element.peer.value();
  if (element.nth != 0) args["nth"] = element.nth;
  return args;
}

Result<query::ElementRef> element_from_json(const Json& json) {
  constexpr int64_t kMostId = 0xFFFFFFFE;
  constexpr int64_t kMostTicks = std::numeric_limits<int64_t>::max();
  if (!json.is_object()) return fail("an element must be an object");
  for (const char* key : {"lane", "type", "at"}) {
    if (!json.contains(key)) return fail(fmt::format("'{}' is missing", key));
  }
  query::ElementRef ref;
  WEFT_TRY_ASSIGN(ref.kind, kind_arg(json));
  WEFT_TRY_ASSIGN(const int64_t lane, integer_arg(json, "lane", 0, kMostId));
  WEFT_TRY_ASSIGN(const int64_t type, integer_arg(json, "type", 0, kMostId));
  WEFT_TRY_ASSIGN(ref.begin.ticks, integer_arg(json, "at", -kMostTicks, kMostTicks));
  WEFT_TRY_ASSIGN(const int64_t depth, integer_arg(json, "depth", 0, kMostId, 0));
  WEFT_TRY_ASSIGN(ref.duration.ticks, integer_arg(json, "duration", -kMostTicks, kMostTicks, 0));
  WEFT_TRY_ASSIGN(const int64_t nth, integer_arg(json, "nth", 0, kMostId, 0));
  ref.lane = LaneId(static_cast<uint32_t>(lane));
  ref.type = EventTypeId(static_cast<uint32_t>(type));
  ref.nth = static_cast<uint32_t>(nth);
  if (ref.kind == RowKind::kState) ref.which = static_cast<uint32_t>(depth);
  if (ref.kind == RowKind::kVariable) ref.which = ref.type.value();
  if (json.contains("peer")) {
    WEFT_TRY_ASSIGN(const int64_t peer, integer_arg(json, "peer", 0, kMostId));
    ref.peer = LaneId(static_cast<uint32_t>(peer));
  }
  return ref;
}

Result<query::ElementRef> element_arg(const Json& args, const OpenTrace& trace) {
  WEFT_TRY_ASSIGN(const LaneId lane, lane_arg(args, trace));
  WEFT_TRY_ASSIGN(const Time at, time_arg(args, "at", trace));
  Json numbers = args;
  numbers["lane"] = lane.value();
  numbers["at"] = at.ticks;
  WEFT_TRY_ASSIGN(const query::ElementRef ref, element_from_json(numbers));
  const size_t types = trace.trace()->dictionary().types.size();
  if (ref.type.value() >= types) return fail(fmt::format("there is no type {}", ref.type.value()));
  return ref;
}

}  // namespace weft::app
