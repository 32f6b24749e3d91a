// The names behind the numbers of the demo's log: the queues of its processes and the types of its
// messages.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): as the C sources of such a system have them

#define QUEUE_TIMER 0x10
#define QUEUE_SENSOR 0x20
#define QUEUE_FILTER 0x21
#define QUEUE_CONTROL 0x30
#define QUEUE_ACTUATOR 0x31
#define QUEUE_STORAGE 0x40
#define QUEUE_REPORT 0x41
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
};
// NOLINTEND(readability-identifier-naming)
