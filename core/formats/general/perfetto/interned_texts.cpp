#include "core/formats/general/perfetto/interned_texts.h"

#include <algorithm>

namespace weft::formats::perfetto {
namespace {

constexpr uint64_t kBytesPerText = 24, kBytesPerFarText = 64;  // with what growing leaves free
constexpr uint64_t kFarthest = 64;  // from a half of the numbers being used

}  // namespace

InternedTexts::OfKind& InternedTexts::of(Interned kind) {
  const auto it = std::ranges::find(kinds_, kind, &OfKind::kind);
  return it != kinds_.end() ? *it : kinds_.emplace_back(kind);
}

InternedTexts::Kept InternedTexts::set(Interned kind, uint64_t iid, std::string_view text,
                                       uint64_t most_bytes) {
  OfKind& texts = of(kind);
  const bool is_near = iid < texts.near.size() || iid < 2 * texts.near_count + kFarthest;
  const std::string_view known = find(kind, iid);
  if (known.data() != nullptr && known == text) return Kept::kTheSame;
  const uint64_t bytes = text.size() + (is_near ? kBytesPerText : kBytesPerFarText);
  if (size_ + bytes > most_bytes) return Kept::kNot;
  size_ += bytes;
  if (!is_near) {
    texts.far[iid] = arena_.add(text);
  } else {
    if (iid >= texts.near.size()) texts.near.resize(static_cast<size_t>(iid) + 1);
    std::string_view& place = texts.near[static_cast<size_t>(iid)];
    if (place.data() == nullptr) ++texts.near_count;
    place = arena_.add(text);
  }
  return known.data() != nullptr ? Kept::kInPlaceOfAnother : Kept::kNew;
}

std::string_view InternedTexts::find(Interned kind, uint64_t iid) const {
  const auto texts = std::ranges::find(kinds_, kind, &OfKind::kind);
  if (texts == kinds_.end()) return {};
  if (iid < texts->near.size()) {
    const std::string_view text = texts->near[static_cast<size_t>(iid)];
    if (text.data() != nullptr || texts->far.empty()) return text;
  }
  const auto it = texts->far.find(iid);
  return it == texts->far.end() ? std::string_view() : it->second;
}

void InternedTexts::clear() { *this = {}; }

}  // namespace weft::formats::perfetto
