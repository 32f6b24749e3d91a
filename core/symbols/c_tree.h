// C declarations as written: type names not yet resolved, lengths still expressions. c_reader.h
// makes them from tokens, c_layout.h turns them into Symbols.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/symbols/c_lexer.h"
#include "core/symbols/symbols.h"

namespace weft::symbols {

using CNodeId = StrongId<struct CNodeTag, uint32_t>;

struct CField {
  std::string name;  // empty: an anonymous struct or union, or a padding bit field
  CNodeId type;
  std::vector<Token> width{};  // of a bit field
  bool is_bit_field = false;
  bool is_packed = false;
  uint32_t align = 0;  // if specified
};

struct CNode {
  enum class Kind : uint8_t { kBase, kNamed, kPointer, kArray, kStruct, kUnion, kEnum };
  Kind kind = Kind::kBase;
  uint32_t line = 0;
  DataType base{};                    // kBase: the complete type
  std::string name{};                 // kNamed: "struct x" or a typedef's; others: for people
  CNodeId element = CNodeId::none();  // kArray; kEnum: its underlying type, if specified
  std::vector<Token> count{};         // kArray; empty: flexible
  std::vector<CField> fields{};
  std::vector<uint32_t> enumerators{};  // indices of constants
  bool is_packed = false;
  bool is_understood = true;  // all members were understood
  uint32_t pack = 0;          // #pragma pack; 0: none
  uint32_t align = 0;
};

struct CConstant {
  std::string_view name;
  std::string family;
  std::vector<Token> expression;     // empty for an enumerator without a value
  std::optional<uint32_t> before{};  // the enumerator that this one follows by 1
};

struct CTree {
  Target target;
  std::vector<CNode> nodes;
  std::map<std::string, CNodeId, std::less<>> named;  // "struct x", "enum y", and typedefs
  std::vector<CConstant> constants;
  trace::ImportReport report;

  CNodeId add(CNode node) {
    nodes.push_back(std::move(node));
    return CNodeId(static_cast<uint32_t>(nodes.size() - 1));
  }
};

// Returns a built-in C type or one of <stdint.h> and <stddef.h>; nullopt for other words.
std::optional<DataType> base_type(std::vector<std::string_view> words, const Target& target);

}  // namespace weft::symbols
