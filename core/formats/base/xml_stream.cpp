#include "core/formats/base/xml_stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/base/ascii.h"
#include "core/base/utf8.h"
#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

constexpr size_t kMostTokenBytes = size_t{16} << 20;  // a tag, say; texts come in pieces
constexpr size_t kPieceBytes = 64 << 10;              // of a text, at least
constexpr size_t kMostReferenceBytes = 12;            // "&#x0010FFFF;"
constexpr size_t kMostDepth = 256;                    // of elements
constexpr std::string_view kInvalid = "not well-formed (invalid token)";

// Bytes that stop each kind of scan. A zero byte stops all: it may be the end.
enum Stop : uint8_t { kName = 1, kValue = 2, kText = 4 };

constexpr std::array<uint8_t, 256> kStops = [] {
  std::array<uint8_t, 256> stops{};
  const auto add = [&](std::string_view signs, uint8_t stop) {
    for (const char sign : signs) stops[static_cast<uint8_t>(sign)] |= stop;
  };
  for (uint8_t code = 0; code < 0x80; ++code) {
    const char c = static_cast<char>(code);
    const bool is_of_name = is_word_char(c) || c == ':' || c == '-' || c == '.';
    if (!is_of_name) stops[code] = kName;
  }
  add("\"'<&\t\n\r", kValue);
  add("<&\r", kText);
  stops[0] = kName | kValue | kText;
  return stops;
}();

void skip_to(const char*& at, Stop stop) {
  while ((kStops[static_cast<uint8_t>(*at)] & stop) == 0) ++at;
}

// The character that a reference is, with its "&" and ";"; none: there is no such entity.
std::optional<uint32_t> character_of(std::string_view reference) {
  if (reference.size() < 3) return std::nullopt;
  reference = reference.substr(1, reference.size() - 2);
  if (reference == "lt") return '<';
  if (reference == "gt") return '>';
  if (reference == "amp") return '&';
  if (reference == "quot") return '"';
  if (reference == "apos") return '\'';
  if (!take_prefix(reference, "#")) return std::nullopt;
  std::optional<uint64_t> code;
  if (take_prefix(reference, "x")) {
    code = take_hexadecimal(reference);
  } else {
    code = take_number<uint64_t>(reference);
  }
  const bool is_character = code && reference.empty() && *code > 0 && *code <= 0x10FFFF &&
                            !(*code >= 0xD800 && *code < 0xE000);
  return is_character ? std::optional(static_cast<uint32_t>(*code)) : std::nullopt;
}

// Returns the encoding in `<?xml encoding="…"?>`, in lower case; empty if not given.
std::string encoding_of(std::string_view declaration) {
  const size_t at = declaration.find("encoding");
  const size_t begin = at == std::string_view::npos ? at : declaration.find_first_of("\"'", at);
  if (begin == std::string_view::npos) return {};
  const size_t end = declaration.find(declaration[begin], begin + 1);
  if (end == std::string_view::npos) return {};
  return lower_case(std::string(declaration.substr(begin + 1, end - begin - 1)));
}

}  // namespace

// A tag, as far as it has been taken apart.
struct XmlStream::Tag {
  std::string_view text;
  const char* at;
  bool is_plain = true;  // no value must be decoded

  explicit Tag(std::string_view whole, size_t from) : text(whole), at(whole.data() + from) {}
  size_t taken() const { return static_cast<size_t>(at - text.data()); }
  bool is_cut() const { return taken() >= text.size(); }
  std::string_view take_name() {
    const char* const begin = at;
    if (!(is_digit(*at) || *at == '-' || *at == '.')) skip_to(at, kName);
    return {begin, static_cast<size_t>(at - begin)};
  }
  void skip_space() {
    while (is_space(*at)) ++at;
  }
};

Status XmlStream::read(io::Source& source) {
  json::TextWindow window(source);
  bool is_over = false;
  while (!is_over && sink_.keep_going()) {
    is_over = !window.grow();
    if (is_over && window.error()) {
      report_early_end(sink_, *window.error(), window.offset());
      break;
    }
    take_tokens(window, is_over);
    if (!stop_.empty()) {
      if (!has_events()) return fail(fmt::format("{} (byte {})", stop_, stop_offset_));
      sink_.loss(fmt::format("XML that cannot be read on: {}", stop_), stop_offset_);
      break;
    }
    sink_.progress(source.disk_bytes_read(), source.disk_bytes_total());
  }
  return {};
}

