// The demo's message passing: processes with a bounded queue each, and one dispatcher through which
// every message goes, most urgent first.
//
// A process handles one message at a time, on its own thread. The dispatcher delivers one message
// every kPace, so less urgent messages wait as long as there are urgent ones, and a process that
// gets only such messages starves. A full queue loses what arrives.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>
#include <vector>

#include "capture/demo/message_log.h"

namespace weft::demo {

class Dispatcher {
 public:
  // Handles a message; messages sent meanwhile name it as their cause.
  using Handler = std::function<void(const Message&)>;

  explicit Dispatcher(MessageLog& log) : log_(log) {}
  ~Dispatcher() { stop(); }
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // Call before start().
  void add_process(QueueId queue, size_t capacity, Handler handler);
  void start();
  // Abandons messages in transit, as at a power failure.
  void stop();

  void send(Message message);

 private:
  static constexpr std::chrono::microseconds kPace{30};

  struct Process {
    size_t capacity;
    Handler handler;
    std::mutex mutex;
    std::condition_variable_any wake;
    std::deque<Message> queue;
  };
  struct IsLessUrgent {
    bool operator()(const Message& a, const Message& b) const {
      return a.priority != b.priority ? a.priority < b.priority : a.uid > b.uid;
    }
  };

  void dispatch(const std::stop_token& stop);
  void work(const std::stop_token& stop, Process& process);

  MessageLog& log_;
  std::map<QueueId, std::unique_ptr<Process>> processes_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::priority_queue<Message, std::vector<Message>, IsLessUrgent> waiting_;
  std::vector<std::jthread> threads_;  // last member: they use the others
};

}  // namespace weft::demo
