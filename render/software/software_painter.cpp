#include "render/software/software_painter.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <latch>
#include <thread>

#include "render/look.h"
#include "render/software/band.h"
#include "render/software/strip_painter.h"

namespace weft::render {
namespace {

// More than one, so that a thread that is late holds up little.
constexpr size_t kBandsPerThread = 3;

void paint_box(Band& band, const BoxShape& box) {
  const Band::Span x = band.columns(box.x0, box.x1), y = band.rows(box.y0, box.y1);
  if (x.is_empty()) return;
  const Color color = box.color | kOpaque;
  const Color edge = mixed(0, box.color, share_of(kEdgeShade));
  const int edge_end = box.has_edge != 0 ? band.columns(box.x0, box.x0 + 1).end : x.begin;
  for (int row = y.begin; row < y.end; ++row) {
    uint32_t* out = band.row(row);
    std::fill(out + x.begin, out + std::min(edge_end, x.end), edge);
    std::fill(out + std::max(edge_end, x.begin), out + x.end, color);
  }
  if (box.pattern == 0 || box.x1 - box.x0 < kPatternFromPx) return;
  const Color shaded = mixed(0, box.color, share_of(kTypePatternShade));
  for (int row = y.begin; row < y.end; ++row) {
    uint32_t* out = band.row(row);
    for (int i = std::max(edge_end, x.begin); i < x.end; ++i) {
      if (is_on_pattern(box.pattern, i, row)) out[i] = shaded;
    }
  }
}

inline void blend(uint32_t& pixel, Color color, float coverage) {
  if (coverage <= 0) return;
  const float alpha = std::min(coverage, 1.0f) * static_cast<float>(color >> 24) * (1.0f / 255);
  pixel = mixed(pixel, color, share_of(alpha));
}

// A segment with soft edges: walks along the axis in which it is longer, and blends the few pixels
// across it.
class LinePainter {
 public:
  LinePainter(Band& band, const LineShape& line) : band_(band), line_(line) {
    dx_ = line.x1 - line.x0;
    dy_ = line.y1 - line.y0;
    length_ = std::max(std::hypot(dx_, dy_), 1e-3f);
    head_ = line.head_px > 0 ? std::min(line.head_px + line.width, length_) : 0;
    half_ = line.width / 2;
    per_length_ = 1 / length_;
  }

  void paint() {
    // The shaft ends inside the head.
    const float share = 1 - head_ * 0.5f / length_;
    x1_ = line_.x0 + dx_ * share;
    y1_ = line_.y0 + dy_ * share;
    if (std::abs(dy_) > std::abs(dx_)) {
      paint_steep();
    } else {
      paint_flat();
    }
    if (head_ > 0) paint_head();
  }

 private:
  float coverage_at(float x, float y) const {
    const float across = (x - line_.x0) * dy_ - (y - line_.y0) * dx_;
    return half_ + 0.5f - std::abs(across) * per_length_;
  }

  void paint_steep() {
    const auto [top, bottom] = std::minmax(line_.y0, y1_);
    const Band::Span y = band_.rows(top, bottom);
    const float reach = (half_ + 0.5f) * length_ / std::abs(dy_);
    const float slope = dx_ / dy_;
    for (int row = y.begin; row < y.end; ++row) {
      const float centre = static_cast<float>(row) + 0.5f;
      const float middle = line_.x0 + (centre - line_.y0) * slope;
      const Band::Span x = band_.columns(middle - reach, middle + reach);
      for (int i = x.begin; i < x.end; ++i) {
        blend(band_.row(row)[i], line_.color, coverage_at(static_cast<float>(i) + 0.5f, centre));
      }
    }
  }

