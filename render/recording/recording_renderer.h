// A renderer for tests, without pixels: it records what it is given.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "render/renderer.h"
#include "render/slot_pool.h"

namespace weft::render {

class RecordingRenderer final : public Renderer {
 public:
  explicit RecordingRenderer(uint32_t slot_count = 4096) : slots_(slot_count) {}

  std::string name() const override { return "recording"; }
  bool is_software() const override { return true; }
  std::unique_ptr<Picture> make_picture() override;
  std::optional<uint32_t> acquire_slot() override { return slots_.acquire(); }
  void release_slot(uint32_t slot) override;
  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels) override;
  uint64_t gpu_bytes() const override;
  void finish() override {}

  using Texels = std::array<layout::Texel, layout::kTileColumns>;
  // The content of a slot; null if nothing was uploaded.
  const Texels* slot(uint32_t slot) const;
  uint64_t uploads() const { return uploads_; }
  // The batches drawn into pictures, in order.
  std::vector<DrawBatch> drawn;

 private:
  uint64_t uploads_ = 0;
  SlotPool slots_;
  std::map<uint32_t, Texels> atlas_;
};

}  // namespace weft::render
