// Waits for what other threads, processes and machines do.
#pragma once

#include <chrono>
#include <thread>

namespace weft::test {

// Longer than any wait that ends well takes, on shared and slow machines, too.
inline constexpr auto kPatience = std::chrono::seconds(120);

// Asks again and again; false: it did not become true within kPatience.
template <class Predicate>
[[nodiscard]] bool eventually(const Predicate& is_so) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > give_up) return is_so();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace weft::test
