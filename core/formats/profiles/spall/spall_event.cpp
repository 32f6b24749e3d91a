#include "core/formats/profiles/spall/spall_event.h"

#include "core/formats/base/binary.h"

namespace weft::formats::spall {
namespace {

constexpr uint64_t kBuffered = 3;  // the first version of buffers of one thread

template <class Value>
bool take(std::string_view& bytes, Value& out) {
  const auto value = take_little<Value>(bytes);
  out = value.value_or(Value());
  return value.has_value();
}

bool take_text(std::string_view& bytes, uint8_t length, std::string_view& out) {
  const auto text = take_bytes(bytes, length);
  out = text.value_or(std::string_view());
  return text.has_value();
}

bool take_origin_and_time(std::string_view& bytes, uint64_t version, Event& out) {
  if (version >= kBuffered) return take(bytes, out.ticks);
  return take(bytes, out.pid) && take(bytes, out.tid) && take(bytes, out.time);
}

bool take_begin(std::string_view& bytes, uint64_t version, Event& out) {
  uint8_t category = 0, name_length = 0, arguments_length = 0;
  if (version == 1 && !take(bytes, category)) return false;
  if (!take_origin_and_time(bytes, version, out) || !take(bytes, name_length)) return false;
  if (version > 0 && !take(bytes, arguments_length)) return false;
  return take_text(bytes, name_length, out.name) &&
         take_text(bytes, arguments_length, out.arguments);
}

}  // namespace

Parsed take_event(std::string_view& bytes, uint64_t version, Event& out) {
  std::string_view rest = bytes;
  uint8_t kind = 0, length = 0;
  if (!take(rest, kind)) return Parsed::kCut;
  out.kind = static_cast<Kind>(kind);
  bool is_whole = false;
  switch (out.kind) {
    case Kind::kBegin:
      is_whole = take_begin(rest, version, out);
      break;
    case Kind::kEnd:
      is_whole = take_origin_and_time(rest, version, out);
      break;
    case Kind::kPadding:
      is_whole = take(rest, out.padding_bytes);
      break;
    case Kind::kProcessName:
    case Kind::kThreadName:
      if (version < kBuffered) return Parsed::kUnknown;
      is_whole = take(rest, length) && take_text(rest, length, out.name);
      break;
    default:
      return Parsed::kUnknown;
  }
  if (!is_whole) return Parsed::kCut;
  bytes = rest;
  return Parsed::kEvent;
}

namespace {

// Takes an integer of 1, 2, 4 or 8 bytes.
bool take_sized(std::string_view& bytes, unsigned size, uint64_t& out) {
  const auto taken = take_bytes(bytes, size_t{1} << size);
  out = 0;
  for (size_t i = 0; taken && i < taken->size(); ++i)
    out |= uint64_t{static_cast<uint8_t>((*taken)[i])} << (8 * i);
  return taken.has_value();
}

Parsed take_fixed(std::string_view& bytes, Event& out) {
  constexpr int kKindShift = 56;
  constexpr uint8_t kBegin = 1, kEnd = 2;
  uint64_t word = 0;
  if (!take(bytes, word)) return Parsed::kCut;
  const auto kind = static_cast<uint8_t>(word >> kKindShift);
  out.ticks = word & ((uint64_t{1} << kKindShift) - 1);
  if (kind != kBegin && kind != kEnd) return Parsed::kUnknown;
  out.kind = kind == kBegin ? Kind::kBegin : Kind::kEnd;
  if (kind == kBegin && !(take(bytes, out.address) && take(bytes, out.caller))) return Parsed::kCut;
  return Parsed::kEvent;
}

bool take_named(std::string_view& bytes, uint8_t head, uint64_t& passed, Event& out) {
  uint64_t name_length = 0, arguments_length = 0;
  if (!take_sized(bytes, head >> 2 & 3, passed) || !take_sized(bytes, head >> 1 & 1, name_length) ||
      !take_sized(bytes, head & 1, arguments_length))
    return false;
  const auto name = take_bytes(bytes, name_length), arguments = take_bytes(bytes, arguments_length);
  out.name = name.value_or(std::string_view());
  out.arguments = arguments.value_or(std::string_view());
  return name && arguments;
}

Parsed take_packed(std::string_view& bytes, Before& before, Event& out) {
  enum Tag : uint8_t { kBegin, kEnd, kNamed };
  uint8_t head = 0;
  uint64_t passed = 0, address = 0, caller = 0;
  bool is_whole = take(bytes, head);
  if (!is_whole) return Parsed::kCut;
  switch (head >> 6) {
    case kBegin:
      is_whole = take_sized(bytes, head >> 4 & 3, passed) &&
                 take_sized(bytes, head >> 2 & 3, address) && take_sized(bytes, head & 3, caller);
      break;
    case kEnd:
      is_whole = take_sized(bytes, head >> 4 & 3, passed);
      break;
    case kNamed:
      if ((head >> 4 & 3) != 1) return Parsed::kUnknown;
      is_whole = take_named(bytes, head, passed, out);
      break;
    default:
      return Parsed::kUnknown;
  }
  if (!is_whole) return Parsed::kCut;
  out.kind = head >> 6 == kEnd ? Kind::kEnd : Kind::kBegin;
  out.ticks = before.ticks += passed;
  if (head >> 6 != kBegin) return Parsed::kEvent;
  out.address = before.address ^= address;
  out.caller = before.caller ^= caller;
  return Parsed::kEvent;
}

}  // namespace

Parsed take_automatic_event(std::string_view& bytes, uint64_t version, Before& before, Event& out) {
  std::string_view rest = bytes;
  const Parsed parsed =
      version < kBuffered ? take_fixed(rest, out) : take_packed(rest, before, out);
  if (parsed == Parsed::kEvent) bytes = rest;
  return parsed;
}

}  // namespace weft::formats::spall
