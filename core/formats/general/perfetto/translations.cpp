#include "core/formats/general/perfetto/translations.h"

namespace weft::formats::perfetto {

bool Translations::add(std::string_view message) {
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& table) {
    switch (table.number) {
      case 1:
        is_good &= add_hashes(table.bytes, 1, Hash::kHistogram);
        break;
      case 2:
        is_good &= add_hashes(table.bytes, 1, Hash::kUserAction);
        break;
      case 3:
        is_good &= add_hashes(table.bytes, 1, Hash::kSite);
        is_good &= add_hashes(table.bytes, 2, Hash::kMark);
        break;
      case 4:
        is_good &= add_names(table.bytes, slices_);
        break;
      case 5:
        is_good &= add_names(table.bytes, tracks_);
        break;
      default:  // of studies, which no event refers to
        break;
    }
  });
  return is_good;
}

bool Translations::keep(size_t bytes) {
  constexpr size_t kMostBytes = 16 << 20, kBytesPerEntry = 128;
  kept_bytes_ += bytes + kBytesPerEntry;
  return kept_bytes_ <= kMostBytes;
}

bool Translations::add_names(std::string_view table, Names& names) {
  bool is_good = true;
  is_good &= for_each_field(table, [&](const Field& entry) {
    if (entry.number != 1) return;
    std::string_view key, value;
    is_good &= for_each_field(entry.bytes, [&](const Field& field) {
      if (field.number == 1) key = field.bytes;
      if (field.number == 2) value = field.bytes;
    });
    is_good &= keep(key.size() + value.size());
    if (is_good) names[std::string(key)] = value;
  });
  return is_good;
}

// `number`: the field of the table that has these.
bool Translations::add_hashes(std::string_view table, uint32_t number, Hash kind) {
  bool is_good = true;
  is_good &= for_each_field(table, [&](const Field& entry) {
    if (entry.number != number) return;
    uint64_t hash = 0;
    std::string_view name;
    is_good &= for_each_field(entry.bytes, [&](const Field& field) {
      if (field.number == 1) hash = field.value;
      if (field.number == 2) name = field.bytes;
    });
    is_good &= keep(name.size());
    if (is_good) hashes_[{kind, hash}] = name;
  });
  return is_good;
}

std::string_view Translations::of(const Names& names, std::string_view name) {
  if (names.empty()) return name;
  const auto it = names.find(name);
  return it == names.end() ? name : std::string_view(it->second);
}

std::string_view Translations::of(Hash kind, uint64_t hash) const {
  const auto it = hashes_.find({kind, hash});
  return it == hashes_.end() ? std::string_view() : std::string_view(it->second);
}

}  // namespace weft::formats::perfetto
