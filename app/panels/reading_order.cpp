#include "app/panels/reading_order.h"

#include <fribidi/fribidi.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace weft::app {

bool may_be_turned(std::string_view utf8) {
  return std::ranges::any_of(utf8, [](unsigned char c) {
    return (c >= 0xD6 && c <= 0xE0) || c == 0xEF;  // as letters of such scripts begin
  });
}

std::string in_drawn_order(std::string_view utf8) {
  constexpr size_t kMost = std::numeric_limits<FriBidiStrIndex>::max() / 4;
  if (utf8.empty() || utf8.size() > kMost) return std::string(utf8);
  const auto bytes = static_cast<FriBidiStrIndex>(utf8.size());
  std::vector<FriBidiChar> read(utf8.size()), drawn(utf8.size() + 1);  // it ends with a zero
  const FriBidiStrIndex length =
      fribidi_charset_to_unicode(FRIBIDI_CHAR_SET_UTF8, utf8.data(), bytes, read.data());
  FriBidiParType base = FRIBIDI_PAR_LTR;
  if (fribidi_log2vis(read.data(), length, &base, drawn.data(), nullptr, nullptr, nullptr) == 0)
    return std::string(utf8);
  const FriBidiStrIndex left =
      fribidi_remove_bidi_marks(drawn.data(), length, nullptr, nullptr, nullptr);
  std::string out(4 * static_cast<size_t>(left) + 1, '\0');
  out.resize(static_cast<size_t>(
      fribidi_unicode_to_charset(FRIBIDI_CHAR_SET_UTF8, drawn.data(), left, out.data())));
  return out;
}

}  // namespace weft::app
