// Whether it is worth to look for each value among those that are known: where nearly all differ, a
// look is a miss of the cache and finds nothing. Then only a few are looked for, chosen by their
// hashes, so that a value is always or never among them: they tell when it is worth it again.
#pragma once

#include <cstdint>

namespace weft {

class Reuse {
 public:
  // Whether to look for a value of this hash. If so, found() is to be told what came of it.
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
  // By the last that were looked for, some ten thousand.
  bool is_worth_it() const { return is_worth_it_; }

 private:
  static constexpr uint64_t kJudgedAfter = 1 << 15;
  static constexpr uint64_t kWorthOneIn = 16;
  static constexpr int kSampleBits = 3;  // one in eight

  uint64_t looked_ = 0, found_ = 0;  // since it was judged last
  bool is_worth_it_ = true;
};

}  // namespace weft
