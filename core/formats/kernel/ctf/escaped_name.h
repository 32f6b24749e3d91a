// Names that are any text, as identifiers of CTF 1.8 (TSDL), and back:
//
//   "my value"  ◁─▷  \u000212_my\u0020value
//
// The number makes it the only one of its metadata, and the control character at its begin tells it
// from names of tracers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::ctf {

std::string escaped_name(size_t number, std::string_view name);
// Of what a reader of the trace shall not see: padding, labels that select options.
std::string hidden_name(size_t number);
bool is_hidden_name(std::string_view identifier);
// The label of a flag, whose ranges are those of its bits rather than of values; and the flag's
// name, nullopt of any other label.
std::string flag_label(std::string_view flag);
std::optional<std::string_view> flag_of(std::string_view label);
// Returns the name that was escaped; any other identifier as it is.
std::string unescaped_name(std::string_view identifier);

}  // namespace weft::formats::ctf
