#include "core/formats/embedded/dlt/dlt_message.h"

#include <fmt/core.h>

#include <bit>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"

namespace weft::formats::dlt {
namespace {

enum Flag : uint8_t {
  kExtended = 0x01,
  kBigEndian = 0x02,
  kUnit = 0x04,
  kSession = 0x08,
  kTime = 0x10
};

template <class Value>
std::optional<Value> take(std::string_view& bytes, bool is_big_endian) {
  const auto value = take_little<Value>(bytes);
  if (!value || !is_big_endian) return value;
  if constexpr (sizeof(Value) == 1) {
    return value;
  } else if constexpr (sizeof(Value) == 2) {
    return __builtin_bswap16(*value);
  } else if constexpr (sizeof(Value) == 4) {
    return __builtin_bswap32(*value);
  } else {
    return __builtin_bswap64(*value);
  }
}

// Types of arguments.
enum Type : uint32_t {
  kBool = 0x10,
  kSigned = 0x20,
  kUnsigned = 0x40,
  kFloat = 0x80,
  kText = 0x200,
  kRaw = 0x400,
  kNamed = 0x800,
  kFixedPoint = 0x1000,
  kTraceInfo = 0x2000,
};

// Takes the arguments of one payload, in its byte order.
class Taker {
 public:
  Taker(const Message& message, Arguments& out)
      : rest_(message.payload), is_big_(message.is_big_endian), out_(out) {}

  bool take_all(uint8_t count) {
    bool is_whole = true;
    for (uint8_t i = 0; i < count && is_whole; ++i) is_whole = take_argument();
    out_.json = json_.take();
    out_.rest = rest_;
    return is_whole;
  }

 private:
  bool take_argument() {
    const auto type = take<uint32_t>(rest_, is_big_);
    if (!type) return false;
    if ((*type & (kText | kRaw | kTraceInfo)) != 0) return take_bytes_argument(*type);
    std::string_view name, unit;
    if ((*type & kNamed) != 0 && !take_names((*type & kBool) == 0, name, unit)) return false;
    if ((*type & kFixedPoint) != 0 && !skip_fixed_point(*type)) return false;
    const auto value = take_value(*type);
    if (!value) return false;
    give(name, unit, *value);
    return true;
  }

  bool take_bytes_argument(uint32_t type) {
    const auto length = take<uint16_t>(rest_, is_big_);
    if (!length) return false;
    std::string_view name;
    if ((type & kNamed) != 0) {
      const auto name_length = take<uint16_t>(rest_, is_big_);
      const auto taken = take_bytes(rest_, name_length.value_or(0));
      if (!name_length || !taken) return false;
      name = until_zero(*taken);
    }
    const auto bytes = take_bytes(rest_, *length);
    if (!bytes) return false;
    give(name, {},
         (type & kRaw) != 0 ? hexadecimal(std::as_bytes(std::span(*bytes)))
                            : std::string(until_zero(*bytes)));
    return true;
  }

  bool take_names(bool has_unit, std::string_view& name, std::string_view& unit) {
    const auto name_length = take<uint16_t>(rest_, is_big_);
    const auto unit_length =
        has_unit ? take<uint16_t>(rest_, is_big_) : std::optional<uint16_t>(uint16_t{0});
    if (!name_length || !unit_length) return false;
    const auto first = take_bytes(rest_, *name_length), second = take_bytes(rest_, *unit_length);
    if (!first || !second) return false;
    name = until_zero(*first);
    unit = until_zero(*second);
    return true;
  }

  bool skip_fixed_point(uint32_t type) {
    constexpr size_t kQuantization = 4, kOffset = 4, kOffset64 = 8;
    return take_bytes(rest_, kQuantization + (size_of_value(type) == 8 ? kOffset64 : kOffset))
        .has_value();
  }

  static size_t size_of_value(uint32_t type) {
    const uint32_t length = type & 0xF;
    return length >= 1 && length <= 5 ? size_t{1} << (length - 1) : 1;
  }

