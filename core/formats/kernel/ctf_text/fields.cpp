#include "core/formats/kernel/ctf_text/fields.h"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <set>

#include "core/base/ascii.h"

namespace weft::formats::ctf_text {
namespace {

// Calls body(at) for each member of a structure, or element of an array.
template <class Body>
void for_each_part(std::span<const Value> values, size_t at, const Body& body) {
  const size_t end = next_of(values, at);
  for (size_t part = at + 1; part < end; part = next_of(values, part)) body(part);
}

size_t parts_of(std::span<const Value> values, size_t at) {
  size_t parts = 0;
  for_each_part(values, at, [&](size_t) { ++parts; });
  return parts;
}

bool is_whole(const Value& value) {
  return value.kind == ValueKind::kStructure || value.kind == ValueKind::kArray;
}

// Whether all parts are of the same shape, but for their names.
bool are_alike(std::span<const Value> values, size_t at) {
  std::string first, other;
  bool is_first = true, is_alike = true;
  for_each_part(values, at, [&](size_t part) {
    std::string& shape = is_first ? first : other;
    shape.clear();
    append_shape(values, part, shape);
    is_alike = is_alike && (is_first || first == other);
    is_first = false;
  });
  return is_alike;
}

// Integers and reals among each other: the one kind that holds them all.
bool unify_numbers(std::span<Value> values, size_t at) {
  bool has_real = false, has_large = false, has_negative = false, has_other = false;
  for_each_part(values, at, [&](size_t part) {
    const Value& value = values[part];
    const bool is_integer = value.kind == ValueKind::kInteger;
    has_real = has_real || value.kind == ValueKind::kReal;
    has_large = has_large || (is_integer && value.is_large);
    has_negative =
        has_negative || (is_integer && !value.is_large && static_cast<int64_t>(value.integer) < 0);
    has_other = has_other || !(is_integer || value.kind == ValueKind::kReal);
  });
  if (has_other) return false;
  const bool are_reals = has_real || (has_large && has_negative);
  for_each_part(values, at, [&](size_t part) {
    Value& value = values[part];
    if (are_reals && value.kind == ValueKind::kInteger) {
      value.kind = ValueKind::kReal;
      value.real = value.is_large ? static_cast<double>(value.integer)
                                  : static_cast<double>(static_cast<int64_t>(value.integer));
    }
    value.is_large = has_large && !are_reals;
  });
  return true;
}

// The array behind a length is counted by it: "_data_length = 2, data = [ … ]".
bool is_length_of(std::span<const Value> values, size_t at, size_t array) {
  const Value& length = values[at];
  if (length.kind != ValueKind::kInteger || values[array].kind != ValueKind::kArray) return false;
  const std::string_view name = length.name;
  const std::string_view counted = values[array].name;
  if (name.find(counted) == std::string_view::npos || counted.empty()) return false;
  if (!name.ends_with("length") && !name.ends_with("len")) return false;
  return parts_of(values, array) == length.integer;
}

std::string identifier(std::string_view name, size_t index, std::set<std::string>& taken) {
  std::string id = "_" + (name.empty() ? std::to_string(index) : std::string(name));
  for (char& c : id) {
    if (!is_alphanumeric(c)) c = '_';
  }
  while (!taken.insert(id).second) id += "_" + std::to_string(index);
  return id;
}

}  // namespace

void unify(std::span<Value> values, size_t at, bool is_in_array) {
  Value& value = values[at];
  if (value.kind == ValueKind::kEnumeration && (is_in_array || value.is_large)) {
    value.kind = value.text.empty() ? ValueKind::kInteger : ValueKind::kText;
  }
  if (!is_whole(value)) return;
  const bool is_array = value.kind == ValueKind::kArray;
  for_each_part(values, at, [&](size_t part) { unify(values, part, is_in_array || is_array); });
  if (is_array && (unify_numbers(values, at) || are_alike(values, at))) return;
  if (is_array) value.kind = ValueKind::kText;
}

void append_shape(std::span<const Value> values, size_t at, std::string& shape) {
  const Value& value = values[at];
  constexpr std::string_view kSigns = "irse{[";
  shape += value.is_large ? 'I' : kSigns[static_cast<size_t>(value.kind)];
  if (!is_whole(value)) return;
  const bool is_array = value.kind == ValueKind::kArray;
  size_t parts = 0;
  for_each_part(values, at, [&](size_t part) {
    if (is_array && ++parts > 1) return;
    append_shape(values, part, shape);
    if (!is_array) shape.append(values[part].name).push_back(',');
  });
  shape += is_array ? std::to_string(parts) + ']' : "}";
}

void Declarations::add(std::string_view scope, std::span<const Value> values,
                       std::span<const size_t> members) {
  if (members.empty()) return;
  out_.append(" ").append(scope).append(" := ");
  add_structure(values, members);
  out_ += ';';
}

void Declarations::add_structure(std::span<const Value> values, std::span<const size_t> members) {
  std::set<std::string> taken;
  std::string length;  // the name of the field before, where it is this one's length
  out_ += "struct { ";
  for (size_t i = 0; i < members.size(); ++i) {
    const Value& value = values[members[i]];
    const std::string name = identifier(value.name, i, taken);
    const bool is_length =
        i + 1 < members.size() && is_length_of(values, members[i], members[i + 1]);
    if (is_length) {
      out_ += "u64_t";
    } else {
      add_type(values, members[i]);
    }
    out_ += ' ' + name;
    // The dimensions of arrays within arrays stand behind the name, the outermost first.
    std::string dimensions;
    for (size_t at = members[i]; values[at].kind == ValueKind::kArray; ++at) {
      const size_t elements = parts_of(values, at);
      const bool is_outermost = at == members[i];
      dimensions += is_outermost && !length.empty() ? '[' + length + ']'
                                                    : '[' + std::to_string(elements) + ']';
      if (elements == 0) break;
    }
    out_ += dimensions + "; ";
    length = is_length ? name : "";
  }
  out_ += '}';
}

// For an array, the type of its innermost elements.
void Declarations::add_type(std::span<const Value> values, size_t at) {
  const Value& value = values[at];
  switch (value.kind) {
    case ValueKind::kInteger:
      out_ += value.is_large ? "u64_t" : "i64_t";
      break;
    case ValueKind::kReal:
      out_ += "f64_t";
      break;
    case ValueKind::kText:
      out_ += "string";
      break;
    case ValueKind::kEnumeration:
      enumerations_.push_back(next_enumeration_);
      out_ += enumeration_type(next_enumeration_++);
      break;
    case ValueKind::kStructure: {
      std::vector<size_t> members;
      for_each_part(values, at, [&](size_t part) { members.push_back(part); });
      add_structure(values, members);
      break;
    }
    case ValueKind::kArray:
      if (value.within > 0) {
        add_type(values, at + 1);
      } else {
        out_ += "i64_t";
      }
      break;
  }
}

std::string enumeration_type(size_t number) { return fmt::format("enum{}_t", number); }

void append_bytes(std::span<const Value> values, size_t at, std::string& out) {
  const Value& value = values[at];
  switch (value.kind) {
    case ValueKind::kInteger:
    case ValueKind::kEnumeration:
      append_number(value.integer, out);
      break;
    case ValueKind::kReal:
      append_number(std::bit_cast<uint64_t>(value.real), out);
      break;
    case ValueKind::kText:
      out.append(value.text.substr(0, value.text.find('\0'))).push_back('\0');
      break;
    case ValueKind::kStructure:
    case ValueKind::kArray:
      for_each_part(values, at, [&](size_t part) { append_bytes(values, part, out); });
      break;
  }
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace weft::formats::ctf_text
