#include "core/store/packed.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>

namespace weft::store {
namespace {

template <int N>
std::optional<BlockView<N>> round_trip(const std::vector<std::vector<int64_t>>& columns,
                                       std::string& bytes) {
  const int64_t* pointers[N];
  for (int c = 0; c < N; ++c) pointers[c] = columns[static_cast<size_t>(c)].data();
  pack_block(pointers, static_cast<uint32_t>(columns[0].size()), bytes);
  bytes.append(kReadSlack, '\0');
  BlockView<N> view;
  return view.open(std::as_bytes(std::span(bytes))) ? std::optional(view) : std::nullopt;
}

TEST(PackedBlock, GivesBackEveryValueAtEveryWidthAndLength) {
  std::mt19937_64 random(7);
  for (int width = 0; width <= 64; ++width) {
    for (uint32_t rows : {1u, 2u, 63u, 127u, 128u}) {
      std::vector<std::vector<int64_t>> columns(2, std::vector<int64_t>(rows));
      const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
      for (uint32_t i = 0; i < rows; ++i) {
        columns[0][i] = static_cast<int64_t>(random() & mask);
        columns[1][i] = static_cast<int64_t>((random() & mask) - 1'000'000'007);
      }
      std::string bytes;
      const auto view = round_trip<2>(columns, bytes);
      ASSERT_TRUE(view) << width;
      ASSERT_EQ(view->rows(), rows);
      ASSERT_EQ(view->size_bytes() + kReadSlack, bytes.size());
      std::vector<int64_t> range(rows);
      for (int c = 0; c < 2; ++c) {
        view->get_range(c, 0, rows, range.data());
        ASSERT_EQ(range, columns[static_cast<size_t>(c)]) << width;
        for (uint32_t i = 0; i < rows; ++i) ASSERT_EQ(view->get(c, i), range[i]);
        const auto first = static_cast<uint32_t>(random() % rows);
        const auto count = static_cast<uint32_t>(random() % (rows - first)) + 1;
        view->get_range(c, first, count, range.data());
        for (uint32_t i = 0; i < count; ++i) {
          ASSERT_EQ(range[i], columns[static_cast<size_t>(c)][first + i]) << width;
        }
      }
    }
  }
}

TEST(PackedBlock, StoresEqualValuesInNoBits) {
  std::vector<std::vector<int64_t>> columns = {std::vector<int64_t>(128, 123'456'789'012),
                                               std::vector<int64_t>(128, 0)};
  std::string bytes;
  const auto view = round_trip<2>(columns, bytes);
  EXPECT_EQ(view->size_bytes(), 3u + 8u);
  EXPECT_EQ(view->get(0, 127), 123'456'789'012);
}

TEST(PackedBlock, RefusesWhatIsCut) {
  std::vector<std::vector<int64_t>> columns = {{1, 2, 3, std::numeric_limits<int64_t>::max()},
                                               {-5, 6, 7, 8}};
  std::string bytes;
  ASSERT_TRUE(round_trip<2>(columns, bytes));
  for (size_t n = 0; n < bytes.size(); ++n) {
    BlockView<2> view;
    EXPECT_FALSE(view.open(std::as_bytes(std::span(bytes)).first(n))) << n;
    EXPECT_EQ(view.get(1, 0), 0);
  }
}

}  // namespace
}  // namespace weft::store