  void paint_flat() {
    const auto [left, right] = std::minmax(line_.x0, x1_);
    const Band::Span x = band_.columns(left, right);
    const float reach = (half_ + 0.5f) * length_ / std::max(std::abs(dx_), 1e-3f);
    const float slope = dx_ == 0 ? 0 : dy_ / dx_;
    for (int column = x.begin; column < x.end; ++column) {
      const float centre = static_cast<float>(column) + 0.5f;
      const float middle = line_.y0 + (centre - line_.x0) * slope;
      const Band::Span y = band_.rows(middle - reach, middle + reach);
      for (int i = y.begin; i < y.end; ++i) {
        blend(band_.row(i)[column], line_.color, coverage_at(centre, static_cast<float>(i) + 0.5f));
      }
    }
  }

  void paint_head() {
    const float ux = dx_ / length_, uy = dy_ / length_;
    const Band::Span x = band_.columns(line_.x1 - head_, line_.x1 + head_);
    const Band::Span y = band_.rows(line_.y1 - head_, line_.y1 + head_);
    for (int row = y.begin; row < y.end; ++row) {
      for (int i = x.begin; i < x.end; ++i) {
        const float px = line_.x1 - (static_cast<float>(i) + 0.5f);
        const float py = line_.y1 - (static_cast<float>(row) + 0.5f);
        const float behind = px * ux + py * uy;  // the tip
        const float across = std::abs(px * uy - py * ux);
        const bool is_inside = behind >= 0 && behind <= head_ && across <= behind * kHeadHalfWidth;
        if (is_inside) blend(band_.row(row)[i], line_.color, 1);
      }
    }
  }

  Band& band_;
  const LineShape& line_;
  float dx_ = 0, dy_ = 0, length_ = 0, per_length_ = 0, head_ = 0, half_ = 0;
  float x1_ = 0, y1_ = 0;  // where the shaft ends
};

void paint_marker(Band& band, const MarkerShape& marker) {
  const Band::Span y = band.rows(marker.y - marker.radius, marker.y + marker.radius);
  for (int row = y.begin; row < y.end; ++row) {
    const float reach = marker.radius - std::abs(static_cast<float>(row) + 0.5f - marker.y);
    const Band::Span x = band.columns(marker.x - reach, marker.x + reach);
    for (int i = x.begin; i < x.end; ++i) blend(band.row(row)[i], marker.color, 1);
  }
}

size_t thread_count(size_t wanted) {
  return wanted > 0 ? wanted : std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 8);
}

}  // namespace

SoftwarePainter::SoftwarePainter(size_t threads) : pool_(thread_count(threads)) {}

void SoftwarePainter::upload(uint32_t slot,
                             std::span<const layout::Texel, layout::kTileColumns> texels) {
  if (slot >= atlas_.size()) atlas_.resize(slot + 1);
  atlas_[slot] = texels.data();
}

void SoftwarePainter::paint(const DrawBatch& batch, Image& image, RowOrder order) {
  const size_t bands = pool_.size() * kBandsPerThread;
  const auto edge = [&](size_t n) {
    return static_cast<int>(static_cast<size_t>(image.height) * n / bands);
  };
  const auto paint_band = [&](size_t n) {
    Band band(image, order, edge(n), edge(n + 1));
    band.clear(batch.background);
    for (const BoxShape& box : batch.backdrops) paint_box(band, box);
    StripPainter strips(band);
    for (const Strip& strip : batch.strips) {
      strips.paint(strip, std::span<const layout::Texel, layout::kTileColumns>(
                              atlas_[strip.slot], layout::kTileColumns));
    }
    for (const BoxShape& box : batch.boxes) paint_box(band, box);
    for (const LineShape& line : batch.lines) LinePainter(band, line).paint();
    for (const MarkerShape& marker : batch.markers) paint_marker(band, marker);
  };
  // All of it on the pool: the calling thread has its own budget.
  std::atomic<size_t> next = 0;
  std::latch done(static_cast<ptrdiff_t>(pool_.size()));
  const auto paint_bands = [&] {
    for (size_t n = next++; n < bands; n = next++) paint_band(n);
    done.count_down();
  };
  for (size_t i = 0; i < pool_.size(); ++i) pool_.submit([&paint_bands] { paint_bands(); });
  done.wait();
}

}  // namespace weft::render
