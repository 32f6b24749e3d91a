// A rectangle of the screen, in pixels.
#pragma once

namespace weft::app {

struct Area {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  // `Point`: any type with members x and y. The left and upper edges are inside.
  template <class Point>
  bool contains(const Point& p) const {
    return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1;
  }
};

}  // namespace weft::app
