#include "core/store/unpack.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weft::store {
namespace {

void unpack_one_by_one(const PackedColumn& packed, uint32_t first, uint32_t count, int64_t* out) {
  const PackedColumn column = packed;
  for (uint32_t i = 0; i < count; ++i) out[i] = column.get(first + i);
}

#if defined(__x86_64__)

// Eight values of width w fill w bytes, so every group of eight begins at a byte and looks like the
// one before. Two neighbours, up to 7 bits before them included, lie within 16 bytes: one load,
// one shuffle that gives each its own 8 bytes, one shift by its own number of bits.
constexpr uint32_t kGroup = 8;
constexpr uint32_t kLoadBytes = 16;

struct GroupPlan {
  alignas(32) std::array<uint8_t, 64> shuffle{};
  alignas(32) std::array<uint64_t, kGroup> shift{};
  std::array<uint32_t, kGroup / 2> load_at{};  // of each pair, in bytes from the group's begin
};

constexpr GroupPlan plan_of(uint32_t width) {
  GroupPlan plan;
  for (uint32_t i = 0; i < kGroup; ++i) {
    const uint32_t bit = i * width;
    plan.load_at[i / 2] = i % 2 == 0 ? bit / 8 : plan.load_at[i / 2];
    plan.shift[i] = bit % 8;
    for (uint32_t b = 0; b < 8; ++b) {
      const uint32_t byte = bit / 8 - plan.load_at[i / 2] + b;
      plan.shuffle[i * 8 + b] = static_cast<uint8_t>(std::min(byte, kLoadBytes - 1));
    }
  }
  return plan;
}

constexpr auto kPlans = [] {
  std::array<GroupPlan, 65> plans{};
  for (uint32_t width = 0; width <= 64; ++width) plans[width] = plan_of(width);
  return plans;
}();

const bool kHasAvx2 = __builtin_cpu_supports("avx2");

// Unpacks whole groups from the byte `from` on; returns how many of them can be loaded without
// reading too far.
__attribute__((target("avx2"))) uint32_t unpack_groups_avx2(const PackedColumn& column,
                                                            const uint8_t* from,
                                                            const uint8_t* readable_end,
                                                            uint32_t groups, int64_t* out) {
  const GroupPlan& plan = kPlans[column.width];
  const auto is_too_far = [&](uint32_t count) {
    const size_t last = size_t{count - 1} * column.width + plan.load_at.back() + kLoadBytes;
    return static_cast<size_t>(readable_end - from) < last;
  };
  while (groups > 0 && is_too_far(groups)) --groups;
  const auto* shuffles = reinterpret_cast<const __m256i*>(plan.shuffle.data());
  const auto* shifts = reinterpret_cast<const __m256i*>(plan.shift.data());
  const __m256i shuffle[2] = {_mm256_load_si256(shuffles), _mm256_load_si256(shuffles + 1)};
  const __m256i shift[2] = {_mm256_load_si256(shifts), _mm256_load_si256(shifts + 1)};
  const __m256i mask = _mm256_set1_epi64x(static_cast<int64_t>(column.mask));
  const __m256i base = _mm256_set1_epi64x(static_cast<int64_t>(column.base));
  for (uint32_t g = 0; g < groups; ++g, from += column.width, out += kGroup) {
    for (size_t half = 0; half < 2; ++half) {
      const auto* low = reinterpret_cast<const __m128i*>(from + plan.load_at[2 * half]);
      const auto* high = reinterpret_cast<const __m128i*>(from + plan.load_at[2 * half + 1]);
      __m256i v = _mm256_set_m128i(_mm_loadu_si128(high), _mm_loadu_si128(low));
      v = _mm256_srlv_epi64(_mm256_shuffle_epi8(v, shuffle[half]), shift[half]);
      v = _mm256_add_epi64(_mm256_and_si256(v, mask), base);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out) + half, v);
    }
  }
  return groups;
}

#endif

}  // namespace

void unpack(const PackedColumn& column, const uint8_t* readable_end, uint32_t first, uint32_t count,
            int64_t* out) {
  if (column.width == 0) {
    std::fill_n(out, count, static_cast<int64_t>(column.base));
    return;
  }
#if defined(__x86_64__)
  if (kHasAvx2 && first % kGroup == 0 && count >= kGroup) {
    const uint8_t* from = column.data + size_t{first / kGroup} * column.width;
    const uint32_t done =
        kGroup * unpack_groups_avx2(column, from, readable_end, count / kGroup, out);
    if (done == count) return;
    unpack_one_by_one(column, first + done, count - done, out + done);
    return;
  }
#endif
  unpack_one_by_one(column, first, count, out);
}

}  // namespace weft::store
