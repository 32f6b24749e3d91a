#include "core/formats/base/json_walk.h"

#include <algorithm>
#include <bit>

#include "core/formats/base/json_cursor.h"
#include "core/formats/base/json_string.h"
#include "core/formats/base/short_text.h"

namespace weft::formats::json {
namespace {

// 64 bytes of text, looked at together. Bit i is byte i.
class Block {
 public:
#ifdef __SSE2__
  explicit Block(const char* p) {
    for (size_t i = 0; i < 4; ++i)
      parts_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
  }
  // Which are this sign once they have these bits, too.
  uint64_t equal(char sign, char bits = 0) const {
    uint64_t found = 0;
    for (size_t i = 0; i < 4; ++i) {
      const __m128i bytes = _mm_or_si128(parts_[i], _mm_set1_epi8(bits));
      const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(sign)));
      found |= uint64_t{static_cast<uint32_t>(equal)} << (16 * i);
    }
    return found;
  }
  uint64_t digits() const {
    uint64_t found = 0;
    for (size_t i = 0; i < 4; ++i) {
      const __m128i from = _mm_cmpgt_epi8(parts_[i], _mm_set1_epi8('0' - 1));
      const __m128i to = _mm_cmplt_epi8(parts_[i], _mm_set1_epi8('9' + 1));
      const int within = _mm_movemask_epi8(_mm_and_si128(from, to));
      found |= uint64_t{static_cast<uint32_t>(within)} << (16 * i);
    }
    return found;
  }

 private:
  __m128i parts_[4];
#else
  explicit Block(const char* p) : p_(p) {}
  uint64_t equal(char sign, char bits = 0) const {
    uint64_t found = 0;
    for (size_t i = 0; i < 64; ++i)
      found |= static_cast<uint64_t>(static_cast<char>(p_[i] | bits) == sign) << i;
    return found;
  }
  uint64_t digits() const {
    uint64_t found = 0;
    for (size_t i = 0; i < 64; ++i) found |= static_cast<uint64_t>(is_digit(p_[i])) << i;
    return found;
  }

 private:
  const char* p_;
#endif
};

