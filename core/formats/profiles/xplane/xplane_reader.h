// The reader of profiles of TensorFlow, JAX and PyTorch/XLA (*.xplane.pb, an XSpace in protobuf):
// planes are processes and devices, their lines threads and streams, events states with their
// statistics as parameters; those without a duration are punctual. What was launched on a device,
// and what one thread gave another to do, is joined by links.
//
// Memory: names and the ends of links. Names stand behind the events, so the file is mapped
// (WholeInput).
//
// Source: xla/tsl/profiler/protobuf/xplane.proto of openxla/xla, and its xplane_schema.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_xplane(std::span<const std::byte> head);
Status read_xplane(io::Source& source, trace::EventSink& sink, const ReadContext& context);
std::vector<Page> xplane_pages();

}  // namespace weft::formats
