// Locks of a Tracy trace: who waits for one and who holds it, a lane a thread, and links from whom
// it is handed to whom.
#include <fmt/format.h>

#include <algorithm>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

enum LockEvent : uint8_t { kWait, kObtain, kRelease, kWaitShared, kObtainShared, kReleaseShared };
constexpr size_t kMostLocks = 4096;       // that a thread waits for or holds: the same one
constexpr uint8_t kShared = kWaitShared;  // what those of shared locks have more

}  // namespace

// A thread of a lock.
struct Player::LockUse {
  struct Begun {
    int64_t time = 0;
    int16_t place = 0;
    bool is_shared = false;
  };
  LaneId lane;
  std::vector<Begun> waits, holds;
  int64_t released = -1;  // when it let go of the lock last
};

struct Player::Lock {
  std::vector<LockUse> users;
  // Releases still to come that were reported late: others may have the lock by then, and Tracy
  // assigns the release to them.
  uint64_t late_releases = 0;
};

void Player::read_locks() {
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) read_lock();
}

void Player::read_lock() {
  const auto id = in_.take<uint32_t>();
  const uint32_t custom_name = in_.take_24();
  const auto number = in_.take<int16_t>();
  const bool is_shared = in_.take<uint8_t>() != 0;
  const bool is_valid = in_.take<uint8_t>() != 0;
  const auto announced = in_.take<int64_t>(), ended = in_.take<int64_t>();
  constexpr size_t kMostThreads = 256;  // events know them by 8 bits
  std::vector<uint64_t> threads;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto thread = in_.take<uint64_t>();
    if (threads.size() < kMostThreads) threads.push_back(thread);
  }
  uint64_t left = count();
  if (!in_.is_ok() || (!is_valid && left == 0)) return;

  const Place* const place = places_.at(number);
  std::string_view name = texts_.of(custom_name);
  if (name.empty() && place != nullptr) name = texts_.of(place->name);
  if (name.empty() && place != nullptr) name = texts_.of(place->function);
  const LaneId lock = lanes_.in_group(
      "Locks", name.empty() ? fmt::format("lock {}", id) : fmt::format("{} #{}", name, id),
      trace::LaneKind::kQueue);
  ArgsText params;
  if (is_shared) params.add("kind", "shared");
  if (place != nullptr) {
    params.add("file", texts_.of(place->file));
    params.add("line", place->line);
  }
  if (is_valid && announced != 0)
    punctual(lock, announced, sink_.type(Category::kPunctual, "made", "locks"), params.take(), 0);
  if (is_valid && ended != 0)
    punctual(lock, ended, sink_.type(Category::kPunctual, "destroyed", "locks"), {}, 0);

  Lock state{.users = std::vector<LockUse>(threads.size())};
  for (size_t i = 0; i < threads.size(); ++i)
    state.users[i].lane = lanes_.part_of(lock, threads[i]);
  int64_t time = announced;
  for (; left > 0 && in_.go_on(); --left) {
    const int64_t at = next(time);
    const auto of = in_.take<int16_t>();
    const auto thread = in_.take<uint8_t>(), type = in_.take<uint8_t>();
    if (in_.is_ok()) add_lock_event(state, at, of, thread, type);
  }
  for (LockUse& user : state.users) {
    for (const LockUse::Begun& wait : user.waits)
      give_lock_state(user, true, wait.is_shared, wait.time,
                      end_of(wait.time, -1, user.lane, "wait for a lock"), wait.place);
    for (const LockUse::Begun& hold : user.holds)
      give_lock_state(user, false, hold.is_shared, hold.time,
                      end_of(hold.time, -1, user.lane, "hold of a lock"), hold.place);
  }
}

void Player::add_lock_event(Lock& lock, int64_t time, int16_t place, uint8_t thread, uint8_t type) {
  if (thread >= lock.users.size() || type > kReleaseShared)
    return sink_.loss("event of a lock that is not an event", in_.offset());
  LockUse& user = lock.users[thread];
  if (!is_time(time, user.lane)) return;
  const bool is_shared = type >= kShared;
  const int what = is_shared ? type - kShared : type;
  if (what == kWait) {
    if (user.waits.size() == kMostLocks) return sink_.loss("waits nested too deep", in_.offset());
    user.waits.push_back({time, place, is_shared});
  } else if (what == kObtain) {
    obtain(lock, user, time, place, is_shared);
  } else if (!is_shared && lock.late_releases > 0) {
    --lock.late_releases;
  } else if (user.holds.empty()) {
    sink_.loss("release of a lock that was not held", {in_.offset(), user.lane, Time{time}});
  } else {
    const LockUse::Begun hold = user.holds.back();
    user.holds.pop_back();
    user.released = time;
    give_lock_state(user, false, hold.is_shared, hold.time, time, hold.place);
  }
}

void Player::obtain(Lock& lock, LockUse& user, int64_t time, int16_t place, bool is_shared) {
  for (LockUse& other : lock.users) {
    if (is_shared || &other == &user) continue;
    for (; !other.holds.empty() && !other.holds.back().is_shared; other.holds.pop_back()) {
      const LockUse::Begun hold = other.holds.back();
      other.released = time;
      ++lock.late_releases;
      give_lock_state(other, false, false, hold.time, time, hold.place);
    }
  }
  int64_t waited_since = time;
  if (!user.waits.empty()) {
    const LockUse::Begun wait = user.waits.back();
    user.waits.pop_back();
    waited_since = wait.time;
    if (wait.time < time)
      give_lock_state(user, true, wait.is_shared, wait.time, time,
                      wait.place != 0 ? wait.place : place);
  }
  // A waiting thread gets the lock from the last to release it.
  const auto from = waited_since < time
                        ? std::ranges::max_element(lock.users, {}, &LockUse::released)
                        : lock.users.end();
  if (from != lock.users.end() && from->released >= waited_since && &*from != &user) {
    sink_.give(trace::LinkEvent{.send = {from->released},
                                .receive = {time},
                                .source = from->lane,
                                .target = user.lane,
                                .type = sink_.type(Category::kLink, "handed over", "locks")});
  }
  if (user.holds.size() == kMostLocks) return sink_.loss("holds nested too deep", in_.offset());
  user.holds.push_back({time, place, is_shared});
}

void Player::give_lock_state(LockUse& user, bool is_wait, bool is_shared, int64_t begin,
                             int64_t end, int16_t number) {
  const std::string_view name =
      is_wait ? (is_shared ? "wait (shared)" : "wait") : (is_shared ? "hold (shared)" : "hold");
  // Marks of locks have a source location; 0: no mark.
  const Place* const place = number == 0 ? nullptr : places_.at(number);
  ArgsText params;
  if (place != nullptr) {
    if (const auto function = texts_.of(place->function); !function.empty())
      params.add("function", function);
    params.add("file", texts_.of(place->file));
    params.add("line", place->line);
  }
  state(user.lane, begin, end, sink_.type(Category::kState, name, "locks"), params.take(), 0);
}

}  // namespace weft::formats::tracy
