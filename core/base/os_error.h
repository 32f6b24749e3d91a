// Words for errno. Internal to the room.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "core/base/result.h"

namespace weft::io {

// "cannot map: Permission denied", from the current errno or the one given.
inline Error os_error(const std::string& what, int code = errno) {
  return Error{what + ": " + std::generic_category().message(code)};
}

}  // namespace weft::io
