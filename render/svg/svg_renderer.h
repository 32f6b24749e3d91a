// A renderer to SVG: pictures keep the batch drawn into them, and blit() writes it to a page. Needs
// no OpenGL.
#pragma once

#include <array>
#include <vector>

#include "render/renderer.h"
#include "render/slot_pool.h"
#include "render/svg/svg_page.h"

namespace weft::render {

class SvgRenderer final : public Renderer {
 public:
  SvgRenderer() = default;

  std::string name() const override { return "SVG"; }
  bool is_software() const override { return true; }
  std::unique_ptr<Picture> make_picture() override;
  std::optional<uint32_t> acquire_slot() override { return slots_.acquire(); }
  void release_slot(uint32_t slot) override { slots_.release(slot); }
  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels) override;
  uint64_t gpu_bytes() const override { return 0; }
  void finish() override {}

  using Texels = std::array<layout::Texel, layout::kTileColumns>;
  const Texels& texels(uint32_t slot) const { return atlas_[slot]; }

  // The page that blit() writes to; null: none. Not owned.
  void set_page(SvgPage* page) { page_ = page; }
  SvgPage* page() const { return page_; }

 private:
  static constexpr uint32_t kSlots = 1 << 16;
  SlotPool slots_{kSlots};
  std::vector<Texels> atlas_;
  SvgPage* page_ = nullptr;
};

}  // namespace weft::render
