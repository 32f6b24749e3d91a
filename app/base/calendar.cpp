#include "app/base/calendar.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/base/ascii.h"

namespace weft::app {

int64_t seconds_since_1970(std::tm at, bool is_local) {
  if (!is_local) return timegm(&at);
  at.tm_isdst = -1;
  const int64_t seconds = std::mktime(&at);  // whichever of two
  return std::min(seconds, twin_of(seconds, is_local).value_or(seconds));
}

std::optional<int64_t> twin_of(int64_t seconds, bool is_local) {
  if (!is_local) return std::nullopt;
  constexpr int64_t kFar = 12 * 3600;  // clocks are put back by less, and not twice in this time
  const int64_t offset = calendar_at(seconds, is_local).tm_gmtoff;
  for (const int64_t far : {seconds - kFar, seconds + kFar}) {
    const int64_t other = calendar_at(far, is_local).tm_gmtoff;
    const int64_t twin = seconds + offset - other;
    if (other != offset && calendar_at(twin, is_local).tm_gmtoff == other) return twin;
  }
  return std::nullopt;
}

std::string zone_beside_twin(int64_t seconds, bool is_local) {
  const std::optional<int64_t> twin = twin_of(seconds, is_local);
  if (!twin) return {};
  const std::tm at = calendar_at(seconds, is_local), other = calendar_at(*twin, is_local);
  const std::string_view name = at.tm_zone;
  const bool is_name = !name.empty() && std::ranges::all_of(name, is_letter);
  return is_name && name != other.tm_zone ? std::string(name) : offset_text(at.tm_gmtoff);
}

std::string offset_text(int64_t seconds) {
  const int64_t minutes = std::abs(seconds) / 60;
  return fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace weft::app
