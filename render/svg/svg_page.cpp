#include "render/svg/svg_page.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <utility>

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

// Writes the shapes of a page one after another.
class SvgWriter {
 public:
  explicit SvgWriter(const SvgPage& page) : page_(&page) {}
  std::string document();

  void operator()(const SvgPage::Part& part);
  void operator()(const SvgPage::Clip& clip);
  void operator()(const SvgPage::PartEnd&) { body_ += "</g>\n"; }
  void operator()(const SvgPage::Later& later);
  void operator()(const SvgPage::Rectangle& rectangle);
  void operator()(const SvgPage::Polygon& polygon);
  void operator()(const SvgPage::Line& line);
  void operator()(const SvgPage::Hatch& hatch);
  void operator()(const SvgPage::TypePattern& pattern);
  void operator()(const SvgPage::Text& text);

 private:
  void add_number(float value);
  void add_attribute(std::string_view name, float value);
  void add_fill(Color color, float opacity = 1);
  std::string next_id(char kind);
  // Ends the tag of a group that shows only within the rectangle.
  void add_clip(float x, float y, float width, float height);
  void add_place(const SvgPage::Rectangle& where);
  void patterned_rectangle(const SvgPage::Rectangle& where, const std::string& id);

  const SvgPage* page_;  // whose shapes are being written
  uint32_t ids_ = 0;
  std::map<std::pair<Color, bool>, std::string> hatches_;  // ids, by colour and whether crossed
  std::map<uint32_t, std::string> type_patterns_;          // ids
  std::string definitions_;
  std::string body_;
};

// To a hundredth of a pixel, without zeros at the end.
void SvgWriter::add_number(float value) {
  const double rounded = std::round(static_cast<double>(value) * 100) / 100;
  fmt::format_to(std::back_inserter(body_), "{}", rounded == 0 ? 0.0 : rounded);
}

void SvgWriter::add_attribute(std::string_view name, float value) {
  body_ += ' ';
  body_ += name;
  body_ += "=\"";
  add_number(value);
  body_ += '"';
}

void SvgWriter::add_fill(Color color, float opacity) {
  body_ += " fill=\"" + hex_of(color) + '"';
  const float alpha = static_cast<float>(color >> 24) / 255 * opacity;
  if (alpha < 1) add_attribute("fill-opacity", alpha);
}

std::string SvgWriter::next_id(char kind) { return fmt::format("{}{}", kind, ++ids_); }

void SvgWriter::operator()(const SvgPage::Part& part) {
  body_ += fmt::format("<g transform=\"translate({},{})\"", part.x, part.y);
  add_clip(0, 0, part.width, part.height);
}

void SvgWriter::operator()(const SvgPage::Clip& clip) {
  body_ += "<g";
  add_clip(clip.x, clip.y, clip.width, clip.height);
}

void SvgWriter::add_clip(float x, float y, float width, float height) {
  const std::string id = next_id('c');
  definitions_ += fmt::format(
      "<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", id,
      x, y, width, height);
  body_ += fmt::format(" clip-path=\"url(#{})\">\n", id);
}

void SvgWriter::add_place(const SvgPage::Rectangle& where) {
  add_attribute("x", where.x);
  add_attribute("y", where.y);
  add_attribute("width", where.width);
  add_attribute("height", where.height);
}

void SvgWriter::operator()(const SvgPage::Later& later) {
  SvgPage drawn(page_->width(), page_->height());
  page_->drawings_[later.drawing](drawn);
  const SvgPage* around = std::exchange(page_, &drawn);
  for (const SvgPage::Shape& shape : drawn.shapes_) std::visit(*this, shape);
  page_ = around;
}

void SvgWriter::operator()(const SvgPage::Rectangle& rectangle) {
  body_ += "<rect";
  add_place(rectangle);
  add_fill(rectangle.color, rectangle.opacity);
  body_ += "/>\n";
}

void SvgWriter::operator()(const SvgPage::Polygon& polygon) {
  body_ += "<polygon points=\"";
  for (const SvgPoint& p :
       std::span(page_->points_).subspan(polygon.points.first, polygon.points.count)) {
    add_number(p.x);
    body_ += ',';
    add_number(p.y);
    body_ += ' ';
  }
  body_ += '"';
  add_fill(polygon.color);
  body_ += "/>\n";
}

void SvgWriter::operator()(const SvgPage::Line& line) {
  body_ += "<line";
  add_attribute("x1", line.from.x);
  add_attribute("y1", line.from.y);
  add_attribute("x2", line.to.x);
  add_attribute("y2", line.to.y);
  body_ += " stroke=\"" + hex_of(line.color) + '"';
  add_attribute("stroke-width", line.width);
  const uint32_t alpha = line.color >> 24;
  if (alpha < 255) add_attribute("stroke-opacity", static_cast<float>(alpha) / 255);
  body_ += "/>\n";
}

