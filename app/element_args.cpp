#include "app/element_args.h"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/commands/arguments.h"

namespace weft::app {
namespace {

using store::RowKind;

constexpr std::array<std::pair<std::string_view, RowKind>, store::kRowKindCount> kKinds = {
    {{"state", RowKind::kState},
     {"punctual", RowKind::kPunctual},
     {"variable", RowKind::kVariable},
     {"link_out", RowKind::kLinkOut},
     {"link_in", RowKind::kLinkIn}}};

Result<RowKind> kind_arg(const Json& args) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(args, "kind"));
  for (const auto& [known, kind] : kKinds) {
    if (known == name) return kind;
  }
  return fail(fmt::format(
      "'{}' is no kind of element (state, punctual, variable, link_out, link_in)", name));
}

// Zero where it is left out.
Result<int64_t> integer_arg(const Json& args, const char* key, int64_t least, int64_t most) {
  const auto it = args.find(key);
  if (it == args.end()) return 0;
  const bool is_good =
      it->is_number_integer() && it->get<int64_t>() >= least && it->get<int64_t>() <= most;
  if (!is_good) return fail(fmt::format("'{}' must be an integer from {} to {}", key, least, most));
  return it->get<int64_t>();
}

}  // namespace

Json args_from_element(const query::ElementRef& element) {
  Json args = {{"lane", element.lane.value()},
               {"kind", kKinds[static_cast<size_t>(element.kind)].first},
               {"type", element.type.value()},
               {"at", element.begin.ticks}};
  if (element.kind == RowKind::kState) args["depth"] = element.which;
  if (element.duration.ticks != 0) args["duration"] = element.duration.ticks;
  if (!element.peer.is_none()) args["peer"] = element.peer.value();
  if (element.nth != 0) args["nth"] = element.nth;
  return args;
}

Result<query::ElementRef> element_arg(const Json& args, const OpenTrace& trace) {
  constexpr int64_t kMostId = 0xFFFFFFFE;
  constexpr int64_t kMostTicks = std::numeric_limits<int64_t>::max();
  query::ElementRef ref;
  WEFT_TRY_ASSIGN(ref.lane, lane_arg(args, trace));
  WEFT_TRY_ASSIGN(ref.kind, kind_arg(args));
  WEFT_TRY_ASSIGN(ref.begin, time_arg(args, "at", trace));
  const auto types = static_cast<int64_t>(trace.trace()->dictionary().types.size());
  if (!args.contains("type")) return fail("'type' is missing");
  WEFT_TRY_ASSIGN(const int64_t type, integer_arg(args, "type", 0, types - 1));
  ref.type = EventTypeId(static_cast<uint32_t>(type));
  WEFT_TRY_ASSIGN(const int64_t depth, integer_arg(args, "depth", 0, kMostId));
  WEFT_TRY_ASSIGN(ref.duration.ticks, integer_arg(args, "duration", -kMostTicks, kMostTicks));
  WEFT_TRY_ASSIGN(const int64_t nth, integer_arg(args, "nth", 0, kMostId));
  ref.nth = static_cast<uint32_t>(nth);
  if (ref.kind == RowKind::kState) ref.which = static_cast<uint32_t>(depth);
  if (ref.kind == RowKind::kVariable) ref.which = ref.type.value();
  if (args.contains("peer")) {
    WEFT_TRY_ASSIGN(const int64_t peer, integer_arg(args, "peer", 0, kMostId));
    ref.peer = LaneId(static_cast<uint32_t>(peer));
  }
  return ref;
}

}  // namespace weft::app
