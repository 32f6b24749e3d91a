#include "core/base/demangle.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/base/itanium_name.h"

namespace weft {
namespace {

// Of "core::fmt::Write" in "_ZN4core3fmt5Write17h0123456789abcdefE", the parts.
std::optional<std::string> demangled_rust(std::string_view rest) {
  constexpr size_t kHash = 17;
  std::string text;
  for (;;) {
    size_t length = 0;
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    if (parsed.ec != std::errc()) return std::nullopt;
    rest = {parsed.ptr, rest.data() + rest.size()};
    if (length == 0 || length > rest.size()) return std::nullopt;
    std::string_view part = rest.substr(0, length);
    rest.remove_prefix(length);
    const bool is_hash = length == kHash && part.front() == 'h' &&
                         part.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
    if (is_hash && (rest == "E" || rest.starts_with("E."))) break;
    if (!text.empty()) text += "::";
    if (part.starts_with("_$")) part.remove_prefix(1);
    while (!part.empty()) {
      constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
          {"$LT$", "<"},  {"$GT$", ">"},   {"$RF$", "&"},  {"$BP$", "*"},  {"$C$", ","},
          {"$SP$", "@"},  {"$LP$", "("},   {"$RP$", ")"},  {"$u20$", " "}, {"$u27$", "'"},
          {"$u5b$", "["}, {"$u5d$", "]"},  {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u3b$", ";"},
          {"$u2b$", "+"}, {"$u22$", "\""}, {"$u7e$", "~"}, {"..", "::"}};
      const auto* const sign = std::ranges::find_if(
          kSigns, [&](const auto& each) { return part.starts_with(each.first); });
      const bool is_sign = sign != std::end(kSigns);
      text += is_sign ? sign->second : part.substr(0, 1);
      part.remove_prefix(is_sign ? sign->first.size() : 1);
    }
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::optional<std::string> demangled(std::string_view name) {
  if (name.starts_with("__Z")) name.remove_prefix(1);  // as macOS has it
  if (!name.starts_with("_Z") || name.size() > itanium::kMostChars) return std::nullopt;
  // The version of a library: "@@GLIBCXX_3.4", or "@plt".
  const size_t at = std::min(name.find('@'), name.size());
  const std::string_view version = name.substr(at);
  name = name.substr(2, at - 2);
  std::optional<std::string> text;
  if (name.starts_with('N')) text = demangled_rust(name.substr(1));
  if (!text) text = itanium::Reader(name).read();
  if (text) *text += version;
  return text;
}

}  // namespace weft
