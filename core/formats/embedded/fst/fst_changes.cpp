#include "core/formats/embedded/fst/fst_changes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/formats/embedded/fst/fst_bytes.h"
#include "core/formats/embedded/fst/fst_hierarchy.h"
#include "core/io/decompress.h"

namespace weft::formats::fst {
namespace {

// The last bytes of what is there, which get shorter.
std::optional<std::string_view> take_last(std::string_view& bytes, uint64_t n) {
  if (n > bytes.size()) return std::nullopt;
  const std::string_view taken = bytes.substr(bytes.size() - static_cast<size_t>(n));
  bytes.remove_suffix(taken.size());
  return taken;
}

}  // namespace

void Changes::add(std::string_view block, Aliases aliases, uint64_t offset) {
  offset_ = offset;
  const auto begin = take_big<uint64_t>(block);
  const auto end = take_big<uint64_t>(block);
  const bool has_head = begin && end && take_bytes(block, sizeof(uint64_t));  // its memory
  if (!has_head || !take_times(block)) return sink_.loss("block without its times", offset);
  const auto frame_size = take_varint(block), frame_packed = take_varint(block);
  const bool has_frame = frame_size && frame_packed && take_varint(block);
  const auto frame = has_frame ? take_bytes(block, *frame_packed) : std::nullopt;
  const auto index_size_bytes = frame ? take_last(block, sizeof(uint64_t)) : std::nullopt;
  if (!index_size_bytes) return sink_.loss("block that ends early", offset);
  std::string_view index_size = *index_size_bytes;
  const auto index = take_last(block, take_big<uint64_t>(index_size).value_or(0));
  const auto most = take_varint(block);
  if (!index || !most || block.empty()) return sink_.loss("block that ends early", offset);
  const Time begins = time_of(*begin);
  last_ = std::max(last_, time_of(*end));
  const char packed_by = block.front();
  std::vector<Chain> chains;
  if (!take_chains(*index, aliases, std::min<uint64_t>(*most, geometry_.size()), block.size(),
                   chains))
    sink_.loss("block whose index is damaged", offset);
  std::optional<std::string> before;  // the values at the begin of the trace
  if (std::exchange(is_first_, false)) before = unpacked_part(*frame, *frame_size, most_bytes_);
  std::string_view values = before ? std::string_view(*before) : std::string_view();
  const Packing packing = packed_by == '4'   ? Packing::kLz4
                          : packed_by == 'F' ? Packing::kFastLz
                                             : Packing::kZlib;
  chains.resize(geometry_.size());
  for (uint64_t i = 0; i < chains.size() && sink_.keep_going(); ++i) {
    const Chain& chain = chains[i];
    const std::string_view value = take_bytes(values, geometry_[i].length).value_or("");
    if (chain.begin == 0) {
      if (!value.empty()) give(i, value, begins);
      continue;
    }
    std::string_view changes = block.substr(chain.begin, chain.end - chain.begin);
    const auto size = take_varint(changes);
    std::optional<std::string> whole;
    if (size && *size > 0 && *size <= most_bytes_) whole = unpacked(packing, changes, *size);
    const bool is_there = size && (*size == 0 || whole);
    if (!is_there || !add_changes(i, whole ? std::string_view(*whole) : changes, value, begins))
      sink_.loss("changes that are damaged", offset);
  }
}

// They stand at the end of the block, each as the step from the one before. Unpacked piece by
// piece: of a dump that notes every tick they may be a thousand times what they are packed.
bool Changes::take_times(std::string_view& block) {
  auto sizes = take_last(block, 3 * sizeof(uint64_t));
  if (!sizes) return false;
  const auto size = take_big<uint64_t>(*sizes), packed = take_big<uint64_t>(*sizes),
             count = take_big<uint64_t>(*sizes);
  const auto bytes = take_last(block, *packed);
  if (!bytes) return false;
  runs_.clear();
  times_ = ticks_ = step_ = step_bits_ = 0;
  const auto add = [&](std::string_view piece) { return add_steps(piece, *count); };
  const bool is_unpacked =
      bytes->size() == *size ? add(*bytes) : io::inflate_pieces(*bytes, add).has_value();
  return is_unpacked && times_ == *count;
}

// Returns false if no more is wanted, or can be taken.
bool Changes::add_steps(std::string_view bytes, uint64_t most) {
  constexpr uint32_t kBits = 7, kWordBits = 64;
  constexpr uint8_t kMore = 0x80;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (times_ == most || step_bits_ >= kWordBits) return false;
    step_ |= static_cast<uint64_t>(byte & (kMore - 1)) << step_bits_;
    step_bits_ += kBits;
    if ((byte & kMore) != 0) continue;
    ticks_ += step_;
    const bool is_second = !runs_.empty() && runs_.back().index + 1 == times_;
    if (is_second) runs_.back().step = step_;
    if (runs_.empty() || runs_.back().step != step_) {
      if (runs_.size() * sizeof(Run) > most_bytes_) return false;
      runs_.push_back({times_, ticks_, 0});
    }
    ++times_;
    step_ = step_bits_ = 0;
  }
  return sink_.keep_going();
}

