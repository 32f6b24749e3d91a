// Arrays that grow with a trace: what an answer is worked out from, and kept as.
//
// One limit holds for all of them in the process. What fits it lies in memory; what does not lies
// in mapped temporary files without a name, whose pages the kernel takes back where it needs them:
// an answer of any size is there in the end, only later. Where no file can be made, or the disk is
// full, it lies in memory all the same.
//
// Arrays below kLeastLargeBytes are allocated as any others, and do not count. Thread-safe. Cost:
// an mmap for each array, a file for each of those that do not fit; what is freed goes back to the
// kernel at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

namespace weft {

inline constexpr size_t kLeastLargeBytes = size_t{256} << 10;
inline constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// From now on; what is there stays where it is. `folder`: where files are made, and it is, too,
// where it is not there.
void limit_large_arrays(uint64_t most_bytes, std::filesystem::path folder);

struct LargeArraysUse {
  uint64_t most_bytes = kNoLimit;  // as it was said
  uint64_t memory_bytes = 0;
  uint64_t file_bytes = 0;
};
LargeArraysUse large_arrays_use();

// All zeros; pages that are never touched cost no memory. Throws std::bad_alloc.
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

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace weft
