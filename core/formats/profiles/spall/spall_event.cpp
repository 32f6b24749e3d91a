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

}  // namespace weft::formats::spall
