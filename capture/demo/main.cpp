// weft_demo LOG CAUSES [MILLISECONDS]: a small control system that passes messages between threads,
// and its log to look at. Two halves that have only the dispatcher in common:
//
//   timer ─tick→ sensor ─sample→ filter ─filtered→ control ─command→ actuator
//                                  └─record→ storage ─report→ report   └─ack→ control
//
//   radio ─frame→ decoder ─request→ client A or B ─query→ cache ─value→ client ─reply→ uplink
//
// Ticks come in bursts, storage is slow and its queue short: records are lost. Reports are the
// least urgent and starve while anything else is under way. Hello is sent to a queue that is not
// there. Frames come steadily; clients wait for what the cache says. LOG is a Btrace text log;
// CAUSES says, one message a line, "uid<tab>uid of its cause" (0: none), by which what an analysis
// finds in LOG can be checked.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "capture/demo/dispatcher.h"
#include "capture/demo/queues.h"

namespace {

using namespace std::chrono_literals;
using weft::demo::Dispatcher;
using weft::demo::Message;
using weft::demo::MessageLog;
using weft::demo::QueueId;

void work_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// Sends on behalf of the queue that handles `cause`.
void answer(Dispatcher& to, const Message& cause, QueueId receiver, uint16_t type,
            uint8_t priority) {
  to.send({.sender = cause.receiver,
           .receiver = receiver,
           .type = type,
           .priority = priority,
           .cause = cause.uid,
           .number = cause.number});
}

void add_control(Dispatcher& system) {
  system.add_process(QUEUE_SENSOR, 64, [&](const Message& tick) {
    work_for(20us);
    answer(system, tick, QUEUE_FILTER, MSG_SAMPLE, 20);
  });
  system.add_process(QUEUE_FILTER, 64, [&](const Message& sample) {
    work_for(40us);
    answer(system, sample, QUEUE_STORAGE, MSG_RECORD, 22);
    answer(system, sample, QUEUE_CONTROL, MSG_FILTERED, 25);
  });
  system.add_process(QUEUE_CONTROL, 64, [&](const Message& message) {
    work_for(15us);
    const bool is_time = message.type == MSG_FILTERED && message.number % 4 == 0;
    if (is_time) answer(system, message, QUEUE_ACTUATOR, MSG_COMMAND, 30);
  });
  system.add_process(QUEUE_ACTUATOR, 16, [&](const Message& command) {
    work_for(60us);
    answer(system, command, QUEUE_CONTROL, MSG_ACK, 30);
  });
  system.add_process(QUEUE_STORAGE, 8, [&](const Message& record) {
    std::this_thread::sleep_for(10ms);
    if (record.number % 2 == 0) answer(system, record, QUEUE_REPORT, MSG_REPORT, 1);
  });
  system.add_process(QUEUE_REPORT, 64, [](const Message&) { work_for(100us); });
}

void add_radio(Dispatcher& system) {
  system.add_process(QUEUE_DECODER, 64, [&](const Message& frame) {
    work_for(30us);
    const bool is_for_a = frame.number % 3 != 0;
    answer(system, frame, is_for_a ? QUEUE_CLIENT_A : QUEUE_CLIENT_B, MSG_REQUEST, 18);
  });
  for (const QueueId client : {QueueId{QUEUE_CLIENT_A}, QueueId{QUEUE_CLIENT_B}}) {
    system.add_process(client, 16, [&](const Message& message) {
      work_for(25us);
      const bool is_asked = message.type == MSG_REQUEST;
      if (is_asked) answer(system, message, QUEUE_CACHE, MSG_QUERY, 18);
      if (!is_asked) answer(system, message, QUEUE_UPLINK, MSG_REPLY, 18);
    });
  }
  system.add_process(QUEUE_CACHE, 32, [&](const Message& query) {
    work_for(query.number % 5 == 0 ? 900us : 50us);
    answer(system, query, query.sender, MSG_VALUE, 18);
  });
  system.add_process(QUEUE_UPLINK, 64, [](const Message&) { work_for(80us); });
}

// A frame every kGap, and the timer's burst every kFrames of them.
void run_devices(Dispatcher& system, MessageLog& log, std::chrono::milliseconds length) {
  constexpr uint32_t kBurst = 32;
  constexpr uint32_t kFrames = 10;
  constexpr auto kGap = 2ms;
  system.send({.sender = QUEUE_TIMER, .receiver = QUEUE_NOBODY, .type = MSG_HELLO});
  uint32_t number = 0;
  uint32_t frame = 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto next = start; next < start + length; next += kGap, ++frame) {
    std::this_thread::sleep_until(next);
    system.send({.sender = QUEUE_RADIO,
                 .receiver = QUEUE_DECODER,
                 .type = MSG_FRAME,
                 .priority = 18,
                 .number = frame});
    if (frame % kFrames != 0) continue;
    log.timer_fired(QUEUE_TIMER);
    for (uint32_t i = 0; i < kBurst; ++i) {
      system.send({.sender = QUEUE_TIMER,
                   .receiver = QUEUE_SENSOR,
                   .type = MSG_TICK,
                   .priority = 15,
                   .number = number++});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: weft_demo LOG CAUSES [MILLISECONDS]\n");
    return 2;
  }
  const auto log = MessageLog::create(argv[1], argv[2]);
  if (!log) {
    std::perror("weft_demo");
    return 1;
  }
  const std::chrono::milliseconds length(argc > 3 ? std::atoi(argv[3]) : 1000);
  {
    Dispatcher system(*log);
    add_control(system);
    add_radio(system);
    system.start();
    run_devices(system, *log, length);
    system.stop();
  }
  if (log->finish()) return 0;
  std::perror("weft_demo");
  return 1;
}
