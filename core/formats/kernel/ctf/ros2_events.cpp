#include "core/formats/kernel/ctf/ros2_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace weft::formats::ctf {
namespace {

// Limits the messages with the same stamp, and the handlers of one, that are examined.
constexpr size_t kMostOfOneStamp = 64;
constexpr std::string_view kWithin = "rclcpp_intra_publish", kOuter = "rclcpp_publish";

// A publication's events come in this order, from the outer library to the inner one.
constexpr std::string_view kPublishes[] = {kWithin, kOuter, "rcl_publish", "rmw_publish"};

// Whether two ends may be of one message, by what they know of it.
bool agree(const RosMessage& a, const RosMessage& b) {
  return a.part == b.part && (a.topic.empty() || b.topic.empty() || a.topic == b.topic);
}

}  // namespace

Ros2Events::Meaning Ros2Events::meaning_of(std::string_view name, const bt_stream_class& stream) {
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"ros2:rclcpp_intra_publish", &Ros2Events::publish},
      {"ros2:rclcpp_publish", &Ros2Events::publish},
      {"ros2:rcl_publish", &Ros2Events::publish},
      {"ros2:rmw_publish", &Ros2Events::pass},
      {"ros2_caret:dds_write", &Ros2Events::pass},
      {"ros2_caret:dds_bind_addr_to_stamp", &Ros2Events::bind_stamp},
      {"ros2_caret:dds_bind_addr_to_addr", &Ros2Events::bind_address},
      {"ros2:message_construct", &Ros2Events::bind_address},
      {"ros2:rmw_take", &Ros2Events::take},
      {"ros2:rcl_take", &Ros2Events::go_on_taking},
      {"ros2:rclcpp_take", &Ros2Events::go_on_taking},
      {"ros2:dispatch_subscription_callback", &Ros2Events::dispatch},
      {"ros2:dispatch_intra_process_subscription_callback", &Ros2Events::dispatch_within},
      {"ros2:rmw_client_init", &Ros2Events::add_client},
      {"ros2:rmw_send_request", &Ros2Events::send_request},
      {"ros2:rmw_take_request", &Ros2Events::take_request},
      {"ros2:rmw_send_response", &Ros2Events::send_response},
      {"ros2:rmw_take_response", &Ros2Events::take_response},
      {"ros2:rclcpp_ring_buffer_enqueue", &Ros2Events::enqueue},
      {"ros2:rclcpp_ring_buffer_dequeue", &Ros2Events::dequeue},
      {"ros2:callback_start", &Ros2Events::begin_callback},
      {"ros2:callback_end", &Ros2Events::end_callback},
  };
  if (!name.starts_with("ros2")) return {};
  for (const std::string_view taking :
       {"ros2:rmw_take", "ros2:dispatch_subscription_callback", "ros2:rclcpp_ring_buffer_dequeue",
        "ros2:dispatch_intra_process_subscription_callback"})
    is_handling_traced_ = is_handling_traced_ || has_event(stream, taking);
  are_requests_taken_ = are_requests_taken_ || has_event(stream, "ros2:rmw_take_request");
  are_responses_taken_ = are_responses_taken_ || has_event(stream, "ros2:rmw_take_response");
  const auto* const row = std::ranges::find(kRows, name, &Row::name);
  return {Ros2Graph::definition_of(name), row == std::end(kRows) ? nullptr : row->handler};
}

bool Ros2Events::add(const Meaning& meaning, const RosEvent& e) {
  if (meaning.definition != nullptr) graph_.add(*meaning.definition, e);
  return meaning.handler != nullptr && (this->*meaning.handler)(e);
}

// ---- The thread that publishes

Ros2Events::Thread& Ros2Events::thread_of(const RosEvent& e) {
  Thread& thread = threads_[e.thread.value()];
  thread.lane = e.thread;
  return thread;
}

bool Ros2Events::publish(const RosEvent& e) {
  const auto publisher = e.address("publisher_handle"), message = e.address("message");
  if (!message) return false;
  if (publisher) return publish(e, *publisher, *message);
  if (e.name() != kOuter) return false;
  Thread& thread = thread_of(e);
  give_back_announced(thread);
  thread.announced = {message->second, links_.step_of(e)};
  return true;
}

