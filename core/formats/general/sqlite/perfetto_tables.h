// Reads what Perfetto's trace processor exports: its tables, whatever its version called them.
//
// A track says by itself, or in a table of its kind, whose it is: a thread's, a process's or a
// CPU's. Tracks of one name that the same one has are told apart by their numbers.
#pragma once

#include <string>
#include <string_view>

#include "core/formats/general/sqlite/schemas.h"

namespace weft::formats::sqlite {

void add_perfetto(const Database& database, Plan& plan);

// The name of a thread's state, as SQL; the column has "Running" or the kernel's letters.
std::string name_of_thread_state(std::string_view column);

}  // namespace weft::formats::sqlite
