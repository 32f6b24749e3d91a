// Symbols of the traced program, from its sources or debug information: names of numbers, and
// layouts of structs. Plain values, immutable once read. Their readers (c_reader.h, dwarf_reader.h)
// ensure that every offset lies within its struct and that no struct contains itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/model.h"

namespace weft::symbols {

// How the target represents numbers in memory. Defaults: x86-64 and AArch64 Linux.
struct Target {
  bool is_big_endian = false;
  uint32_t pointer_bytes = 8;
  uint32_t long_bytes = 8;
  uint32_t max_align = 16;  // of anything without explicit alignment
  bool operator==(const Target&) const = default;
};

// A named number: a macro or an enumerator.
struct Constant {
  std::string name;
  std::string family;  // "enum MessageType"; macros: their common prefix, "QUEUE_"
  int64_t value = 0;
};

using DataTypeId = StrongId<struct DataTypeTag, uint32_t>;

struct Member {
  std::string name;  // empty: an anonymous struct or union
  DataTypeId type;
  uint64_t bit_offset = 0;  // from the struct's begin, in memory order; see payload.h
  uint32_t bit_width = 0;   // of a bit field; 0: not a bit field
};

struct Enumerator {
  std::string name;
  int64_t value = 0;
};

// A type of data in memory.
struct DataType {
  enum class Kind : uint8_t {
    kOpaque,  // only its size is known
    kInteger,
    kBoolean,
    kCharacter,
    kFloat,
    kPointer,
    kEnum,
    kArray,
    kStruct,
    kUnion,
  };
  Kind kind = Kind::kOpaque;
  std::string name{};  // as in C: "struct sample", "uint32_t"
  uint64_t size_bytes = 0;
  uint32_t align_bytes = 1;
  bool is_signed = false;
  DataTypeId element = DataTypeId::none();  // of arrays
  uint64_t count = 0;                       // of arrays; 0: flexible
  std::vector<Member> members{};            // of structs and unions
  std::vector<Enumerator> enumerators{};    // of enums
};

// The user's choices, for what names alone do not tell.
struct SymbolMap {
  std::string queues;                          // family that names queues; empty: best match
  std::string types;                           // family that names message types
  std::map<std::string, std::string> structs;  // by message type: its name or number
};

struct Symbols {
  // Upper bound on type sizes: readers reject absurd sizes.
  static constexpr uint64_t kMostTypeBytes = 1ull << 30;

  Target target;
  SymbolMap map;
  std::vector<Constant> constants;            // in order of their files and lines
  std::vector<DataType> types;                // by DataTypeId
  std::map<std::string, DataTypeId> structs;  // by tag and by typedef
  trace::ImportReport report;                 // what was not understood; offsets are line numbers
  uint64_t files = 0;                         // read so far

  const DataType& type(DataTypeId id) const { return types[id.value()]; }
};

// Returns the family of a macro: its first word with the underscore ("QUEUE_" for QUEUE_TIMER), or
// an empty text. Enumerators belong to "enum Color".
std::string family_of_macro(std::string_view name);

// Returns a name without the words that all such names share, in lower case: "sample" for
// MSG_SAMPLE, SampleMsg and struct sample_msg_t.
std::string core_of_name(std::string_view name);

}  // namespace weft::symbols
