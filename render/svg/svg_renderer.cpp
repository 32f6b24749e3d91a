#include "render/svg/svg_renderer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "render/look.h"

namespace weft::render {
namespace {

using layout::Mark;
using layout::Texel;

Color color_of(const Texel& texel) {
  return texel.r | Color{texel.g} << 8 | Color{texel.b} << 16 | 0xFF000000;
}

Color darkened(Color color) {
  const auto part = [&](int shift) {
    return static_cast<Color>(static_cast<float>(color >> shift & 0xFF) * kEdgeShade) << shift;
  };
  return part(0) | part(8) | part(16) | (color & 0xFF000000);
}

// A strip as rectangles: columns that look alike become one. The same rules as strip.frag.
class StripWriter {
 public:
  StripWriter(const Strip& strip, const SvgRenderer::Texels& texels, SvgPage& page)
      : strip_(strip), texels_(texels), page_(page) {
    px_per_column_ = (strip.x1 - strip.x0) / (strip.column1 - strip.column0);
  }

  void write() {
    const int first = std::max(0, static_cast<int>(std::floor(strip_.column0)));
    const int end = std::min(layout::kTileColumns, static_cast<int>(std::ceil(strip_.column1)));
    for (int column = first; column < end;) {
      const Texel& texel = texels_[static_cast<size_t>(column)];
      int behind = column + 1;
      while (behind < end && texels_[static_cast<size_t>(behind)] == texel && !texel.is_edge() &&
             !stands_alone(texel)) {
        ++behind;
      }
      if (texel.mark() != Mark::kEmpty) write_run(texel, x_of(column), x_of(behind));
      column = behind;
    }
  }

 private:
  // Instants where columns are wide: each is a thin line of its own, and so is the step to a value.
  bool stands_alone(const Texel& texel) const {
    const bool is_instant = strip_.mode == StripMode::kPunctuals ||
                            (strip_.mode == StripMode::kVariable && texel.r != texel.g);
    return is_instant && px_per_column_ > kThinPx;
  }
  float x_of(int column) const {
    return strip_.x0 + (static_cast<float>(column) - strip_.column0) * px_per_column_;
  }
  float within(float x) const { return std::clamp(x, strip_.x0, strip_.x1); }

  void write_run(const Texel& texel, float begin, float end) {
    const float x0 = within(begin);
    const float instant_end = stands_alone(texel) ? within(begin + kThinPx) : within(end);
    if (strip_.mode == StripMode::kVariable)
      return write_values(texel, x0, instant_end, within(end));
    const float x1 = instant_end;
    const Color color = color_of(texel);
    const float lit = std::max(1.0f, strip_.height * static_cast<float>(texel.fill()) /
                                         static_cast<float>(Texel::kFullFill));
    const float width = x1 - x0;
    if (width <= 0) return;
    if (strip_.mode == StripMode::kStates && lit < strip_.height) {
      page_.rectangle(x0, strip_.y, width, strip_.height - lit, color, kRestShade);
    }
    const float top = strip_.y + strip_.height - lit;
    page_.rectangle(x0, top, width, lit, color);
    hatch(texel, x0, top, width, lit);
    const bool has_edge = texel.is_edge() && strip_.mode == StripMode::kStates;
    if (has_edge) page_.rectangle(x0, top, std::min(1.0f, width), lit, darkened(color));
  }

  // Behind a step, the last value holds.
  void write_values(const Texel& texel, float x0, float step_end, float x1) {
    const float top = write_band(texel.r, texel.g, texel.fill(), x0, step_end);
    const float bottom = strip_.y + strip_.height - value_px(texel.r);
    hatch(texel, x0, top, step_end - x0, bottom - top);
    if (step_end < x1) write_band(texel.b, texel.b, texel.fill(), step_end, x1);
  }

  // Returns where it begins, from above.
  float write_band(uint8_t least, uint8_t most, int fill, float x0, float x1) {
    const float bottom = strip_.y + strip_.height - value_px(least);
    const float top = strip_.y + strip_.height - value_px(most) - kBandPx;
    const Color color = strip_.color | 0xFF000000;
    const float strength = static_cast<float>(fill) / Texel::kFullFill;
    page_.rectangle(x0, bottom, x1 - x0, value_px(least), color, kRestShade * strength);
    page_.rectangle(x0, top, x1 - x0, bottom - top, color, strength);
    return top;
  }
  float value_px(uint8_t value) const {
    return static_cast<float>(value) * (strip_.height - kBandPx) / 255;
  }

