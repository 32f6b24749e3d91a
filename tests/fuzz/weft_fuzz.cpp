// Fuzzes the opening and reading of .weft files. The mutator makes the checksums right again after
// most mutations: a bad checksum is soon found, hostile content behind a good one is the test.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/aggregate/columns.h"
#include "core/store/trace.h"
#include "tests/fuzz/weft_seal.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

// Enough of a row to reach each of its parts; a hostile count must not make one run last for ever.
constexpr uint64_t kRecordsPerRow = 5000;

void ask_tree(const weft::store::Trace& trace, const weft::store::Row& row) {
  const weft::Time begin = trace.range().begin;
  const int64_t width = trace.range().length().ticks / 16;
  if (width > 0) (void)weft::aggregate::columns(row, {begin, {begin.ticks + 16 * width}}, 16);
  (void)weft::aggregate::summarize(row, trace.range());
  (void)weft::aggregate::types_in(row, trace.range(), kRecordsPerRow);
  std::vector<uint64_t> bins(16);
  weft::aggregate::density(row, trace.range(), bins);
  std::vector<weft::aggregate::Cell> cells(32);
  std::vector<weft::aggregate::Wide> wides;
  for (int level = 0; level <= 62; level += 6) {
    const int64_t middle = row.first_begin.ticks / 2 + row.last_end.ticks / 2;
    weft::aggregate::cells(row, {level, (middle >> level) - 16, 32}, {int64_t{1} << level}, cells,
                           wides);
  }
}

void read_all(const weft::store::Trace& trace) {
  for (const weft::store::Row& row : trace.rows()) {
    uint64_t left = kRecordsPerRow;
    trace.for_each(row, {weft::Time::min(), weft::Time::max()},
                   [&](const weft::store::Record& record) {
                     if (!record.params.is_none()) (void)trace.params(record.params);
                     return --left > 0;
                   });
    const weft::Time middle{row.first_begin.ticks / 2 + row.last_end.ticks / 2};
    trace.for_each(row, {middle, trace.range().end},
                   [](const weft::store::Record&) { return false; });
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

  void fill(const uint8_t* data, size_t size) {
    if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, data, size, 0) != static_cast<ssize_t>(size))
      std::abort();
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  MemoryFile file;
  file.fill(data, size);
  if (const auto trace = weft::store::Trace::open(file.path())) read_all(**trace);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  const size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 8 != 0) weft::test::seal(std::as_writable_bytes(std::span(data, mutated)));
  return mutated;
}
