// Metadata of CTF 2 as that of CTF 1.8, which is what Babeltrace 2.0 reads. Both describe the same
// bytes but for what only CTF 2 has: integers of variable length, optional fields, UTF-16.
//
// Source: "CTF2-SPEC-2.0", https://diamon.org/ctf, and its drafts from which traces exist, where
// enumerations are types of their own and locations are arrays.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft::formats::ctf {

// Whether metadata that begins so is of CTF 2.
bool is_metadata_2(std::string_view head);

// Converts the content of a metadata file: JSON fragments, each after a record separator (RFC
// 7464). The error names what cannot be understood, or what version 1.8 lacks.
Result<std::string> metadata_1_of(std::string_view metadata_2);

}  // namespace weft::formats::ctf
