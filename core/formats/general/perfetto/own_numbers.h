// Numbers of processes and threads that are made up where lanes without one are exported: those of
// real systems are below 2^22. A track with such a number says its name a second time, as any other
// track does, and is called by that name alone when it is read.
#pragma once

#include <cstdint>

namespace weft::formats::perfetto {

inline constexpr int32_t kFirstOwnNumber = 1 << 24;

}  // namespace weft::formats::perfetto
