#include "core/io/mapped_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <vector>

#include "core/base/os_error.h"

namespace weft::io {

// Guards form a list that only grows, so that the signal handler walks it without a lock; the guard
// of a closed map is used again. A guard with begin == 0 is free.
struct MapGuard {
  std::atomic<uintptr_t> begin = 0;
  std::atomic<uintptr_t> end = 0;
  std::atomic<uint64_t> lost_offset = kNotLost;  // within the map's pages
  MapGuard* next = nullptr;

  static constexpr uint64_t kNotLost = std::numeric_limits<uint64_t>::max();
};

namespace {

static_assert(std::atomic<uintptr_t>::is_always_lock_free);

std::atomic<MapGuard*> g_guards = nullptr;
std::mutex g_mutex;  // for acquire and release
std::vector<MapGuard*> g_free_guards;
struct sigaction g_previous;
uintptr_t g_page_size = 4096;

void call_previous(int signal, siginfo_t* info, void* context) {
  if ((g_previous.sa_flags & SA_SIGINFO) != 0 && g_previous.sa_sigaction != nullptr) {
    g_previous.sa_sigaction(signal, info, context);
  } else if (g_previous.sa_handler == SIG_DFL || g_previous.sa_handler == SIG_IGN) {
    // The faulting instruction runs again, and the default action follows.
    ::signal(signal, SIG_DFL);
  } else {
    g_previous.sa_handler(signal);
  }
}

// Async-signal-safe: atomics and one system call.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (MapGuard* g = g_guards.load(std::memory_order_acquire); g != nullptr; g = g->next) {
    const uintptr_t begin = g->begin.load(std::memory_order_acquire);
    const uintptr_t end = g->end.load(std::memory_order_relaxed);
    if (begin == 0 || address < begin || address >= end) continue;
    const uintptr_t page = address / g_page_size * g_page_size;
    void* zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros == MAP_FAILED) break;
    const uint64_t offset = page - begin;
    uint64_t known = g->lost_offset.load(std::memory_order_relaxed);
    while (offset < known && !g->lost_offset.compare_exchange_weak(known, offset)) {
    }
    errno = saved_errno;
    return;
  }
  errno = saved_errno;
  call_previous(signal, info, context);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    g_page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &g_previous);
  });
}

MapGuard* acquire_guard(std::span<std::byte> pages) {
  std::lock_guard lock(g_mutex);
  MapGuard* guard = nullptr;
  if (g_free_guards.empty()) {
    guard = new MapGuard;  // never freed: the handler may be walking the list
    guard->next = g_guards.load();
    g_guards.store(guard, std::memory_order_release);
  } else {
    guard = g_free_guards.back();
    g_free_guards.pop_back();
  }
  const auto begin = reinterpret_cast<uintptr_t>(pages.data());
  guard->lost_offset = MapGuard::kNotLost;
  guard->end = begin + pages.size();
  guard->begin.store(begin, std::memory_order_release);
  return guard;
}

void release_guard(MapGuard* guard) {
  std::lock_guard lock(g_mutex);
  guard->begin = 0;
  g_free_guards.push_back(guard);
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return fail(os_error("cannot open"));
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return fail(os_error("cannot open"));
  if (S_ISDIR(info.st_mode)) return fail("is a folder, not a file");
  if (!S_ISREG(info.st_mode)) return fail("is not a file that can be mapped");
  return map(file.get(), 0, static_cast<uint64_t>(info.st_size));
}

Result<MappedFile> MappedFile::map(int fd, uint64_t offset, uint64_t size) {
  install_handler();
  MappedFile mapped;
  mapped.file_ = FileDescriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!mapped.file_.is_open()) return fail(os_error("cannot map"));
  mapped.offset_in_file_ = offset;
  if (size == 0) return mapped;
  const uint64_t before = offset % g_page_size;
  const uint64_t length = (before + size + g_page_size - 1) / g_page_size * g_page_size;
  // The page behind the file's stays as it is.
  void* pages =
      ::mmap(nullptr, length + g_page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return fail(os_error("cannot map"));
  if (::mmap(pages, before + size, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
             static_cast<off_t>(offset - before)) == MAP_FAILED) {
    auto error = os_error("cannot map");
    ::munmap(pages, length + g_page_size);
    return fail(std::move(error));
  }
  mapped.pages_ = {static_cast<std::byte*>(pages), length};
  mapped.bytes_ = mapped.pages_.subspan(before, size);
  mapped.guard_ = acquire_guard(mapped.pages_);
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(bytes_, other.bytes_);
  std::swap(pages_, other.pages_);
  std::swap(offset_in_file_, other.offset_in_file_);
  std::swap(guard_, other.guard_);
  return *this;
}

MappedFile::~MappedFile() {
  if (guard_ == nullptr) return;
  release_guard(guard_);
  ::munmap(pages_.data(), pages_.size() + g_page_size);
}

bool MappedFile::is_lost() const {
  return guard_ != nullptr &&
         guard_->lost_offset.load(std::memory_order_acquire) != MapGuard::kNotLost;
}

uint64_t MappedFile::lost_offset() const {
  if (!is_lost()) return size();
  const uint64_t in_pages = guard_->lost_offset;
  const auto before = static_cast<uint64_t>(bytes_.data() - pages_.data());
  return in_pages > before ? in_pages - before : 0;
}

Status MappedFile::health() const {
  if (is_lost()) {
    return fail(fmt::format("the file was cut while it was open (from byte {} on it is gone)",
                            offset_in_file_ + lost_offset()));
  }
  if (bytes_.empty()) return {};
  struct stat info = {};
  if (::fstat(file_.get(), &info) != 0) return fail(os_error("cannot look at the file"));
  if (static_cast<uint64_t>(info.st_size) < offset_in_file_ + size()) {
    return fail(fmt::format("the file was cut to {} bytes while it was open", info.st_size));
  }
  return {};
}

}  // namespace weft::io
