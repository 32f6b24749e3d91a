// C declarations as written: types whose names are not looked up yet, lengths that are still
// expressions. c_reader.h makes it from tokens, c_layout.h turns it into Symbols.
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
  std::string name;  // empty: an anonymous struct or union, or a bit field that is padding
  CNodeId type;
  std::vector<Token> width{};  // of a bit field
  bool is_bit_field = false;
  bool is_packed = false;
  uint32_t align = 0;  // where it says one
};

struct CNode {
  enum class Kind : uint8_t { kBase, kNamed, kPointer, kArray, kStruct, kUnion, kEnum };
  Kind kind = Kind::kBase;
  uint32_t line = 0;
  DataType base{};                    // kBase: all there is to say
  std::string name{};                 // kNamed: "struct x" or a typedef's; others: for people
  CNodeId element = CNodeId::none();  // kArray; kEnum: the type it is kept in, where it says so
  std::vector<Token> count{};         // kArray; none: as many as there are
  std::vector<CField> fields{};
  std::vector<uint32_t> enumerators{};  // indices of constants
  bool is_packed = false;
  bool is_understood = true;  // all of its members
  uint32_t pack = 0;          // #pragma pack; 0: none
  uint32_t align = 0;
};

struct CConstant {
  std::string_view name;
  std::string family;
  std::vector<Token> expression;     // of an enumerator without one: none
  std::optional<uint32_t> before{};  // the enumerator that this one is one more than
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

// A type of C's own, or of <stdint.h> and <stddef.h>; none where the words are no such type.
std::optional<DataType> base_type(std::vector<std::string_view> words, const Target& target);

}  // namespace weft::symbols
