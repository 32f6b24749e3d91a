// The demo's only output: a Btrace text log (see core/formats/messages/btrace/btrace_reader.h) and,
// in a second file, the cause of each message, which no log records.
//
// Thread-safe; a line is written whole. Write errors are found by finish().
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

namespace weft::demo {

using QueueId = uint16_t;

struct Message {
  uint64_t uid = 0;
  QueueId sender = 0;
  QueueId receiver = 0;
  uint16_t type = 0;
  uint8_t priority = 0;  // higher is handled first
  uint64_t cause = 0;    // uid of the message whose handling sent it; 0: none
  uint32_t number = 0;   // the payload
};

class MessageLog {
 public:
  // Returns null, with errno set, if a file cannot be created.
  static std::unique_ptr<MessageLog> create(const std::string& path,
                                            const std::string& causes_path);

  // Logs a send and assigns the message its uid.
  void send(Message& message);
  void receive(const Message& message);
  void done(const Message& message);
  void drop(const Message& message, const char* reason);
  void timer_fired(QueueId queue);
  // Returns false if anything could not be written.
  bool finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  MessageLog(File log, File causes) : log_(std::move(log)), causes_(std::move(causes)) {}

  // Writes "12345<tab>KIND<tab>Uid:…<tab>Sender:…<tab>Receiver:…", without the line's end.
  void begin_line(const char* kind, const Message& message);
  long long now_ns() const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  File log_, causes_;
  uint64_t next_uid_ = 1;
};

}  // namespace weft::demo
