// The reader of message events in XML (messages/log/message_event.h).
//
//   <MessageEvents time_base="us">
//     <MessageEvent>
//       <MessageId> 007 </MessageId>  <Sender> 0x8A </Sender>  <Receiver> 0x32 </Receiver>
//       <Priority> 25 </Priority>     <MessageData> 0A 0B </MessageData>
//     </MessageEvent>
//   </MessageEvents>
//
// Streams, whatever the elements around the events are called. An event's fields are its attributes
// and its elements; elements inside those are called "outer.inner". The attributes of the outermost
// element are metadata. There are no entities but XML's own five and those of characters. Past a
// place where the XML is not well formed nothing can be read: what came before it is kept.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_message_xml(std::span<const std::byte> head);
Status read_message_xml(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
