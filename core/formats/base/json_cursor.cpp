#include "core/formats/base/json_cursor.h"

#include <charconv>
#include <limits>
#include <random>
#include <system_error>
#include <vector>

#include "core/formats/base/json_string.h"

namespace weft::formats::json {

const uint64_t kHashSeed = [] {
  std::random_device device;
  return (static_cast<uint64_t>(device()) << 32) | device();
}();

namespace {

// Which containers are open, innermost last: true for an object. Ordinary depths need no memory.
class Nesting {
 public:
  bool is_empty() const { return depth_ == 0; }
  bool is_object() const {
    return depth_ <= kShallow ? (bits_ >> (depth_ - 1) & 1) != 0 : deep_.back();
  }
  size_t depth() const { return depth_; }

  void push(bool is_object) {
    if (depth_ < kShallow) {
      bits_ = (bits_ & ~(1ull << depth_)) | static_cast<uint64_t>(is_object) << depth_;
    } else {
      deep_.push_back(is_object);
    }
    ++depth_;
  }
  void pop() {
    if (depth_-- > kShallow) deep_.pop_back();
  }

 private:
  static constexpr size_t kShallow = 64;
  uint64_t bits_ = 0;
  std::vector<bool> deep_;
  size_t depth_ = 0;
};

// The hash of a string as it is written.
class StringHash {
 public:
  uint64_t value() const { return value_; }
  void take_block(const char* p) { value_ = mix(mix(value_, load8(p)), load8(p + 8)); }
  void take_tail(const char* p, size_t n) {
    if (n >= 8) {
      value_ = mix(value_, load8(p));
      p += 8;
      n -= 8;
    }
    value_ = mix(value_, low_bytes(load8(p), n) ^ (static_cast<uint64_t>(n) << 56));
  }
  void take_escaped(char c) { value_ = mix(value_, static_cast<uint8_t>(c)); }

 private:
  uint64_t value_ = hash_seed();
};

const char* skip_digits(const char* p) {
  uint32_t count = 0;
  do {
    count = digit_bytes(load8(p)).count;
    p += count;
  } while (count == 8);
  return p;
}

}  // namespace

const char* scan_long_string(const char* p, RawString& out, const char*& broken) {
  StringHash hash;
  const char* const end = scan_string(p, out, broken, hash);
  out.hash = hash.value();
  return end;
}

bool Cursor::skip_string(uint8_t& traits) {
  RawString ignored;
  if (!string(ignored)) return false;
  traits |= ignored.traits;
  return true;
}

bool is_huge(std::string_view number) {
  if (number.contains("e-") || number.contains("E-")) return false;  // next to 0
  double ignored = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), ignored);
  return error == std::errc::result_out_of_range;
}

bool Cursor::skip_number(uint8_t& traits) {
  constexpr ptrdiff_t kMostDigits = std::numeric_limits<double>::max_exponent10;
  const char* const begin = p;
  if (*p == '-') ++p;
  if (*p == '0') {
    ++p;
  } else {
    if (!is_digit(*p)) return false;
    p = skip_digits(p);
  }
  if (*p == '.') {
    ++p;
    if (!is_digit(*p)) return false;
    p = skip_digits(p);
  }
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    if (!is_digit(*p)) return false;
    p = skip_digits(p);
    if (is_huge({begin, p})) traits |= kHasHuge;
  } else if (p - begin > kMostDigits && is_huge({begin, p})) {
    traits |= kHasHuge;
  }
  return true;
}

bool Cursor::skip_literal(std::string_view literal) {
  for (const char c : literal) {
    if (*p != c) return false;
    ++p;
  }
  return true;
}

bool Cursor::skip_scalar(uint8_t& traits) {
  switch (*p) {
    case '"':
      return skip_string(traits);
    case 't':
      return skip_literal("true");
    case 'f':
      return skip_literal("false");
    case 'n':
      return skip_literal("null");
    default:
      return skip_number(traits);
  }
}

// Arrays and objects, without recursion: one bit for each level says which of the two it is.
bool Cursor::skip_container(uint8_t& traits) {
  Nesting open;
  const auto skip_spaces = [&] {
    if (!is_space(*p)) return;
    traits |= kHasSpace;
    skip_space();
  };
  const auto member_name = [&] {
    if (!skip_string(traits)) return false;
    skip_spaces();
    if (*p != ':') return false;
    ++p;
    skip_spaces();
    return true;
  };
  for (;;) {  // at the begin of a value
    if (*p == '{' || *p == '[') {
      open.push(*p++ == '{');
      if (open.depth() > kMaxDepth) traits |= kIsDeep;
      skip_spaces();
      if (*p != (open.is_object() ? '}' : ']')) {
        if (open.is_object() && !member_name()) return false;
        continue;
      }
      ++p;
      open.pop();
    } else if (!skip_scalar(traits)) {
      return false;
    }
    for (;;) {  // after a value
      if (open.is_empty()) return true;
      skip_spaces();
      if (*p == ',') break;
      if (*p != (open.is_object() ? '}' : ']')) return false;
      ++p;
      open.pop();
    }
    ++p;
    skip_spaces();
    if (open.is_object() && !member_name()) return false;
  }
}

bool Cursor::value(RawValue& out) {
  const char* begin = p;
  uint8_t traits = 0;
  const bool is_container = *p == '{' || *p == '[';
  if (!(is_container ? skip_container(traits) : skip_scalar(traits))) return false;
  out.text = {begin, static_cast<size_t>(p - begin)};
  out.traits = traits;
  return true;
}

Cursor::Skim Cursor::skim_object(size_t limit) {
  const char* const begin = p;
  size_t braces = 0;
  size_t brackets = 0;
  for (bool in_string = false;; ++p) {
    if (static_cast<size_t>(p - begin) > limit) return Skim::kTooFar;
    if (in_string) {
      if (*p == 0) return Skim::kCut;
      if (*p == '\\' && p[1] != 0) {
        ++p;
      } else if (*p == '"') {
        in_string = false;
      }
      continue;
    }
    switch (*p) {
      case 0:
        return Skim::kCut;
      case '"':
        in_string = true;
        break;
      case '{':
        ++braces;
        break;
      case '[':
        ++brackets;
        break;
      case ']':
        if (brackets-- == 0) return Skim::kUnbalanced;
        break;
      case '}':
        if (--braces == 0) {
          ++p;
          return Skim::kClosed;
        }
        break;
      default:
        break;
    }
  }
}

}  // namespace weft::formats::json
