// Vectors whose size grows with the trace: names, intermediate and final results of analyses.
//
// One limit holds for all of them in the process. Arrays within it lie in memory; those beyond it
// lie in mapped, nameless temporary files, whose pages the kernel can write back under memory
// pressure. A result of any size is therefore computed in the end, only more slowly. If no file can
// be made, or the disk is full, the array lies in memory all the same.
//
// Arrays below kLeastLargeBytes are allocated as usual and do not count. Thread-safe. Each large
// array costs an mmap, and a file if it exceeds the limit; freed memory returns to the kernel at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <memory_resource>
#include <vector>

namespace weft {

inline constexpr size_t kLeastLargeBytes = size_t{256} << 10;
inline constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// Sets the limit for future allocations; existing arrays stay where they are. Files are made in
// `folder`, which is created if it does not exist.
void limit_large_arrays(uint64_t most_bytes, std::filesystem::path folder);

struct LargeArraysUse {
  uint64_t most_bytes = kNoLimit;  // the limit that was set
  uint64_t memory_bytes = 0;
  uint64_t file_bytes = 0;
};
LargeArraysUse large_arrays_use();

// Returns zeroed memory; pages that are never touched cost none. Throws std::bad_alloc.
void* allocate_large(size_t bytes);
void free_large(void* array) noexcept;

template <class T>
class LargeAllocator {
 public:
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(size_t count) {
    if (is_large(count)) return static_cast<T*>(allocate_large(count * sizeof(T)));
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* array, size_t count) noexcept {
    if (is_large(count)) return free_large(array);
    std::allocator<T>().deallocate(array, count);
  }
  bool operator==(const LargeAllocator&) const = default;

 private:
  static bool is_large(size_t count) { return count >= kLeastLargeBytes / sizeof(T); }
};

// Gives memory of this kind. It is for large pieces: see LargePool.
std::pmr::memory_resource* large_memory();

// Memory for the nodes of maps (std::pmr) that grow with the trace, in pieces that are large arrays
// where there are many. To be declared before the maps that use it. Not thread-safe.
class LargePool final : public std::pmr::unsynchronized_pool_resource {
 public:
  LargePool() : unsynchronized_pool_resource(large_memory()) {}
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace weft
