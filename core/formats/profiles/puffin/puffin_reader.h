// The reader of what puffin, a profiler of games in Rust, saves (.puffin): frames, and in each the
// scopes of its threads. https://github.com/EmbarkStudios/puffin (puffin/src/frame_data.rs).
//
//   "PUF0" frame*
//   frame: "PFD5" meta, size compression streams, details              (as a branch of it writes)
//          "PFD4" size meta, size compression streams, size details    (of scopes that are new)
//          "PFD3" size meta, size compression streams
//          "PFD2" size meta, size streams                              (by zstd)
//          "PFD1", "PFD0" size meta-and-streams                        (by zstd; LZ4)
//          size meta-and-streams                                       (the first version)
//
// Sizes are 32 bits, contents as bincode writes them. Times count from 1970.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_puffin(std::span<const std::byte> head);
Status read_puffin(io::Source& source, trace::EventSink& sink, const ReadContext& context);
std::vector<Page> puffin_pages();

}  // namespace weft::formats
