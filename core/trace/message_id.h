// What the parameters of a message say of it: the number by which it calls itself, where its trace
// gives one, and that it was dropped.
//
// The number is the first of the message's parameters, called "uid" or "id":
// {"uid":77,"priority":2}. A reader that knows it writes it there. It may be given in quotes and in
// hexadecimal: "0x4D", and, since Chrome's flows are printed so, "4d".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::trace {

// `params`: the text of one JSON object. O(1): only its first member is looked at.
std::optional<uint64_t> message_id(std::string_view params);

// Whether the log says that the message was thrown away: a member "dropped" that is 1.
// O(bytes).
bool is_dropped(std::string_view params);
// That member, for readers.
inline constexpr std::string_view kDroppedMember = R"("dropped":1)";

// The loss by which readers count ids that several messages call themselves by.
inline constexpr std::string_view kIdUsedAgain = "uid used again";

// The number, all of the text: "77", "0x4D", "4d". Digits alone are decimal: what a trace prints
// and what a user types from it are read alike.
std::optional<uint64_t> message_id_from_text(std::string_view text);

}  // namespace weft::trace