// `run`: where the last one was found, which was not behind it.
Time Changes::time_at(uint64_t index, size_t& run) {
  const auto is_in = [&](size_t i) { return i + 1 == runs_.size() || index < runs_[i + 1].index; };
  if (!is_in(run)) ++run;
  if (!is_in(run))
    run = static_cast<size_t>(std::ranges::upper_bound(runs_, index, {}, &Run::index) -
                              runs_.begin()) -
          1;
  return time_of(runs_[run].ticks + runs_[run].step * (index - runs_[run].index));
}

Time Changes::time_of(uint64_t ticks) {
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  const auto known =
      scale_.ticks_of(saturating_add(static_cast<int64_t>(std::min(ticks, kMost)), zero_));
  if (!known) return last_;
  if (known->is_rounded) sink_.note("time rounded down to the unit", offset_);
  return known->time;
}

// Steps to the begins of handles' changes, runs of handles without, and handles that share those of
// another one.
bool Changes::take_chains(std::string_view index, Aliases aliases, uint64_t most, uint64_t end,
                          std::vector<Chain>& chains) {
  std::vector<std::pair<size_t, uint64_t>> shared;  // a handle, and whose changes it has
  uint64_t begin = 0, alias = 0;
  size_t last = SIZE_MAX;
  const auto start = [&](uint64_t step) {
    if (step == 0 || step >= end - begin) return false;
    begin += step;
    if (last != SIZE_MAX) chains[last].end = begin;
    last = chains.size();
    chains.push_back({begin, end});
    return true;
  };
  const auto share = [&](uint64_t other) {
    const bool is_there = other > 0 && other <= chains.size();
    if (is_there) shared.emplace_back(chains.size(), other - 1);
    chains.emplace_back();
    return is_there;
  };
  bool is_right = true;
  while (is_right && !index.empty() && chains.size() < most) {
    const bool is_new = aliases == Aliases::kNew;
    const bool is_odd = (static_cast<uint8_t>(index.front()) & 1) != 0;
    const auto value = take_varint(index, is_new && is_odd);
    if (!value) return false;
    const int64_t step = static_cast<int64_t>(*value) >> 1;
    if (is_odd && is_new && step <= 0) {
      if (step < 0) alias = static_cast<uint64_t>(-step);
      is_right = share(alias);
    } else if (is_odd) {
      is_right = start(*value >> 1);
    } else if (*value == 0 && !is_new) {
      is_right = share(take_varint(index).value_or(0));
    } else {
      chains.resize(std::min(most, chains.size() + (*value >> 1)));
    }
  }
  for (const auto& [handle, other] : shared) chains[handle] = chains[other];
  return is_right;
}

// A variable that changes only later keeps its previous value.
bool Changes::add_changes(uint64_t handle, std::string_view changes, std::string_view before,
                          Time begin) {
  constexpr std::string_view kLevels = "xzhuwl-?";
  constexpr size_t kByteBits = 8;
  const Geometry& geometry = geometry_[handle];
  std::string bits;
  uint64_t at = 0;
  size_t run = 0;
  while (!changes.empty()) {
    const auto head = take_varint(changes);
    if (!head) return false;
    const bool is_odd = (*head & 1) != 0;
    std::string_view value;
    if (geometry.length == 1) {
      at += *head >> (is_odd ? 4 : 2);
      value = is_odd ? kLevels.substr(*head >> 1 & 7, 1) : (*head & 2) != 0 ? "1" : "0";
    } else {
      at += *head >> 1;
      const bool is_packed = geometry.length > 0 && !is_odd;
      const auto size = geometry.length == 0 ? take_varint(changes)
                        : is_packed          ? (geometry.length + kByteBits - 1) / kByteBits
                                             : geometry.length;
      const auto bytes = size ? take_bytes(changes, *size) : std::nullopt;
      if (!bytes) return false;
      value = *bytes;
      if (is_packed) {
        bits.clear();
        for (size_t i = 0; i < geometry.length; ++i) {
          const auto byte = static_cast<uint8_t>((*bytes)[i / kByteBits]);
          bits += (byte >> (kByteBits - 1 - i % kByteBits) & 1) != 0 ? '1' : '0';
        }
        value = bits;
      }
    }
    if (at >= times_) return false;
    const Time time = time_at(at, run);
    if (!before.empty() && time != begin) give(handle, before, begin);
    before = {};
    give(handle, value, time);
  }
  return true;
}

void Changes::give(uint64_t handle, std::string_view value, Time time) {
  const Geometry& geometry = geometry_[handle];
  const Handle of(handle + 1);
  if (geometry.is_real) {
    const auto real = take_little<double>(value);
    if (!real) return;
    const double number =
        is_swapped_ ? std::bit_cast<double>(std::byteswap(std::bit_cast<uint64_t>(*real))) : *real;
    std::isfinite(number) ? signals_.set_real(of.code(), number, time, offset_)
                          : signals_.set_bits(of.code(), "x", time, offset_);
  } else if (geometry.length == 0) {
    signals_.set_text(of.code(), value, time, offset_);
  } else if (geometry.port_bits > 0) {
    const std::string bits = vcd::bits_of_port(value.substr(0, geometry.port_bits));
    signals_.set_bits(of.code(), bits, time, offset_);
  } else {
    signals_.set_bits(of.code(), value, time, offset_);
  }
}

}  // namespace weft::formats::fst
