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
    {"empty names of ", "lane", ""},
    {"equal names of ", "lane", ""},
    {"empty names of ", "type", ""},
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

std::optional<int64_t> LeftOut::exact_ns_from(int64_t ticks) const {
  const int64_t per_second = ticks_per_second(base_);
  if (per_second == 0) return ticks;
  if (per_second > kNsPerSecond) return ticks / (per_second / kNsPerSecond);
  int64_t ns = 0;
  if (__builtin_mul_overflow(ticks, kNsPerSecond / per_second, &ns)) return std::nullopt;
  return ns;
}

int64_t LeftOut::ns_from(int64_t ticks) {
  const int64_t per_second = ticks_per_second(base_);
  has_no_unit_ |= per_second == 0;
  has_fractions_ |= per_second > kNsPerSecond && ticks % (per_second / kNsPerSecond) != 0;
  return exact_ns_from(ticks).value_or(ticks < 0 ? Time::min().ticks : Time::max().ticks);
}

int64_t LeftOut::ns_from_zero(int64_t ticks) {
  const int64_t ns = ns_from(ticks);
  if (!shift_ns_) shift_ns_ = ns < 0 ? saturating_sub(0, ns) : 0;
  return std::max<int64_t>(saturating_add(ns, *shift_ns_), 0);
}

bool LeftOut::reaches(int64_t ticks) const {
  const auto ns = exact_ns_from(ticks);
  int64_t shifted = 0;
  return ns && !__builtin_add_overflow(*ns, shift_ns_.value_or(0), &shifted);
}

}  // namespace weft::formats
