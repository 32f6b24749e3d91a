// The reader of what blktrace records of block devices: a file for each CPU (NAME.blktrace.0, …),
// of which each opens all, or all in one, as `blktrace -o -` pipes and `blkparse -d` writes them.
// Requests are states from their issue to the device until they are complete; all that is said of
// them is an instant of the CPU. It is shown as the text of blkparse is (tool_output_reader.h).
//
// Sources: linux/blktrace_api.h; blkparse's manual page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_blktrace(std::span<const std::byte> head);
Status read_blktrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);
// "sda", of "sda.blktrace.0"; empty where it is none of a run.
std::string blktrace_run(std::string_view file_name);

}  // namespace weft::formats
