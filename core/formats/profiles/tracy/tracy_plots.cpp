// Plots and allocations of memory: the variables of a Tracy trace.
#include <fmt/format.h>

#include <cmath>
#include <queue>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

std::string_view unit_of(uint8_t format) {
  constexpr std::string_view kUnits[] = {"", "bytes", "%", "W"};
  return format < std::size(kUnits) ? kUnits[format] : "";
}

}  // namespace

void Player::read_plots() {
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) read_plot();
}

void Player::read_plot() {
  constexpr uint8_t kMemory = 1, kSystem = 2;
  const auto kind = in_.take<uint8_t>();
  const std::string_view unit = unit_of(in_.take<uint8_t>());
  uint32_t color = 0;
  if (is_at_least(8, 3)) {
    in_.take<uint8_t>();  // how it is drawn
    in_.take<uint8_t>();
    color = in_.take<uint32_t>();
  }
  const auto address = in_.take<uint64_t>();
  in_.take<double>();  // the least, the most
  in_.take<double>();
  if (is_at_least(7, 10)) in_.take<double>();  // the sum
  uint64_t left = count();
  if (!in_.is_ok()) return;
  std::string name(texts_.by_address(address));
  if (kind == kSystem && address == 0) name = "CPU usage";
  if (kind == kMemory && address == 0) name = "Memory usage";
  if (name.empty()) name = "plot without a name";
  const LaneId lane = lanes_.in_group("Plots", name, trace::LaneKind::kCounter);
  const EventTypeId type = sink_.type(Category::kVariable, name, unit);
  if (color != 0) sink_.set_type_color(type, rgb_of(color));
  int64_t time = 0;
  for (; left > 0 && in_.go_on(); --left) {
    const int64_t at = next(time);
    const auto value = in_.take<double>();
    if (!in_.is_ok() || !is_time(at, lane)) continue;
    if (!std::isfinite(value)) {
      sink_.loss("value that is not a number", {in_.offset(), lane, Time{at}});
      continue;
    }
    sink_.give(trace::VariableSample{.time = {at}, .value = value, .lane = lane, .type = type});
  }
}

// A memory pool; the one without a name is that of `malloc`.
struct Player::Pool {
  struct Free {
    int64_t time = 0;
    uint64_t address = 0, size = 0;
    uint32_t callstack = 0;
    uint16_t thread = 0;
    bool operator>(const Free& other) const { return time > other.time; }
  };
  LaneId lane;
  EventTypeId type;
  int64_t time = 0;
  uint64_t usage = 0;
  std::priority_queue<Free, LargeVector<Free>, std::greater<>> frees;  // still to come
};

void Player::read_pools() {
  uint64_t left = 1;
  const bool has_names = is_at_least(7, 3);
  if (has_names) {
    left = count();
    in_.take<uint64_t>();  // allocations of all
  }
  for (; left > 0 && in_.go_on(); --left) read_pool(has_names);
}

void Player::read_pool(bool has_name) {
  const uint64_t address = has_name ? in_.take<uint64_t>() : 0;
  uint64_t left = count();
  in_.take<uint64_t>();  // what is allocated still, and what was freed
  in_.take<uint64_t>();
  if (!in_.is_ok()) return;
  if (left > 0) {
    std::string name(texts_.by_address(address));
    if (name.empty()) name = address == 0 ? "Memory usage" : "pool without a name";
    Pool pool;
    pool.lane = lanes_.in_group("Memory", name, trace::LaneKind::kCounter);
    pool.type = sink_.type(Category::kVariable, name, "bytes");
    for (; left > 0 && in_.go_on(); --left) read_allocation(pool);
    give_frees(pool, INT64_MAX);
  }
  in_.take<uint64_t>();  // the highest address, the lowest
  in_.take<uint64_t>();
  in_.take<uint64_t>();  // what is in use
  if (has_name) in_.take<uint64_t>();
}

// Allocations are in order, each with when it was freed.
void Player::read_allocation(Pool& pool) {
  Pool::Free freed;
  freed.address = in_.take<uint64_t>();
  freed.size = in_.take<uint64_t>();
  const uint32_t callstack = in_.take_24();
  freed.callstack = in_.take_24();
  const int64_t time = next(pool.time);
  const auto until_free = in_.take<int64_t>();
  const auto thread = in_.take<uint16_t>();
  freed.thread = in_.take<uint16_t>();
  if (!in_.is_ok() || !is_time(time, pool.lane)) return;
  give_frees(pool, time);
  pool.usage += freed.size;
  give_usage(pool, time, freed.address, freed.size, thread, callstack, false);
  if (until_free < 0) return;
  freed.time =
      static_cast<int64_t>(static_cast<uint64_t>(time) + static_cast<uint64_t>(until_free));
  if (is_time(freed.time, pool.lane)) pool.frees.push(freed);
}

void Player::give_frees(Pool& pool, int64_t until) {
  while (!pool.frees.empty() && pool.frees.top().time <= until) {
    const Pool::Free freed = pool.frees.top();
    pool.frees.pop();
    pool.usage -= freed.size;
    give_usage(pool, freed.time, freed.address, freed.size, freed.thread, freed.callstack, true);
  }
}

void Player::give_usage(Pool& pool, int64_t time, uint64_t address, uint64_t size, uint16_t thread,
                        uint32_t callstack, bool is_free) {
  ArgsText params;
  params.add(is_free ? "freed" : "allocated", size);
  params.add_pointer("address", address);
  if (const uint64_t tid = local_threads_.at(thread); tid != 0)
    params.add("thread", lanes_.thread_name(tid));
  stacks_.give(trace::VariableSample{.time = {time},
                                     .value = static_cast<double>(pool.usage),
                                     .lane = pool.lane,
                                     .type = pool.type},
               params.take(), callstack);
}

}  // namespace weft::formats::tracy
