// Profiles as they were written before pprof had a format of its own: the binary CPU profile of
// gperftools (and Java's), and text with a stack in each line: heaps, contention, what Go prints.
// They become the Profile message that is written today.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/trace/event_sink.h"

namespace weft::formats {

bool is_legacy_profile(std::string_view head);
// Converts a legacy profile. What is not understood is counted in the sink.
std::string profile_from_legacy(std::string_view bytes, trace::EventSink& sink);

}  // namespace weft::formats
