// What the sources or the debug information of the traced program know: names of numbers, and the
// layouts of its structs. Plain values, immutable once read; whoever reads them (c_reader.h,
// dwarf_reader.h) checks them, so that every offset lies within its struct and no struct holds
// itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_id.h"
#include "core/trace/model.h"

namespace weft::symbols {

// How the target keeps numbers in memory. By default x86-64 and AArch64 under Linux.
struct Target {
  bool is_big_endian = false;
  uint32_t pointer_bytes = 8;
  uint32_t long_bytes = 8;
  uint32_t max_align = 16;  // of anything that does not say more
  bool operator==(const Target&) const = default;
};

// A name of a number: a macro or an enumerator.
struct Constant {
  std::string name;
  std::string family;  // "enum MessageType"; of macros what they begin with: "QUEUE_"
  int64_t value = 0;
};

using DataTypeId = StrongId<struct DataTypeTag, uint32_t>;

struct Member {
  std::string name;  // empty: an anonymous struct or union
  DataTypeId type;
  uint64_t bit_offset = 0;  // from the struct's begin, in order of memory; see payload.h
  uint32_t bit_width = 0;   // of a bit field; 0: none
};

struct Enumerator {
  std::string name;
  int64_t value = 0;
};

// A type of data in memory.
struct DataType {
  enum class Kind : uint8_t {
    kOpaque,  // nothing is known but its size
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
  std::string name{};  // as C says it: "struct sample", "uint32_t"
  uint64_t size_bytes = 0;
  uint32_t align_bytes = 1;
  bool is_signed = false;
  DataTypeId element = DataTypeId::none();  // of arrays
  uint64_t count = 0;                       // of arrays; 0: as many as there are
  std::vector<Member> members{};            // of structs and unions
  std::vector<Enumerator> enumerators{};    // of enums
};

// What the user says where names alone do not tell.
struct SymbolMap {
  std::string queues;                          // the family that names queues; empty: the best
  std::string types;                           // the family that names types of messages
  std::map<std::string, std::string> structs;  // by type of message, its name or its number
};

struct Symbols {
  // No type is larger: a size that is a lie is refused where it is read.
  static constexpr uint64_t kMostTypeBytes = 1ull << 30;

  Target target;
  SymbolMap map;
  std::vector<Constant> constants;            // in order of their files and lines
  std::vector<DataType> types;                // by DataTypeId
  std::map<std::string, DataTypeId> structs;  // by tag and by typedef
  trace::ImportReport report;                 // what was not understood; offsets are lines
  uint64_t files = 0;                         // that were read

  const DataType& type(DataTypeId id) const { return types[id.value()]; }
};

// "enum Color" for an enumerator of it; of a macro its first word with the underscore ("QUEUE_" of
// QUEUE_TIMER), or nothing.
std::string family_of_macro(std::string_view name);

// The words of a name without those that all such names have, in lower case: "sample" of
// MSG_SAMPLE, SampleMsg, struct sample_msg_t.
std::string core_of_name(std::string_view name);

}  // namespace weft::symbols
