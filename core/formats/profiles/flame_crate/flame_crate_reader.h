// Reads timelines of instrumented programs that Rust's crate `flame` wrote: as JSON
// (flame::dump_json) with all threads, or as a page of HTML (flame::dump_html) with one, of whose
// script core/io/page.h leaves the spans:
//
//   [{"id": 1, "name": "main", "spans": [{"name": "parse", "start_ns": 10, "end_ns": 40,
//     "delta": 30, "depth": 0, "children": [], "notes": [{"name": "half", "description": null,
//     "instant": 25}]}]}]
//
//   {                    a line each; a name is written as it is, its quotes, too
//   name: "parse",
//   value: 30,           what the JSON calls `delta`
//   start: 10,
//   end: 40,
//   children: [
//   ],
//   }
//
// Times are those since the first span of their thread, which has its own zero. A span into which
// further ones of its name were collapsed has worked for less (`delta`) than from begin to end.
//
// Source: the crate's src/lib.rs and src/html.rs.
#pragma once

#include <cstddef>
#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_flame_crate(std::span<const std::byte> head);
Status read_flame_crate(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