void XmlStream::take_tokens(json::TextWindow& window, bool is_last) {
  while (window.size() > 0) {
    offset_ = window.offset();
    const size_t size = take_token(window.view(), is_last);
    if (!stop_.empty()) return;
    if (size == 0) {
      if (is_last) stop("unclosed token", offset_);
      if (window.size() > kMostTokenBytes) stop("token too long", offset_);
      return;
    }
    window.consume(size);
  }
  if (is_last && (depth_ > 0 || !has_element_)) stop("no element found", window.offset());
}

size_t XmlStream::take_token(std::string_view text, bool is_last) {
  if (text[0] != '<') return take_text(text, is_last);
  if (text.size() < 2) return 0;
  if (text[1] == '/') return take_end_tag(text);
  if (text[1] == '?') return take_instruction(text);
  if (text[1] == '!') return take_declaration(text);
  return take_start_tag(text);
}

size_t XmlStream::take_start_tag(std::string_view text) {
  Tag tag(text, 1);
  const std::string_view name = tag.take_name();
  const bool is_whole = !name.empty() && take_attributes(tag);
  const bool is_empty = is_whole && *tag.at == '/';
  if (is_empty) ++tag.at;
  if (!is_whole || *tag.at != '>') {
    if (!tag.is_cut()) stop(kInvalid, offset_ + tag.taken());
    return 0;
  }
  ++tag.at;
  token_bytes_ = tag.taken();
  if (depth_ == kMostDepth) stop("elements are nested too deep", offset_);
  if (!tag.is_plain && !decode_attributes()) stop("undefined entity", offset_);
  if (!stop_.empty()) return 0;
  has_element_ = true;
  if (open_.size() == depth_) open_.emplace_back();
  open_[depth_++] = name;
  begin_element(name, attributes_);
  if (is_empty) {
    end_element();
    --depth_;
  }
  return token_bytes_;
}

// Up to the tag's end.
bool XmlStream::take_attributes(Tag& tag) {
  attributes_.clear();
  while (true) {
    const char* const before = tag.at;
    tag.skip_space();
    if (*tag.at == '>' || *tag.at == '/') return true;
    if (tag.at == before) return false;
    XmlAttribute& attribute = attributes_.emplace_back();
    attribute.name = tag.take_name();
    if (attribute.name.empty()) return false;
    tag.skip_space();
    if (*tag.at != '=') return false;
    ++tag.at;
    tag.skip_space();
    if (!take_value(tag, attribute)) return false;
  }
}

bool XmlStream::take_value(Tag& tag, XmlAttribute& attribute) {
  const char quote = *tag.at;
  if (quote != '"' && quote != '\'') return false;
  if (is_latin1_) tag.is_plain = false;
  const char* const begin = ++tag.at;
  for (;; ++tag.at) {
    skip_to(tag.at, kValue);
    if (*tag.at == quote) break;
    if (*tag.at == '<' || *tag.at == 0) return false;
    if (*tag.at != '"' && *tag.at != '\'') tag.is_plain = false;
  }
  attribute.value = {begin, static_cast<size_t>(tag.at - begin)};
  ++tag.at;
  return true;
}

size_t XmlStream::take_end_tag(std::string_view text) {
  Tag tag(text, 2);
  const std::string_view name = tag.take_name();
  tag.skip_space();
  if (tag.is_cut()) return 0;
  if (*tag.at != '>') {
    stop(kInvalid, offset_ + tag.taken());
    return 0;
  }
  ++tag.at;
  token_bytes_ = tag.taken();
  if (depth_ == 0 || open_[depth_ - 1] != name) {
    stop("mismatched tag", offset_ + 2);
    return 0;
  }
  end_element();
  --depth_;
  return token_bytes_;
}

