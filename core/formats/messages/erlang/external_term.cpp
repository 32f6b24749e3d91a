#include "core/formats/messages/erlang/external_term.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/ascii.h"
#include "core/formats/base/binary.h"

namespace weft::formats::erlang {
namespace {

constexpr int kMostDepth = 256;

// Tags, by the names of the manual.
enum Tag : char {
  kNewFloat = 'F',
  kBitBinary = 'M',
  kNewPid = 'X',
  kNewPort = 'Y',
  kNewerReference = 'Z',
  kSmallInteger = 'a',
  kInteger = 'b',
  kFloat = 'c',
  kAtom = 'd',
  kReference = 'e',
  kPort = 'f',
  kPid = 'g',
  kSmallTuple = 'h',
  kLargeTuple = 'i',
  kNil = 'j',
  kString = 'k',
  kList = 'l',
  kBinary = 'm',
  kSmallBig = 'n',
  kLargeBig = 'o',
  kNewFunction = 'p',
  kExport = 'q',
  kNewReference = 'r',
  kSmallAtom = 's',
  kMap = 't',
  kAtomUtf8 = 'v',
  kSmallAtomUtf8 = 'w',
  kV4Port = 'x',
};

bool is_plain_atom(std::string_view name) {
  const auto is_word = [](char c) { return is_word_char(c) || c == '@'; };
  return !name.empty() && is_lower(name[0]) && std::ranges::all_of(name, is_word);
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

void append_quoted(std::string& out, std::string_view text, char quote) {
  out += quote;
  for (const char c : text) {
    if (c == quote || c == '\\') out += '\\';
    out += c == '\n' ? std::string_view("\\n") : std::string_view(&c, 1);
  }
  out += quote;
}

void append_bytes(std::string& out, std::string_view bytes) {
  for (size_t i = 0; i < bytes.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ",", static_cast<uint8_t>(bytes[i]));
}

// The length of what follows, in one, two or four bytes.
template <class Length>
std::optional<std::string_view> take_counted(std::string_view& bytes) {
  const auto length = take_big<Length>(bytes);
  return length ? take_bytes(bytes, *length) : std::nullopt;
}

std::optional<std::string_view> take_atom(std::string_view& bytes) {
  const auto tag = take_little<char>(bytes);
  if (!tag) return std::nullopt;
  if (*tag == kSmallAtom || *tag == kSmallAtomUtf8) return take_counted<uint8_t>(bytes);
  if (*tag == kAtom || *tag == kAtomUtf8) return take_counted<uint16_t>(bytes);
  return std::nullopt;
}

}  // namespace

std::string_view ExternalTerms::text_of(std::string_view bytes) {
  text_.clear();
  if (!bytes.starts_with(kExternalTerm)) return {};
  bytes.remove_prefix(1);
  if (!add(bytes, 0) || !bytes.empty()) text_.clear();
  return text_;
}

bool ExternalTerms::add(std::string_view& bytes, int depth) {
  if (depth == kMostDepth || text_.size() > kMostBytes) return false;
  const std::string_view whole = bytes;
  const auto tag = take_little<char>(bytes);
  if (!tag) return false;
  const auto number = [&](const auto& value) {
    if (value) text_ += std::to_string(*value);
    return value.has_value();
  };
  switch (*tag) {
    case kSmallInteger:
      return number(take_big<uint8_t>(bytes));
    case kInteger:
      return number(take_big<int32_t>(bytes));
    case kNewFloat:
    case kFloat:
      return add_float(bytes, *tag == kFloat);
    case kSmallAtom:
    case kSmallAtomUtf8:
    case kAtom:
    case kAtomUtf8:
      bytes = whole;
      return add_atom(bytes);
    case kPid:
    case kNewPid:
    case kPort:
    case kNewPort:
    case kV4Port:
      return add_identifier(bytes, *tag);
    case kReference:
    case kNewReference:
    case kNewerReference:
      return add_reference(bytes, *tag);
    case kSmallTuple: {
      const auto count = take_big<uint8_t>(bytes);
      return count && add_tuple(bytes, *count, depth);
    }
    case kLargeTuple: {
      const auto count = take_big<uint32_t>(bytes);
      return count && add_tuple(bytes, *count, depth);
    }
    case kNil:
      text_ += "[]";
      return true;
    case kString:
      return add_text(bytes);
    case kList:
      return add_list(bytes, depth);
    case kMap:
      return add_map(bytes, depth);
    case kBinary:
    case kBitBinary:
      return add_binary(bytes, *tag == kBitBinary);
    case kSmallBig:
    case kLargeBig:
      return add_big(bytes, *tag == kLargeBig);
    case kNewFunction:
    case kExport:
      return add_function(bytes, *tag, depth);
    default:
      return false;
  }
}

bool ExternalTerms::add_float(std::string_view& bytes, bool is_text) {
  if (!is_text) {
    const auto bits = take_big<uint64_t>(bytes);
    if (bits) text_ += fmt::format("{}", std::bit_cast<double>(*bits));
    return bits.has_value();
  }
  constexpr size_t kTextBytes = 31;
  const auto text = take_bytes(bytes, kTextBytes);
  if (text) text_ += until_zero(*text);
  return text.has_value();
}

bool ExternalTerms::add_atom(std::string_view& bytes) {
  const auto name = take_atom(bytes);
  if (!name) return false;
  if (is_plain_atom(*name)) {
    text_ += *name;
  } else {
    append_quoted(text_, *name, '\'');
  }
  return true;
}

bool ExternalTerms::take_node(std::string_view& bytes, std::string& node) {
  const auto name = take_atom(bytes);
  if (!name) return false;
  if (own_node_.empty()) own_node_ = *name;
  node = *name == own_node_ ? std::string("0") : std::string(*name);
  return true;
}

// <0.85.0> of a process, #Port<0.5> of a port.
bool ExternalTerms::add_identifier(std::string_view& bytes, char tag) {
  std::string node;
  if (!take_node(bytes, node)) return false;
  const bool is_pid = tag == kPid || tag == kNewPid;
  const size_t id_bytes = tag == kV4Port ? sizeof(uint64_t) : sizeof(uint32_t);
  const auto id = take_bytes(bytes, id_bytes);
  const auto serial = is_pid ? take_big<uint32_t>(bytes) : std::optional<uint32_t>(0);
  const bool has_short_creation = tag == kPid || tag == kPort;
  const auto creation = take_bytes(bytes, has_short_creation ? 1 : 4);
  if (!id || !serial || !creation) return false;
  uint64_t number = 0;
  for (const char byte : *id) number = number << 8 | static_cast<uint8_t>(byte);
  text_ += is_pid ? fmt::format("<{}.{}.{}>", node, number, *serial)
                  : fmt::format("#Port<{}.{}>", node, number);
  return true;
}

bool ExternalTerms::add_reference(std::string_view& bytes, char tag) {
  constexpr uint16_t kMostWords = 5;
  const auto words = tag == kReference ? std::optional<uint16_t>(1) : take_big<uint16_t>(bytes);
  std::string node;
  if (!words || *words > kMostWords || !take_node(bytes, node)) return false;
  const auto skip_creation = [&] { return take_bytes(bytes, tag == kNewerReference ? 4 : 1); };
  if (tag != kReference && !skip_creation()) return false;
  std::string ids;
  for (uint16_t i = 0; i < *words; ++i) {
    const auto word = take_big<uint32_t>(bytes);
    if (!word) return false;
    ids = fmt::format(".{}{}", *word, ids);  // the highest first
  }
  text_ += fmt::format("#Ref<{}{}>", node, ids);
  return tag != kReference || skip_creation();
}

bool ExternalTerms::add_items(std::string_view& bytes, uint32_t count, int depth) {
  for (uint32_t i = 0; i < count; ++i) {
    if (i > 0) text_ += ',';
    if (!add(bytes, depth + 1)) return false;
  }
  return true;
}

bool ExternalTerms::add_tuple(std::string_view& bytes, uint32_t count, int depth) {
  text_ += '{';
  if (!add_items(bytes, count, depth)) return false;
  text_ += '}';
  return true;
}

bool ExternalTerms::add_list(std::string_view& bytes, int depth) {
  const auto count = take_big<uint32_t>(bytes);
  text_ += '[';
  if (!count || !add_items(bytes, *count, depth)) return false;
  if (bytes.starts_with(kNil)) {
    bytes.remove_prefix(1);
  } else {
    text_ += '|';
    if (!add(bytes, depth + 1)) return false;
  }
  text_ += ']';
  return true;
}

bool ExternalTerms::add_map(std::string_view& bytes, int depth) {
  const auto count = take_big<uint32_t>(bytes);
  if (!count) return false;
  text_ += "#{";
  for (uint32_t i = 0; i < *count; ++i) {
    if (i > 0) text_ += ',';
    if (!add(bytes, depth + 1)) return false;
    text_ += "=>";
    if (!add(bytes, depth + 1)) return false;
  }
  text_ += '}';
  return true;
}

// A list of bytes: mostly a text.
bool ExternalTerms::add_text(std::string_view& bytes) {
  const auto text = take_counted<uint16_t>(bytes);
  if (!text) return false;
  if (is_printable(*text)) {
    append_quoted(text_, *text, '"');
    return true;
  }
  text_ += '[';
  append_bytes(text_, *text);
  text_ += ']';
  return true;
}

bool ExternalTerms::add_binary(std::string_view& bytes, bool has_bits) {
  const auto length = take_big<uint32_t>(bytes);
  const auto bits = has_bits ? take_big<uint8_t>(bytes) : std::optional<uint8_t>(0);
  const auto content = length && bits ? take_bytes(bytes, *length) : std::nullopt;
  if (!content || content->size() > kMostBytes) return false;
  text_ += "<<";
  if (!has_bits && !content->empty() && is_printable(*content)) {
    append_quoted(text_, *content, '"');
  } else {
    append_bytes(text_, *content);
    if (has_bits) text_ += fmt::format(":{}", *bits);
  }
  text_ += ">>";
  return true;
}

// Beyond 64 bits it is written to the base of 16.
bool ExternalTerms::add_big(std::string_view& bytes, bool has_long_length) {
  const auto length = has_long_length ? take_big<uint32_t>(bytes)
                                      : std::optional<uint32_t>(take_big<uint8_t>(bytes));
  const auto sign = take_big<uint8_t>(bytes);
  const auto digits = length && sign ? take_bytes(bytes, *length) : std::nullopt;
  if (!digits || digits->size() > kMostBytes / 2) return false;
  if (*sign != 0) text_ += '-';
  if (digits->size() <= sizeof(uint64_t)) {
    uint64_t value = 0;
    for (size_t i = digits->size(); i-- > 0;)
      value = value << 8 | static_cast<uint8_t>((*digits)[i]);
    text_ += std::to_string(value);
    return true;
  }
  text_ += "16#";
  for (size_t i = digits->size(); i-- > 0;)
    text_ += fmt::format("{:02X}", static_cast<uint8_t>((*digits)[i]));
  return true;
}

bool ExternalTerms::add_function(std::string_view& bytes, char tag, int depth) {
  if (tag == kExport) {
    text_ += "fun ";
    if (!add(bytes, depth + 1)) return false;
    text_ += ':';
    if (!add(bytes, depth + 1)) return false;
    text_ += '/';
    return add(bytes, depth + 1);
  }
  // Keeps of the closure only its module and number there.
  std::string_view rest = bytes;
  const auto size = take_big<uint32_t>(rest);
  const auto whole = take_bytes(bytes, size.value_or(0));
  constexpr size_t kBeforeModule = 4 + 1 + 16 + 4 + 4;
  if (!size || !whole || whole->size() < kBeforeModule) return false;
  std::string_view inner = whole->substr(kBeforeModule - 8);
  const auto index = take_big<uint32_t>(inner);
  if (!index || !take_big<uint32_t>(inner)) return false;
  const auto module = take_atom(inner);
  if (!module) return false;
  text_ += fmt::format("#Fun<{}.{}>", *module, *index);
  return true;
}

}  // namespace weft::formats::erlang
