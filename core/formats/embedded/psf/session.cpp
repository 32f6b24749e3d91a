#include "core/formats/embedded/psf/session.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/binary.h"

namespace weft::formats::psf {
namespace {

constexpr std::string_view kLittle("\0FSP", kMagicBytes), kBig("PSF\0", kMagicBytes);
constexpr uint16_t kMostVersion = 0x20;

Kernel kernel_of(uint64_t platform) {
  switch (platform) {
    case 0x1AA1:
      return Kernel::kFreeRtos;
    case 0x9AA9:
      return Kernel::kZephyr;
    case 0xEAAE:
      return Kernel::kThreadX;
    case 0x1FF1:
      return Kernel::kBareMetal;
    default:
      return Kernel::kOther;
  }
}

// Platforms read the same from both ends, in digits of four bits.
bool is_platform(uint64_t platform) {
  constexpr uint64_t kDigit = 0xF;
  return platform != 0 && (platform >> 12 & kDigit) == (platform & kDigit) &&
         (platform >> 8 & kDigit) == (platform >> 4 & kDigit);
}

// Reads fields one behind the other.
struct Fields {
  std::string_view bytes;
  const Layout& layout;
  size_t at = 0;

  uint64_t take(size_t size) {
    at += size;
    return layout.number(bytes, at - size, size);
  }
  uint32_t take32() { return static_cast<uint32_t>(take(sizeof(uint32_t))); }
  uint64_t take_word() { return take(layout.word_bytes); }
};

void read_platform(Fields& in, Session& out, bool is_name_first) {
  constexpr size_t kNameBytes = 8;
  std::string_view name;
  if (is_name_first) {
    name = in.bytes.substr(in.at, kNameBytes);
    in.at += kNameBytes;
  }
  const uint64_t patch = in.take(2), minor = in.take(1), major = in.take(1);
  if (!is_name_first) {
    name = in.bytes.substr(in.at, kNameBytes);
    in.at += kNameBytes;
  }
  out.platform = fmt::format("{} {}.{}.{}", valid_utf8(until_zero(name)), major, minor, patch);
}

}  // namespace

std::string_view name_of(Kernel kernel) {
  constexpr std::string_view kNames[] = {"FreeRTOS", "Zephyr", "ThreadX", "none (bare metal)",
                                         "unknown"};
  return kNames[static_cast<size_t>(kernel)];
}

uint64_t Layout::number(std::string_view bytes, size_t at, size_t size) const {
  uint64_t value = 0;
  for (size_t i = 0; i < size && at + i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[at + i]);
    value |= uint64_t{byte} << 8 * (is_big ? size - 1 - i : i);
  }
  return value;
}

std::optional<bool> order_of(std::string_view bytes) {
  if (bytes.starts_with(kLittle)) return false;
  if (bytes.starts_with(kBig)) return true;
  return std::nullopt;
}

bool is_header(std::string_view bytes) {
  constexpr size_t kLeast = 12, kVersionAt = 4, kPlatformAt = 6;
  const auto is_big = order_of(bytes);
  if (!is_big || bytes.size() < kLeast) return false;
  const Layout layout{.is_big = *is_big};
  const uint64_t version = layout.number(bytes, kVersionAt, 2);
  return version > 0 && version <= kMostVersion &&
         is_platform(layout.number(bytes, kPlatformAt, 2));
}

bool take_session(std::string_view& bytes, Session& out, std::string& problem) {
  constexpr size_t kShort = 32 + 28 + 12;
  constexpr uint16_t kNameBehindVersion = 13;  // from this version on; period before frequency, too
  constexpr uint32_t kWide = 1u << 3, kCoreMask = 0xFF;
  out = {};
  if (bytes.size() < kShort) return false;
  out.layout.is_big = order_of(bytes).value_or(false);
  Fields in{bytes, out.layout, kMagicBytes};
  out.version = static_cast<uint16_t>(in.take(2));
  out.kernel = kernel_of(in.take(2));
  if (out.version < kLeastVersion) {
    problem = fmt::format("recordings of version {} cannot be read", out.version);
    return true;
  }
  const uint32_t options = in.take32();
  out.is_greater_more_urgent = (options & 1u) != 0;
  if (out.version > kNameBehindVersion && (options & kWide) != 0) {
    out.layout.word_bytes = sizeof(uint64_t);
    if (bytes.size() < kMostSessionBytes) return false;
  }
  out.cores = std::max(in.take32() & kCoreMask, 1u);
  in.take32();  // how near interrupts are that one shows as one
  read_platform(in, out, out.version < kNameBehindVersion);
  const uint32_t timer = in.take32();
  if (timer < 1 || timer > static_cast<uint32_t>(Timer::kPeriodDown)) {
    problem = fmt::format("timer of unknown kind {}", timer);
    return true;
  }
  out.timer = static_cast<Timer>(timer);
  if (out.version >= kNameBehindVersion) out.period = in.take32();
  out.frequency = in.take_word();
  if (out.version < kNameBehindVersion) out.period = in.take32();
  out.wraparounds = in.take32();
  out.tick_rate = in.take32();
  out.latest = in.take32();
  out.ticks = in.take32();
  out.entries = in.take_word();
  out.symbol_bytes = in.take_word();
  out.states = in.take_word();
  constexpr uint64_t kMostEntries = 1 << 20, kMostSymbol = 1024, kMostStates = 64;
  if (out.entries > kMostEntries || out.symbol_bytes > kMostSymbol || out.states > kMostStates)
    problem = "table of names whose sizes cannot be";
  bytes.remove_prefix(in.at);
  return true;
}

Entry entry_of(std::string_view bytes, const Session& session) {
  Entry out;
  out.address = session.layout.word(bytes, 0);
  for (size_t i = 0; i < std::min<uint64_t>(session.states, std::size(out.states)); ++i)
    out.states[i] = session.layout.word(bytes, 1 + i);
  const size_t at = static_cast<size_t>(1 + session.states) * session.layout.word_bytes;
  out.options = static_cast<uint32_t>(session.layout.number(bytes, at, sizeof(uint32_t)));
  out.symbol = until_zero(bytes.substr(at + sizeof(uint32_t)));
  return out;
}

}  // namespace weft::formats::psf
