// Reads profiles as Sentry's libraries send them, and as Sentry hands them out: samples of the
// stacks of threads, with measurements. Version 1 is the profile of a transaction, whose times
// count from its start; version 2 is a piece of a continuous profile, whose times count from 1970.
//
// Source: Sentry's documentation for developers, "Sample Format V1" and "Sample Format V2".
#pragma once

#include <cstddef>
#include <span>

#include "core/formats/formats.h"

namespace weft::formats {

int sniff_sentry(std::span<const std::byte> head);
Status read_sentry(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
