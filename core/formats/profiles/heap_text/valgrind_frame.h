// A frame as Valgrind's tools write it: "0x1091A5: work (main.c:18)", "0x48417B4: malloc (in
// /usr/lib/vgpreload.so)"; of Rust's dhat "0x10ae4f2b0: alloc::alloc (src/alloc.rs:86:14)".
#pragma once

#include <string_view>

#include "core/formats/base/text.h"

namespace weft::formats {

struct ValgrindFrame {
  std::string_view name;  // of the function; "???" where none is known; the address where it is all
  std::string_view where;  // "main.c" or "vgpreload.so"; empty: not said
};

inline ValgrindFrame valgrind_frame(std::string_view text) {
  std::string_view rest = trimmed(text);
  if (take_address(rest) && take_prefix(rest, ": ")) text = rest;
  text = trimmed(text);
  const size_t open = text.ends_with(')') ? text.rfind(" (") : std::string_view::npos;
  if (open == std::string_view::npos) return {text, {}};
  std::string_view where = text.substr(open + 2);
  where.remove_suffix(1);
  if (take_prefix(where, "in ")) return {text.substr(0, open), file_name_of(where)};
  const auto without_number = [&where] {  // a line, a column
    const size_t colon = where.rfind(':');
    const bool is_number =
        colon != std::string_view::npos && parse_number<uint64_t>(where.substr(colon + 1));
    if (is_number) where = where.substr(0, colon);
    return is_number;
  };
  if (!without_number()) return {text, {}};  // a name may end with what it takes
  without_number();
  return {text.substr(0, open), file_name_of(where)};
}

// Returns the name in a flame graph; a frame without a function is named after its module.
inline std::string_view name_of_valgrind_frame(const ValgrindFrame& frame) {
  const bool is_nameless = frame.name.empty() || frame.name == "???";
  if (!is_nameless) return frame.name;
  return frame.where.empty() ? std::string_view("(unknown)") : frame.where;
}

}  // namespace weft::formats
