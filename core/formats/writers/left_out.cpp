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
    {"the depth of ", "state", ""},
    {"", "lane", " without events"},
    {"backslashes at the end of names of ", "lane", ""},
    {"", "value", " of the metadata"},
    {"characters of ", "name", ""},
    {"empty names of ", "lane", ""},
    {"equal names of ", "lane", ""},
    {"empty names of ", "type", ""},
};

// Readers of decimal times take no more.
constexpr int64_t kMostNs = INT64_MAX - 1;

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
    said.push_back(
        fmt::format("times before 0 (all stand {} later)",
                    format_time({*shift_ns_}, TimeBase::kNanoseconds, {*shift_ns_}, {1})));
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

bool LeftOut::is_within_reach(Time first, Time last, int64_t shift_ns) const {
  const auto begin = exact_ns_from(first.ticks), end = exact_ns_from(last.ticks);
  if (!begin || !end) return false;
  const auto is_written = [](__int128 ns) { return -kMostNs <= ns && ns <= kMostNs; };
  const __int128 wide_begin = *begin, wide_end = *end;
  return is_written(wide_begin + shift_ns) && is_written(wide_end + shift_ns) &&
         is_written(wide_end - wide_begin);
}

bool LeftOut::is_out_of_reach(Time first, Time last) {
  const bool is_out = !is_within_reach(first, last, 0);
  if (is_out) add(What::kEvents);
  return is_out;
}

// The first event that is written decides on the shift.
bool LeftOut::is_out_of_reach_from_zero(Time first, Time last) {
  const int64_t before_zero = std::min<int64_t>(exact_ns_from(first.ticks).value_or(0), 0);
  const int64_t shift_ns = shift_ns_.value_or(saturating_sub(0, before_zero));
  const bool is_out = !is_within_reach(first, last, shift_ns);
  if (is_out) {
    add(What::kEvents);
  } else {
    shift_ns_ = shift_ns;
  }
  return is_out;
}

int64_t LeftOut::ns_from(int64_t ticks) {
  const int64_t per_second = ticks_per_second(base_);
  has_no_unit_ |= per_second == 0;
  has_fractions_ |= per_second > kNsPerSecond && ticks % (per_second / kNsPerSecond) != 0;
  return exact_ns_from(ticks).value_or(ticks < 0 ? Time::min().ticks : Time::max().ticks);
}

int64_t LeftOut::ns_from_zero(int64_t ticks) {
  return std::max<int64_t>(saturating_add(ns_from(ticks), shift_ns_.value_or(0)), 0);
}

}  // namespace weft::formats