bool Ros2Events::publish(const RosEvent& e, const Address& publisher, const Address& message) {
  Thread& thread = thread_of(e);
  if (thread.announced && thread.announced->message != message.second) give_back_announced(thread);
  Publication* publication = publication_of(thread.publication);
  const auto* const rank = std::ranges::find(kPublishes, e.name());
  const bool goes_on = publication != nullptr && publication->publisher == publisher &&
                       !publication->message.stamp &&
                       std::none_of(rank, std::end(kPublishes), [&](std::string_view later) {
                         return publication->from.has_step(later);
                       });
  if (!goes_on) {
    if (publications_.size() >= kMostUnderWay) forget_oldest_publication();
    const Ros2Graph::Entity* const entity = graph_.entity_of(publisher);
    const std::string topic = entity == nullptr ? std::string() : entity->name;
    thread.publication = ++count_;
    publication = &publications_[thread.publication];
    publication->message.topic = topic;
    publication->from = {.lane = e.thread,
                         .time = thread.announced ? thread.announced->step.time : e.event.time,
                         .node = graph_.node_of(entity)};
    publication->publisher = publisher;
    publication->topic = topics_.try_emplace(topic, topics_.size()).first->second;
    publication->is_expected = is_handling_traced_ && graph_.has_subscription(topic);
    unstamped_.emplace(publication->topic, publication->from.time, thread.publication);
  }
  if (thread.announced && publication->is_expected) {
    publication->from.steps.push_back(std::move(thread.announced->step));
    thread.announced.reset();
  }
  give_back_announced(thread);
  publication->from.steps.push_back(links_.step_of(e));
  publication->addresses.push_back(message.second);
  if (e.name() == kWithin) within_[message] = thread.publication;
  return publication->is_expected;
}

void Ros2Events::give_back_announced(Thread& thread) {
  if (thread.announced) links_.give_back(thread.announced->step, "ros2", thread.lane);
  thread.announced.reset();
}

// The publication of a thread that tells of the message in that field: what the middleware sends
// on its own account is none.
Ros2Events::Publication* Ros2Events::published_by(const RosEvent& e, const char* field) {
  const auto address = e.address(field);
  Publication* const publication = publication_of(thread_of(e).publication);
  if (!address || publication == nullptr) return nullptr;
  const bool is_its =
      std::ranges::find(publication->addresses, address->second) != publication->addresses.end();
  // An event that comes twice would be one member twice: the second one stays an event.
  return is_its && !publication->from.has_step(e.name()) ? publication : nullptr;
}

// Handles a message on its way down to the middleware, or starting there if only that is traced.
bool Ros2Events::pass(const RosEvent& e) {
  bool is_expected = false;
  if (Publication* const publication = published_by(e, "message")) {
    publication->from.steps.push_back(links_.step_of(e));
    is_expected = publication->is_expected;
  } else {
    const auto message = e.address("message");
    const Ros2Graph::Entity* const publisher = graph_.entity_of(e.address("rmw_publisher_handle"));
    if (!message || publisher == nullptr || e.name() != "rmw_publish") return false;
    is_expected = publish(e, publisher->handle, *message);
  }
  if (const auto stamp = integer_of(e.event.payload("timestamp")))
    set_stamp(thread_of(e).publication, *stamp);
  return is_expected;
}

bool Ros2Events::bind_stamp(const RosEvent& e) {
  Publication* const publication = published_by(e, "addr");
  const auto stamp = integer_of(e.event.payload("source_stamp"));
  if (publication == nullptr || !stamp) return false;
  publication->from.steps.push_back(links_.step_of(e));
  const bool is_expected = publication->is_expected;
  set_stamp(thread_of(e).publication, *stamp);
  return is_expected;
}

