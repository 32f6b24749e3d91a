// The one place where the demo says what it does: a Btrace text log (the format of
// core/formats/messages/btrace/btrace_reader.h), and beside it what caused each message, which no
// log knows.
//
// Thread-safe; a line is written whole. Write errors are found by finish().
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace weft::demo {

using QueueId = uint16_t;

struct Message {
  uint64_t uid = 0;
  QueueId sender = 0;
  QueueId receiver = 0;
  uint16_t type = 0;
  uint8_t priority = 0;  // the higher is handled first
  uint64_t cause = 0;    // uid of the message in whose handling it was sent; 0: none
  uint32_t number = 0;   // the payload
};

class MessageLog {
 public:
  // Null, with errno, where a file cannot be made.
  static std::unique_ptr<MessageLog> create(const std::string& path,
                                            const std::string& causes_path);

  // Gives the message its uid.
  void send(Message& message);
  void receive(const Message& message);
  void done(const Message& message);
  void drop(const Message& message, const char* reason);
  void timer_fired(QueueId queue);
  // False where something could not be written.
  bool finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  MessageLog(File log, File causes) : log_(std::move(log)), causes_(std::move(causes)) {}

  // "12345<tab>KIND<tab>Uid:…<tab>Sender:…<tab>Receiver:…", without its end.
  void begin_line(const char* kind, const Message& message);
  long long now_ns() const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  File log_, causes_;
  uint64_t next_uid_ = 1;
};

}  // namespace weft::demo
