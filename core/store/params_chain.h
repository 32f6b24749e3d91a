// A trace's parameters in a chain of stores with one space of ids, so that the oldest can be
// dropped. Each store holds what was added while it was the last.
//
//   growing:  each begins where an extent would
//   a file:   those that fit into one extent together lie together
//
// The first store may already lie at its place in the finished file; it is then not copied.
//
// Stores are shared and a chain is a small value, of which each snapshot keeps a copy. Only the
// last store may still be written to (see ParamsStore); the rest is immutable.
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

  // Appends a store; the one before it must not change any more.
  void add(std::shared_ptr<ParamsStore> store);
  void drop_first() { links_.erase(links_.begin()); }  // must not be the only one

  ParamsStore& last() const { return *links_.back().store; }
  // The chain's id for the last store's id 0.
  uint64_t last_begin() const { return links_.back().begin; }
  // The first valid id; earlier ones have been dropped.
  uint64_t begin() const override { return links_.front().begin; }
  Params get(ParamsId id) const override;
  uint64_t size_bytes() const;  // on disk
  Status health() const;        // of all stores

  // The content and location of each store in a finished file, in order; flushed.
  struct Piece {
    uint64_t at = 0;
    std::span<const std::byte> bytes;
    const ParamsStore* store = nullptr;
  };
  std::vector<Piece> pieces() const;
  // How ids change in a finished file: those from `from` up to the next move's `from` are shifted
  // to begin at `to`. Empty: they stay the same.
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
  std::vector<uint64_t> places_in_file() const;  // of each store

  std::vector<Link> links_;
};

// Applies the moves to an id; none() stays none().
ParamsId moved(ParamsId id, std::span<const ParamsChain::Move> moves);

}  // namespace weft::store
