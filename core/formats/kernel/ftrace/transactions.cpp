#include "core/formats/kernel/ftrace/transactions.h"

#include <string_view>

namespace weft::formats::ftrace {

void Transactions::send(int64_t number, bool is_reply, LaneId sender, ParamsId params, Time time) {
  constexpr size_t kMost = size_t{1} << 16;
  const std::string_view name = is_reply ? "binder reply" : "binder transaction";
  const Sent sent{.time = time,
                  .sender = sender,
                  .type = sink_.type(trace::Category::kLink, name, "binder"),
                  .params = params};
  const auto [it, is_new] = on_their_way_.try_emplace(number, sent);
  if (!is_new) {
    give(it->second, LaneId::none(), {});
    it->second = sent;
  }
  if (on_their_way_.size() <= kMost) return;
  give(on_their_way_.begin()->second, LaneId::none(), {});
  on_their_way_.erase(on_their_way_.begin());
}

bool Transactions::receive(int64_t number, LaneId receiver, Time time) {
  const auto it = on_their_way_.find(number);
  if (it == on_their_way_.end()) return false;
  give(it->second, receiver, time);
  on_their_way_.erase(it);
  return true;
}

void Transactions::finish() {
  for (const auto& [number, sent] : on_their_way_) give(sent, LaneId::none(), {});
  on_their_way_.clear();
}

void Transactions::give(const Sent& sent, LaneId receiver, Time time) {
  sink_.give(trace::LinkEvent{.send = sent.time,
                              .receive = time,
                              .params = sent.params,
                              .source = sent.sender,
                              .target = receiver,
                              .type = sent.type});
}

}  // namespace weft::formats::ftrace