void SvgWriter::operator()(const SvgPage::Hatch& hatch) {
  const Color color = hatch.where.color;
  std::string& id = hatches_[{color, hatch.is_crossed}];
  if (id.empty()) {
    id = next_id('h');
    definitions_ += fmt::format(
        "<pattern id=\"{}\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"M-1,1 L1,-1 M0,4 L4,0 M3,5 L5,3{}\" stroke=\"{}\" stroke-width=\"0.75\"/>"
        "</pattern>\n",
        id, hatch.is_crossed ? " M-1,3 L1,5 M0,0 L4,4 M3,-1 L5,1" : "", hex_of(color));
  }
  patterned_rectangle(hatch.where, id);
}

void SvgWriter::operator()(const SvgPage::TypePattern& pattern) {
  std::string& id = type_patterns_[pattern.pattern];
  if (id.empty()) {
    id = next_id('p');
    std::string path;
    for (int row = 0; row < kPatternPx; ++row) {
      for (int column = 0; column < kPatternPx; ++column) {
        if (!is_on_pattern(pattern.pattern, column, row)) continue;
        path += fmt::format("M{},{}h1v1h-1z", column, row);
      }
    }
    definitions_ += fmt::format(
        "<pattern id=\"{0}\" width=\"{1}\" height=\"{1}\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"{2}\"/></pattern>\n",
        id, kPatternPx, path);
  }
  patterned_rectangle(pattern.where, id);
}

void SvgWriter::patterned_rectangle(const SvgPage::Rectangle& where, const std::string& id) {
  body_ += "<rect";
  add_place(where);
  body_ += " fill=\"url(#" + id + ")\"";
  add_attribute("fill-opacity", where.opacity);
  body_ += "/>\n";
}

void SvgWriter::operator()(const SvgPage::Text& text) {
  body_ += "<text x=\"";
  for (const float x : std::span(page_->xs_).subspan(text.xs.first, text.xs.count)) {
    add_number(x);
    body_ += ' ';
  }
  body_ += '"';
  add_attribute("y", text.y);
  add_attribute("font-size", text.size_px);
  if (text.is_bold) body_ += " font-weight=\"bold\"";
  if (text.turn != 0) {
    body_ += " transform=\"rotate(";
    add_number(text.turn * 180 / std::numbers::pi_v<float>);
    body_ += ")\"";
  }
  add_fill(text.color);
  body_ += '>';
  const auto letters =
      std::string_view(page_->letters_).substr(text.letters.first, text.letters.count);
  append_escaped(body_, valid_utf8(letters));
  body_ += "</text>\n";
}

std::string SvgWriter::document() {
  for (const SvgPage::Shape& shape : page_->shapes_) std::visit(*this, shape);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" "
             "xml:space=\"preserve\">\n<defs>\n",
             page_->width(), page_->height()) +
         definitions_ + "</defs>\n" + body_ + "</svg>\n";
}

void SvgPage::begin_part(float x, float y, float width, float height) {
  shapes_.push_back(Part{x, y, width, height});
}

void SvgPage::begin_clip(float x0, float y0, float x1, float y1) {
  shapes_.push_back(Clip{x0, y0, x1 - x0, y1 - y0});
}

void SvgPage::rectangle(float x, float y, float width, float height, Color color, float opacity) {
  shapes_.push_back(Rectangle{x, y, width, height, color, opacity});
}

void SvgPage::polygon(std::span<const SvgPoint> points, Color color) {
  shapes_.push_back(Polygon{append(points_, points), color});
}

void SvgPage::line(SvgPoint from, SvgPoint to, float width, Color color) {
  shapes_.push_back(Line{from, to, width, color});
}

void SvgPage::hatch(float x, float y, float width, float height, Color color, float opacity,
                    bool is_crossed) {
  shapes_.push_back(Hatch{{x, y, width, height, color, opacity}, is_crossed});
}

void SvgPage::type_pattern(float x, float y, float width, float height, uint32_t pattern,
                           float opacity) {
  shapes_.push_back(TypePattern{{x, y, width, height, 0, opacity}, pattern});
}

void SvgPage::text(std::string_view utf8, std::span<const float> xs, float y, float size_px,
                   bool is_bold, Color color, float turn) {
  shapes_.push_back(
      Text{append(letters_, utf8), append(xs_, xs), y, size_px, is_bold, color, turn});
}

void SvgPage::later(Drawing drawing) {
  shapes_.push_back(Later{static_cast<uint32_t>(drawings_.size())});
  drawings_.push_back(std::move(drawing));
}

std::string SvgPage::document() const { return SvgWriter(*this).document(); }

}  // namespace weft::render
