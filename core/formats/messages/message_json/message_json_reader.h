// The reader of message events in JSON: an array of them, lines of them, or either inside objects.
//
//   {"MessageEvent": {"MessageId": 7, "Sender": "0x8A", "Receiver": "0x32", "Priority": 25,
//                     "MessageData": "0A 0B"}}
//
// An object with a MessageId is an event (messages/log/message_event.h); what stands around it is
// passed through, its plain members kept as metadata. Read more kindly than JSON: numbers may be
// written as in C (007, 0x8A), and commas may be missing. MessageData is bytes as hexadecimal text
// or as an array of numbers, else it is kept as the parameter "data". Memory: one event.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_message_json(std::span<const std::byte> head);
Status read_message_json(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
