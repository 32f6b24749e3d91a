#include "core/formats/kernel/ctf/ros1_events.h"

#include <algorithm>
#include <iterator>

namespace weft::formats::ctf {

Ros1Events::Handler Ros1Events::handler_of(std::string_view name) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"roscpp:init_node", &Ros1Events::add_node},
      {"roscpp:new_connection", &Ros1Events::add_connection},
      {"roscpp:subscriber_callback_added", &Ros1Events::add_callback},
      {"roscpp:ptr_name_info", &Ros1Events::add_symbol},
      {"roscpp:publisher_message_queued", &Ros1Events::publish},
      {"roscpp:subscriber_link_message_write", &Ros1Events::write},
      {"roscpp:subscriber_link_message_dropped", &Ros1Events::drop_before},
      {"roscpp:subscriber_link_message_drop", &Ros1Events::drop_before},
      {"roscpp:publisher_link_handle_message", &Ros1Events::receive},
      {"roscpp:subscription_message_queued", &Ros1Events::queue},
      {"roscpp:subscription_message_dropped", &Ros1Events::drop_behind},
      {"roscpp:subscriber_callback_start", &Ros1Events::begin_callback},
      {"roscpp:subscriber_callback_end", &Ros1Events::end_callback},
  };
  const auto* const it = std::ranges::find(kRows, name, &Row::name);
  return it == std::end(kRows) ? nullptr : it->handler;
}

// ---- Who is who

bool Ros1Events::add_node(const RosEvent& e) {
  keep(nodes_, e.process, std::string(e.text("node_name")));
  return false;
}

bool Ros1Events::add_connection(const RosEvent& e) {
  const auto channel = e.address("channel_ref");
  const std::string here(e.text("local_hostport")), there(e.text("remote_hostport"));
  if (channel && !here.empty()) keep(ports_, *channel, std::pair(here, there));
  return false;
}

bool Ros1Events::add_callback(const RosEvent& e) {
  if (topics_.size() < kMostRosObjects) topics_.insert(std::string(e.text("source_name")));
  return false;
}

bool Ros1Events::add_symbol(const RosEvent& e) {
  if (const auto callback = e.address("callback_ref"))
    keep(symbols_, *callback, std::string(e.text("function_name")));
  return false;
}

std::string Ros1Events::node_of(uint64_t process) const {
  const auto it = nodes_.find(process);
  return it == nodes_.end() ? std::string() : it->second;
}

RosEnd Ros1Events::end_of(const RosEvent& e) const {
  return {.lane = e.thread, .time = e.event.time, .node = node_of(e.process)};
}

// ---- Where it is published

bool Ros1Events::publish(const RosEvent& e) {
  const auto buffer = e.address("buffer_ref");
  if (!buffer) return false;
  if (publications_.size() >= kMostUnderWay) forget_oldest_publication();
  const uint64_t id = ++count_;
  Publication& publication = publications_[id];
  publication.message.topic = e.text("topic");
  publication.from = end_of(e);
  publication.from.steps.push_back(links_.step_of(e));
  publication.buffer = *buffer;
  publication.is_expected = topics_.contains(publication.message.topic);
  buffers_[*buffer] = id;
  return publication.is_expected;
}

// One of several channels. What was published before the trace began is sent by who writes it.
bool Ros1Events::write(const RosEvent& e) {
  const auto buffer = e.address("message_ref"), channel = e.address("channel_ref");
  if (!channel) return false;
  Delivery sent;
  sent.from = end_of(e);
  const auto published = buffer ? buffers_.find(*buffer) : buffers_.end();
  if (published != buffers_.end()) {
    Publication& publication = publications_.at(published->second);
    sent.message = publication.message;
    sent.from = publication.from;
    publication.is_delivered = true;
  }
  sent.from.steps.push_back(links_.step_of(e));
  sent.channel = channel_of(*channel, true);
  const uint64_t id = take_first(waiting_, sent.channel);
  if (Delivery* const received = delivery_of(id)) {
    received->from = std::move(sent.from);
    received->message.topic = sent.message.topic;
    settle(id);
  } else {
    const uint64_t channel_number = sent.channel;
    written_.emplace(channel_number, add_delivery(std::move(sent)));
  }
  return true;
}

