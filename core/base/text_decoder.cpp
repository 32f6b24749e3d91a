#include "core/base/text_decoder.h"

#include <iconv.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/text.h"

namespace weft {
namespace {

struct FirstBytes {
  uint8_t first, last;
  bool contain(uint8_t byte) const { return byte >= first && byte <= last; }
};

struct JapaneseEncoding {
  const char* name;
  FirstBytes common;  // kana and the kanji of the first level, of two bytes each
  FirstBytes single;  // characters of one byte: half-width katakana
};

constexpr JapaneseEncoding kJapanese[] = {{"CP932", {0x81, 0x98}, {0xA1, 0xDF}},
                                          {"EUC-JP", {0xA1, 0xCF}, {0x00, 0x7F}}};

// Nullopt where the text is not of the converter's encoding.
std::optional<std::string> converted(iconv_t converter, std::string_view text) {
  constexpr size_t kMostGrowth = 3;  // half-width katakana: from one byte to three
  std::string out(kMostGrowth * text.size(), '\0');
  char* from = const_cast<char*>(text.data());  // only read from
  char* to = out.data();
  size_t left = text.size(), room = out.size();
  if (::iconv(converter, &from, &left, &to, &room) == static_cast<size_t>(-1)) return std::nullopt;
  out.resize(out.size() - room);
  return out;
}

// Letters of Windows-1252 may be valid Japanese, too, but then of what is seldom written.
bool is_mostly_common(const JapaneseEncoding& encoding, std::string_view text) {
  size_t common = 0, seldom = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte < 0x80) continue;
    ++(encoding.common.contain(byte) ? common : seldom);
    if (!encoding.single.contain(byte)) ++i;
  }
  return common > seldom;
}

}  // namespace

void TextDecoder::Close::operator()(void* converter) const { ::iconv_close(converter); }

void TextDecoder::decide(std::string_view text) {
  is_decided_ = true;
  for (const JapaneseEncoding& encoding : kJapanese) {
    if (!is_mostly_common(encoding, text)) continue;
    const iconv_t converter = ::iconv_open("UTF-8", encoding.name);
    if (converter == reinterpret_cast<iconv_t>(-1)) continue;  // the system does not know it
    japanese_.reset(converter);
    is_decided_ = converted(converter, text).has_value();  // if not, one character may be broken
    if (is_decided_) return;
    japanese_.reset();
  }
}

std::string_view TextDecoder::utf8(std::string_view text) {
  if (is_valid_utf8(text)) return text;
  if (!is_decided_) decide(text);
  auto japanese = japanese_ == nullptr ? std::nullopt : converted(japanese_.get(), text);
  decoded_ = japanese ? std::move(*japanese) : valid_utf8(text);
  return decoded_;
}

}  // namespace weft
