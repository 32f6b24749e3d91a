#include "render/svg/svg_page.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "core/base/text.h"
#include "render/look.h"

namespace weft::render {
namespace {

std::string hex_of(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color & 0xFF, color >> 8 & 0xFF, color >> 16 & 0xFF);
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += c;
    }
  }
}

}  // namespace

// To a hundredth of a pixel, without zeros at the end.
void SvgPage::add_number(float value) {
  const double rounded = std::round(static_cast<double>(value) * 100) / 100;
  fmt::format_to(std::back_inserter(body_), "{}", rounded == 0 ? 0.0 : rounded);
}

void SvgPage::add_attribute(std::string_view name, float value) {
  body_ += ' ';
  body_ += name;
  body_ += "=\"";
  add_number(value);
  body_ += '"';
}

void SvgPage::add_fill(Color color, float opacity) {
  body_ += " fill=\"" + hex_of(color) + '"';
  const float alpha = static_cast<float>(color >> 24) / 255 * opacity;
  if (alpha < 1) add_attribute("fill-opacity", alpha);
}

std::string SvgPage::next_id(char kind) { return fmt::format("{}{}", kind, ++ids_); }

void SvgPage::begin_part(float x, float y, float width, float height) {
  body_ += fmt::format("<g transform=\"translate({},{})\"", x, y);
  add_clip(0, 0, width, height);
}

void SvgPage::begin_clip(float x0, float y0, float x1, float y1) {
  body_ += "<g";
  add_clip(x0, y0, x1 - x0, y1 - y0);
}

void SvgPage::add_clip(float x, float y, float width, float height) {
  const std::string id = next_id('c');
  definitions_ += fmt::format(
      "<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", id,
      x, y, width, height);
  body_ += fmt::format(" clip-path=\"url(#{})\">\n", id);
}

void SvgPage::rectangle(float x, float y, float width, float height, Color color, float opacity) {
  body_ += "<rect";
  add_attribute("x", x);
  add_attribute("y", y);
  add_attribute("width", width);
  add_attribute("height", height);
  add_fill(color, opacity);
  body_ += "/>\n";
}

void SvgPage::polygon(std::span<const SvgPoint> points, Color color) {
  body_ += "<polygon points=\"";
  for (const SvgPoint& p : points) {
    add_number(p.x);
    body_ += ',';
    add_number(p.y);
    body_ += ' ';
  }
  body_ += '"';
  add_fill(color);
  body_ += "/>\n";
}

void SvgPage::line(SvgPoint from, SvgPoint to, float width, Color color) {
  body_ += "<line";
  add_attribute("x1", from.x);
  add_attribute("y1", from.y);
  add_attribute("x2", to.x);
  add_attribute("y2", to.y);
  body_ += " stroke=\"" + hex_of(color) + '"';
  add_attribute("stroke-width", width);
  if (color >> 24 < 255) add_attribute("stroke-opacity", static_cast<float>(color >> 24) / 255);
  body_ += "/>\n";
}

void SvgPage::hatch(float x, float y, float width, float height, Color color, float opacity,
                    bool is_crossed) {
  std::string& id = hatches_[{color, is_crossed}];
  if (id.empty()) {
    id = next_id('h');
    definitions_ += fmt::format(
        "<pattern id=\"{}\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"M-1,1 L1,-1 M0,4 L4,0 M3,5 L5,3{}\" stroke=\"{}\" stroke-width=\"0.75\"/>"
        "</pattern>\n",
        id, is_crossed ? " M-1,3 L1,5 M0,0 L4,4 M3,-1 L5,1" : "", hex_of(color));
  }
  patterned_rectangle(x, y, width, height, id, opacity);
}

void SvgPage::type_pattern(float x, float y, float width, float height, uint32_t pattern,
                           float opacity) {
  std::string& id = type_patterns_[pattern];
  if (id.empty()) {
    id = next_id('p');
    std::string path;
    for (int row = 0; row < kPatternPx; ++row) {
      for (int column = 0; column < kPatternPx; ++column) {
        if (!is_on_pattern(pattern, column, row)) continue;
        path += fmt::format("M{},{}h1v1h-1z", column, row);
      }
    }
    definitions_ += fmt::format(
        "<pattern id=\"{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"{2}\"/></pattern>\n",
        id, kPatternPx, path);
  }
  patterned_rectangle(x, y, width, height, id, opacity);
}

void SvgPage::patterned_rectangle(float x, float y, float width, float height,
                                  const std::string& id, float opacity) {
  body_ += "<rect";
  add_attribute("x", x);
  add_attribute("y", y);
  add_attribute("width", width);
  add_attribute("height", height);
  body_ += " fill=\"url(#" + id + ")\"";
  add_attribute("fill-opacity", opacity);
  body_ += "/>\n";
}

void SvgPage::text(std::string_view utf8, std::span<const float> xs, float y, float size_px,
                   bool is_bold, Color color) {
  body_ += "<text x=\"";
  for (const float x : xs) {
    add_number(x);
    body_ += ' ';
  }
  body_ += '"';
  add_attribute("y", y);
  add_attribute("font-size", size_px);
  if (is_bold) body_ += " font-weight=\"bold\"";
  add_fill(color);
  body_ += '>';
  append_escaped(body_, valid_utf8(utf8));
  body_ += "</text>\n";
}

std::string SvgPage::document() const {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" "
             "xml:space=\"preserve\">\n<defs>\n",
             width_, height_) +
         definitions_ + "</defs>\n" + body_ + "</svg>\n";
}

}  // namespace weft::render
