// The parameters of a trace in several stores, one behind the other: what came first can be dropped
// while ids go on. A store holds what came while it was the last one.
//
//   growing:  each begins where an extent would
//   a file:   those that fit into one extent together lie together
//
// The first may be written where a finished file has it, in the file itself: it is not copied then.
//
// Stores are shared, a chain is a small value: snapshots keep theirs. The last store may still be
// written to (ParamsStore says how); all else is immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/store/params_store.h"

namespace weft::store {

class ParamsChain final : public ParamsSource {
 public:
  explicit ParamsChain(std::shared_ptr<ParamsStore> store) {
    links_.push_back({0, std::move(store)});
  }

  // Another store behind those there are, of which the last one stays as it is.
  void add(std::shared_ptr<ParamsStore> store);
  void drop_first() { links_.erase(links_.begin()); }  // never the only one

  ParamsStore& last() const { return *links_.back().store; }
  // What the last store calls 0 is this here.
  uint64_t last_begin() const { return links_.back().begin; }
  // In the space of ids; what lies before it was dropped.
  uint64_t begin() const override { return links_.front().begin; }
  Params get(ParamsId id) const override;
  uint64_t size_bytes() const;  // on the disk

  // What a file is to hold, in order, and where; flushed.
  struct Piece {
    uint64_t at = 0;
    std::span<const std::byte> bytes;
    const ParamsStore* store = nullptr;
  };
  std::vector<Piece> pieces() const;
  // Which ids a file has for these: those from `from` on, up to the next, begin at `to`. None: the
  // same.
  struct Move {
    uint64_t from = 0;
    uint64_t to = 0;
  };
  std::vector<Move> moves_in_file() const;

 private:
  struct Link {
    uint64_t begin;
    std::shared_ptr<ParamsStore> store;
  };
  std::vector<uint64_t> places_in_file() const;  // of each link

  std::vector<Link> links_;
};

// None stays none.
ParamsId moved(ParamsId id, std::span<const ParamsChain::Move> moves);

}  // namespace weft::store
