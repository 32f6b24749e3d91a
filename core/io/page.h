// Unpacks HTML pages that embed a trace beside its viewer, as systrace, trace2html, async-profiler
// and Rust's flame write them.
// Each script or drawing that holds a trace becomes a file, as in an archive. Internal to core/io.
//
//   <script class="trace-data" type="application/text">   the trace's text (systrace)
//   <script id="viewer-data" type="…">                    base64 of its gzip, or its text
//   linuxPerfData = "\                                     its text as a string of JavaScript (old)
//   const cpool = [                                       names and frames of a flame graph that
//                                                         async-profiler drew, as calls
//   f(0,0,                                                the same before its version 3
//   .datum({ children: [                                  spans of Rust's flame, as a tree
//   <svg … onload="init(evt)" …>                          a flame graph, drawn
//
// Each ends with </script> (a drawing with its </svg>) or with the page. The output of `ps`
// (PROCESS DUMP) belongs to the trace text that follows it. Source: catapult,
// systrace/output_generator.py, tracing_build/trace2html.py; async-profiler, src/res/flame.html;
// flame, src/html.rs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/io/unpacked.h"

namespace weft::io {

// Whether `head` begins an HTML page.
bool begins_page(std::span<const std::byte> head);

// Unpacks the traces into the folder, one file each, in order. Fails if the page has none.
Result<Unpacked> unpack_page(const PackedInput& input, const std::filesystem::path& folder);

}  // namespace weft::io