  void hatch(const Texel& texel, float x, float y, float width, float height) {
    if (!layout::is_aggregate(texel.mark())) return;
    page_.hatch(x, y, width, height, strip_.background | 0xFF000000, 1 - kPatternShade,
                texel.mark() != Mark::kSeveralOfOneType);
  }

  const Strip& strip_;
  const SvgRenderer::Texels& texels_;
  SvgPage& page_;
  float px_per_column_ = 1;
};

void write_box(const BoxShape& box, SvgPage& page) {
  page.rectangle(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, box.color);
  if (box.pattern != 0 && box.x1 - box.x0 >= kPatternFromPx) {
    page.type_pattern(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, box.pattern,
                      1 - kTypePatternShade);
  }
  if (box.has_edge == 0) return;
  page.rectangle(box.x0, box.y0, std::min(1.0f, box.x1 - box.x0), box.y1 - box.y0,
                 darkened(box.color));
}

void write_line(const LineShape& line, SvgPage& page) {
  const float dx = line.x1 - line.x0;
  const float dy = line.y1 - line.y0;
  const float length = std::max(std::hypot(dx, dy), 1e-3f);
  const float head = line.head_px > 0 ? std::min(line.head_px + line.width, length) : 0;
  const float ux = dx / length;
  const float uy = dy / length;
  const SvgPoint neck = {line.x1 - ux * head, line.y1 - uy * head};
  page.line({line.x0, line.y0}, neck, line.width, line.color);
  if (head <= 0) return;
  const float half = head * kHeadHalfWidth;
  const SvgPoint points[] = {{line.x1, line.y1},
                             {neck.x - uy * half, neck.y + ux * half},
                             {neck.x + uy * half, neck.y - ux * half}};
  page.polygon(points, line.color);
}

void write_marker(const MarkerShape& m, SvgPage& page) {
  const SvgPoint points[] = {
      {m.x, m.y - m.radius}, {m.x + m.radius, m.y}, {m.x, m.y + m.radius}, {m.x - m.radius, m.y}};
  page.polygon(points, m.color);
}

// `texels`: of each of its strips.
void write_batch(const DrawBatch& batch, const std::vector<SvgRenderer::Texels>& texels,
                 SvgPage& page) {
  for (const BoxShape& box : batch.backdrops) write_box(box, page);
  for (size_t i = 0; i < batch.strips.size(); ++i)
    StripWriter(batch.strips[i], texels[i], page).write();
  for (const BoxShape& box : batch.boxes) write_box(box, page);
  for (const LineShape& line : batch.lines) write_line(line, page);
  for (const MarkerShape& marker : batch.markers) write_marker(marker, page);
}

class SvgPicture final : public Picture {
 public:
  explicit SvgPicture(SvgRenderer& renderer) : renderer_(renderer) {}

  void draw(const DrawBatch& batch, int width, int height) override {
    batch_ = std::make_shared<const DrawBatch>(batch);
    width_ = width;
    height_ = height;
  }

  void blit(int x, int y, int) override {
    SvgPage* page = renderer_.page();
    if (page == nullptr) return;
    page->begin_part(static_cast<float>(x), static_cast<float>(y), static_cast<float>(width_),
                     static_cast<float>(height_));
    page->rectangle(0, 0, static_cast<float>(width_), static_cast<float>(height_),
                    batch_->background);
    std::vector<SvgRenderer::Texels> texels;  // tiles may be others when the page is written
    texels.reserve(batch_->strips.size());
    for (const Strip& strip : batch_->strips) texels.push_back(renderer_.texels(strip.slot));
    page->later([batch = batch_, texels = std::move(texels)](SvgPage& drawn) {
      write_batch(*batch, texels, drawn);
    });
    page->end_part();
  }

  Image read() const override { return {width_, height_, {}}; }

 private:
  SvgRenderer& renderer_;
  std::shared_ptr<const DrawBatch> batch_ = std::make_shared<const DrawBatch>();
  int width_ = 0, height_ = 0;
};

}  // namespace

std::unique_ptr<Picture> SvgRenderer::make_picture() { return std::make_unique<SvgPicture>(*this); }

void SvgRenderer::upload(uint32_t slot,
                         std::span<const layout::Texel, layout::kTileColumns> texels) {
  if (slot >= atlas_.size()) atlas_.resize(slot + 1);
  std::ranges::copy(texels, atlas_[slot].begin());
}

}  // namespace weft::render
