#include "core/formats/profiles/sysprof/dbus_message.h"

#include <iterator>

#include "core/formats/base/binary.h"

namespace weft::formats::sysprof {
namespace {

constexpr std::string_view kKinds[] = {"", "method call", "method return", "error", "signal"};

void align(BinaryFields& fields, size_t to) { fields.bytes((to - fields.at() % to) % to); }

}  // namespace

std::optional<DBusMessage> dbus_message(std::string_view bytes) {
  BinaryFields fields(bytes);
  const auto order = fields.little<char>();
  const bool is_big_endian = order == 'B';
  const auto kind = fields.little<uint8_t>();
  if ((order != 'l' && !is_big_endian) || kind == 0 || kind >= std::size(kKinds))
    return std::nullopt;
  DBusMessage message;
  message.kind = kKinds[kind];
  fields.little<uint16_t>();               // flags, version
  fields.number<uint32_t>(is_big_endian);  // length of the body
  message.serial = fields.number<uint32_t>(is_big_endian);
  const uint64_t end = uint64_t{fields.number<uint32_t>(is_big_endian)} + fields.at();
  if (fields.has_failed()) return std::nullopt;
  constexpr uint8_t kReplyTo = 5;
  std::string_view unknown;
  std::string_view* const texts[] = {
      &unknown,       &message.path, &message.interface,   &message.member,
      &message.error, &unknown,      &message.destination, &message.sender};
  while (fields.at() < end && !fields.has_failed()) {
    align(fields, sizeof(uint64_t));
    const auto field = fields.little<uint8_t>();
    const std::string_view signature = fields.bytes(fields.little<uint8_t>());
    fields.bytes(1);
    if (signature == "s" || signature == "o") {
      align(fields, sizeof(uint32_t));
      const std::string_view text = fields.bytes(fields.number<uint32_t>(is_big_endian));
      fields.bytes(1);
      if (!fields.has_failed()) *texts[field < std::size(texts) ? field : 0] = text;
    } else if (signature == "u") {
      align(fields, sizeof(uint32_t));
      const auto value = fields.number<uint32_t>(is_big_endian);
      if (field == kReplyTo) message.reply_to = value;
    } else if (signature == "g") {
      fields.bytes(fields.little<uint8_t>());
      fields.bytes(1);
    } else {
      break;  // what comes behind it is not known
    }
  }
  return message;
}

}  // namespace weft::formats::sysprof
