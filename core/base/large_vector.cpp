#include "core/base/large_vector.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace weft {
namespace {

// Before each array.
struct alignas(64) Header {
  size_t mapped_bytes;
  bool is_in_file;
};

struct Arrays {
  std::mutex mutex;
  std::filesystem::path folder;
  LargeArraysUse use;
};
Arrays& arrays() {
  static Arrays* const all = new Arrays;  // outlives what is freed when the process ends
  return *all;
}

// The bytes that count are those that are mapped.
uint64_t& bytes_of(Arrays& all, bool is_in_file) {
  return is_in_file ? all.use.file_bytes : all.use.memory_bytes;
}

// Returns null if there is none. Its blocks are there: a full disk is found out now, not by a
// signal.
void* map_file(const std::filesystem::path& folder, size_t bytes) {
  if (folder.empty()) return nullptr;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::string name = folder / ".array-XXXXXX";
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return nullptr;
  ::unlink(name.c_str());
  void* map = MAP_FAILED;
  if (::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0)
    map = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return map == MAP_FAILED ? nullptr : map;
}

void* map_memory(size_t bytes) {
  void* const map =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return map == MAP_FAILED ? nullptr : map;
}

}  // namespace

void limit_large_arrays(uint64_t most_bytes, std::filesystem::path folder) {
  Arrays& all = arrays();
  const std::lock_guard lock(all.mutex);
  all.use.most_bytes = most_bytes;
  all.folder = std::move(folder);
}

LargeArraysUse large_arrays_use() {
  Arrays& all = arrays();
  const std::lock_guard lock(all.mutex);
  return all.use;
}

void* allocate_large(size_t bytes) {
  constexpr size_t kPage = 4096;
  const size_t mapped = (bytes + sizeof(Header) + kPage - 1) / kPage * kPage;
  if (mapped < bytes) throw std::bad_alloc();
  Arrays& all = arrays();
  std::unique_lock lock(all.mutex);
  bool is_in_file = all.use.memory_bytes + mapped > all.use.most_bytes;
  const std::filesystem::path folder = all.folder;
  bytes_of(all, is_in_file) += mapped;  // before others look whether they fit
  lock.unlock();
  void* map = is_in_file ? map_file(folder, mapped) : map_memory(mapped);
  if (map == nullptr && is_in_file) {
    map = map_memory(mapped);
    lock.lock();
    bytes_of(all, std::exchange(is_in_file, false)) -= mapped;
    bytes_of(all, is_in_file) += mapped;
    lock.unlock();
  }
  if (map == nullptr) {
    lock.lock();
    bytes_of(all, is_in_file) -= mapped;
    throw std::bad_alloc();
  }
  auto* const header = new (map) Header{mapped, is_in_file};
  return header + 1;
}

void free_large(void* array) noexcept {
  auto* const header = static_cast<Header*>(array) - 1;
  const auto [mapped, is_in_file] = *header;
  ::munmap(header, mapped);
  Arrays& all = arrays();
  const std::lock_guard lock(all.mutex);
  bytes_of(all, is_in_file) -= mapped;
}

namespace {

class LargeMemory final : public std::pmr::memory_resource {
  using Allocator = LargeAllocator<std::max_align_t>;
  static size_t count_of(size_t bytes) {
    return (bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
  }

  void* do_allocate(size_t bytes, size_t) override { return Allocator().allocate(count_of(bytes)); }
  void do_deallocate(void* memory, size_t bytes, size_t) override {
    Allocator().deallocate(static_cast<std::max_align_t*>(memory), count_of(bytes));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

std::pmr::memory_resource* large_memory() {
  static LargeMemory* const memory = new LargeMemory;
  return memory;
}

}  // namespace weft
