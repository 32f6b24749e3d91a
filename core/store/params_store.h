// A store of event parameters: each distinct value once, in a file that is mapped while it grows.
//
// Values lie in extents that never move, so views stay valid as long as the store. One thread
// writes; any thread may read ids it was given. The mapped extents are file-backed memory; the
// table that finds equal values is bounded and forgets the oldest when full. If hardly any values
// repeat, only a sample is looked up (base/reuse.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/reuse.h"
#include "core/io/output_file.h"
#include "core/store/trace.h"

namespace weft::store {

class ParamsSource {
 public:
  virtual ~ParamsSource() = default;
  virtual Params get(ParamsId id) const = 0;
  virtual uint64_t begin() const { return 0; }  // the first valid id
};

// Decodes a parameter record (file_format.h); empty if it exceeds `bytes`.
Params decode_params(std::span<const std::byte> bytes);

class ParamsStore final : public ParamsSource {
 public:
  // Stores values in `file` from `at` on, in whole extents; nobody else may write there meanwhile.
  // `memory_bytes` is the import's budget, of which the table takes an eighth, within 1 to 32 MiB.
  ParamsStore(std::shared_ptr<io::NewFile> file, uint64_t at, uint64_t memory_bytes);

  // Adds a value. Returns none() if it is empty or exceeds an extent, or if the disk is full
  // (status()).
  ParamsId add(std::string_view json, std::span<const std::byte> payload);
  // Makes what was added readable by get(). Call before the ids are published.
  void flush();
  Params get(ParamsId id) const override;
  Status status() const { return status_; }
  // Fails if what was written cannot be read back, too. A system call for each extent.
  Status health() const;

  uint64_t size_bytes() const { return end_; }
  bool lies_in(const io::NewFile& file) const { return file_.get() == &file; }
  // Everything written so far in order, flushed, one extent at a time.
  std::span<const std::byte> extent(size_t index) const;
  size_t extents() const { return extents_.size(); }

 private:
  struct Known {
    uint64_t hash = 0;
    uint64_t id = kFree;
    static constexpr uint64_t kFree = ~uint64_t{0};
  };
  bool start_extent();
  ParamsId append(std::string_view record);
  // The record at `id`, flushed or not; for the writing thread.
  std::span<const std::byte> bytes_at(uint64_t id, size_t size) const;
  void grow_table();

  std::shared_ptr<io::NewFile> file_;
  uint64_t at_;
  size_t most_table_;         // entries; beyond that older values are forgotten
  mutable std::mutex mutex_;  // of extents_, which readers look into
  std::deque<io::MappedFile> extents_;
  std::string waiting_;  // data not yet written
  uint64_t end_ = 0;     // of the data, waiting_ included
  std::string record_;
  std::vector<Known> table_;
  size_t known_ = 0;
  Reuse reuse_;
  Status status_;
};

}  // namespace weft::store
