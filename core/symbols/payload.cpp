#include "core/symbols/payload.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace weft::symbols {
namespace {

using Kind = DataType::Kind;

// Quotes a JSON string.
std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

constexpr std::string_view kMissing = "not in the payload";

class Decoder {
 public:
  Decoder(const Symbols& symbols, std::span<const std::byte> payload, bool is_big_endian,
          Fields& fields)
      : symbols_(symbols), payload_(payload), is_big_endian_(is_big_endian), fields_(fields) {}

  // The members of a struct or union that begins at that bit.
  void add_members(const DataType& type, uint64_t at, uint32_t level) {
    for (const Member& member : type.members) {
      const std::string& name = member.name;
      add(name.empty() ? "(anonymous)" : name, symbols_.type(member.type), at + member.bit_offset,
          member.bit_width, level);
    }
  }

 private:
  void add(std::string name, const DataType& type, uint64_t at, uint32_t bit_width,
           uint32_t level) {
    if (fields_.lines.size() >= Fields::kMostLines) {
      fields_.is_cut = true;
      return;
    }
    const uint64_t items = type.kind == Kind::kArray ? items_of(type, at) : 0;
    uint64_t bits = bit_width > 0 ? bit_width : 8 * type.size_bytes;
    if (type.kind == Kind::kArray) bits = 8 * items * symbols_.type(type.element).size_bytes;
    const bool is_there = bits > 0 && at + bits <= 8 * payload_.size();
    FieldLine line{
        .level = level, .name = std::move(name), .type = type_text(type, items, bit_width)};
    line.first_byte = at / 8;
    if (is_there) line.size_bytes = (at % 8 + bits + 7) / 8;
    const size_t index = fields_.lines.size();
    fields_.lines.push_back(std::move(line));
    if (type.kind == Kind::kStruct || type.kind == Kind::kUnion) {
      add_members(type, at, level + 1);
    } else if (type.kind == Kind::kArray) {
      add_items(type, items, at, level);
    } else {
      const auto width = static_cast<uint32_t>(bits);
      fields_.lines[index].value = is_there ? value_of(type, at, width) : kMissing;
      if (is_there) fields_.lines[index].json = json_value_of(type, at, width);
    }
    fields_.lines[index].below = static_cast<uint32_t>(fields_.lines.size() - index - 1);
  }

  // An array without a length goes on to the end of the payload.
  uint64_t items_of(const DataType& array, uint64_t at) const {
    const uint64_t size_bytes = symbols_.type(array.element).size_bytes;
    if (array.count > 0 || size_bytes == 0) return array.count;
    return at / 8 >= payload_.size() ? 0 : (payload_.size() - at / 8) / size_bytes;
  }

  void add_items(const DataType& array, uint64_t items, uint64_t at, uint32_t level) {
    const DataType& element = symbols_.type(array.element);
    const size_t line = fields_.lines.size() - 1;
    if (element.kind == Kind::kCharacter) {
      const bool is_there = at / 8 + items <= payload_.size();
      fields_.lines[line].value =
          is_there ? '"' + printable(text_at(at / 8, items)) + '"' : std::string(kMissing);
      if (is_there) fields_.lines[line].json = json_string(valid_utf8(text_at(at / 8, items)));
      return;
    }
    for (uint64_t i = 0; i < items; ++i) {
      if (i == Fields::kMostItems || fields_.is_cut) {
        fields_.is_cut = true;
        return;
      }
      add(fmt::format("[{}]", i), element, at + i * 8 * element.size_bytes, 0, level + 1);
    }
  }

  std::string_view text_at(uint64_t first, uint64_t count) const {
    const auto bytes = payload_.subspan(first, count);
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    const std::string_view all(text, bytes.size());
    return all.substr(0, all.find('\0'));
  }

  static std::string type_text(const DataType& type, uint64_t items, uint32_t bit_width) {
    if (type.kind == Kind::kArray) return fmt::format("{}[{}]", type.name, items);
    return bit_width > 0 ? fmt::format("{} : {}", type.name, bit_width) : type.name;
  }

  // Up to 64 bits at bit `at`.
  uint64_t bits_at(uint64_t at, uint32_t width) const {
    uint64_t value = 0;
    for (uint32_t i = 0; i < width; ++i) {
      const uint64_t bit = at + i;
      const auto byte = static_cast<unsigned>(payload_[bit / 8]);
      const auto in_byte = static_cast<unsigned>(bit % 8);
      const uint64_t is_set = byte >> (is_big_endian_ ? 7 - in_byte : in_byte) & 1;
      value |= is_set << (is_big_endian_ ? width - 1 - i : i);
    }
    return value;
  }

