// What a message's parameters say about it: the id that its trace gives it, if any, and whether it
// was dropped.
//
// The id is the first parameter if that is called "uid" or "id", as in {"uid":77,"priority":2}.
// Readers that know the id write it there. It may be quoted and hexadecimal: "0x4D" or, since
// Chrome prints flow ids that way, "4d".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::trace {

// Returns the id in `params`, the text of one JSON object. O(1): only the first member is read.
std::optional<uint64_t> message_id(std::string_view params);

// Whether `params` say that the message was discarded, by a member "dropped" with value 1.
// O(bytes).
bool is_dropped(std::string_view params);
// The member that is_dropped() looks for, for readers to write.
inline constexpr std::string_view kDroppedMember = R"("dropped":1)";

// The loss that readers report for ids used by more than one message.
inline constexpr std::string_view kIdUsedAgain = "uid used again";

// Parses an id, which must be all of `text`: "77", "0x4D", "4d". Text of digits only is decimal, so
// that what a trace prints and what a user copies from it are read alike.
std::optional<uint64_t> message_id_from_text(std::string_view text);

}  // namespace weft::trace