size_t XmlStream::take_instruction(std::string_view text) {
  const size_t end = text.find("?>", 2);
  if (end == std::string_view::npos) return 0;
  if (text.starts_with("<?xml") && is_space(text[5])) {
    const std::string encoding = encoding_of(text.substr(0, end));
    is_latin1_ = encoding == "iso-8859-1";
    constexpr std::array kKnown = {"", "utf-8", "us-ascii", "iso-8859-1", "utf-16"};
    if (std::ranges::find(kKnown, encoding) == kKnown.end()) {
      stop("unknown encoding", offset_);
      return 0;
    }
  }
  return end + 2;
}

size_t XmlStream::take_declaration(std::string_view text) {
  constexpr std::string_view kComment = "<!--", kCharacters = "<![CDATA[",
                             kDocumentType = "<!DOCTYPE";
  size_t end = std::string_view::npos;
  if (text.starts_with(kComment)) {
    end = text.find("-->", kComment.size());
    return end == std::string_view::npos ? 0 : end + 3;
  }
  if (text.starts_with(kCharacters) && depth_ > 0) {
    end = text.find("]]>", kCharacters.size());
    if (end == std::string_view::npos) return 0;
    token_bytes_ = end + 3;
    add_text(text.substr(kCharacters.size(), end - kCharacters.size()));
    return token_bytes_;
  }
  if (text.starts_with(kDocumentType)) {
    end = text.find_first_of("[>", kDocumentType.size());
    if (end == std::string_view::npos) return 0;
    if (text[end] == '>') return end + 1;
    stop("a document type declaration is refused", offset_ + end);
  } else if (text.size() >= kCharacters.size()) {
    stop(kInvalid, offset_);
  }
  return 0;
}

size_t XmlStream::take_text(std::string_view text, bool is_last) {
  const char* at = text.data();
  const char* end = at + text.size();
  bool is_plain = !is_latin1_;
  for (; at != end; ++at) {
    skip_to(at, kText);
    if (*at == '<' || at == end) break;
    is_plain = false;
  }
  token_bytes_ = static_cast<size_t>(at - text.data());
  if (at == end && !is_last) {  // its end is not there yet: what may be cut waits for the rest
    if (token_bytes_ < kPieceBytes) return 0;
    const size_t from = token_bytes_ - kMostReferenceBytes;
    token_bytes_ = std::min({token_bytes_ - 1, text.find('&', from)});
  }
  tell_text(text.substr(0, token_bytes_), is_plain);
  return token_bytes_;
}

void XmlStream::tell_text(std::string_view text, bool is_plain) {
  if (depth_ > 0) {
    decoded_.clear();
    const auto decoded = is_plain ? text : decode(text, false);
    return decoded ? add_text(*decoded) : stop("undefined entity", offset_);
  }
  const auto junk = std::ranges::find_if_not(text, is_space);
  if (junk != text.end()) stop("syntax error", offset_ + static_cast<size_t>(junk - text.begin()));
}

bool XmlStream::decode_attributes() {
  decoded_.clear();
  decoded_.reserve(2 * token_bytes_);  // Latin-1 grows; values are views of it
  for (XmlAttribute& attribute : attributes_) {
    const auto value = decode(attribute.value, true);
    if (!value) return false;
    attribute.value = *value;
  }
  return true;
}

// Behind what `decoded_` holds.
std::optional<std::string_view> XmlStream::decode(std::string_view text, bool is_attribute) {
  const size_t begin = decoded_.size();
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '&') {
      const size_t end = text.substr(i, kMostReferenceBytes).find(';');
      if (end == std::string_view::npos) return std::nullopt;
      const auto character = character_of(text.substr(i, end + 1));
      if (!character) return std::nullopt;
      append_utf8(decoded_, *character);
      i += end;
    } else if (c == '\r') {
      const bool is_of_pair = i + 1 < text.size() && text[i + 1] == '\n';
      if (!is_of_pair) decoded_ += is_attribute ? ' ' : '\n';
    } else if (is_attribute && (c == '\n' || c == '\t')) {
      decoded_ += ' ';
    } else if (is_latin1_ && static_cast<uint8_t>(c) >= 0x80) {
      append_utf8(decoded_, static_cast<uint8_t>(c));
    } else {
      decoded_ += c;
    }
  }
  return std::string_view(decoded_).substr(begin);
}

void XmlStream::stop(std::string_view why, uint64_t offset) {
  if (!stop_.empty()) return;
  stop_ = why;
  stop_offset_ = offset;
}

}  // namespace weft::formats
