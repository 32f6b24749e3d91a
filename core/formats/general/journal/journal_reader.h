// The reader of systemd's journal with all fields: `journalctl -o json` (also json-pretty,
// json-seq, json-sse), `-o export`, the form in which journals travel, and `-o verbose`.
//
// A message is a punctual event on the lane of its program below its host, at the journal's time
// since 1970, and has the program's name as its type. Its parameters are the message, the process,
// the unit, the priority, and what the program said beside: fields whose names do not begin with
// '_'. Lines of `journalctl`, a message each, are read by syslog_reader.h.
//
// Source: systemd's "Journal Export Formats" and "Journal JSON Format", systemd.journal-fields(7).
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_journal(std::span<const std::byte> head);
Status read_journal(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
