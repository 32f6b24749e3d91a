#include "capture/demo/dispatcher.h"

#include <utility>

namespace weft::demo {

void Dispatcher::add_process(QueueId queue, size_t capacity, Handler handler) {
  auto process = std::make_unique<Process>();
  process->capacity = capacity;
  process->handler = std::move(handler);
  processes_[queue] = std::move(process);
}

void Dispatcher::start() {
  threads_.emplace_back([this](const std::stop_token& stop) { dispatch(stop); });
  for (auto& [queue, process] : processes_) {
    threads_.emplace_back([this, &of = *process](const std::stop_token& stop) { work(stop, of); });
  }
}

void Dispatcher::stop() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Dispatcher::send(Message message) {
  const std::lock_guard lock(mutex_);
  log_.send(message);
  waiting_.push(message);
  wake_.notify_one();
}

void Dispatcher::dispatch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Message message;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [&] { return !waiting_.empty(); })) return;
      message = waiting_.top();
      waiting_.pop();
    }
    const auto to = processes_.find(message.receiver);
    if (to == processes_.end()) {
      log_.drop(message, "no such queue");
      continue;
    }
    Process& process = *to->second;
    {
      const std::lock_guard lock(process.mutex);
      if (process.queue.size() < process.capacity) {
        process.queue.push_back(message);
        process.wake.notify_one();
      } else {
        log_.drop(message, "queue full");
      }
    }
    std::this_thread::sleep_for(kPace);
  }
}

void Dispatcher::work(const std::stop_token& stop, Process& process) {
  while (!stop.stop_requested()) {
    Message message;
    {
      std::unique_lock lock(process.mutex);
      if (!process.wake.wait(lock, stop, [&] { return !process.queue.empty(); })) return;
      message = process.queue.front();
      process.queue.pop_front();
    }
    log_.receive(message);
    process.handler(message);
    log_.done(message);
  }
}

}  // namespace weft::demo
