#include "capture/demo/message_log.h"

namespace weft::demo {

std::unique_ptr<MessageLog> MessageLog::create(const std::string& path,
                                               const std::string& causes_path) {
  File log(std::fopen(path.c_str(), "w"));
  if (!log) return nullptr;
  File causes(std::fopen(causes_path.c_str(), "w"));
  if (!causes) return nullptr;
  std::fputs("# time_base: ns\n# made by: weft_demo\n", log.get());
  return std::unique_ptr<MessageLog>(new MessageLog(std::move(log), std::move(causes)));
}

long long MessageLog::now_ns() const {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count();
}

void MessageLog::begin_line(const char* kind, const Message& message) {
  std::fprintf(log_.get(), "%lld\t%s\tUid:%llu\tSender:0x%02X\tReceiver:0x%02X", now_ns(), kind,
               static_cast<unsigned long long>(message.uid), message.sender, message.receiver);
}

void MessageLog::send(Message& message) {
  const std::lock_guard lock(mutex_);
  message.uid = next_uid_++;
  begin_line("MESSAGE_SEND", message);
  std::fprintf(log_.get(), "\tType:0x%02X\tPriority:%u\n", message.type, message.priority);
  begin_line("MESSAGE_DATA", message);
  std::fprintf(log_.get(), "\tData:%08X\n", message.number);
  std::fprintf(causes_.get(), "%llu\t%llu\n", static_cast<unsigned long long>(message.uid),
               static_cast<unsigned long long>(message.cause));
}

void MessageLog::receive(const Message& message) {
  const std::lock_guard lock(mutex_);
  begin_line("MESSAGE_RECEIVE", message);
  std::fputc('\n', log_.get());
}

void MessageLog::done(const Message& message) {
  const std::lock_guard lock(mutex_);
  begin_line("MESSAGE_DONE", message);
  std::fputc('\n', log_.get());
}

void MessageLog::drop(const Message& message, const char* reason) {
  const std::lock_guard lock(mutex_);
  begin_line("MESSAGE_DROP", message);
  std::fprintf(log_.get(), "\tReason:%s\n", reason);
}

void MessageLog::timer_fired(QueueId queue) {
  const std::lock_guard lock(mutex_);
  std::fprintf(log_.get(), "%lld\tTIMER_FIRED\tQueue:0x%02X\n", now_ns(), queue);
}

bool MessageLog::finish() {
  const bool is_log_written = std::fflush(log_.get()) == 0 && std::ferror(log_.get()) == 0;
  return is_log_written && std::fflush(causes_.get()) == 0 && std::ferror(causes_.get()) == 0;
}

}  // namespace weft::demo
