#include "core/formats/profiles/tracy/tracy_tables.h"

#include <algorithm>
#include <limits>

#include "core/base/text.h"

namespace weft::formats::tracy {
namespace {

// Overhead of a hash table's entry.
constexpr uint64_t kEntryBytes = 32;
constexpr uint64_t kMostTextBytes = 64 << 10;  // programs can give no longer ones
constexpr uint32_t kNoText = std::numeric_limits<uint32_t>::max();

}  // namespace

TextRef TextRef::take(Blocks& in) {
  TextRef ref;
  ref.value = in.take<uint64_t>();
  const auto flags = in.take<uint8_t>();
  ref.is_index = (flags & 1) != 0;
  ref.is_there = (flags & 2) != 0;
  return ref;
}

std::string_view Texts::at(uint64_t index) const {
  if (index >= ends_.size()) return {};
  const uint64_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(all_).substr(begin, ends_[index] - begin);
}

std::string_view Texts::of(const TextRef& ref) const {
  if (!ref.is_there) return {};
  return ref.is_index ? at(ref.value) : by_address(ref.value);
}

std::pair<std::string_view, std::string_view> Texts::outside(uint64_t tid) const {
  const auto it = outside_.find(tid);
  if (it == outside_.end()) return {};
  return {at(it->second.first), at(it->second.second)};
}

void Texts::read_index(Blocks& in, Budget& budget, trace::EventSink& sink, const Index& saved,
                       Index& into) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto id = in.take<uint64_t>(), address = in.take<uint64_t>();
    const auto it = saved.find(address);
    if (it == saved.end() || !in.is_ok()) continue;
    if (budget.take(kEntryBytes + sizeof(uint64_t))) {
      into.emplace(id, it->second);
    } else {
      sink.loss("name beyond the memory (--memory)", in.offset());
    }
  }
}

void Texts::read(Blocks& in, Budget& budget, trace::EventSink& sink) {
  // Texts are told apart by the addresses that they had when the trace was saved.
  Index saved;
  bool is_full = false;
  const uint64_t all = in.take<uint64_t>();
  for (uint64_t i = 0; i < all && in.go_on(); ++i) {
    const auto address = in.take<uint64_t>(), size = in.take<uint64_t>();
    const uint64_t most = is_full ? 0 : std::min({budget.left(), size, kMostTextBytes});
    const std::string text = in.take_text(size, most);
    if (!in.is_ok()) break;
    if (size > kMostTextBytes) sink.loss("text longer than 64 KiB: cut", in.offset());
    if (is_full || most < std::min(size, kMostTextBytes) ||
        !budget.take(text.size() + 2 * kEntryBytes)) {
      sink.loss("text beyond the memory (--memory)", in.offset());
      is_full = is_full || !budget.take(sizeof(uint64_t));
      if (!is_full) ends_.push_back(all_.size());  // its number is taken
      continue;
    }
    all_ += valid_utf8(text);
    ends_.push_back(all_.size());
    saved.emplace(address, static_cast<uint32_t>(i));
  }
  read_index(in, budget, sink, saved, by_address_);
  read_index(in, budget, sink, saved, thread_names_);
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto id = in.take<uint64_t>();
    uint32_t texts[2];
    for (uint32_t& text : texts) {
      const auto it = saved.find(in.take<uint64_t>());
      text = it == saved.end() ? kNoText : it->second;
    }
    if (!in.is_ok()) break;
    if (budget.take(kEntryBytes + sizeof(uint64_t))) {
      outside_.emplace(id, std::pair(texts[0], texts[1]));
    } else {
      sink.loss("name beyond the memory (--memory)", in.offset());
    }
  }
}

Place Place::take(Blocks& in) {
  Place place;
  place.name = TextRef::take(in);
  place.function = TextRef::take(in);
  place.file = TextRef::take(in);
  place.line = in.take<uint32_t>();
  place.color = in.take<uint32_t>();
  return place;
}

void Places::read(Blocks& in, Budget& budget, trace::EventSink& sink) {
  const auto can_keep = [&](uint64_t bytes) {
    if (budget.take(bytes)) return true;
    sink.loss("place in the source beyond the memory (--memory)", in.offset());
    return false;
  };
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto address = in.take<uint64_t>();
    const Place place = Place::take(in);
    if (in.is_ok() && can_keep(sizeof place + kEntryBytes)) fixed_.emplace(address, place);
  }
  // Zones know their places by 16 bits.
  constexpr size_t kMost = size_t{1} << 15;
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto address = in.take<uint64_t>();
    if (in.is_ok() && numbered_.size() < kMost) numbered_.push_back(address);
  }
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const Place place = Place::take(in);
    if (in.is_ok() && made_.size() < kMost) made_.push_back(place);
  }
}

const Place* Places::at(int16_t number) const {
  if (number < 0) {
    const auto index = static_cast<size_t>(-(int32_t{number} + 1));
    return index < made_.size() ? &made_[index] : nullptr;
  }
  if (static_cast<size_t>(number) >= numbered_.size()) return nullptr;
  const auto it = fixed_.find(numbered_[static_cast<size_t>(number)]);
  return it == fixed_.end() ? nullptr : &it->second;
}

void ThreadNumbers::read(Blocks& in) {
  constexpr size_t kMost = size_t{1} << 16;
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto id = in.take<uint64_t>();
    if (in.is_ok() && ids_.size() < kMost) ids_.push_back(id);
  }
}

void ZoneExtras::read(Blocks& in, bool have_colors, Budget& budget, trace::EventSink& sink) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    ZoneExtra extra;
    extra.callstack = in.take_24();
    extra.text = in.take_24();
    extra.name = in.take_24();
    if (have_colors) extra.color = in.take_24();
    if (!in.is_ok()) break;
    if (budget.take(sizeof extra)) {
      all_.push_back(extra);
    } else {
      sink.loss("text of a zone beyond the memory (--memory)", in.offset());
    }
  }
}

}  // namespace weft::formats::tracy
