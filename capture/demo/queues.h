// Names for the numbers in the demo's log: the processes' queues, the message types, and the
// payloads. Read by weftscope --symbols capture/demo; weftscope-symbols.json beside this file adds
// what C cannot express.
#pragma once

#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): as the C sources of such a system have them

#define QUEUE_TIMER 0x10
#define QUEUE_SENSOR 0x20
#define QUEUE_FILTER 0x21
#define QUEUE_CONTROL 0x30
#define QUEUE_ACTUATOR 0x31
#define QUEUE_STORAGE 0x40
#define QUEUE_REPORT 0x41
#define QUEUE_RADIO 0x50
#define QUEUE_DECODER 0x51
#define QUEUE_CLIENT_A 0x60
#define QUEUE_CLIENT_B 0x61
#define QUEUE_CACHE 0x70
#define QUEUE_UPLINK 0x71
#define QUEUE_NOBODY 0x7F

enum MessageType {
  MSG_TICK = 1,
  MSG_SAMPLE,
  MSG_FILTERED,
  MSG_RECORD,
  MSG_COMMAND,
  MSG_ACK,
  MSG_REPORT,
  MSG_HELLO,
  MSG_FRAME,
  MSG_REQUEST,
  MSG_QUERY,
  MSG_VALUE,
  MSG_REPLY,
};

// Big-endian in the log.
struct Numbered {
  uint32_t number;  // of the tick or frame that the message goes back to
};
// NOLINTEND(readability-identifier-naming)