  static int64_t signed_value(const DataType& type, uint64_t bits, uint32_t width) {
    const bool is_negative = type.is_signed && width < 64 && (bits >> (width - 1) & 1) != 0;
    return static_cast<int64_t>(is_negative ? bits | ~uint64_t{0} << width : bits);
  }

  std::string json_value_of(const DataType& type, uint64_t at, uint32_t width) const {
    if (width > 64) return json_string(value_of(type, at, width));
    const uint64_t bits = bits_at(at, width);
    const int64_t number = signed_value(type, bits, width);
    switch (type.kind) {
      case Kind::kBoolean:
        return bits == 0 ? "false" : "true";
      case Kind::kCharacter:
        return std::to_string(number);
      case Kind::kEnum: {
        const auto of = std::ranges::find(type.enumerators, number, &Enumerator::value);
        return of == type.enumerators.end() ? std::to_string(number) : json_string(of->name);
      }
      case Kind::kInteger:
        return value_of(type, at, width);
      case Kind::kFloat: {
        const double value =
            width == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                        : std::bit_cast<double>(bits);
        // JSON has no word for what is not a number.
        return std::isfinite(value) ? value_of(type, at, width)
                                    : json_string(value_of(type, at, width));
      }
      default:
        return json_string(value_of(type, at, width));
    }
  }

  std::string value_of(const DataType& type, uint64_t at, uint32_t width) const {
    if (width > 64) return hexadecimal(payload_.subspan(at / 8, width / 8));
    const uint64_t bits = bits_at(at, width);
    const int64_t number = signed_value(type, bits, width);
    switch (type.kind) {
      case Kind::kBoolean:
        return bits > 1 ? fmt::format("true ({})", bits) : bits == 1 ? "true" : "false";
      case Kind::kCharacter: {
        const bool is_shown = bits >= 0x20 && bits < 0x7F;
        return is_shown ? fmt::format("'{}' ({})", static_cast<char>(bits), bits)
                        : std::to_string(number);
      }
      case Kind::kFloat:
        return width == 32 ? fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(bits)))
                           : fmt::format("{}", std::bit_cast<double>(bits));
      case Kind::kEnum:
        return enum_text(type, number);
      case Kind::kInteger:
        return type.is_signed ? std::to_string(number) : std::to_string(bits);
      default:
        return fmt::format("0x{:0{}x}", bits, width / 4);
    }
  }

  static std::string enum_text(const DataType& type, int64_t value) {
    const auto at = std::ranges::find(type.enumerators, value, &Enumerator::value);
    return at == type.enumerators.end() ? std::to_string(value)
                                        : fmt::format("{} ({})", at->name, value);
  }

  const Symbols& symbols_;
  std::span<const std::byte> payload_;
  bool is_big_endian_;
  Fields& fields_;
};

}  // namespace

Fields decode_payload(const Symbols& symbols, DataTypeId type, std::span<const std::byte> payload,
                      bool is_big_endian) {
  const DataType& of = symbols.type(type);
  Fields fields{.type = of.name};
  Decoder(symbols, payload, is_big_endian, fields).add_members(of, 0, 0);
  const bool is_open = !of.members.empty() &&
                       symbols.type(of.members.back().type).kind == Kind::kArray &&
                       symbols.type(of.members.back().type).count == 0;
  if (payload.size() < of.size_bytes) {
    fields.note =
        fmt::format("{} has {} bytes, the payload only {}", of.name, of.size_bytes, payload.size());
  } else if (payload.size() > of.size_bytes && !is_open) {
    fields.note = fmt::format("{} has {} bytes, the payload {} more", of.name, of.size_bytes,
                              payload.size() - of.size_bytes);
  }
  return fields;
}

std::string json_of(const Fields& fields) {
  std::string text = "{";
  // The ends of the open objects.
  std::vector<size_t> ends;
  for (size_t i = 0; i < fields.lines.size(); ++i) {
    for (; !ends.empty() && ends.back() <= i; ends.pop_back()) text += '}';
    const FieldLine& line = fields.lines[i];
    if (line.below == 0 && line.json.empty()) continue;
    if (!text.ends_with('{')) text += ',';
    const bool is_item = line.name.starts_with('[') && line.name.ends_with(']');
    text += json_string(is_item ? line.name.substr(1, line.name.size() - 2) : line.name);
    text += ':';
    if (line.below == 0) {
      text += line.json;
      continue;
    }
    text += '{';
    ends.push_back(i + 1 + line.below);
  }
  text.append(ends.size() + 1, '}');
  return text;
}

}  // namespace weft::symbols
