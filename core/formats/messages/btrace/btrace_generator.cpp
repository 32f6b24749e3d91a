#include "core/formats/messages/btrace/btrace_generator.h"

#include <fmt/compile.h>
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <queue>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/io/output_file.h"

namespace weft::formats {
namespace {

constexpr size_t kWriteFromBytes = 4 << 20;
constexpr uint32_t kTypes = 40;

// A simulation: the next step is always the earliest that any queue has to do.
class MessageSystem {
 public:
  explicit MessageSystem(const BtraceWorkload& workload)
      : random_(workload.seed), queues_(workload.queues), left_(workload.messages) {
    turns_.push({1000, kTimer});
  }

  // Appends the lines of one step; false when all messages were sent and handled.
  bool step(std::string& text) {
    if (turns_.empty()) return false;
    const Turn turn = turns_.top();
    turns_.pop();
    now_ = turn.time;
    if (turn.queue == kTimer) {
      fire_timer(text);
    } else if (!queues_[turn.queue].is_busy) {
      begin_handling(turn.queue, text);
    } else if (queues_[turn.queue].sends_left > 0) {
      --queues_[turn.queue].sends_left;
      send_on(turn.queue, text);
      turns_.push({now_ + pause(), turn.queue});
    } else {
      end_handling(turn.queue, text);
    }
    return true;
  }

 private:
  static constexpr uint32_t kTimer = 0;
  struct Message {
    uint64_t uid;
    uint32_t sender;
  };
  struct Queue {
    std::deque<Message> waiting;
    bool is_busy = false;
    uint32_t sends_left = 0;
  };
  struct Turn {
    int64_t time;
    uint32_t queue;
    bool operator>(const Turn& other) const {
      return std::tie(time, queue) > std::tie(other.time, other.queue);
    }
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>((random_() >> 32) * n >> 32); }
  int64_t pause() { return 200 + below(below(16) == 0 ? 200'000 : 4'000); }

  void line(std::string& text, const char* kind, uint64_t uid, uint32_t sender, uint32_t receiver) {
    fmt::format_to(std::back_inserter(text),
                   FMT_COMPILE("{}\t{}\tUid:{}\tSender:0x{:X}\tReceiver:0x{:X}"), now_, kind, uid,
                   sender, receiver);
  }

  // Some ten messages follow from one of the timer's, of some 16 us work each: a quarter of what
  // the queues can do.
  void fire_timer(std::string& text) {
    const auto others = static_cast<uint32_t>(queues_.size()) - 1;
    send(kTimer, 1 + below(others), text);
    if (left_ > 0) turns_.push({now_ + 100 + below(1'280'000 / others), kTimer});
  }

  // Mostly to a neighbour: systems have a shape.
  void send_on(uint32_t sender, std::string& text) {
    const auto others = static_cast<uint32_t>(queues_.size()) - 1;
    const uint32_t step = below(4) == 0 ? below(others) : below(std::min(4U, others));
    send(sender, 1 + (sender + step) % others, text);
  }

  void send(uint32_t sender, uint32_t receiver, std::string& text) {
    if (left_ == 0) return;
    --left_;
    const uint64_t uid = ++last_uid_;
    line(text, "MESSAGE_SEND", uid, sender, receiver);
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("\tType:0x{:X}\tPriority:{}\n"),
                   0x100 + (receiver * 7 + below(3)) % kTypes, below(4));
    if (below(1000) == 0) {
      line(text, "MESSAGE_DROP", uid, sender, receiver);
      text += '\n';
      return;
    }
    Queue& queue = queues_[receiver];
    queue.waiting.push_back({uid, sender});
    if (!queue.is_busy && queue.waiting.size() == 1) turns_.push({now_ + pause(), receiver});
  }

  void begin_handling(uint32_t number, std::string& text) {
    Queue& queue = queues_[number];
    const Message message = queue.waiting.front();
    queue.is_busy = true;
    // A little less than one each, so that what a timer sets going ends.
    constexpr uint32_t kSends[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 3};
    queue.sends_left = kSends[below(std::size(kSends))];
    line(text, "MESSAGE_RECEIVE", message.uid, message.sender, number);
    text += '\n';
    turns_.push({now_ + pause(), number});
  }

  void end_handling(uint32_t number, std::string& text) {
    Queue& queue = queues_[number];
    line(text, "MESSAGE_DONE", queue.waiting.front().uid, queue.waiting.front().sender, number);
    text += '\n';
    queue.waiting.pop_front();
    queue.is_busy = false;
    if (!queue.waiting.empty()) turns_.push({now_ + 50, number});
  }

  std::mt19937_64 random_;  // the same on every machine
  std::vector<Queue> queues_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  uint64_t left_;  // messages that are not sent yet
  uint64_t last_uid_ = 0;
  int64_t now_ = 0;
};

}  // namespace

Status write_btrace(const std::filesystem::path& path, const BtraceWorkload& workload) {
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
  MessageSystem system(workload);
  std::string text = "# time_base: ns\n";
  uint64_t offset = 0;
  const auto write = [&]() -> Status {
    WEFT_TRY(file.write_at(offset, std::as_bytes(std::span(text))));
    offset += text.size();
    text.clear();
    return {};
  };
  while (system.step(text)) {
    if (text.size() >= kWriteFromBytes) WEFT_TRY(write());
  }
  WEFT_TRY(write());
  return file.commit();
}

}  // namespace weft::formats
