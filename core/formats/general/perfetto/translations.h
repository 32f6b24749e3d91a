// Names for what a trace calls by a hash or an obfuscated name (TranslationTable): of slices,
// tracks of processes, and Chrome's histograms, user actions and performance marks. They count for
// what comes behind them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::perfetto {

class Translations {
 public:
  enum class Hash : uint8_t { kHistogram, kUserAction, kSite, kMark };

  // A TranslationTable. Returns false if it is damaged, or more than is kept (16 MiB).
  bool add(std::string_view message);

  // The name for this one; itself where there is no other.
  std::string_view of_slice(std::string_view name) const { return of(slices_, name); }
  std::string_view of_track(std::string_view name) const { return of(tracks_, name); }
  // Empty: not known.
  std::string_view of(Hash kind, uint64_t hash) const;

 private:
  using Names = std::map<std::string, std::string, std::less<>>;
  static std::string_view of(const Names& names, std::string_view name);
  bool add_names(std::string_view table, Names& names);
  bool add_hashes(std::string_view table, uint32_t number, Hash kind);
  bool keep(size_t bytes);

  Names slices_, tracks_;
  std::map<std::pair<Hash, uint64_t>, std::string> hashes_;
  size_t kept_bytes_ = 0;
};

}  // namespace weft::formats::perfetto
