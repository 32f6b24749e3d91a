#include <algorithm>
#include <array>

#include "core/symbols/c_tree.h"

namespace weft::symbols {
namespace {

using Kind = DataType::Kind;

struct FixedType {
  std::string_view name;
  uint32_t size_bytes;  // 0: as large as a pointer
  bool is_signed;
};
constexpr std::array<FixedType, 15> kFixedTypes = {{{"int8_t", 1, true},
                                                    {"uint8_t", 1, false},
                                                    {"int16_t", 2, true},
                                                    {"uint16_t", 2, false},
                                                    {"int32_t", 4, true},
                                                    {"uint32_t", 4, false},
                                                    {"int64_t", 8, true},
                                                    {"uint64_t", 8, false},
                                                    {"size_t", 0, false},
                                                    {"ssize_t", 0, true},
                                                    {"ptrdiff_t", 0, true},
                                                    {"intptr_t", 0, true},
                                                    {"uintptr_t", 0, false},
                                                    {"char16_t", 2, false},
                                                    {"char32_t", 4, false}}};

DataType number(Kind kind, std::string name, uint32_t size_bytes, bool is_signed,
                const Target& target) {
  return {.kind = kind,
          .name = std::move(name),
          .size_bytes = size_bytes,
          .align_bytes = std::min(size_bytes, target.max_align),
          .is_signed = is_signed};
}

}  // namespace

std::optional<DataType> base_type(std::vector<std::string_view> words, const Target& target) {
  if (words.empty()) return std::nullopt;
  std::string name;
  for (const std::string_view word : words) name.append(name.empty() ? "" : " ").append(word);
  if (words.size() == 1) {
    const auto fixed = std::ranges::find(kFixedTypes, words[0], &FixedType::name);
    if (fixed != kFixedTypes.end()) {
      const uint32_t size = fixed->size_bytes == 0 ? target.pointer_bytes : fixed->size_bytes;
      return number(Kind::kInteger, name, size, fixed->is_signed, target);
    }
    if (words[0] == "bool" || words[0] == "_Bool")
      return number(Kind::kBoolean, name, 1, false, target);
    if (words[0] == "void") return DataType{.name = name};
  }
  const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
  const auto longs = count("long");
  const bool is_signed = count("unsigned") == 0;
  const auto known = count("signed") + count("unsigned") + count("short") + longs + count("int") +
                     count("char") + count("float") + count("double");
  if (static_cast<size_t>(known) != words.size()) return std::nullopt;
  if (count("float") > 0) return number(Kind::kFloat, name, 4, true, target);
  if (count("double") > 0) return number(Kind::kFloat, name, longs > 0 ? 16 : 8, true, target);
  if (count("char") > 0) {
    const bool is_plain = words.size() == 1;
    return number(is_plain ? Kind::kCharacter : Kind::kInteger, name, 1, is_signed, target);
  }
  if (count("short") > 0) return number(Kind::kInteger, name, 2, is_signed, target);
  const uint32_t size = longs == 0 ? 4 : longs == 1 ? target.long_bytes : 8;
  return number(Kind::kInteger, name, size, is_signed, target);
}

}  // namespace weft::symbols
