// Which frame stands on which in a flame graph whose places are whole pixels: a frame may reach a
// pixel beyond its caller, and a narrow one has no width. Rows are laid upon each other one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::formats::flame_svg {

struct RowFrame {
  double x = 0, width = 0;
  size_t depth = 0;
  int64_t total = 0;
};

struct Nesting {
  std::vector<size_t> order;           // each caller before those that stand on it
  std::vector<size_t> without_caller;  // all others, in the order given
};
// Of frames in the order of their places.
Nesting nest_rows(std::span<const RowFrame> frames);

}  // namespace weft::formats::flame_svg
