#include "core/formats/profiles/art/art_method.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/text.h"

namespace weft::formats::art {
namespace {

std::string_view name_of_primitive(char sign) {
  switch (sign) {
    case 'Z':
      return "boolean";
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'S':
      return "short";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'F':
      return "float";
    case 'D':
      return "double";
    case 'V':
      return "void";
    default:
      return {};
  }
}

std::string dotted(std::string_view name) {
  std::string text = valid_utf8(name);
  std::ranges::replace(text, '/', '.');
  return text;
}

// Old versions write classes as "java/lang/Object" or "Ljava/lang/Object;".
std::string class_of(std::string_view name) {
  const bool is_descriptor = name.size() > 2 && name.front() == 'L' && name.back() == ';';
  return dotted(is_descriptor ? name.substr(1, name.size() - 2) : name);
}

// Appends the type that the signature begins with, which is taken off; false where it is none.
bool take_type(std::string_view& signature, std::string& out) {
  size_t dimensions = 0;
  while (take_prefix(signature, "[")) {
    ++dimensions;
  }
  constexpr size_t kMostDimensions = 255;  // of Java's
  if (signature.empty() || dimensions > kMostDimensions) return false;
  if (signature.front() == 'L') {
    const size_t end = signature.find(';');
    if (end == std::string_view::npos) return false;
    out += dotted(signature.substr(1, end - 1));
    signature.remove_prefix(end + 1);
  } else {
    const std::string_view primitive = name_of_primitive(signature.front());
    if (primitive.empty()) return false;
    out += primitive;
    signature.remove_prefix(1);
  }
  while (dimensions-- > 0) out += "[]";
  return true;
}

}  // namespace

std::string types_of(std::string_view signature) {
  if (!take_prefix(signature, "(")) return {};
  std::string out = "(";
  while (!signature.starts_with(')')) {
    if (out.size() > 1) out += ", ";
    if (!take_type(signature, out)) return {};
  }
  return out += ')';
}

Method method_from(std::string_view line) {
  constexpr size_t kMostFields = 5;
  std::array<std::string_view, kMostFields> fields;
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  for (std::string_view& field : fields) field = take_to(line, '\t');
  auto [owner, name, signature, file, number] = fields;
  Method method{.name = class_of(owner), .params = {}};
  // Without a signature, there are file and line instead.
  const bool has_file_only = !signature.empty() && parse_number<uint32_t>(signature);
  if (has_file_only) {
    file = name;
    number = signature;
    name = signature = {};
  }
  if (!name.empty()) method.name += '.' + valid_utf8(name);
  if (!signature.empty()) {
    const std::string types = types_of(signature);
    method.name += types.empty() ? valid_utf8(signature) : types;
    append_member(method.params, "signature", signature);
  }
  if (!file.empty()) append_member(method.params, "file", file);
  // Below 0 where there is none: native, or made by the compiler.
  if (parse_number<uint32_t>(number)) append_member(method.params, "line", number);
  return method;
}

}  // namespace weft::formats::art
