// Names for a trace's numbers: lanes and types that are called "0x10" get the names that the
// sources give to 16.
//
// One number has many names. Constants belong to families (an enum; macros that begin alike), and
// for all queues one family is chosen, for all types of messages another: the one that names most
// of the trace's numbers, counted double where its own name speaks of queues or of messages. The
// user's symbol map overrules it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/symbols/symbols.h"
#include "core/trace/model.h"

namespace weft::symbols {

struct Naming {
  std::string queues;  // the family chosen; empty: none fits
  std::string types;
  uint64_t lanes_named = 0;
  uint64_t types_named = 0;
  // The trace's dictionary with these names, else the same; null where nothing has a name.
  std::shared_ptr<const trace::Dictionary> dictionary;
};

// O(lanes + types + constants): no event is touched.
Naming name_trace(const trace::Dictionary& dictionary, const Symbols& symbols);

// The struct that messages of this type carry: as the map says, else the struct of that name, else
// the one whose name has the same core (symbols.h). None where there is no such struct.
DataTypeId struct_of_type(const Symbols& symbols, std::string_view type_name);

}  // namespace weft::symbols
