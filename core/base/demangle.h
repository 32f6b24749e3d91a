// Names as sources have them, of what compilers make of them for symbol tables: C++ (Itanium ABI)
// and Rust (its own scheme, and the one before, which looks like C++).
//
// Not the library's demangler: a name of 200 characters may stand for a text of gigabytes, and what
// is named comes from files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weft {

// "_ZN3foo3barEi": "foo::bar(int)". "_RNvNtC3std2io5Write" and
// "_ZN3std2io5Write17h0123456789abcdefE": "std::io::Write". None of what is no such name, and of
// one that is not understood: of more than 4096 characters, or that stands for more, and those with
// expressions in them. A few µs; at most milliseconds.
std::optional<std::string> demangled(std::string_view name);

// At a glance.
inline bool may_be_mangled(std::string_view name) {
  if (name.starts_with("__")) name.remove_prefix(1);  // as macOS has it
  return name.starts_with("_Z") || name.starts_with("_R");
}

// Names of types as they are shown, for readers that say them with every event: what was made of a
// name is kept.
class PlainNames {
 public:
  // Of a name that is none of a compiler's, itself. Valid until the next call.
  std::string_view of(std::string_view name) {
    if (!may_be_mangled(name)) return name;
    const auto [it, is_new] = known_.try_emplace(std::string(name));
    if (is_new) it->second = demangled(name).value_or(it->first);
    return it->second;
  }

 private:
  std::unordered_map<std::string, std::string> known_;
};

}  // namespace weft
