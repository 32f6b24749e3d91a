// The reader of Btrace text logs: messages between queues, one event a line, with tabulators
// between the fields (the format of Threadmill's back end).
//
//   123<tab>MESSAGE_SEND<tab>Uid:006<tab>Sender:0x4F<tab>Receiver:0x13
//   124<tab>MESSAGE_DATA<tab>Uid:006<tab>Data:0A 0B
//   131<tab>MESSAGE_RECEIVE<tab>Uid:006<tab>Sender:0x4F<tab>Receiver:0x13
//
// Beyond Threadmill's lines, handling that ended, dropped messages and events of other kinds are
// read (messages/log/message_log.h), and "# key: value" is metadata; "# time_base: us" says what a
// tick is.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_btrace(std::span<const std::byte> head);
Status read_btrace(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
