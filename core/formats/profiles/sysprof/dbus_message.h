// The header of a message of D-Bus, as it goes over the wire.
//
// Source: the D-Bus specification, "Message Protocol".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::sysprof {

struct DBusMessage {
  std::string_view kind;  // "method call", …
  uint32_t serial = 0, reply_to = 0;
  std::string_view path, interface, member, error, destination, sender;
};

// Returns nullopt if the bytes are not messages. Fields that are cut are left out.
std::optional<DBusMessage> dbus_message(std::string_view bytes);

}  // namespace weft::formats::sysprof
