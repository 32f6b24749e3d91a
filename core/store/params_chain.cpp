#include "core/store/params_chain.h"

#include <algorithm>
#include <utility>

#include "core/store/file_format.h"

namespace weft::store {
namespace {

uint64_t in_whole_extents(uint64_t bytes) {
  return (bytes + kParamsExtent - 1) / kParamsExtent * kParamsExtent;
}

}  // namespace

void ParamsChain::add(std::shared_ptr<ParamsStore> store) {
  const Link& before = links_.back();
  links_.push_back({before.begin + in_whole_extents(before.store->size_bytes()), std::move(store)});
}

Params ParamsChain::get(ParamsId id) const {
  if (id.is_none() || id.value() < begin()) return {};
  const Link& link = *(std::ranges::upper_bound(links_, id.value(), {}, &Link::begin) - 1);
  return link.store->get(ParamsId(id.value() - link.begin));
}

uint64_t ParamsChain::size_bytes() const {
  uint64_t size = 0;
  for (const Link& link : links_) size += link.store->size_bytes();
  return size;
}

Status ParamsChain::health() const {
  for (const Link& link : links_) WEFT_TRY(link.store->health());
  return {};
}

std::vector<uint64_t> ParamsChain::places_in_file() const {
  std::vector<uint64_t> places;
  uint64_t end = 0;
  for (const Link& link : links_) {
    const uint64_t size = link.store->size_bytes();
    if (end % kParamsExtent + size > kParamsExtent) end = in_whole_extents(end);
    places.push_back(end);
    end += size;
  }
  return places;
}

std::vector<ParamsChain::Move> ParamsChain::moves_in_file() const {
  const std::vector<uint64_t> places = places_in_file();
  std::vector<Move> moves;
  moves.reserve(links_.size());
  for (size_t i = 0; i < links_.size(); ++i) moves.push_back({links_[i].begin, places[i]});
  const bool is_moved = std::ranges::any_of(moves, [](Move move) { return move.from != move.to; });
  return is_moved ? moves : std::vector<Move>();
}

std::vector<ParamsChain::Piece> ParamsChain::pieces() const {
  const std::vector<uint64_t> places = places_in_file();
  std::vector<Piece> pieces;
  for (size_t i = 0; i < links_.size(); ++i) {
    for (size_t n = 0; n < links_[i].store->extents(); ++n)
      pieces.push_back(
          {places[i] + n * kParamsExtent, links_[i].store->extent(n), links_[i].store.get()});
  }
  return pieces;
}

ParamsId moved(ParamsId id, std::span<const ParamsChain::Move> moves) {
  if (id.is_none() || moves.empty()) return id;
  const auto& move =
      *(std::ranges::upper_bound(moves, id.value(), {}, &ParamsChain::Move::from) - 1);
  return ParamsId(id.value() - move.from + move.to);
}

}  // namespace weft::store
