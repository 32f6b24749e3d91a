#include "core/formats/writers/left_out.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/counted.h"
#include "core/base/time.h"

namespace weft::formats {
namespace {

struct Words {
  std::string_view before, noun, behind;
};
// Indexed by LeftOut::What.
constexpr Words kWords[] = {
    {"", "event", ""},
    {"parameters of ", "event", ""},
    {"groups of ", "type", ""},
    {"colours of ", "type", ""},
    {"kinds of ", "lane", ""},
    {"the order of ", "lane", ""},
    {"", "lane", " without events"},
    {"slashes in names of ", "lane", ""},
    {"", "value", " of the metadata"},
    {"characters of ", "name", ""},
};

}  // namespace

std::vector<std::string> LeftOut::said() const {
  std::vector<std::string> said;
  for (size_t i = 0; i < counts_.size(); ++i) {
    const auto& [before, noun, behind] = kWords[i];
    if (counts_[i] > 0)
      said.push_back(fmt::format("{}{}{}", before, counted(counts_[i], noun), behind));
  }
  if (has_no_unit_) said.push_back(fmt::format("the unit of times ({})", name_of(base_)));
  if (has_fractions_) said.emplace_back("fractions of nanoseconds");
  if (shift_ns_.value_or(0) > 0)
    said.push_back(fmt::format("times before 0 (all stand {} later)",
                               format_duration({*shift_ns_}, TimeBase::kNanoseconds)));
  return said;
}

int64_t LeftOut::ns_from(int64_t ticks) {
  const int64_t per_second = ticks_per_second(base_);
  has_no_unit_ |= per_second == 0;
  if (per_second == 0) return ticks;
  if (per_second > kNsPerSecond) {
    has_fractions_ |= ticks % (per_second / kNsPerSecond) != 0;
    return ticks / (per_second / kNsPerSecond);
  }
  int64_t ns = 0;
  const bool is_out = __builtin_mul_overflow(ticks, kNsPerSecond / per_second, &ns);
  return is_out ? (ticks < 0 ? Time::min().ticks : Time::max().ticks) : ns;
}

int64_t LeftOut::ns_from_zero(int64_t ticks) {
  const int64_t ns = ns_from(ticks);
  if (!shift_ns_) shift_ns_ = ns < 0 ? saturating_sub(0, ns) : 0;
  return std::max<int64_t>(saturating_add(ns, *shift_ns_), 0);
}

}  // namespace weft::formats
