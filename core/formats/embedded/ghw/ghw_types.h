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

  // 0 for a null range.
  uint64_t length() const;
  // The i-th value from the left.
  int64_t at(uint64_t i) const;
};

struct Field {
  std::string name;
  TypeRef type;
};

struct Type {
  enum class Shape : uint8_t { kEnum, kInteger, kReal, kArray, kRecord };
  // The well-known meaning of an enumeration: '0' and '1'; the nine values of std_ulogic; false and
  // true; Latin-1.
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
  std::optional<uint64_t> scalars;  // scalars of a value, at most 2^32; nullopt: unbounded
  uint32_t depth = 1;               // types in types

  // Whether a value is one text of bits or characters, instead of separate elements.
  bool is_text_of(Meaning meaning) const;
};

// Names by their number; 0 is none.
using Names = std::vector<std::string>;
Result<Names> read_names(Input& input, uint64_t most_bytes);

// Reads the types, numbered from 1; [0] is none. Stops at the first that is not understood.
Result<std::vector<TypeRef>> read_types(Input& input, const Names& names, uint8_t version);

}  // namespace weft::formats::ghw