// The queue of a subscriber is full: its oldest message makes room.
bool Ros1Events::drop_before(const RosEvent& e) {
  const auto buffer = e.address("message_ref");
  const auto published = buffer ? buffers_.find(*buffer) : buffers_.end();
  if (published == buffers_.end()) return false;
  Publication& publication = publications_.at(published->second);
  RosMessage message = publication.message;
  message.is_dropped = true;
  links_.give(message, publication.from, {.steps = {links_.step_of(e)}});
  publication.is_delivered = true;
  return true;
}

// ---- Where it is handled

// Messages keep their order within a channel.
bool Ros1Events::receive(const RosEvent& e) {
  const auto channel = e.address("channel_ref"), buffer = e.address("buffer_ref");
  if (!channel || !buffer) return false;
  const uint64_t number = channel_of(*channel, false);
  uint64_t id = take_first(written_, number);
  if (id == 0) {
    Delivery unsent;
    unsent.channel = number;
    id = add_delivery(std::move(unsent));
    waiting_.emplace(number, id);
  }
  Delivery* const delivery = delivery_of(id);
  delivery->to = end_of(e);
  delivery->to.steps.push_back(links_.step_of(e));
  received_[e.thread.value()] = {buffer->second, id, delivery->message, delivery->from};
  return true;
}

// Once for each queue of callbacks that wants it.
bool Ros1Events::queue(const RosEvent& e) {
  const auto key = queue_key_of(e);
  const auto buffer = e.address("buffer_ref");
  if (!key) return false;
  const auto received = received_.find(e.thread.value());
  const bool is_received =
      received != received_.end() && buffer && received->second.buffer == buffer->second;
  uint64_t id = is_received ? received->second.delivery : 0;
  Delivery* delivery = delivery_of(id);
  if (delivery == nullptr || delivery->queued) {
    Delivery another;
    if (is_received) {
      another.message = received->second.message;
      another.from = received->second.from;
    }
    another.to = end_of(e);
    id = add_delivery(std::move(another));
    delivery = delivery_of(id);
  }
  if (delivery->message.topic.empty()) delivery->message.topic = e.text("topic");
  delivery->queued = key;
  delivery->to.steps.push_back(links_.step_of(e));
  queued_[*key] = id;
  return true;
}

bool Ros1Events::drop_behind(const RosEvent& e) {
  const uint64_t id = queued_as(e);
  Delivery* const delivery = delivery_of(id);
  if (delivery == nullptr) return false;
  delivery->to.steps.push_back(links_.step_of(e));
  delivery->message.is_dropped = true;
  settle(id);
  return true;
}

bool Ros1Events::begin_callback(const RosEvent& e) {
  const uint64_t id = queued_as(e);
  if (Delivery* const delivery = delivery_of(id)) {
    delivery->to.lane = e.thread;
    delivery->to.time = e.event.time;
    delivery->is_handled = true;
    settle(id);
  }
  std::string more;
  append_text_member(more, "node", node_of(e.process));
  const auto callback = e.address("callback_ref");
  const auto symbol = callback ? symbols_.find(*callback) : symbols_.end();
  if (symbol != symbols_.end()) append_text_member(more, "symbol", symbol->second);
  if (!more.empty()) e.event.more = std::string_view(more).substr(1);
  e.kernel.begin_pair(e.thread, e.kernel.type_of_pair(e.text("topic"), kRosCallbacks),
                      params_(e.event), e.at());
  e.event.more = {};
  return true;
}

