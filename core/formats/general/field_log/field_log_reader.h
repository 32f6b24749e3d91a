// The reader of logs whose header names the fields of their lines:
//
//   #separator \x09                #Version: 1.0
//   #path conn                     #Fields: date time cs-method cs-uri-stem time-taken
//   #fields ts id.orig_h duration  2026-03-01 10:00:00 GET /index.html 15
//   1740823200.5 192.168.1.7 0.02
//
// Zeek's (left; also its lines of JSON) and those in W3C's extended format (right: IIS, CloudFront,
// Windows' firewall, Exchange). Each line becomes a record of custom/record.h, taken by rules for
// the fields' names, whatever there are and in whatever order; a header may come again. Connections
// and requests are states where the log says how long they took, connections also links from host
// to host; a "-" says nothing. IIS and others log a request when it is done.
//
// Sources: the documentation of Zeek, W3C's draft WD-logfile, the manuals of the programs.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_field_log(std::span<const std::byte> head);
Status read_field_log(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
