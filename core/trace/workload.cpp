#include "core/trace/workload.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace weft::trace {
namespace {

constexpr std::array kSpaces = {"render", "physics", "net", "audio",
                                "script", "assets",  "ui",  "storage"};
constexpr std::array kClasses = {"Queue",  "Scene",  "Socket",  "Mixer",     "Interpreter",
                                 "Loader", "Layout", "Journal", "Allocator", "Scheduler"};
constexpr std::array kVerbs = {"update", "flush", "decode",  "resolve", "visit",
                               "wait",   "copy",  "compile", "draw",    "submit"};

// A long tail: most steps are short, a few are very long.
int64_t step_of(double mean, double share, uint64_t luck) {
  double step = -mean * std::log(1 - share * 0.999999);
  if (luck % 64 == 0) step *= 20;
  return static_cast<int64_t>(step) + 1;
}

}  // namespace

uint64_t Workload::Random::next() {  // splitmix64 (S. Vigna)
  uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::string Workload::name_of(uint32_t name) {
  return group_of(name) + "::" + kClasses[name / kSpaces.size() % kClasses.size()] +
         "::" + kVerbs[size_t{name} * 7 % kVerbs.size()] + "_" + std::to_string(name);
}

std::string Workload::group_of(uint32_t name) { return kSpaces[name % kSpaces.size()]; }

Workload::Workload(const Options& options)
    : threads_(std::max(1u, options.lanes)),
      zipf_(1 << 16),
      names_(std::clamp(options.names, 1u, 1u << 16)),
      states_left_(options.states),
      messages_(options.seed) {
  std::vector<double> weight(names_);
  double sum = 0;
  for (uint32_t i = 0; i < names_; ++i) sum += weight[i] = 1.0 / (i + 5);
  double reached = 0;
  size_t at = 0;
  for (uint32_t i = 0; i < names_; ++i) {
    reached += weight[i] / sum * static_cast<double>(zipf_.size());
    for (; at < zipf_.size() && static_cast<double>(at) < reached; ++at)
      zipf_[at] = static_cast<uint16_t>(i);
  }
  for (uint32_t lane = 0; lane < threads_.size(); ++lane) {
    threads_[lane].random = Random(options.seed * 1000 + lane);
    threads_[lane].now = threads_[lane].random.below(1'000'000);
    schedule(lane);
  }
}

void Workload::schedule(uint32_t lane) {
  Thread& t = threads_[lane];
  if (t.now >= t.phase_end) {
    constexpr std::array kPaces = {0.3, 0.5, 1.0, 1.0, 1.0, 2.0, 5.0, 20.0};
    t.pace = kPaces[t.random.below(kPaces.size())];
    t.phase_end = t.now + 2'000'000 + t.random.below(40'000'000);
  }
  const double mean = t.depth == 0 ? 8000 : 900;
  t.now += step_of(mean * t.pace, t.random.share(), t.random.next());
  turns_.push_back({t.now, lane});
  std::push_heap(turns_.begin(), turns_.end(), std::greater<>());
}

bool Workload::begins_next(Thread& thread) {
  if (thread.depth == 0) return true;
  if (thread.depth == kMostDepth || states_left_ == 0) return false;
  return thread.random.next() >> 63 != 0;
}

bool Workload::next(State& state) {
  while (!turns_.empty()) {
    std::pop_heap(turns_.begin(), turns_.end(), std::greater<>());
    const uint32_t lane = turns_.back().lane;
    turns_.pop_back();
    Thread& t = threads_[lane];
    if (begins_next(t)) {
      if (states_left_ == 0) continue;  // the thread is done
      --states_left_;
      // Names differ by depth, so that call paths look alike from one to the next.
      const uint32_t name = (zipf_[t.random.next() >> 48] + t.depth * 37) % names_;
      t.stack[t.depth++] = {t.now, name};
      schedule(lane);
      continue;
    }
    const Open& open = t.stack[--t.depth];
    state = {lane, open.name, t.depth, open.begin, t.now, 0, 0};
    exchange_message(state);
    schedule(lane);
    return true;
  }
  return false;
}

void Workload::exchange_message(State& state) {
  if (in_flight_.id == 0) {
    if (messages_.below(100) != 0) return;
    in_flight_ = {++last_message_, state.lane, state.begin};
    state.sends = in_flight_.id;
  } else if (state.lane != in_flight_.sender && state.begin > in_flight_.time) {
    state.receives = in_flight_.id;
    in_flight_ = {};
  }
}

}  // namespace weft::trace