// A message was copied or converted: both are the message.
bool Ros2Events::bind_address(const RosEvent& e) {
  const bool is_copy = e.name() == "message_construct";
  const char* const from = is_copy ? "original_message" : "addr_from";
  const auto copy = e.address(is_copy ? "constructed_message" : "addr_to");
  if (is_copy) {
    const auto original = e.address(from);
    const auto it = original ? within_.find(*original) : within_.end();
    if (it == within_.end() || !copy) return false;
    Publication* const publication = publication_of(it->second);
    if (publication == nullptr || publication->from.has_step(e.name())) return false;
    publication->addresses.push_back(copy->second);
    publication->from.steps.push_back(links_.step_of(e));
    within_[*copy] = it->second;
    return publication->is_expected;
  }
  Publication* const publication = published_by(e, from);
  if (publication == nullptr || !copy) return false;
  publication->addresses.push_back(copy->second);
  publication->from.steps.push_back(links_.step_of(e));
  return publication->is_expected;
}

void Ros2Events::set_stamp(uint64_t id, int64_t stamp) {
  Publication& publication = publications_.at(id);
  if (publication.message.stamp) return;
  publication.message.stamp = stamp;
  unstamped_.erase({publication.topic, publication.from.time, id});
  set_key(id, stamp);
}

void Ros2Events::set_key(uint64_t id, int64_t key) {
  Publication& publication = publications_.at(id);
  publication.key = key;
  known_.emplace(key, id);
  // Handlers that took it before it was published.
  for (auto it = awaited_.lower_bound({key, 0}); it != awaited_.end() && it->first == key;) {
    const auto waiting = handlings_.find(it->second);
    if (!agree(waiting->second.message, publication.message)) {
      ++it;
      continue;
    }
    give(publication, waiting->second);
    handlings_.erase(waiting);
    it = awaited_.erase(it);
  }
}

bool Ros2Events::enqueue(const RosEvent& e) {
  const auto buffer = e.address("buffer");
  const auto index = integer_of(e.event.payload("index"));
  const uint64_t id = thread_of(e).publication;
  const Publication* const publication = publication_of(id);
  if (!buffer || !index || publication == nullptr || !publication->from.has_step(kWithin))
    return false;
  const Slot slot{*buffer, static_cast<uint64_t>(*index)};
  if (const auto old = buffers_.find(slot); old != buffers_.end()) {
    drop(old->second, graph_.entity_of(buffer));
    buffers_.erase(old);
  }
  if (buffers_.size() >= kMostUnderWay) return false;
  buffers_.emplace(slot, Queued{id, links_.step_of(e)});
  return publication->is_expected;
}

// The buffer was full: its oldest message made room.
void Ros2Events::drop(const Queued& queued, const Ros2Graph::Entity* subscription) {
  Publication* const publication = publication_of(queued.publication);
  if (publication == nullptr) return;
  RosMessage message = publication->message;
  message.is_dropped = true;
  links_.give(message, publication->from,
              {.node = graph_.node_of(subscription), .steps = {queued.step}});
  publication->is_handled = true;
}

// ---- The thread that handles

Ros2Events::Handling Ros2Events::handling_of(const RosEvent& e,
                                             const Ros2Graph::Entity* subscription) const {
  Handling handling;
  handling.to = {.lane = e.thread,
                 .time = e.event.time,
                 .node = graph_.node_of(subscription),
                 .steps = {links_.step_of(e)}};
  if (subscription != nullptr) {
    handling.message.topic = subscription->name;
    handling.subscription = subscription->handle;
  }
  if (const auto message = e.address("message")) handling.address = message->second;
  return handling;
}

bool Ros2Events::take(const RosEvent& e) {
  if (integer_of(e.event.payload("taken")) == 0) return false;
  Thread& thread = thread_of(e);
  settle(thread);
  thread.taken = handling_of(e, graph_.entity_of(e.address("rmw_subscription_handle")));
  thread.taken->key = integer_of(e.event.payload("source_timestamp"));
  thread.taken->message.stamp = thread.taken->key;
  return true;
}

bool Ros2Events::go_on_taking(const RosEvent& e) {
  std::optional<Handling>& taken = thread_of(e).taken;
  const auto message = e.address("message");
  if (!taken || !message || taken->address != message->second || taken->to.has_step(e.name()))
    return false;
  taken->to.steps.push_back(links_.step_of(e));
  return true;
}

