// An SVG document as it is written: shapes and text, in pixels from its top left corner.
//
// Text is escaped and made printable; colours are those of batches (red in the lowest byte).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

  // What follows is moved by (x, y) and shows only within the rectangle, until end_part.
  void begin_part(float x, float y, float width, float height);
  // What follows shows only within the rectangle, until end_part.
  void begin_clip(float x0, float y0, float x1, float y1);
  void end_part() { body_ += "</g>\n"; }

  void rectangle(float x, float y, float width, float height, Color color, float opacity = 1);
  void polygon(std::span<const SvgPoint> points, Color color);
  void line(SvgPoint from, SvgPoint to, float width, Color color);
  // Diagonal lines a pixel wide, every fourth one, over a rectangle; crossed: in both directions.
  void hatch(float x, float y, float width, float height, Color color, float opacity,
             bool is_crossed);
  // A type's pattern (layout::Pattern; see render/look.h), over a rectangle.
  void type_pattern(float x, float y, float width, float height, uint32_t pattern, float opacity);
  // One x for each character; y is that of the baseline.
  void text(std::string_view utf8, std::span<const float> xs, float y, float size_px, bool is_bold,
            Color color);

  // The whole document.
  std::string document() const;

 private:
  void add_fill(Color color, float opacity = 1);
  void add_number(float value);
  void add_attribute(std::string_view name, float value);
  std::string next_id(char kind);
  // Ends the tag of a group that shows only within the rectangle.
  void add_clip(float x, float y, float width, float height);

  int width_, height_;
  uint32_t ids_ = 0;
  void patterned_rectangle(float x, float y, float width, float height, const std::string& id,
                           float opacity);

  std::map<std::pair<Color, bool>, std::string> hatches_;  // ids, by colour and whether crossed
  std::map<uint32_t, std::string> type_patterns_;          // ids
  std::string definitions_;
  std::string body_;
};

}  // namespace weft::render
