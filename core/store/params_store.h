// Parameters of events: each distinct value once, in a file that is mapped while it grows.
//
// Values lie in extents that never move, so views stay valid as long as the store. Writing: one
// thread. Reading: any, for ids it was given. Memory: the mapped extents belong to the file; the
// table that finds equal values is bounded, and forgets the oldest once it is full. Where
// hardly any are equal, only a sample of them is looked for.
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
  virtual uint64_t begin() const { return 0; }  // the first of all ids
};

// Decodes a parameter record (file_format.h); empty where it does not lie within `bytes`.
Params decode_params(std::span<const std::byte> bytes);

class ParamsStore final : public ParamsSource {
 public:
  // They lie in `file` from `at` on: nobody else writes there until all have been added. The file
  // becomes as long as whole extents. `memory_bytes`: the import's; the table takes an eighth of
  // it, between 1 and 32 MiB.
  ParamsStore(std::shared_ptr<io::NewFile> file, uint64_t at, uint64_t memory_bytes);

  // none() where the value is empty, or does not fit an extent, or the disk is full (status()).
  ParamsId add(std::string_view json, std::span<const std::byte> payload);
  // Makes what was added readable by get(). Call before the ids are published.
  void flush();
  Params get(ParamsId id) const override;
  Status status() const { return status_; }

  uint64_t size_bytes() const { return end_; }
  bool lies_in(const io::NewFile& file) const { return file_.get() == &file; }
  // All of it in order, flushed, in pieces of at most an extent.
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
  // The record at `id`, flushed or not; by the writing thread.
  std::span<const std::byte> bytes_at(uint64_t id, size_t size) const;
  void grow_table();

  std::shared_ptr<io::NewFile> file_;
  uint64_t at_;
  size_t most_table_;         // entries; then older values are forgotten
  mutable std::mutex mutex_;  // of extents_, which readers look into
  std::deque<io::MappedFile> extents_;
  std::string waiting_;  // the end of the data, not yet written
  uint64_t end_ = 0;     // of the data, with what waits
  std::string record_;
  std::vector<Known> table_;
  size_t known_ = 0;
  Reuse reuse_;
  Status status_;
};

}  // namespace weft::store
