// Fuzzes the opening and reading of .weft files: as the bytes are, and with checksums made right,
// for a bad checksum is soon found, and hostile content behind a good one is the test.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/store/trace.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/small_trace.h"
#include "tests/fuzz/weft_seal.h"

namespace weft::fuzz {
namespace {

// Enough of a row to reach each of its parts; a hostile count must not make one run last for ever.
constexpr uint64_t kRecordsPerRow = 5000;

void ask_tree(const store::Trace& trace, const store::Row& row) {
  const Time begin = trace.range().begin;
  const int64_t width = trace.range().length().ticks / 16;
  if (width > 0) (void)aggregate::columns(row, {begin, {begin.ticks + 16 * width}}, 16);
  (void)aggregate::summarize(row, trace.range());
  (void)aggregate::types_in(row, trace.range(), kRecordsPerRow);
  std::vector<uint64_t> bins(16);
  aggregate::density(row, trace.range(), bins);
  std::vector<aggregate::Cell> cells(32);
  std::vector<aggregate::Wide> wides;
  for (int level = 0; level <= 62; level += 6) {
    const int64_t middle = row.first_begin.ticks / 2 + row.last_end.ticks / 2;
    aggregate::cells(row, {level, (middle >> level) - 16, 32}, {int64_t{1} << level}, cells, wides);
  }
}

void read_all(const store::Trace& trace) {
  for (const store::Row& row : trace.rows()) {
    uint64_t left = kRecordsPerRow;
    trace.for_each(row, {Time::min(), Time::max()}, [&](const store::Record& record) {
      if (!record.params.is_none()) (void)trace.params(record.params);
      return --left > 0;
    });
    const Time middle{row.first_begin.ticks / 2 + row.last_end.ticks / 2};
    trace.for_each(row, {middle, trace.range().end}, [](const store::Record&) { return false; });
    (void)trace.record(row, row.count - 1);
    ask_tree(trace, row);
  }
  (void)trace.health();
  (void)trace.verify();
}

// A file of this content that has no place on the disk.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("weft", 0)) {
    if (fd_ < 0) std::abort();
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void fill(std::span<const std::byte> bytes) {
    if (::ftruncate(fd_, 0) != 0 ||
        ::pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

void read_file(std::span<const std::byte> bytes) {
  MemoryFile file;
  file.fill(bytes);
  if (const auto trace = store::Trace::open(file.path())) read_all(**trace);
}

}  // namespace

void weft_file(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  std::vector<std::byte> sealed(bytes.begin(), bytes.end());
  test::seal(sealed);
  read_file(bytes);
  if (!std::ranges::equal(sealed, bytes)) read_file(sealed);
}

void write_weft_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const struct {
    const char* name;
    int lanes, states;
  } seeds[] = {
      {"empty.weft", 0, 0}, {"tiny.weft", 1, 2}, {"small.weft", 3, 40}, {"levels.weft", 1, 4000}};
  for (const auto& seed : seeds)
    if (!test::write_small_trace(folder / seed.name, seed.lanes, seed.states)) std::abort();
}

}  // namespace weft::fuzz
