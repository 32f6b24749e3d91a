#include "core/formats/profiles/tracy/tracy_tables.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/text.h"

namespace weft::formats::tracy {
namespace {

constexpr uint64_t kMostTextBytes = 64 << 10;  // programs can give no longer ones
constexpr size_t kNoText = std::numeric_limits<size_t>::max();

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
  return index < all_.size() ? all_[index] : std::string_view();
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

void Texts::read_index(Blocks& in, const Index& saved, Index& into) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto id = in.take<uint64_t>();
    const size_t* const text = saved.find(in.take<uint64_t>());
    if (text != nullptr && in.is_ok()) into.insert(id, *text);
  }
}

void Texts::read(Blocks& in, trace::EventSink& sink) {
  // Texts are told apart by the addresses that they had when the trace was saved.
  Index saved;
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto address = in.take<uint64_t>(), size = in.take<uint64_t>();
    const std::string text = in.take_text(size, std::min(size, kMostTextBytes));
    if (!in.is_ok()) break;
    if (size > kMostTextBytes) sink.loss("text longer than 64 KiB: cut", in.offset());
    saved.insert(address, all_.size());
    all_.push_back(arena_.add(valid_utf8(text)));
  }
  read_index(in, saved, by_address_);
  read_index(in, saved, thread_names_);
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto id = in.take<uint64_t>();
    size_t texts[2];
    for (size_t& text : texts) {
      const size_t* const known = saved.find(in.take<uint64_t>());
      text = known == nullptr ? kNoText : *known;
    }
    if (in.is_ok()) outside_.emplace(id, std::pair(texts[0], texts[1]));
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

void Places::read(Blocks& in) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    const auto address = in.take<uint64_t>();
    const Place place = Place::take(in);
    if (in.is_ok()) fixed_.emplace(address, place);
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

void ZoneExtras::read(Blocks& in, bool have_colors) {
  for (auto left = in.take<uint64_t>(); left > 0 && in.go_on(); --left) {
    ZoneExtra extra;
    extra.callstack = in.take_24();
    extra.text = in.take_24();
    extra.name = in.take_24();
    if (have_colors) extra.color = in.take_24();
    if (in.is_ok()) all_.push_back(extra);
  }
}

}  // namespace weft::formats::tracy
