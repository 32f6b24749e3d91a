// Pages of HTML that hold a trace beside the viewer of it, as systrace and trace2html write them.
// Their scripts with traces are unpacked like the files of an archive. Internal to the room.
//
//   <script class="trace-data" type="application/text">   the trace's text (systrace)
//   <script id="viewer-data" type="…">                    base64 of its gzip, or its text
//   linuxPerfData = "\                                     its text as a string of JavaScript (old)
//
// Each ends with </script>, or with the page. What `ps` said of processes (PROCESS DUMP) belongs to
// the text behind it. Source: catapult, systrace/output_generator.py,
// tracing_build/trace2html.py.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/io/unpacked.h"

namespace weft::io {

// Whether such bytes begin a page.
bool begins_page(std::span<const std::byte> head);

// A folder with a file for each trace, in their order. A page without one is an error.
Result<Unpacked> unpack_page(const PackedInput& input);

}  // namespace weft::io
