// The reader of pprof profiles (profile.proto, mostly gzip), as Go, perf_to_profile, py-spy and
// Google's tools write them. There is no time: stacks lie side by side in the order of the file, as
// wide as their values of one kind, the profile's default or the option `value`; the sums of all
// kinds are metadata.
//
// Memory: the strings and tables, which stand behind the samples, in large arrays; the samples stay
// where they lie in the mapped file.
//
// Source: proto/profile.proto of google/pprof.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_pprof(std::span<const std::byte> head);
Status read_pprof(io::Source& source, trace::EventSink& sink, const ReadContext& context);
Option pprof_value_option();

}  // namespace weft::formats
