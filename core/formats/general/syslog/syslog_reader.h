// The reader of Linux's logs as text: what syslog daemons write (RFC 3164 and 5424, with times of
// either), what `journalctl` prints (short and its variants, with-unit) and the kernel's own
// (`dmesg` with any times, and as JSON).
//
// A message is a punctual event on the lane of its program below its host, and has the program's
// name as its type; of the kernel's own, what its text begins with, "usb 1-1". `dmesg -H` says the
// minute of its first message and steps from there, which are counted from that minute's begin.
// Times without a year are of that in which the file was changed last, or before
// (custom/log_year.h). Each form is a definition of custom/definition.h, as users write their own.
//
// Sources: RFC 3164, RFC 5424, the manuals of journalctl and dmesg.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_syslog(std::span<const std::byte> head);
Status read_syslog(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