  std::optional<std::string> take_value(uint32_t type) {
    const size_t size = size_of_value(type);
    constexpr size_t kLongest = 8;
    if (size > kLongest) {
      const auto bytes = take_bytes(rest_, size);
      if (!bytes) return std::nullopt;
      return hexadecimal(std::as_bytes(std::span(*bytes)));
    }
    const auto bits = take_bits(size);
    if (!bits) return std::nullopt;
    if ((type & kBool) != 0) return std::string(*bits != 0 ? "true" : "false");
    if ((type & kFloat) != 0) {
      if (size == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(*bits)));
      return fmt::format("{}", std::bit_cast<double>(*bits));
    }
    if ((type & kSigned) == 0) return fmt::format("{}", *bits);
    const auto shift = static_cast<unsigned>(64 - 8 * size);
    return fmt::format("{}", static_cast<int64_t>(*bits << shift) >> shift);
  }

  std::optional<uint64_t> take_bits(size_t size) {
    switch (size) {
      case 1:
        return take<uint8_t>(rest_, is_big_);
      case 2:
        return take<uint16_t>(rest_, is_big_);
      case 4:
        return take<uint32_t>(rest_, is_big_);
      default:
        return take<uint64_t>(rest_, is_big_);
    }
  }

  void give(std::string_view name, std::string_view unit, const std::string& value) {
    if (!out_.text.empty()) out_.text += ' ';
    const std::string with_unit = unit.empty() ? value : fmt::format("{} {}", value, unit);
    if (name.empty()) {
      out_.text += with_unit;
      return;
    }
    out_.text += fmt::format("{}={}", name, with_unit);
    json_.add(name, with_unit);
  }

  std::string_view rest_;
  bool is_big_;
  Arguments& out_;
  ArgsText json_;
};

}  // namespace

size_t size_of(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kLeastBytes) return 0;
  bytes.remove_prefix(kStorageBytes + 2);
  const size_t length = take<uint16_t>(bytes, true).value_or(0);
  constexpr size_t kStandardBytes = 4;
  return length < kStandardBytes ? 0 : kStorageBytes + length;
}

std::optional<Message> parse(std::string_view bytes) {
  Message message;
  bytes.remove_prefix(kMagic.size());
  const auto seconds = take<uint32_t>(bytes, false), microseconds = take<uint32_t>(bytes, false);
  const auto unit = take_bytes(bytes, 4);
  if (!unit) return std::nullopt;
  message.time_ns = (int64_t{*seconds} * 1'000'000 + static_cast<int32_t>(*microseconds)) * 1'000;
  message.unit = until_zero(*unit);
  return parse_sent(bytes, message) ? std::optional(message) : std::nullopt;
}

bool parse_sent(std::string_view bytes, Message& message) {
  const auto flags = take<uint8_t>(bytes, true);
  if (!flags || !take_bytes(bytes, 3)) return false;
  message.is_big_endian = (*flags & kBigEndian) != 0;
  const auto has = [&](Flag flag) { return (*flags & flag) != 0; };
  if (has(kUnit)) {
    const auto own = take_bytes(bytes, 4);
    if (!own) return false;
    message.unit = until_zero(*own);
  }
  if (has(kSession)) {
    message.session = take<uint32_t>(bytes, true);
    if (!message.session) return false;
  }
  if (has(kTime)) {
    message.uptime = take<uint32_t>(bytes, true);
    if (!message.uptime) return false;
  }
  if (has(kExtended)) {
    const auto kind = take<uint8_t>(bytes, true), arguments = take<uint8_t>(bytes, true);
    const auto application = take_bytes(bytes, 4), context = take_bytes(bytes, 4);
    if (!kind || !arguments || !application || !context) return false;
    message.has_kind = true;
    message.is_verbose = (*kind & 1) != 0;
    message.kind = static_cast<Kind>(*kind >> 1 & 0x7);
    message.detail = *kind >> 4;
    message.arguments = *arguments;
    message.application = until_zero(*application);
    message.context = until_zero(*context);
  }
  message.payload = bytes;
  return true;
}

bool take_arguments(const Message& message, Arguments& out) {
  return Taker(message, out).take_all(message.arguments);
}

}  // namespace weft::formats::dlt
