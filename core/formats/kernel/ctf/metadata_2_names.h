// Names of CTF 1.8 for the classes of CTF 2. In 1.8 a field is what its name says ("packet_size"),
// in 2 what its roles say: fields with roles get those names, and all others names that are the
// only ones of the metadata, since only so a name says which of several fields it means.
#pragma once

#include "core/formats/kernel/ctf/metadata_2_classes.h"

namespace weft::formats::ctf {

// What is added to the classes: the names of members and options, and, of an array or a variant,
// where its length or selector is.
inline constexpr const char* kName1 = "name in 1.8";
inline constexpr const char* kPath1 = "path in 1.8";

inline constexpr std::string_view kClockRole = "default-clock-timestamp";
inline constexpr std::string_view kEndClockRole = "packet-end-default-clock-timestamp";
inline constexpr std::string_view kStreamIdRole = "data-stream-class-id";
inline constexpr std::string_view kEventIdRole = "event-record-class-id";
bool has_role(const Json& field, std::string_view role);

// Names what classes without aliases hold. Throws Unreadable if a location is none, or none of 1.8.
void give_names_1(Metadata2Classes& classes);

}  // namespace weft::formats::ctf
