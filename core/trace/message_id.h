// The number by which a message calls itself, where its trace gives one.
//
// It is the first of the message's parameters, called "uid" or "id": {"uid":77,"priority":2}. A
// reader that knows it writes it there. It may be given in quotes and in hexadecimal ("0x4D").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::trace {

// `params`: the text of one JSON object. O(1): only its first member is looked at.
std::optional<uint64_t> message_id(std::string_view params);

// "77", "0x4D": the number, all of the text.
std::optional<uint64_t> message_id_from_text(std::string_view text);

}  // namespace weft::trace
