// Demangling of symbol names: C++ (Itanium ABI) and both Rust schemes, v0 and the legacy one that
// looks like C++.
//
// The C++ library's own demangler is not used: a name of 200 characters can expand to gigabytes,
// and the names come from untrusted files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weft {

// Demangles `name`: "_ZN3foo3barEi" gives "foo::bar(int)"; "_RNvNtC3std2io5Write" and
// "_ZN3std2io5Write17h0123456789abcdefE" give "std::io::Write". Returns nullopt if `name` is not
// mangled or cannot be demangled: it or its expansion exceeds 4096 characters, or it contains
// expressions. Takes a few µs, at worst milliseconds.
std::optional<std::string> demangled(std::string_view name);

// A cheap test of the prefix only; demangled() may still return nullopt.
inline bool may_be_mangled(std::string_view name) {
  if (name.starts_with("__")) name.remove_prefix(1);  // the extra underscore of macOS
  return name.starts_with("_Z") || name.starts_with("_R");
}

// Demangled type names for readers that meet them with every event; the last results are cached.
class PlainNames {
 public:
  // Returns the demangled name, or `name` itself if it is not mangled or cannot be demangled. The
  // view is valid until the next call.
  std::string_view of(std::string_view name) {
    if (!may_be_mangled(name)) return name;
    if (known_.size() > kMost) known_.clear();
    const auto [it, is_new] = known_.try_emplace(std::string(name));
    if (is_new) it->second = demangled(name).value_or(it->first);
    return it->second;
  }

 private:
  static constexpr size_t kMost = 1 << 14;

  std::unordered_map<std::string, std::string> known_;
};

}  // namespace weft
