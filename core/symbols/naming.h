// Names a trace's numbers: lanes and types called "0x10" get the name that the sources give to 16.
//
// A number may have many names. Constants belong to families (an enum, or macros with a common
// prefix); one family is chosen for all queues and another for all message types: the one that
// names most of the trace's numbers, counted double if its own name mentions queues or messages.
// The user's symbol map takes precedence.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/symbols/symbols.h"
#include "core/trace/model.h"

namespace weft::symbols {

struct Naming {
  std::string queues;  // the chosen family; empty: none fits
  std::string types;
  uint64_t lanes_named = 0;
  uint64_t types_named = 0;
  // The trace's dictionary with these names; null if none applies.
  std::shared_ptr<const trace::Dictionary> dictionary;
};

// Names a trace. O(lanes + types + constants): no event is read.
Naming name_trace(const trace::Dictionary& dictionary, const Symbols& symbols);

// Returns the struct that messages of this type carry: as given by the map, or else the struct of
// that name, or else the one with the same core name (core_of_name()). none() if there is no such
// struct.
DataTypeId struct_of_type(const Symbols& symbols, std::string_view type_name);

}  // namespace weft::symbols
