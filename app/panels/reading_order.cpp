#include "app/panels/reading_order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/base/utf8.h"

namespace weft::app {
namespace {

using Letters = std::u32string;

bool is_within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_digit(char32_t c) {
  return is_within(c, U'0', U'9') || is_within(c, 0x660, 0x669) || is_within(c, 0x6F0, 0x6F9);
}
// Written from right to left.
bool is_turned(char32_t c) {
  return !is_digit(c) && (is_within(c, 0x590, 0x8FF) || is_within(c, 0xFB1D, 0xFDFF) ||
                          is_within(c, 0xFE70, 0xFEFE));
}
// Written from left to right; the rest is what stands between.
bool is_straight(char32_t c) {
  if (c < 0x80) return is_within(c | 0x20, U'a', U'z') || c == U'_';
  return !is_digit(c) && !is_turned(c) && c >= 0xAA && !is_within(c, 0x2000, 0x2BFF);
}
// Above or below the letter before it.
bool is_mark(char32_t c) {
  return is_within(c, 0x591, 0x5BD) || is_within(c, 0x5C1, 0x5C2) || is_within(c, 0x64B, 0x65F) ||
         c == 0x670;
}

// Unicode has the forms of each letter, from U+0621 on, in a row from U+FE80 on: alone, at the end,
// and of those that join what follows at the begin and in the middle.
constexpr char32_t kFirst = 0x621, kBeforeGap = 0x63A, kBehindGap = 0x641, kLast = 0x64A;
constexpr char32_t kFirstForm = 0xFE80;
constexpr std::array<uint8_t, 36> kForms = {1, 2, 2, 2, 2, 4, 2, 4, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2,
                                            4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 4};

std::optional<size_t> place_in_forms(char32_t c) {
  if (is_within(c, kFirst, kBeforeGap)) return c - kFirst;
  if (is_within(c, kBehindGap, kLast)) return c - kBehindGap + (kBeforeGap - kFirst + 1);
  return std::nullopt;
}
bool joins_next(char32_t c) {
  const auto place = place_in_forms(c);
  return c == 0x640 || (place && kForms[*place] == 4);
}
bool joins_previous(char32_t c) {
  const auto place = place_in_forms(c);
  return c == 0x640 || (place && kForms[*place] > 1);
}

// In the order in which it is read.
void join(Letters& text) {
  const Letters read = text;
  const auto next_letter = [&](size_t i) {
    while (++i < read.size() && is_mark(read[i])) {
    }
    return i < read.size() ? read[i] : U'\0';
  };
  char32_t previous = 0;
  for (size_t i = 0; i < read.size(); ++i) {
    if (is_mark(read[i])) continue;
    if (const auto place = place_in_forms(read[i])) {
      const bool is_joined = joins_previous(read[i]) && joins_next(previous);
      const bool joins = joins_next(read[i]) && joins_previous(next_letter(i));
      char32_t form = kFirstForm + (is_joined ? 1 : 0) + (joins ? 2 : 0);
      for (size_t before = 0; before < *place; ++before) form += kForms[before];
      text[i] = form;
    }
    previous = read[i];
  }
}

char32_t mirrored(char32_t c) {
  constexpr std::u32string_view kPairs = U"()[]{}<>«»";
  const size_t at = kPairs.find(c);
  return at == std::u32string_view::npos ? c : kPairs[at ^ 1];
}

void turn(Letters& text, size_t begin, size_t end) {
  const auto at = [&](size_t i) { return text.begin() + static_cast<std::ptrdiff_t>(i); };
  std::reverse(at(begin), at(end));
  for (size_t i = begin; i < end; ++i) text[i] = mirrored(text[i]);
  for (size_t i = begin; i < end;) {  // numbers are read from the left, marks follow their letter
    size_t behind = i + 1;
    if (is_digit(text[i])) {
      const auto is_inside = [&](size_t j) {
        return is_digit(text[j]) ||
               (j + 1 < end && (text[j] == U'.' || text[j] == U',' || text[j] == U':') &&
                is_digit(text[j + 1]));
      };
      while (behind < end && is_inside(behind)) ++behind;
      std::reverse(at(i), at(behind));
    } else if (is_mark(text[i])) {
      while (behind < end && is_mark(text[behind])) ++behind;
      if (behind < end) std::reverse(at(i), at(++behind));
    }
    i = behind;
  }
}

}  // namespace

bool may_be_turned(std::string_view utf8) {
  return std::ranges::any_of(utf8, [](unsigned char c) {
    return is_within(c, 0xD6, 0xE0) || c == 0xEF;  // the first bytes of what is_turned
  });
}

std::string in_drawn_order(std::string_view utf8) {
  Letters text;
  for (const char byte : utf8) {
    const auto bits = static_cast<unsigned char>(byte);
    if (text.empty() || begins_letter(byte)) {
      text += bits < 0x80 ? bits : bits & (bits < 0xE0 ? 0x1F : bits < 0xF0 ? 0x0F : 0x07);
    } else {
      text.back() = text.back() << 6 | (bits & 0x3F);
    }
  }
  join(text);
  for (size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_turned(text[begin])) continue;
    size_t end = begin + 1;
    for (size_t i = end; i < text.size() && !is_straight(text[i]); ++i) {
      if (is_turned(text[i])) end = i + 1;
    }
    turn(text, begin, end);
    begin = end;
  }
  std::string drawn;
  for (const char32_t c : text) append_utf8(drawn, c);
  return drawn;
}

}  // namespace weft::app
