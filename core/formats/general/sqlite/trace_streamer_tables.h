// Reads what OpenHarmony's trace_streamer exports (SmartPerf's databases). Its tables follow those
// of Perfetto's trace processor, and say whose a row is by the numbers of threads and processes in
// the export.
#pragma once

#include "core/formats/general/sqlite/schemas.h"

namespace weft::formats::sqlite {

void add_trace_streamer(const Database& database, Plan& plan);

}  // namespace weft::formats::sqlite
