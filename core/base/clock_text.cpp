#include "core/base/clock_text.h"

#include <fmt/core.h>

namespace weft {

std::string clock_text(uint64_t seconds, bool has_days) {
  std::string text;
  if (has_days) {
    constexpr auto kDay = static_cast<uint64_t>(kDaySeconds);
    text = fmt::format("{} d ", seconds / kDay);
    seconds %= kDay;
  }
  return text + fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace weft
