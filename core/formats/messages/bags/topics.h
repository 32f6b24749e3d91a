// The topics of a bag of messages (MCAP, bags of ROS): a lane each, on which a message is an event
// of its type, when it was recorded. Of its bytes the first are kept.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/formats/base/args_text.h"
#include "core/trace/event_sink.h"

namespace weft::formats::bags {

struct Message {
  Time time;
  uint64_t offset = 0;  // in the file: of the message, or of the chunk that it is in
  std::string_view bytes;
};

class Topics {
 public:
  explicit Topics(trace::EventSink& sink) : sink_(sink) {}

  // If a topic is added several times, the first counts. An empty type: messages are called
  // "message".
  void add_topic(uint32_t id, std::string_view name, std::string_view type,
                 std::string_view encoding);
  // `params`: what else is known of it. Of a topic that nobody told it is a loss.
  void add(uint32_t topic, const Message& message, ArgsText& params);

 private:
  struct Topic {
    LaneId lane;
    EventTypeId type;
    bool is_json;
  };

  trace::EventSink& sink_;
  std::unordered_map<uint32_t, Topic> topics_;
};

// Nanoseconds since 1970 as bags have them; what is too late for a time is the last one.
Time time_from(uint64_t ns);

}  // namespace weft::formats::bags