bool Ros1Events::end_callback(const RosEvent& e) {
  e.kernel.end_pair(e.thread, e.kernel.type_of_pair(e.text("topic"), kRosCallbacks), e.at());
  return true;
}

// ---- Pairing

// A writer's channel leads from here to there, a reader's from there to here. Addresses that each
// machine has of its own are its own.
uint64_t Ros1Events::channel_of(const Address& address, bool is_writer) {
  ChannelKey key{"", "", address};
  if (const auto it = ports_.find(address); it != ports_.end()) {
    const auto& [here, there] = it->second;
    const uint64_t machine = here.starts_with("127.") ? address.first >> 32 : 0;
    key = {is_writer ? here : there, is_writer ? there : here, {machine, 0}};
  }
  return channels_.try_emplace(std::move(key), channels_.size()).first->second;
}

std::optional<Ros1Events::QueueKey> Ros1Events::queue_key_of(const RosEvent& e) {
  const auto queue = e.address("queue_ref"), message = e.address("message_ref");
  if (!queue || !message) return std::nullopt;
  return QueueKey{.queue = *queue,
                  .message = message->second,
                  .seconds = integer_of(e.event.payload("receipt_time_sec")).value_or(0),
                  .nanoseconds = integer_of(e.event.payload("receipt_time_nsec")).value_or(0)};
}

Ros1Events::Delivery* Ros1Events::delivery_of(uint64_t id) {
  const auto it = deliveries_.find(id);
  return it == deliveries_.end() ? nullptr : &it->second;
}

uint64_t Ros1Events::add_delivery(Delivery delivery) {
  if (deliveries_.size() >= kMostUnderWay) give(deliveries_.begin()->first);
  deliveries_.emplace(++count_, std::move(delivery));
  return count_;
}

// 0 where nothing waits.
uint64_t Ros1Events::take_first(Waiting& waiting, uint64_t channel) {
  const auto it = waiting.lower_bound({channel, 0});
  if (it == waiting.end() || it->first != channel) return 0;
  const uint64_t id = it->second;
  waiting.erase(it);
  return id;
}

// The delivery that waits in a subscriber's queue; 0 where it is not known.
uint64_t Ros1Events::queued_as(const RosEvent& e) const {
  const auto key = queue_key_of(e);
  const auto it = key ? queued_.find(*key) : queued_.end();
  return it == queued_.end() ? 0 : it->second;
}

// Nothing more is expected of it, unless its writer's clock lags.
void Ros1Events::settle(uint64_t id) {
  const Delivery& delivery = *delivery_of(id);
  const bool is_over = delivery.is_handled || delivery.message.is_dropped;
  if (is_over && !delivery.from.lane.is_none()) give(id);
}

// With the ends that it has: what was sent and not handled has no receive.
void Ros1Events::give(uint64_t id) {
  const auto it = deliveries_.find(id);
  Delivery& delivery = it->second;
  if (!delivery.is_handled && !delivery.from.lane.is_none()) delivery.to.lane = LaneId::none();
  links_.give(delivery.message, delivery.from, delivery.to);
  written_.erase({delivery.channel, id});
  waiting_.erase({delivery.channel, id});
  const auto queued = delivery.queued ? queued_.find(*delivery.queued) : queued_.end();
  if (queued != queued_.end() && queued->second == id) queued_.erase(queued);
  deliveries_.erase(it);
}

void Ros1Events::forget_oldest_publication() {
  const auto oldest = publications_.begin();
  const auto& [id, publication] = *oldest;
  if (publication.is_expected && !publication.is_delivered)
    links_.give(publication.message, publication.from, {});
  const auto it = buffers_.find(publication.buffer);
  if (it != buffers_.end() && it->second == id) buffers_.erase(it);
  publications_.erase(oldest);
}

void Ros1Events::finish() {
  while (!deliveries_.empty()) give(deliveries_.begin()->first);
  while (!publications_.empty()) forget_oldest_publication();
}

}  // namespace weft::formats::ctf
