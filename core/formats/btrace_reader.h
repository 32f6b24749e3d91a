// The reader of Btrace text logs: messages between queues, one event a line, with tabulators
// between the fields (the format of Threadmill's back end).
//
//   123<tab>MESSAGE_SEND<tab>Uid:006<tab>Sender:0x4F<tab>Receiver:0x13
//   124<tab>MESSAGE_DATA<tab>Uid:006<tab>Data:0A 0B
//   131<tab>MESSAGE_RECEIVE<tab>Uid:006<tab>Sender:0x4F<tab>Receiver:0x13
//
// Each message becomes a link from its sender's lane to its receiver's, by the instant of handling;
// its type is the field Type, its parameters are the other fields, and Data is its payload. Beyond
// Threadmill's lines, these are read too:
//
//   MESSAGE_DONE  Uid, Receiver   the handling that began with the receive ended: a state
//   MESSAGE_DROP  Uid, Receiver   the message was thrown away: a punctual event, "message dropped"
//   any other word                a punctual event of that name, on the lane of Queue (or Sender)
//   # key: value                  metadata; "# time_base: us" says what a tick is (default: ticks)
//
// Times with a point are seconds and become nanoseconds. Queues are called by their numbers
// ("0x4F"), or "process/queue" where the log says so.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_btrace(std::span<const std::byte> head);
Status read_btrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
