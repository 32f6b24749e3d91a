#include "core/formats/fst/fst_hierarchy.h"

#include <algorithm>
#include <array>

#include "core/formats/fst/fst_bytes.h"

namespace weft::formats::fst {
namespace {

enum Tag : uint8_t {
  kEvent = 0,
  kInteger = 1,
  kReal = 3,
  kRealParameter = 4,
  kPort = 18,
  kRealTime = 20,
  kString = 21,
  kSvInt = 24,
  kSvByte = 27,
  kShortReal = 29,
  kLastVariable = 29,
  kAttributeBegin = 252,
  kAttributeEnd = 253,
  kScope = 254,
  kUpScope = 255,
};

// Its type was taken before.
bool declare(uint8_t type, std::string_view& bytes, std::vector<Geometry>& handles,
             vcd::Signals& signals) {
  if (!take_bytes(bytes, 1)) return false;  // its direction
  const auto name = take_text(bytes);
  const auto length = take_varint(bytes), alias = take_varint(bytes);
  if (!name || !length || !alias) return false;
  using Shape = vcd::Signals::Shape;
  constexpr std::array kNumbers = {kInteger, kReal, kRealParameter, kRealTime, kString, kShortReal};
  constexpr uint64_t kMostSignedBits = 64;
  const bool is_signed =
      (type == kInteger || (type >= kSvInt && type <= kSvByte)) && *length <= kMostSignedBits;
  const bool is_number = std::ranges::find(kNumbers, type) != kNumbers.end();
  const Shape shape = type == kEvent               ? Shape::kEvent
                      : !is_number && *length == 1 ? Shape::kBit
                                                   : Shape::kNumber;
  constexpr std::array kReals = {kReal, kRealParameter, kRealTime, kShortReal};
  const bool is_real = std::ranges::find(kReals, type) != kReals.end();
  if (*alias == 0) {
    const uint64_t characters = is_real ? kRealBytes : type == kString ? 0 : *length;
    handles.push_back({static_cast<uint32_t>(characters), is_real});
  }
  const uint64_t handle = *alias == 0 ? handles.size() : *alias;
  if (type == kPort) return true;  // its values say who drives it from either side
  signals.declare(Handle(handle).code(), *name, shape,
                  is_signed ? static_cast<uint32_t>(*length) : 0);
  return true;
}

}  // namespace

bool declare_all(std::string_view hierarchy, vcd::Signals& signals, std::vector<Geometry>& handles,
                 trace::EventSink& sink) {
  while (const auto tag = take_little<uint8_t>(hierarchy)) {
    bool is_whole = true;
    if (*tag <= kLastVariable) {
      is_whole = declare(*tag, hierarchy, handles, signals);
      if (*tag == kPort) sink.loss("port of an extended dump, which is not shown", 0, 1, false);
    } else if (*tag == kScope) {
      const bool has_kind = take_bytes(hierarchy, 1).has_value();
      const auto name = take_text(hierarchy), component = take_text(hierarchy);
      is_whole = has_kind && name && component;
      if (is_whole) signals.enter_scope("scope", *name);
    } else if (*tag == kUpScope) {
      signals.leave_scope();
    } else if (*tag == kAttributeBegin) {  // where it is in its source, and the like
      is_whole = take_bytes(hierarchy, 2) && take_text(hierarchy) && take_varint(hierarchy);
    } else if (*tag != kAttributeEnd) {
      return false;
    }
    if (!is_whole) return false;
  }
  return true;
}

}  // namespace weft::formats::fst
