#include "core/io/text_decoders.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/utf16.h"

namespace weft::io {
namespace {

char as_char(std::byte b) { return static_cast<char>(b); }

// One that makes more or less than it takes: what there is no room for waits.
class LetterDecoder : public Decoder {
 public:
  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out, bool is_last) final {
    constexpr size_t kBytesAtOnce = 4096;  // of input
    Step step;
    if (waiting_.empty()) {
      step.taken = std::min(in.size(), kBytesAtOnce);
      for (const std::byte byte : in.first(step.taken)) add(byte, waiting_);
      if (is_last && in.empty()) finish(waiting_);
    }
    step.made = std::min(out.size(), waiting_.size());
    if (step.made > 0) std::memcpy(out.data(), waiting_.data(), step.made);
    waiting_.erase(0, step.made);
    return step;
  }
  bool is_at_end() const final { return waiting_.empty() && !has_part(); }

 private:
  // Appends to `out` what the byte completes.
  virtual void add(std::byte byte, std::string& out) = 0;
  // Appends to `out` what is left at the end of the input.
  virtual void finish(std::string& out) = 0;
  // Whether the bytes so far end within a letter.
  virtual bool has_part() const = 0;

  std::string waiting_;
};

// ---- UTF-16, of which no byte order mark is left, and in which unpaired surrogates become U+FFFD

class Utf16Decoder final : public LetterDecoder {
 public:
  explicit Utf16Decoder(std::endian order) : order_(order) {}
  const char* name() const override { return "UTF-16"; }

 private:
  void add(std::byte byte, std::string& out) override {
    constexpr uint32_t kByteOrderMark = 0xFEFF;
    if (!first_byte_) {
      first_byte_ = byte;
      return;
    }
    const auto first = std::to_integer<uint32_t>(*first_byte_);
    const auto second = std::to_integer<uint32_t>(byte);
    first_byte_.reset();
    const uint32_t unit = order_ == std::endian::big ? first << 8 | second : second << 8 | first;
    const bool is_mark = !std::exchange(is_begun_, true) && unit == kByteOrderMark;
    if (!is_mark) letters_.add(unit, out);
  }
  void finish(std::string& out) override { letters_.finish(out); }
  bool has_part() const override { return first_byte_ || letters_.has_half(); }

  std::endian order_;
  bool is_begun_ = false;                // beyond the place of a byte order mark
  std::optional<std::byte> first_byte_;  // of an incomplete unit
  Utf16Letters letters_;
};

bool begins_with(std::span<const std::byte> head, std::initializer_list<int> magic) {
  return std::ranges::equal(head.first(std::min(head.size(), magic.size())), magic, {},
                            [](std::byte b) { return std::to_integer<int>(b); });
}

// Without a byte order mark it is text that begins with letters, digits and signs of ASCII,
// whatever it is a trace of. UTF-32 with a mark begins alike, and is nobody's.
std::optional<std::endian> utf16_order(std::span<const std::byte> head) {
  if (begins_with(head, {0xFE, 0xFF})) return std::endian::big;
  if (begins_with(head, {0xFF, 0xFE}) && !begins_with(head, {0xFF, 0xFE, 0, 0}))
    return std::endian::little;
  constexpr size_t kFewestBytes = 8, kMostBytes = 64;
  const size_t size = std::min(head.size(), kMostBytes) / 2 * 2;
  if (size < kFewestBytes) return std::nullopt;
  const auto is_text = [&](size_t zeros) {
    for (size_t i = 0; i < size; i += 2) {
      const char c = as_char(head[i + 1 - zeros]);
      const bool is_printable = (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n';
      if (head[i + zeros] != std::byte{0} || !is_printable) return false;
    }
    return true;
  };
  if (is_text(1)) return std::endian::little;
  if (is_text(0)) return std::endian::big;
  return std::nullopt;
}

// ---- Colours, as programs set them on terminals (ECMA-48): "\x1b[1;32m", and "\x1b[K" behind some

constexpr char kEscape = '\x1b';

class ColourDecoder final : public LetterDecoder {
 public:
  const char* name() const override { return "text in colours"; }

 private:
  void add(std::byte byte, std::string& out) override {
    constexpr size_t kMostBytes = 32;
    const char c = as_char(byte);
    const bool is_in_brackets = sequence_.size() > 1;
    if (is_in_brackets && (c == 'm' || c == 'K')) return sequence_.clear();
    const bool goes_on = sequence_.size() == 1 ? c == '['
                                               : is_in_brackets && sequence_.size() < kMostBytes &&
                                                     ((c >= '0' && c <= '9') || c == ';');
    if (!goes_on) finish(out);
    (goes_on || c == kEscape ? sequence_ : out) += c;
  }
  // It was none.
  void finish(std::string& out) override { out += std::exchange(sequence_, {}); }
  bool has_part() const override { return !sequence_.empty(); }

  std::string sequence_;  // as far as it has come
};

bool has_colours(std::string_view text) {
  for (size_t at = text.find("\x1b["); at != text.npos; at = text.find("\x1b[", at + 1)) {
    const size_t end = text.find_first_not_of("0123456789;", at + 2);
    if (end != text.npos && text[end] == 'm') return true;
  }
  return false;
}

// ---- Lines that end with a carriage return alone, as some instruments and old systems write them

class ReturnDecoder final : public Decoder {
 public:
  Result<Step> decode(std::span<const std::byte> in, std::span<std::byte> out, bool) override {
    const size_t count = std::min(in.size(), out.size());
    std::ranges::replace_copy(in.first(count), out.begin(), std::byte{'\r'}, std::byte{'\n'});
    return Step{.taken = count, .made = count};
  }
  bool is_at_end() const override { return true; }
  const char* name() const override { return "text"; }
};

// Whether the head holds only what text does.
bool is_text(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    const bool is_space = c >= '\t' && c <= '\r';
    return c >= 0 && c < ' ' && !is_space && c != kEscape;
  });
}

}  // namespace

std::unique_ptr<Decoder> text_decoder_for(std::span<const std::byte> head) {
  if (const auto order = utf16_order(head)) return std::make_unique<Utf16Decoder>(*order);
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (!is_text(text)) return nullptr;
  if (has_colours(text)) return std::make_unique<ColourDecoder>();
  if (std::ranges::count(text, '\r') > 1 && !text.contains('\n'))
    return std::make_unique<ReturnDecoder>();
  return nullptr;
}

}  // namespace weft::io
