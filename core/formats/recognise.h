// What can be done about content that formats::recognise() does not recognise.
#pragma once

#include <cstddef>
#include <span>

namespace weft::formats {

// Whether a trace type of the user's could read content that begins like this: it is text, and not
// known to be something else.
bool may_get_type(std::span<const std::byte> head);

}  // namespace weft::formats
