// A page of shapes and text, in pixels from its top left corner, to be written as SVG.
//
// Adding a shape is cheap, since a picture may have a million; writing the document is not, but
// needs only the page and may be done on another thread. Colours are those of batches (red in the
// lowest byte).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/batch.h"

namespace weft::render {

struct SvgPoint {
  float x = 0, y = 0;
};

class SvgPage {
 public:
  SvgPage(int width, int height) : width_(width), height_(height) {}

  int width() const { return width_; }
  int height() const { return height_; }

  // Moves what follows by (x, y) and clips it to the rectangle, until end_part().
  void begin_part(float x, float y, float width, float height);
  // Clips what follows to the rectangle, until end_part().
  void begin_clip(float x0, float y0, float x1, float y1);
  void end_part() { shapes_.push_back(PartEnd{}); }

  void rectangle(float x, float y, float width, float height, Color color, float opacity = 1);
  void polygon(std::span<const SvgPoint> points, Color color);
  void line(SvgPoint from, SvgPoint to, float width, Color color);
  // Hatches a rectangle with diagonal lines a pixel wide, every fourth pixel; crossed: in both
  // directions.
  void hatch(float x, float y, float width, float height, Color color, float opacity,
             bool is_crossed);
  // Draws a type's pattern (layout::Pattern; see render/look.h) over a rectangle.
  void type_pattern(float x, float y, float width, float height, uint32_t pattern, float opacity);
  // Draws text. `xs` has one x per character; y is the baseline's. Both apply before the text is
  // rotated about the top left corner, clockwise, by `turn` radians.
  void text(std::string_view utf8, std::span<const float> xs, float y, float size_px, bool is_bold,
            Color color, float turn = 0);

  // Draws lazily, when the document is written, on the thread that writes it: for parts with too
  // many shapes for a frame.
  using Drawing = std::function<void(SvgPage&)>;
  void later(Drawing drawing);

  // Returns the whole document, its text escaped and made printable.
  std::string document() const;

 private:
  friend class SvgWriter;

  // A run in one of the vectors of points, positions and characters.
  struct Run {
    uint32_t first, count;
  };
  struct Part {
    float x, y, width, height;
  };
  struct Clip {
    float x, y, width, height;
  };
  struct PartEnd {};
  struct Later {
    uint32_t drawing;  // index into drawings_
  };
  struct Rectangle {
    float x, y, width, height;
    Color color;
    float opacity;
  };
  struct Polygon {
    Run points;
    Color color;
  };
  struct Line {
    SvgPoint from, to;
    float width;
    Color color;
  };
  struct Hatch {
    Rectangle where;
    bool is_crossed;
  };
  struct TypePattern {
    Rectangle where;
    uint32_t pattern;
  };
  struct Text {
    Run letters, xs;
    float y, size_px;
    bool is_bold;
    Color color;
    float turn;
  };
  using Shape =
      std::variant<Part, Clip, PartEnd, Later, Rectangle, Polygon, Line, Hatch, TypePattern, Text>;

  template <class Values, class Range>
  static Run append(Values& values, const Range& more) {
    const Run run = {static_cast<uint32_t>(values.size()), static_cast<uint32_t>(more.size())};
    values.insert(values.end(), more.begin(), more.end());
    return run;
  }

  int width_, height_;
  std::deque<Shape> shapes_;  // may be a million: never copied
  std::vector<SvgPoint> points_;
  std::vector<float> xs_;
  std::string letters_;
  std::vector<Drawing> drawings_;
};

}  // namespace weft::render
