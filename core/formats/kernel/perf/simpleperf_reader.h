// The reader of what Android's `simpleperf report-sample --protobuf` writes: samples with their
// stacks, which become states as those of `perf script` do, and when threads were on a CPU
// (`--trace-offcpu`).
//
// Times are nanoseconds. Memory: names. They stand behind the samples, so the report is mapped
// (WholeInput).
//
// Source: simpleperf/cmd_report_sample.proto of Android's system/extras.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_simpleperf(std::span<const std::byte> head);
Status read_simpleperf(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
