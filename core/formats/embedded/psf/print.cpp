#include "core/formats/embedded/psf/print.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "core/formats/base/text.h"

namespace weft::formats::psf {
namespace {

// A conversion of one value: "%-08.3lx".
struct Directive {
  bool is_left = false, has_zeros = false, has_sign = false, has_space = false, has_prefix = false;
  uint32_t width = 0;
  std::optional<uint32_t> precision;
  uint32_t bytes = 0;  // 0: a word
  char sign = 0;
};

constexpr uint32_t kMostWidth = 256;

uint32_t take_count(std::string_view& text) {
  return std::min(take_number<uint32_t>(text).value_or(0), kMostWidth);
}

// Behind the percent sign; nothing where it does not end.
std::optional<Directive> take_directive(std::string_view& text) {
  Directive out;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '-') {
      out.is_left = true;
    } else if (c == '0') {
      out.has_zeros = true;
    } else if (c == '+') {
      out.has_sign = true;
    } else if (c == ' ') {
      out.has_space = true;
    } else if (c == '#') {
      out.has_prefix = true;
    } else {
      break;
    }
  }
  out.width = take_count(text);
  if (take_prefix(text, ".")) {
    out.precision = take_count(text);
  }
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == 'b') {
      out.bytes = 1;
    } else if (c == 'h') {
      out.bytes = out.bytes == 2 ? 1 : 2;
    } else if (c != 'l' && c != 'z' && c != 'j' && c != 't') {
      break;
    }
  }
  if (text.empty()) return std::nullopt;
  out.sign = text.front();
  text.remove_prefix(1);
  return out;
}

uint64_t cut_to(uint64_t value, uint32_t bytes) {
  return bytes >= sizeof value ? value : value & ((uint64_t{1} << 8 * bytes) - 1);
}

std::string digits(const Directive& directive, uint64_t value) {
  std::string text;
  switch (directive.sign) {
    case 'x':
      text = fmt::format("{:x}", value);
      break;
    case 'X':
      text = fmt::format("{:X}", value);
      break;
    case 'o':
      text = fmt::format("{:o}", value);
      break;
    default:
      text = fmt::format("{}", value);
      break;
  }
  const uint32_t least = directive.precision.value_or(0);
  if (text.size() < least) text.insert(0, least - text.size(), '0');
  return text;
}

struct Shown {
  std::string prefix, text;
};

Shown integer(const Directive& directive, uint64_t value, uint32_t word_bytes) {
  const uint32_t bytes = directive.bytes == 0 ? word_bytes : directive.bytes;
  value = cut_to(value, bytes);
  const bool is_signed = directive.sign == 'd' || directive.sign == 'i';
  const bool is_negative = is_signed && (value >> (8 * bytes - 1) & 1) != 0;
  Shown out;
  if (is_negative) {
    out.prefix = "-";
    value = cut_to(~value + 1, bytes);
  } else if (is_signed && (directive.has_sign || directive.has_space)) {
    out.prefix = directive.has_sign ? "+" : " ";
  } else if (directive.has_prefix && value != 0 && (directive.sign | 0x20) == 'x') {
    out.prefix = directive.sign == 'x' ? "0x" : "0X";
  }
  out.text = digits(directive, value);
  return out;
}

// A float fills a word, a double two, of which the recorder keeps what it gets.
Shown real(const Directive& directive, uint64_t value, uint32_t word_bytes) {
  const double number = word_bytes == sizeof(uint64_t)
                            ? std::bit_cast<double>(value)
                            : double{std::bit_cast<float>(static_cast<uint32_t>(value))};
  constexpr uint32_t kDigits = 6;
  const auto precision = static_cast<int>(directive.precision.value_or(kDigits));
  Shown out{number < 0 ? "-" : directive.has_sign ? "+" : "", {}};
  const double size = number < 0 ? -number : number;
  switch (directive.sign | 0x20) {
    case 'e':
      out.text = fmt::format("{:.{}e}", size, precision);
      break;
    case 'g':
      out.text = fmt::format("{:.{}g}", size, precision);
      break;
    default:
      out.text = fmt::format("{:.{}f}", size, precision);
      break;
  }
  return out;
}

void pad(std::string& out, const Directive& directive, const Shown& shown, bool is_number) {
  const size_t size = shown.prefix.size() + shown.text.size();
  const size_t gap = directive.width > size ? directive.width - size : 0;
  const bool has_zeros = is_number && directive.has_zeros && !directive.is_left;
  if (!directive.is_left && !has_zeros) out.append(gap, ' ');
  out += shown.prefix;
  if (has_zeros) out.append(gap, '0');
  out += shown.text;
  if (directive.is_left) out.append(gap, ' ');
}

}  // namespace

std::string printed(std::string_view format, std::span<const uint64_t> values, uint32_t word_bytes,
                    const std::function<std::string(uint64_t)>& name_of) {
  std::string out;
  while (!format.empty()) {
    const size_t percent = find_any<'%'>(format);
    out += format.substr(0, percent);
    format.remove_prefix(percent);
    if (format.empty()) break;
    const std::string_view whole = format;
    format.remove_prefix(1);
    const auto directive = take_directive(format);
    const std::string_view said = whole.substr(0, whole.size() - format.size());
    if (directive && directive->sign == '%') {
      out += '%';
      continue;
    }
    constexpr std::string_view kKnown = "diuxXocspfFeEgG";
    if (!directive || values.empty() || kKnown.find(directive->sign) == std::string_view::npos) {
      out += said;
      continue;
    }
    const uint64_t value = values.front();
    values = values.subspan(1);
    const char sign = directive->sign;
    if (sign == 's') {
      std::string text = name_of(value);
      if (directive->precision) text.resize(std::min<size_t>(text.size(), *directive->precision));
      pad(out, *directive, {"", text}, false);
    } else if (sign == 'c') {
      pad(out, *directive, {"", std::string(1, static_cast<char>(value))}, false);
    } else if (sign == 'p') {
      pad(out, *directive, {"0x", fmt::format("{:x}", value)}, true);
    } else if (kKnown.find(sign) >= kKnown.find('f')) {
      pad(out, *directive, real(*directive, value, word_bytes), true);
    } else {
      pad(out, *directive, integer(*directive, value, word_bytes), true);
    }
  }
  return out;
}

}  // namespace weft::formats::psf