bool Ros2Events::dispatch(const RosEvent& e) {
  Thread& thread = thread_of(e);
  const auto stamp = integer_of(e.event.payload("source_stamp"));
  if (!stamp) return false;
  if (thread.taken && thread.taken->key == stamp && !thread.taken->to.has_step(e.name())) {
    thread.taken->to.steps.push_back(links_.step_of(e));
    return true;
  }
  settle(thread);
  thread.taken = handling_of(e, graph_.entity_of(e.address("callback")));
  thread.taken->key = thread.taken->message.stamp = stamp;
  return true;
}

bool Ros2Events::dispatch_within(const RosEvent& e) {
  Thread& thread = thread_of(e);
  settle(thread);
  thread.taken = handling_of(e, graph_.entity_of(e.address("callback")));
  const auto message = e.address("message");
  const auto it = message ? within_.find(*message) : within_.end();
  if (it != within_.end()) thread.taken->publication = it->second;
  return true;
}

bool Ros2Events::dequeue(const RosEvent& e) {
  const auto buffer = e.address("buffer");
  const auto index = integer_of(e.event.payload("index"));
  if (!buffer || !index) return false;
  Thread& thread = thread_of(e);
  settle(thread);
  thread.taken = handling_of(e, graph_.entity_of(buffer));
  const auto it = buffers_.find({*buffer, static_cast<uint64_t>(*index)});
  if (it == buffers_.end()) return true;
  thread.taken->publication = it->second.publication;
  auto& steps = thread.taken->to.steps;
  steps.insert(steps.begin(), std::move(it->second.step));
  buffers_.erase(it);
  return true;
}

bool Ros2Events::begin_callback(const RosEvent& e) {
  const auto callback = e.address("callback");
  if (!callback) return false;
  Thread& thread = thread_of(e);
  const Ros2Graph::Entity* const entity = graph_.entity_of(callback);
  if (thread.taken) {
    const bool is_its = entity == nullptr || !thread.taken->subscription ||
                        *thread.taken->subscription == entity->handle;
    if (is_its) thread.taken->to.time = e.event.time;
    settle(thread);
  }
  std::string more;
  append_text_member(more, "node", graph_.node_of(entity));
  append_text_member(more, "symbol", graph_.symbol_of(*callback));
  if (!more.empty()) e.event.more = std::string_view(more).substr(1);
  e.kernel.begin_pair(e.thread, e.kernel.type_of_pair(name_of_callback(*callback), kRosCallbacks),
                      params_(e.event), e.at());
  e.event.more = {};
  return true;
}

bool Ros2Events::end_callback(const RosEvent& e) {
  const auto callback = e.address("callback");
  if (!callback) return false;
  // What the thread took directly was handled then.
  settle(thread_of(e));
  e.kernel.end_pair(e.thread, e.kernel.type_of_pair(name_of_callback(*callback), kRosCallbacks),
                    e.at());
  return true;
}

// Returns what it serves or, if unknown, its symbol.
std::string Ros2Events::name_of_callback(const Address& callback) const {
  const Ros2Graph::Entity* const entity = graph_.entity_of(callback);
  if (entity != nullptr && !entity->name.empty()) return entity->name;
  const std::string_view symbol = graph_.symbol_of(callback);
  return symbol.empty() ? fmt::format("callback {:#x}", callback.second) : std::string(symbol);
}

// ---- Pairing

Ros2Events::Publication* Ros2Events::publication_of(uint64_t id) {
  const auto it = publications_.find(id);
  return it == publications_.end() ? nullptr : &it->second;
}

// Settles what a thread took: it has been handled.
void Ros2Events::settle(Thread& thread) {
  if (!thread.taken) return;
  handle(std::move(*thread.taken));
  thread.taken.reset();
}

void Ros2Events::handle(Handling handling) {
  uint64_t id = handling.publication;
  if (id == 0 && handling.key) id = find(handling);
  if (Publication* const publication = publication_of(id)) return give(*publication, handling);
  if (handlings_.size() >= kMostUnderWay) forget_oldest_handling();
  const uint64_t number = ++count_;
  if (handling.key) awaited_.emplace(*handling.key, number);
  handlings_.emplace(number, std::move(handling));
}

