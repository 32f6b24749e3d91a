// weft_demo LOG CAUSES [MILLISECONDS]: a small control system that passes messages between threads,
// and its log to look at:
//
//   timer ─tick→ sensor ─sample→ filter ─filtered→ control ─command→ actuator
//                                  └─record→ storage ─report→ report   └─ack→ control
//
// Ticks come in bursts, storage is slow and its queue short: records are lost. Reports are the
// least urgent and starve while anything else is under way. Hello is sent to a queue that is not
// there. LOG is a Btrace text log; CAUSES says, one message a line, "uid<tab>uid of its cause" (0:
// none), by which what an analysis finds in LOG can be checked.
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

void add_processes(Dispatcher& system) {
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

void run_timer(Dispatcher& system, MessageLog& log, std::chrono::milliseconds length) {
  constexpr uint32_t kBurst = 32;
  constexpr auto kPeriod = 20ms;
  system.send({.sender = QUEUE_TIMER, .receiver = QUEUE_NOBODY, .type = MSG_HELLO});
  uint32_t number = 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto next = start; next < start + length; next += kPeriod) {
    std::this_thread::sleep_until(next);
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
    add_processes(system);
    system.start();
    run_timer(system, *log, length);
    system.stop();
  }
  if (log->finish()) return 0;
  std::perror("weft_demo");
  return 1;
}
