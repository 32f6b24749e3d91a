// The formats of messages.
#include "core/formats/built_in/built_in.h"

#include "core/formats/btrace_reader.h"
#include "core/formats/erlang_reader.h"
#include "core/formats/message_json_reader.h"
#include "core/formats/message_xml_reader.h"
#include "core/formats/mscgen_reader.h"
#include "core/formats/pages.h"
#include "core/formats/pcap_reader.h"
#include "core/formats/shiviz_reader.h"
#include "core/formats/spans_reader.h"
#include "core/formats/state_adapter.h"

namespace weft::formats {

std::vector<Format> message_formats() {
  return {
      {.id = "btrace",
       .name = "Btrace message log",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"btrace", "txt", "log"},
       .sniff = sniff_btrace,
       .read = read_btrace,
       .version = 3,
       .columns = {{"Uid", "uid"}, {"Reason", "Reason"}, {"Data", "data"}},
       .pages = message_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "message-json",
       .name = "Message events in JSON",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"json", "jsonl"},
       .sniff = sniff_message_json,
       .read = read_message_json,
       .version = 3,
       .columns = {{"Uid", "uid"}, {"Priority", "Priority"}},
       .pages = message_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "message-xml",
       .name = "Message events in XML",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"xml"},
       .sniff = sniff_message_xml,
       .read = read_message_xml,
       .version = 4,
       .columns = {{"Uid", "uid"}, {"Priority", "Priority"}},
       .pages = message_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "pcap",
       .name = "Captured network packets (pcap, pcapng)",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"pcap", "pcapng", "cap", "btsnoop"},
       .sniff = sniff_pcap,
       .read = read_pcap,
       .version = 3,
       .options = {{"lanes", "\"hosts\" or \"ports\": what packets go between.", "hosts"},
                   states_option("USB submit/USB complete/urb=USB transfer")},
       .columns = {{"Size", "size"}, {"Flags", "flags"}},
       .pages = packet_pages(),
       .panels = {"sequence", "traffic"}},
      {.id = "spans",
       .name = "Spans of Jaeger, OpenTelemetry, Zipkin and Cloud Trace in JSON",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"json", "jsonl"},
       .sniff = sniff_spans,
       .read = read_spans,
       .place_unit = trace::PlaceUnit::kEntry,
       .version = 4,
       .pages = message_pages(),
       .panels = {"sequence", "density"}},
      {.id = "erlang",
       .name = "Trace messages of Erlang",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"log", "txt", "trace", "trc"},
       .sniff = sniff_erlang,
       .read = read_erlang,
       .version = 2,
       .columns = {{"Message", "message"}, {"Function", "function"}},
       .pages = message_pages(),
       .panels = {"density", "sequence"}},
      {.id = "mscgen",
       .name = "Sequence chart of mscgen",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"msc", "mscin", "mscgen", "xu"},
       .sniff = sniff_mscgen,
       .read = read_mscgen,
       .columns = {{"Arc", "arc"}, {"Label", "label"}},
       .pages = message_pages(),
       .panels = {"density", "sequence"}},
      {.id = "shiviz",
       .name = "ShiViz log",
       .category = "Messages",
       .icon = "↔",
       .extensions = {"log"},
       .sniff = sniff_shiviz,
       .read = read_shiviz,
       .version = 3,
       .columns = {{"Event", "event"}},
       .panels = {"sequence", "traffic"}},
  };
}

}  // namespace weft::formats