// Finds a message by stamp or time of publishing; 0: unknown. Of several with the same stamp, the
// first that this subscription has not handled.
uint64_t Ros2Events::find(const Handling& handling) {
  uint64_t found = 0;
  size_t looked_at = 0;
  for (auto it = known_.lower_bound({*handling.key, 0});
       it != known_.end() && it->first == *handling.key && looked_at++ < kMostOfOneStamp; ++it) {
    const Publication& publication = publications_.at(it->second);
    if (!agree(publication.message, handling.message)) continue;
    const bool is_new = !handling.subscription ||
                        std::ranges::find(publication.handled_by, *handling.subscription) ==
                            publication.handled_by.end();
    if (found == 0 || is_new) found = it->second;
    if (is_new) break;
  }
  return found == 0 && handling.message.stamp ? find_by_time(handling) : found;
}

// The middleware stamps a message while it is published, by the clock of the day, as the tracer's
// times are: so it is the one published nearest to its stamp.
uint64_t Ros2Events::find_by_time(const Handling& handling) {
  constexpr int64_t kFarthestNs = 1'000'000;
  const auto topic = topics_.find(handling.message.topic);
  if (topic == topics_.end() || handling.message.topic.empty()) return 0;
  const auto distance = [&](const auto& place) {
    int64_t apart = 0;
    if (__builtin_sub_overflow(std::get<1>(place).ticks, *handling.message.stamp, &apart) ||
        std::get<0>(place) != topic->second || apart < -kFarthestNs)
      return kFarthestNs + 1;
    return std::abs(apart);
  };
  const auto next = unstamped_.lower_bound({topic->second, Time{*handling.message.stamp}, 0});
  auto best = next;
  if (next != unstamped_.begin()) {
    const auto before = std::prev(next);
    if (next == unstamped_.end() || distance(*before) < distance(*next)) best = before;
  }
  if (best == unstamped_.end() || distance(*best) > kFarthestNs) return 0;
  const uint64_t id = std::get<2>(*best);
  publications_.at(id).message.is_paired_by_time = true;
  set_stamp(id, *handling.message.stamp);
  return id;
}

void Ros2Events::give(Publication& publication, const Handling& handling) {
  RosMessage message = publication.message;
  if (message.topic.empty()) message.topic = handling.message.topic;
  links_.give(message, publication.from, handling.to);
  publication.is_handled = true;
  if (handling.subscription && publication.handled_by.size() < kMostOfOneStamp)
    publication.handled_by.push_back(*handling.subscription);
}

void Ros2Events::forget_oldest_publication() {
  const auto oldest = publications_.begin();
  const auto& [id, publication] = *oldest;
  if (publication.is_expected && !publication.is_handled)
    links_.give(publication.message, publication.from, {});
  unstamped_.erase({publication.topic, publication.from.time, id});
  if (publication.key) known_.erase({*publication.key, id});
  for (const uint64_t address : publication.addresses) {
    const auto it = within_.find({publication.publisher.first, address});
    if (it != within_.end() && it->second == id) within_.erase(it);
  }
  publications_.erase(oldest);
}

void Ros2Events::forget_oldest_handling() {
  const auto oldest = handlings_.begin();
  const auto& [number, handling] = *oldest;
  links_.give(handling.message, {}, handling.to);
  if (handling.key) awaited_.erase({*handling.key, number});
  handlings_.erase(oldest);
}

void Ros2Events::finish() {
  for (auto& [lane, thread] : threads_) {
    settle(thread);
    give_back_announced(thread);
  }
  // Messages in a buffer wait for its subscription.
  for (const auto& [slot, queued] : buffers_) {
    Publication* const publication = publication_of(queued.publication);
    if (publication == nullptr || !publication->is_expected) continue;
    const Ros2Graph::Entity* const subscription = graph_.entity_of(slot.first);
    links_.give(publication->message, publication->from,
                {.node = graph_.node_of(subscription), .steps = {queued.step}});
    publication->is_handled = true;
  }
  while (!publications_.empty()) forget_oldest_publication();
  while (!handlings_.empty()) forget_oldest_handling();
}

}  // namespace weft::formats::ctf
