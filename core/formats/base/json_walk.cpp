#include "core/formats/base/json_walk.h"

#include <algorithm>
#include <bit>

#include "core/formats/general/chrome_json/json_cursor.h"
#include "core/formats/general/chrome_json/short_text.h"

namespace weft::formats::json {
namespace {

using chrome_json::Cursor;

// Which of the 16 bytes at `p` are quotes or brackets, or zero. Bit i is byte i.
uint32_t marks(const char* p) {
#ifdef __SSE2__
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  // This bit makes braces of brackets.
  const __m128i braces = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  const __m128i is_quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i is_zero = _mm_cmpeq_epi8(bytes, _mm_setzero_si128());
  const __m128i is_begin = _mm_cmpeq_epi8(braces, _mm_set1_epi8('{'));
  const __m128i is_end = _mm_cmpeq_epi8(braces, _mm_set1_epi8('}'));
  return static_cast<uint32_t>(_mm_movemask_epi8(
      _mm_or_si128(_mm_or_si128(is_quote, is_zero), _mm_or_si128(is_begin, is_end))));
#else
  uint32_t found = 0;
  for (uint32_t i = 0; i < 16; ++i) {
    const char brace = static_cast<char>(p[i] | 0x20);
    const bool is_mark = p[i] == '"' || p[i] == 0 || brace == '{' || brace == '}';
    found |= static_cast<uint32_t>(is_mark) << i;
  }
  return found;
#endif
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
    const char first = *whole_;
    chrome_json::RawValue value;
    if (!cursor_.value(value)) return faulty();
    // A number may have more digits where the text has no more.
    if (first != '-' && !chrome_json::is_digit(first)) whole_ = cursor_.p;
    return true;
  }

  bool name() {
    whole_ = cursor_.p;
    chrome_json::RawString name;
    if (!cursor_.string(name) || !cursor_.take(':')) return faulty();
    cursor_.skip_space();
    return true;
  }

  // Behind a value: ends all containers that end there. True where another value begins.
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

// Of a short text few are passed over without a look, for it has few.
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
  while (chrome_json::is_space(*p)) ++p;
  return p;
}

const char* skip_scalar(const char* p) {
  if (*p == '"') return skip_string(p);
  // Numbers and names are letters, digits, points and signs.
  while (*p > ' ' && *p != ',' && *p != ']' && *p != '}') ++p;
  return p;
}

const char* skip_string(const char* p) {
  ++p;
  for (;;) {
    uint32_t non_ascii = 0;
    const uint32_t special = chrome_json::special_bytes(p, non_ascii);
    if (special == 0) {
      p += 16;
      continue;
    }
    p += std::countr_zero(special);
    if (*p != '\\' || p[1] == 0) return *p == '"' ? p + 1 : p;
    p += 2;
  }
}

const char* skip_container(const char* p, const char* limit) {
  size_t depth = 0;
  while (p < limit) {
    uint32_t left = marks(p);
    const char* next = p + 16;
    for (; left != 0; left &= left - 1) {
      const char* const at = p + std::countr_zero(left);
      if (*at == '"') {
        next = skip_string(at);
        break;
      }
      if (*at == 0) return nullptr;
      if (begins_container(*at)) {
        ++depth;
      } else if (--depth == 0) {
        return at + 1;
      }
    }
    p = next;
  }
  return nullptr;
}

}  // namespace weft::formats::json
