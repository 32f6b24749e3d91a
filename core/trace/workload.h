// A synthetic workload for demonstrations, tests and benchmarks: threads that walk up and down
// their call stacks, in bursts and pauses, and send each other messages.
//
// The same options always give the same states, in order of their ends, as a tracer writes complete
// events. Durations, in nanoseconds, span several orders of magnitude (half are below about 1 µs,
// one in a hundred above 100 µs); names follow a Zipf-like law; about one state in a hundred sends
// or receives a message. Each state costs O(log lanes).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::trace {

class Workload {
 public:
  static constexpr uint32_t kMostDepth = 8;

  struct Options {
    uint64_t states = 1'000'000;
    uint32_t lanes = 64;
    uint32_t names = 1000;
    uint64_t seed = 1;
  };

  struct State {
    uint32_t lane = 0;
    uint32_t name = 0;
    uint32_t depth = 0;  // 0 = outermost
    int64_t begin = 0;
    int64_t end = 0;
    uint64_t sends = 0;  // message id, from 1; 0: none. Sent and received at `begin`.
    uint64_t receives = 0;
  };

  explicit Workload(const Options& options);

  // Sets the next state; returns false at the end.
  bool next(State& state);

  // Returns a qualified name such as "render::Queue::flush_17".
  static std::string name_of(uint32_t name);
  // Returns the name's namespace, used as its type's group.
  static std::string group_of(uint32_t name);

 private:
  class Random {
   public:
    explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u) {}
    uint64_t next();
    uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

   private:
    uint64_t state_;
  };

  struct Open {
    int64_t begin;
    uint32_t name;
  };
  struct Thread {
    Random random{0};
    int64_t now = 0;  // time of its next step
    double pace = 1;  // of the current phase
    int64_t phase_end = 0;
    uint32_t depth = 0;
    std::array<Open, kMostDepth> stack{};
  };
  struct Turn {
    int64_t time;
    uint32_t lane;
    bool operator>(const Turn& other) const { return time > other.time; }
  };

  bool begins_next(Thread& thread);
  void schedule(uint32_t lane);
  void exchange_message(State& state);

  std::vector<Thread> threads_;
  std::vector<uint16_t> zipf_;  // maps a 16-bit draw to a name
  std::vector<Turn> turns_;     // a heap, the earliest first
  uint32_t names_;
  uint64_t states_left_;
  Random messages_;
  uint64_t last_message_ = 0;
  struct InFlight {
    uint64_t id = 0;  // 0: none
    uint32_t sender = 0;
    int64_t time = 0;
  } in_flight_;
};

}  // namespace weft::trace
