// Cost centres as a Haskell program that was built for profiling writes them with `+RTS -p`, `-P`
// and `-pa`: a table with a line for each, indented by how deep it is.
//
//                                                individual      inherited
//   COST CENTRE MODULE SRC           no. entries %time %alloc   %time %alloc
//
//   MAIN        MAIN   <built-in>    118       0   0.0    0.6   100.0  100.0
//    main       Main   Main.hs:19:1  236       1  12.5   12.0   100.0   99.4
//
// Of the time that is shared out to a tenth of a percent, each has that part; with -P, its ticks.
// Places in the source are written since GHC 8.0. The table above, of the most expensive, says
// nothing more.
#pragma once

#include <string_view>

#include "core/formats/formats.h"

namespace weft::formats::ghc {

bool is_profile_text(std::string_view head);
void read_profile_text(io::Source& source, trace::EventSink& sink);

}  // namespace weft::formats::ghc
