// The reader of Android's logs as `logcat` prints them with a time: the formats "threadtime" (also
// with a user, a year, a zone, colours, or times since the epoch or the start), "time" and "long";
// and as Android Studio shows or exports it (".logcat", JSON).
//
// A message is a punctual event on the lane of its thread; its tag is its type, its level and text
// are parameters. Times without a year are as in syslog_reader.h. Each format is a definition of
// custom/definition.h, as users write their own.
//
// Source: Android's documentation of logcat, and logprint.cpp of its liblog.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_logcat(std::span<const std::byte> head);
Status read_logcat(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
