#include "core/base/demangle.h"

#include <algorithm>

#include "core/base/itanium_name.h"
#include "core/base/rust_name.h"

namespace weft {

std::optional<std::string> demangled(std::string_view name) {
  if (!may_be_mangled(name) || name.size() > itanium::kMostChars) return std::nullopt;
  if (name.starts_with("__")) name.remove_prefix(1);
  const bool is_rust = name.starts_with("_R");
  // The version of a library: "@@GLIBCXX_3.4", or "@plt".
  const size_t at = std::min(name.find('@'), name.size());
  const std::string_view version = name.substr(at);
  name = name.substr(2, at - 2);
  std::optional<std::string> text;
  if (is_rust) {
    text = rust::read_v0(name, itanium::kMostChars);
  } else {
    if (name.starts_with('N')) text = rust::read_legacy(name.substr(1));
    if (!text) text = itanium::Reader(name).read();
  }
  if (text) *text += version;
  return text;
}

}  // namespace weft
