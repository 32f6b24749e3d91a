#include "core/formats/kernel/ctf/escaped_name.h"

#include <fmt/core.h>

#include <charconv>

#include "core/base/ascii.h"

namespace weft::formats::ctf {
namespace {

constexpr std::string_view kBegin = R"(\u0002)", kEscape = R"(\u00)";
constexpr std::string_view kFlagBegin = R"(\u0003)";
constexpr char kBeforeName = '_';
constexpr size_t kHexDigits = 2;

}  // namespace

std::string escaped_name(size_t number, std::string_view name) {
  std::string out = hidden_name(number) + kBeforeName;
  for (const char c : name) {
    if (is_alphanumeric(c) || c == '_')
      out += c;
    else
      out += fmt::format("{}{:02X}", kEscape, static_cast<unsigned char>(c));
  }
  return out;
}

std::string hidden_name(size_t number) { return fmt::format("{}{}", kBegin, number); }

bool is_hidden_name(std::string_view identifier) {
  return identifier.starts_with(kBegin) && !identifier.contains(kBeforeName);
}

std::string flag_label(std::string_view flag) { return std::string(kFlagBegin).append(flag); }

std::optional<std::string_view> flag_of(std::string_view label) {
  if (!label.starts_with(kFlagBegin)) return std::nullopt;
  return label.substr(kFlagBegin.size());
}

std::string unescaped_name(std::string_view identifier) {
  if (!identifier.starts_with(kBegin) || is_hidden_name(identifier)) return std::string(identifier);
  identifier.remove_prefix(identifier.find(kBeforeName) + 1);
  std::string out;
  while (!identifier.empty()) {
    unsigned byte = static_cast<unsigned char>(identifier.front());
    size_t size = 1;
    if (identifier.starts_with(kEscape)) {
      const std::string_view digits = identifier.substr(kEscape.size(), kHexDigits);
      std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
      size = kEscape.size() + digits.size();
    }
    out += static_cast<char>(byte);
    identifier.remove_prefix(size);
  }
  return out;
}

}  // namespace weft::formats::ctf
