// Errors from errno.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

#include "core/base/result.h"

namespace weft {

// Returns e.g. "cannot map: Permission denied" for errno `code`.
inline Error os_error(const std::string& what, int code = errno) {
  return Error{what + ": " + std::generic_category().message(code)};
}

}  // namespace weft
