#include "core/formats/messages/erlang/erlang_messages.h"

namespace weft::formats::erlang {

void Messages::meet(const std::string& key, const End& end, bool is_send) {
  constexpr size_t kBesideKey = 128;
  const size_t size = key.size() + kBesideKey;
  Waiting& waiting = waiting_[key];
  std::deque<End>& others = is_send ? waiting.receives : waiting.sends;
  // A receive that came before was of another message.
  while (is_send && !others.empty() && others.front().time < end.time) {
    give(nullptr, &others.front());
    others.pop_front();
    bytes_ -= size;
  }
  if (others.empty()) {
    (is_send ? waiting.sends : waiting.receives).push_back(end);
    bytes_ += size;
    if (bytes_ > max_bytes_) finish();
    return;
  }
  const End other = others.front();
  others.pop_front();
  bytes_ -= size;
  is_send ? give(&end, &other) : give(&other, &end);
  if (waiting.sends.empty() && waiting.receives.empty()) waiting_.erase(key);
}

void Messages::finish() {
  for (const auto& [key, waiting] : waiting_) {
    for (const End& end : waiting.sends) give(&end, nullptr);
    for (const End& end : waiting.receives) give(nullptr, &end);
  }
  waiting_.clear();
  bytes_ = 0;
}

void Messages::give(const End* send, const End* receive) {
  sink_.give(trace::LinkEvent{.send = send != nullptr ? send->time : receive->time,
                              .receive = receive != nullptr ? receive->time : send->time,
                              .params = send != nullptr ? send->params : receive->params,
                              .source = send != nullptr ? send->lane : LaneId::none(),
                              .target = receive != nullptr ? receive->lane : LaneId::none(),
                              .type = sink_.type(trace::Category::kLink, "message")});
}

}  // namespace weft::formats::erlang
