#include "app/panels/path_text.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "app/panels/theme.h"
#include "core/base/text.h"
#include "core/base/utf8.h"

namespace weft::app {

// Numbers and letters at the end of a name are what its neighbours lack: there is one letter more
// of it.
std::string without_middle(const std::string& name, float room_px) {
  std::vector<size_t> letters;  // where they begin
  for (size_t i = 0; i < name.size(); ++i) {
    if (begins_letter(name[i])) letters.push_back(i);
  }
  if (letters.size() <= 2 || text_width(name) <= room_px) return name;
  const auto cut_to = [&](size_t shown) {
    return name.substr(0, letters[shown / 2]) + "…" +
           name.substr(letters[letters.size() - (shown - shown / 2)]);
  };
  const auto counts = std::views::iota(size_t{2}, letters.size());
  const auto too_many = std::ranges::partition_point(
      counts, [&](size_t shown) { return text_width(cut_to(shown)) <= room_px; });
  return cut_to(too_many == counts.begin() ? 2 : *too_many - 1);
}

std::string printable_path(std::string_view path) {
  constexpr size_t kMostBytes = 512;
  if (path.size() <= kMostBytes) return printable(path);
  const size_t slash = path.find('/', path.size() - kMostBytes);
  return slash == std::string_view::npos ? printable(path) : "…" + printable(path.substr(slash));
}

std::string path_within(const std::string& path, float room_px, const TraceModel* of) {
  if (text_width(path) <= room_px) return path;
  std::string last = path;
  for (const size_t slash : of ? of->path_names->separators(path) : PathNames().separators(path)) {
    std::string shown = "…" + path.substr(slash);
    if (text_width(shown) <= room_px) return shown;
    last = path.substr(slash + 1);
  }
  return without_middle(last.empty() ? path : last, room_px);
}

std::string lane_within(const std::string& name, float room_px, const TraceModel* of) {
  constexpr float kLeastShare = 0.6F;  // of the room, for the first name, where it needs that
  if (text_width(name) <= room_px) return name;
  const auto slashes = of ? of->path_names->separators(name) : PathNames().separators(name);
  if (slashes.empty()) return without_middle(name, room_px);
  const std::string head = name.substr(0, slashes.front() + 1), rest = name.substr(head.size());
  const std::string kept =
      without_middle(head, std::max(room_px - text_width(rest), room_px * kLeastShare));
  return kept + without_middle(rest, room_px - text_width(kept));
}

}  // namespace weft::app
