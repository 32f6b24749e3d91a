#include "core/formats/embedded/tlv/tlv_calls.h"

#include <algorithm>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::tlv {
namespace {

constexpr std::string_view kServiceCalls = "service calls";

}  // namespace

// "enter" and "leave" alone are of interrupt handlers, whose states say the same.
bool Calls::find_half(std::string_view behavior, Half& half) {
  const bool is_call = behavior == "call", is_called = behavior == "called";
  if (is_call || behavior == "callback") {
    half = {is_call, "calls", "call", 1, "callee"};
    return true;
  }
  if (is_called || behavior == "return") {
    half = {is_called, {}, "called", 1, "caller"};
    return true;
  }
  const bool is_enter = take_prefix(behavior, "enter");
  if (!is_enter && !take_prefix(behavior, "leave")) return false;
  if (behavior.empty() || !is_upper(behavior[0])) return false;
  half = {is_enter, behavior == "SVC" ? kServiceCalls : behavior, behavior, 0};
  return true;
}

bool Calls::add(std::string_view behavior, std::span<const std::string_view> arguments,
                const At& at) {
  Half half;
  if (!find_half(behavior, half) || arguments.size() <= half.name_at ||
      arguments[half.name_at].empty())
    return false;
  const LaneId lane = half.lane.empty() ? at.resource : lane_of(at.resource, half.lane);
  const EventTypeId type = type_of(arguments[half.name_at], half.group);
  const std::string_view text = params(half, arguments);
  if (half.is_begin)
    open_.begin(lane, type, at.time, text, at.offset);
  else
    open_.end_of(lane, type, at.time, at.offset, text);
  return true;
}

void Calls::end_all(LaneId resource, Time time) {
  const auto name = names_.find(kServiceCalls);
  const size_t* const lane = name ? lanes_.find(key_of(resource.value(), *name)) : nullptr;
  if (lane != nullptr) open_.end_all(LaneId(static_cast<uint32_t>(*lane)), time);
}

LaneId Calls::lane_of(LaneId resource, std::string_view name) {
  const uint64_t key = key_of(resource.value(), names_.add(name).first);
  if (const size_t* const known = lanes_.find(key)) return LaneId(static_cast<uint32_t>(*known));
  const LaneId lane = sink_.add_lane({.name = valid_utf8(name), .parent = resource});
  lanes_.insert(key, lane.value());
  return lane;
}

EventTypeId Calls::type_of(std::string_view name, std::string_view group) {
  const uint64_t key = key_of(names_.add(group).first, names_.add(name).first);
  if (const size_t* const known = types_.find(key))
    return EventTypeId(static_cast<uint32_t>(*known));
  const EventTypeId type = sink_.type(trace::Category::kState, valid_utf8(name), valid_utf8(group));
  types_.insert(key, type.value());
  return type;
}

// The end says only what the begin did not.
std::string_view Calls::params(const Half& half, std::span<const std::string_view> arguments) {
  params_.clear();
  if (half.is_begin && half.name_at > 0) params_.add(half.other, arguments[0]);
  for (size_t i = half.name_at + 1; i < arguments.size(); ++i) {
    const std::string otherwise = half.is_begin ? "arg" + std::to_string(i) : "result";
    for (std::string_view rest = arguments[i]; !rest.empty();)
      add_argument(trimmed(take_to(rest, ';')), otherwise);
  }
  return params_.is_empty() ? std::string_view() : params_.whole();
}

// "tskid=2." says itself what it is.
void Calls::add_argument(std::string_view argument, std::string_view otherwise) {
  if (argument.empty()) return;
  const size_t sign = argument.find('=');
  const bool has_name = sign != std::string_view::npos && sign > 0 &&
                        std::ranges::all_of(argument.substr(0, sign), is_word_char);
  if (has_name)
    params_.add(argument.substr(0, sign), argument.substr(sign + 1));
  else
    params_.add(otherwise, argument);
}

}  // namespace weft::formats::tlv
