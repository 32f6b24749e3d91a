#include "core/base/clock_text.h"

#include <fmt/core.h>

namespace weft {

std::string clock_text(uint64_t seconds, bool has_days) {
  constexpr uint64_t kDaySeconds = 86'400;
  std::string text;
  if (has_days) {
    text = fmt::format("{} d ", seconds / kDaySeconds);
    seconds %= kDaySeconds;
  }
  return text + fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace weft
