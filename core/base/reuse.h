// Decides whether looking values up in a cache pays: if nearly all of them differ, each look-up is
// a cache miss that finds nothing. In that case only a sample, chosen by hash so that a value is
// either always or never in it, is still looked up; it shows when looking up pays again.
#pragma once

#include <cstdint>

namespace weft {

class Reuse {
 public:
  // Says whether to look up a value of this hash. If so, report the outcome to found().
  bool is_looked_for(uint64_t hash) const {
    return is_worth_it_ || hash >> (64 - kSampleBits) == 0;
  }
  void found(bool was_known) {
    ++looked_;
    found_ += was_known ? 1 : 0;
    if (looked_ < kJudgedAfter) return;
    is_worth_it_ = found_ * kWorthOneIn >= looked_;
    looked_ = found_ = 0;
  }
  // Judged by the latest look-ups, about 33,000 at a time.
  bool is_worth_it() const { return is_worth_it_; }

 private:
  static constexpr uint64_t kJudgedAfter = 1 << 15;
  static constexpr uint64_t kWorthOneIn = 16;
  static constexpr int kSampleBits = 3;  // one in eight

  uint64_t looked_ = 0, found_ = 0;  // since the last judgement
  bool is_worth_it_ = true;
};

}  // namespace weft
