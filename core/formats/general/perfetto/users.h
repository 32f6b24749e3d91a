// The names of users, which Android gives to programs: packets tell of them by number.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <string>

namespace weft::formats::perfetto {

class Users {
 public:
  // The first of several programs that share one is the one that is named.
  void describe(uint64_t uid, const std::string& name) {
    constexpr size_t kMost = 1 << 16;
    if (names_.size() < kMost) names_.try_emplace(uid, name);
  }
  // "user 10123", or the program's name. Those of further persons count from 100 000 times theirs.
  std::string name_of(uint64_t uid) const {
    constexpr uint64_t kPerPerson = 100'000;
    const auto it = names_.find(uid % kPerPerson);
    if (it == names_.end()) return fmt::format("user {}", uid);
    const uint64_t person = uid / kPerPerson;
    return person == 0 ? it->second : fmt::format("{} (person {})", it->second, person);
  }

 private:
  std::map<uint64_t, std::string> names_;
};

}  // namespace weft::formats::perfetto
