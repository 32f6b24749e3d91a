// The types of VHDL that a GHW waveform declares, by GHDL's own reader of them (libghw).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/embedded/ghw/ghw_input.h"

namespace weft::formats::ghw {

struct Type;
using TypeRef = std::shared_ptr<const Type>;

struct Range {
  bool is_down = false;
  int64_t left = 0, right = 0;

  // 0 of one that runs the other way.
  uint64_t length() const;
  // Of the i-th from the left.
  int64_t at(uint64_t i) const;
};

struct Field {
  std::string name;
  TypeRef type;
};

struct Type {
  enum class Shape : uint8_t { kEnum, kInteger, kReal, kArray, kRecord };
  // What an enumeration stands for: '0' and '1'; the nine values of std_ulogic; false and true;
  // Latin-1.
  enum class Meaning : uint8_t { kNames, kBit, kLogic, kBoolean, kCharacter };

  Shape shape = Shape::kEnum;
  Meaning meaning = Meaning::kNames;
  std::string name;
  std::vector<std::string> literals;  // of an enumeration; characters without their quotes
  std::string unit;                   // of a physical type, whose values count it
  std::vector<TypeRef> indices;       // of an array, one a dimension
  std::vector<Range> ranges;          // likewise; none: it has no bounds yet
  TypeRef element;
  std::vector<Field> fields;        // of a record, those that hold anything
  std::optional<uint64_t> scalars;  // that a value has, at most 2^32; none: it has no bounds yet
  uint32_t depth = 1;               // types in types

  // Whether its values are one text of bits, or of characters, not one each.
  bool is_text_of(Meaning meaning) const;
};

// Names by their number; 0 is none.
using Names = std::vector<std::string>;
Result<Names> read_names(Input& input, uint64_t most_bytes);

// By their number, from 1; [0] is none. Of one that is not understood nothing behind it is.
Result<std::vector<TypeRef>> read_types(Input& input, const Names& names, uint8_t version);

}  // namespace weft::formats::ghw