// Each bit with all that are below it: those behind an odd number of quotes are in a string.
uint64_t prefix_xor(uint64_t bits) {
  for (uint32_t shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// The size of the whole numbers at `p`, each with its comma, that end within 64 bytes; 0 where one
// of them is missing or has a zero before other digits.
size_t bytes_of_numbers(const char* p) {
  const Block block(p);
  const uint64_t digits = block.digits(), all_commas = block.equal(',');
  const int run = std::countr_one(digits | all_commas);
  const uint64_t commas = run == 64 ? all_commas : all_commas & ((uint64_t{1} << run) - 1);
  if (commas == 0) return 0;
  const int free = std::countl_zero(commas);
  const uint64_t begins = commas << 1 | 1;
  const uint64_t wrong = begins & (~digits | (block.equal('0') & digits >> 1));
  return wrong << free == 0 ? 64 - static_cast<size_t>(free) : 0;
}

bool begins_container(char c) { return c == '{' || c == '['; }
char closing(char c) { return c == '{' ? '}' : ']'; }

// One pass over a text.
class Measure {
 public:
  Measure(std::string_view text, LongContainers& longs)
      : cursor_(text.data()), text_end_(text.data() + text.size()), longs_(longs) {}

  Extent extent() {
    cursor_.skip_space();
    while (begin_value()) {
      if (!end_values()) break;
    }
    if (fault_ == nullptr) return {.how = Extent::End::kWhole, .end = cursor_.p, .open = {}};
    const bool is_cut = fault_ >= text_end_;
    return {.how = is_too_deep_ ? Extent::End::kTooDeep
                   : is_cut     ? Extent::End::kCut
                                : Extent::End::kBroken,
            .end = std::min(whole_, text_end_),
            .fault = std::min(fault_, text_end_),
            .open = std::move(open_)};
  }

 private:
  // Begins that of all values up to a scalar or to an empty container, which it passes.
  bool begin_value() {
    for (;;) {
      const char* const begin = whole_ = cursor_.p;
      if (!begins_container(*begin)) return scalar();
      if (open_.size() == kMostDepth) {
        is_too_deep_ = true;
        return faulty();
      }
      open_.push_back(begin);
      ++cursor_.p;
      cursor_.skip_space();
      whole_ = cursor_.p;
      if (*cursor_.p == closing(*begin)) {
        close();
        return true;
      }
      if (*begin == '{' && !name()) return false;
    }
  }

  bool scalar() {
    // A few digits before the next: what columns of profiles are made of.
    for (const bool is_in_array = !open_.empty() && *open_.back() == '[';; whole_ = ++cursor_.p) {
      const uint32_t digits = json::digit_bytes(json::load8(whole_)).count;
      const bool is_short = digits == 1 || (digits > 1 && digits < 8 && *whole_ != '0');
      const char next = whole_[digits];
      if (!is_short || (next != ',' && next != ']')) break;
      cursor_.p += digits;
      if (!is_in_array || next != ',') return true;
      while (const size_t size = bytes_of_numbers(cursor_.p + 1)) cursor_.p += size;
      if (!is_digit(cursor_.p[1])) return true;
    }
    const char first = *whole_;
    json::RawString text;
    json::RawValue value;
    if (!(first == '"' ? pass_string(cursor_, text) : cursor_.value(value))) return faulty();
    // A number may have more digits where the text has no more.
    if (first != '-' && !is_digit(first)) whole_ = cursor_.p;
    return true;
  }

  bool name() {
    whole_ = cursor_.p;
    json::RawString name;
    if (!pass_string(cursor_, name) || !cursor_.take(':')) return faulty();
    cursor_.skip_space();
    return true;
  }

  // Behind a value: ends all containers that end there. Returns true if another value begins.
  bool end_values() {
    for (;;) {
      if (open_.empty()) return false;
      cursor_.skip_space();
      const char open = *open_.back();
      if (*cursor_.p == ',') {
        ++cursor_.p;
        cursor_.skip_space();
        return open != '{' || name();
      }
      if (*cursor_.p != closing(open)) return faulty();
      close();
    }
  }

  void close() {
    const char* const begin = open_.back();
    const char* const end = whole_ = ++cursor_.p;
    open_.pop_back();
    if (static_cast<size_t>(end - begin) >= longs_.shortest()) longs_.add(begin, end);
  }

  bool faulty() {
    fault_ = cursor_.p;
    return false;
  }

  Cursor cursor_;
  const char* text_end_;
  LongContainers& longs_;
  std::vector<const char*> open_;
  const char* whole_ = nullptr;  // behind the last part that is whole
  const char* fault_ = nullptr;
  bool is_too_deep_ = false;
};

}  // namespace

// In a short text even short containers are remembered, since there are few.
LongContainers::LongContainers(size_t text_bytes, uint64_t memory_bytes)
    : most_(std::max<size_t>(memory_bytes / sizeof(Container), 64)),
      shortest_(text_bytes < size_t{64} << 10 ? 64 : 1 << 10) {}

void LongContainers::add(const char* begin, const char* end) {
  containers_.push_back({begin, end});
  while (containers_.size() >= most_) {
    shortest_ *= 2;
    std::erase_if(containers_, [this](const Container& each) {
      return static_cast<size_t>(each.end - each.begin) < shortest_;
    });
  }
}

void LongContainers::sort() { std::ranges::sort(containers_, {}, &Container::begin); }

const char* LongContainers::end_of(const char* begin) const {
  const auto it = std::ranges::lower_bound(containers_, begin, {}, &Container::begin);
  return it == containers_.end() || it->begin != begin ? nullptr : it->end;
}

Extent measured(std::string_view text, LongContainers& longs) {
  Extent extent = Measure(text, longs).extent();
  longs.sort();
  return extent;
}

const char* skip_space(const char* p) {
  while (is_space(*p)) ++p;
  return p;
}

const char* skip_scalar(const char* p) {
  if (*p == '"') return skip_string(p);
  p += json::digit_bytes(json::load8(p)).count;
  // Numbers and names are letters, digits, points and signs.
  while (*p > ' ' && *p != ',' && *p != ']' && *p != '}') ++p;
  return p;
}

const char* skip_string(const char* p) {
  ++p;
  for (;;) {
    uint32_t non_ascii = 0;
    const uint32_t special = json::special_bytes(p, non_ascii);
    if (special == 0) {
      p += 16;
      continue;
    }
    p += std::countr_zero(special);
    if (*p != '\\' || p[1] == 0) return *p == '"' ? p + 1 : p;
    p += 2;
  }
}

bool pass_string(Cursor& cursor, RawString& out) {
  NoHash none;
  const char* broken = nullptr;
  const char* const end = scan_string(cursor.p, out, broken, none);
  cursor.p = end != nullptr ? end : broken;
  return end != nullptr;
}

const char* skip_container(const char* p, const char* limit) {
  constexpr char kBrace = 0x20;  // this bit makes braces of brackets
  size_t depth = 0;
  bool is_in_string = false;
  // Whether a byte outside of strings ends the container.
  const auto ends_with = [&depth](char c) {
    if (begins_container(c)) ++depth;
    return (c == '}' || c == ']') && --depth == 0;
  };
  while (p < limit) {
    const Block block(p);
    if ((block.equal('\\') | block.equal(0)) != 0) {
      for (const char* const end = p + 64; p < end; ++p) {
        if (*p == 0 || (*p == '\\' && p[1] == 0)) return nullptr;
        if (*p == '"') {
          is_in_string = !is_in_string;
        } else if (is_in_string) {
          p += *p == '\\' ? 1 : 0;
        } else if (ends_with(*p)) {
          return p + 1;
        }
      }
      continue;
    }
    const uint64_t quotes = block.equal('"');
    const uint64_t in_strings = prefix_xor(quotes) ^ (is_in_string ? ~uint64_t{0} : 0);
    const uint64_t begins = block.equal('{', kBrace) & ~in_strings;
    const uint64_t ends = block.equal('}', kBrace) & ~in_strings;
    const auto count = [](uint64_t bits) { return static_cast<size_t>(std::popcount(bits)); };
    if (count(ends) < depth) {
      depth += count(begins) - count(ends);
    } else {
      for (uint64_t left = begins | ends; left != 0; left &= left - 1) {
        const char* const at = p + std::countr_zero(left);
        if (ends_with(*at)) return at + 1;
      }
    }
    is_in_string = in_strings >> 63 != 0;  // as it is behind the block
    p += 64;
  }
  return nullptr;
}

}  // namespace weft::formats::json
