#include "core/formats/embedded/fst/fst_hierarchy.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/formats/embedded/fst/fst_bytes.h"

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

// The numbers of a port: what drives each bit, and how strongly from either side.
uint32_t port_bits(uint64_t length) {
  constexpr uint64_t kSpaces = 2, kParts = 3;
  return static_cast<uint32_t>((std::max(length, kSpaces) - kSpaces) / kParts);
}

class Declarer {
 public:
  Declarer(vcd::Signals& signals, std::vector<Geometry>& handles)
      : signals_(signals), handles_(handles) {}

  bool declare_all(std::string_view bytes) {
    while (const auto tag = take_little<uint8_t>(bytes)) {
      if (!declare_one(*tag, bytes)) return false;
    }
    return true;
  }

 private:
  bool declare_one(uint8_t tag, std::string_view& bytes) {
    if (tag <= kLastVariable) return declare_variable(tag, bytes);
    if (tag == kScope) {
      const bool has_kind = take_bytes(bytes, 1).has_value();
      const auto name = take_text(bytes), component = take_text(bytes);
      const bool is_whole = has_kind && name && component;
      if (is_whole) signals_.enter_scope("scope", *name);
      return is_whole;
    }
    if (tag == kUpScope) signals_.leave_scope();
    if (tag == kAttributeBegin) return take_attribute(bytes);
    return tag == kUpScope || tag == kAttributeEnd;
  }

  bool declare_variable(uint8_t type, std::string_view& bytes) {
    if (!take_bytes(bytes, 1)) return false;  // its direction
    const auto name = take_text(bytes);
    const auto length = take_varint(bytes), alias = take_varint(bytes);
    if (!name || !length || !alias) return false;
    using Shape = vcd::Signals::Shape;
    constexpr std::array kNumbers = {kInteger,  kReal,   kRealParameter,
                                     kRealTime, kString, kShortReal};
    constexpr uint64_t kMostSignedBits = 64;
    const bool is_signed =
        (type == kInteger || (type >= kSvInt && type <= kSvByte)) && *length <= kMostSignedBits;
    const bool is_number = std::ranges::find(kNumbers, type) != kNumbers.end();
    const uint64_t bits = type == kPort ? port_bits(*length) : *length;
    const Shape shape = type == kEvent            ? Shape::kEvent
                        : !is_number && bits == 1 ? Shape::kBit
                                                  : Shape::kNumber;
    constexpr std::array kReals = {kReal, kRealParameter, kRealTime, kShortReal};
    const bool is_real = std::ranges::find(kReals, type) != kReals.end();
    if (*alias == 0) {
      const uint64_t characters = is_real ? kRealBytes : type == kString ? 0 : *length;
      handles_.push_back({.length = static_cast<uint32_t>(characters),
                          .port_bits = type == kPort ? static_cast<uint32_t>(bits) : 0,
                          .is_real = is_real});
    }
    const uint64_t handle = *alias == 0 ? handles_.size() : *alias;
    signals_.declare(Handle(handle).code(), *name, shape,
                     is_signed ? static_cast<uint32_t>(*length) : 0,
                     std::exchange(names_, nullptr));
    return true;
  }

  // Takes an attribute, such as a source location. An enumeration comes first with its names and
  // values, "state 2 idle busy 0 1", then by number alone before each of its variables.
  bool take_attribute(std::string_view& bytes) {
    constexpr uint8_t kMisc = 0, kEnumeration = 7;
    const auto kind = take_little<uint8_t>(bytes), part = take_little<uint8_t>(bytes);
    const auto text = take_text(bytes);
    const auto number = take_varint(bytes);
    if (!kind || !part || !text || !number) return false;
    if (*kind != kMisc || *part != kEnumeration) return true;
    if (text->empty()) {
      const auto it = enumerations_.find(*number);
      names_ = it == enumerations_.end() ? nullptr : it->second;
      return true;
    }
    std::vector<std::string_view> words;
    for (const auto word : std::views::split(*text, ' ')) words.emplace_back(word);
    constexpr size_t kBeforeNames = 2;  // its own name, and how many there are
    if (words.size() < kBeforeNames) return true;
    const size_t count = (words.size() - kBeforeNames) / 2;
    auto names = std::make_shared<vcd::ValueNames>();
    for (size_t i = kBeforeNames; i < kBeforeNames + count; ++i)
      names->try_emplace(std::string(words[i + count]), valid_utf8(vcd::without_escapes(words[i])));
    enumerations_[*number] = std::move(names);
    return true;
  }

  vcd::Signals& signals_;
  std::vector<Geometry>& handles_;
  std::map<uint64_t, std::shared_ptr<const vcd::ValueNames>> enumerations_;
  std::shared_ptr<const vcd::ValueNames> names_;  // of the next variable
};

}  // namespace

bool declare_all(std::string_view hierarchy, vcd::Signals& signals,
                 std::vector<Geometry>& handles) {
  return Declarer(signals, handles).declare_all(hierarchy);
}

}  // namespace weft::formats::fst
