#include "render/opengl/shader_renderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "render/look.h"
#include "render/opengl/driver.h"
#include "render/opengl/instances.h"
#include "render/opengl/picture_target.h"
#include "render/opengl/program.h"
#include "render/opengl/tile_atlas.h"
#include "render/shader_sources.h"
#include "render/slot_pool.h"

namespace weft::render::opengl {
namespace {

// The constants of look.h, as the shaders know them.
std::string shader_constants() {
  std::string text;
  const auto define = [&](std::string_view name, const std::string& value) {
    text += "#define " + std::string(name) + " " + value + "\n";
  };
  define("TILES_ACROSS", std::to_string(TileAtlas::kTilesAcross) + "u");
  define("TILE_COLUMNS", std::to_string(layout::kTileColumns) + "u");
  define("kPatternShade", std::to_string(kPatternShade));
  define("kTypePatternShade", std::to_string(kTypePatternShade));
  define("kPatternFromPx", std::to_string(kPatternFromPx));
  define("kRestShade", std::to_string(kRestShade));
  define("kEdgeShade", std::to_string(kEdgeShade));
  define("kThinPx", std::to_string(kThinPx));
  define("kBandPx", std::to_string(kBandPx));
  define("kHeadHalfWidth", std::to_string(kHeadHalfWidth));
  return text;
}

struct Programs {
  std::array<Program, 3> strips;  // by StripMode
  Program tile, box, line, marker;

  static Result<Programs> compile() {
    const std::string constants = shader_constants();
    constexpr std::array<const char*, 3> kModes{"STATES", "PUNCTUALS", "VARIABLE"};
    Programs p;
    for (size_t i = 0; i < kModes.size(); ++i) {
      const std::string defines = constants + "#define " + kModes[i] + "\n";
      WEFT_TRY_ASSIGN(p.strips[i], Program::compile("strip", k_strip_vert, k_strip_frag, defines));
    }
    WEFT_TRY_ASSIGN(p.tile, Program::compile("tile", k_tile_vert, k_tile_frag, constants));
    WEFT_TRY_ASSIGN(p.box, Program::compile("box", k_box_vert, k_box_frag, constants));
    WEFT_TRY_ASSIGN(p.line, Program::compile("line", k_line_vert, k_line_frag, constants));
    WEFT_TRY_ASSIGN(p.marker, Program::compile("marker", k_marker_vert, k_marker_frag, constants));
    return p;
  }
};

// Draws batches; shared by all pictures of a renderer.
class Painter {
 public:
  explicit Painter(Programs programs) : programs_(std::move(programs)) {}

  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels) {
    atlas_.add(slot, texels);
  }

  // Into the framebuffer that is bound, over all of it.
  void draw(const DrawBatch& batch, int width, int height) {
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_CULL_FACE);
    atlas_.settle(programs_.tile);
    glViewport(0, 0, width, height);
    clear(batch.background);
    programs_.box.use(width, height);
    boxes_.draw(batch.backdrops, GL_TRIANGLE_STRIP, 4);
    draw_strips(batch.strips, width, height);
    programs_.box.use(width, height);
    boxes_.draw(batch.boxes, GL_TRIANGLE_STRIP, 4);
    // Only these may have soft edges: blending costs software renderers dear.
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    programs_.line.use(width, height);
    lines_.draw(batch.lines, GL_TRIANGLES, 9);
    programs_.marker.use(width, height);
    markers_.draw(batch.markers, GL_TRIANGLE_STRIP, 4);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glUseProgram(0);
  }

  uint64_t gpu_bytes() const {
    return atlas_.size_bytes() + strips_.size_bytes() + boxes_.size_bytes() + lines_.size_bytes() +
           markers_.size_bytes();
  }

 private:
  static void clear(Color color) {
    const auto channel = [color](int shift) {
      return static_cast<float>(color >> shift & 0xFF) / 255.0f;
    };
    glClearColor(channel(0), channel(8), channel(16), 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  // One draw call per mode: a shader that does one thing has no branches.
  void draw_strips(const std::vector<Strip>& strips, int width, int height) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, atlas_.texture());
    for (size_t mode = 0; mode < programs_.strips.size(); ++mode) {
      of_mode_.clear();
      std::ranges::copy_if(strips, std::back_inserter(of_mode_), [mode](const Strip& strip) {
        return static_cast<size_t>(strip.mode) == mode;
      });
      if (of_mode_.empty()) continue;
      programs_.strips[mode].use(width, height);
      strips_.draw(of_mode_, GL_TRIANGLE_STRIP, 4);
    }
  }

  Programs programs_;
  TileAtlas atlas_;
  std::vector<Strip> of_mode_;
  Instances strips_{sizeof(Strip),
                    {{4, GL_FLOAT, offsetof(Strip, x0)},
                     {2, GL_FLOAT, offsetof(Strip, column0)},
                     {1, GL_UNSIGNED_INT, offsetof(Strip, slot)},
                     {4, GL_UNSIGNED_BYTE, offsetof(Strip, background)},
                     {4, GL_UNSIGNED_BYTE, offsetof(Strip, color)}}};
  Instances boxes_{sizeof(BoxShape),
                   {{4, GL_FLOAT, offsetof(BoxShape, x0)},
                    {4, GL_UNSIGNED_BYTE, offsetof(BoxShape, color)},
                    {1, GL_UNSIGNED_INT, offsetof(BoxShape, has_edge)},
                    {1, GL_UNSIGNED_INT, offsetof(BoxShape, pattern)}}};
  Instances lines_{sizeof(LineShape),
                   {{4, GL_FLOAT, offsetof(LineShape, x0)},
                    {2, GL_FLOAT, offsetof(LineShape, width)},
                    {4, GL_UNSIGNED_BYTE, offsetof(LineShape, color)}}};
  Instances markers_{sizeof(MarkerShape),
                     {{3, GL_FLOAT, offsetof(MarkerShape, x)},
                      {4, GL_UNSIGNED_BYTE, offsetof(MarkerShape, color)}}};
};

// A texture that is drawn into.
class TexturePicture final : public Picture {
 public:
  TexturePicture(Painter& painter, uint64_t& texture_bytes)
      : painter_(painter), target_(texture_bytes) {}

  void draw(const DrawBatch& batch, int width, int height) override {
    const OffscreenTarget& target = target_.resize(width, height);
    const BoundFramebuffer bound(GL_DRAW_FRAMEBUFFER, target.framebuffer());
    painter_.draw(batch, target.width(), target.height());
  }

  void blit(int x, int y, int framebuffer_height) override {
    if (target_.get() != nullptr)
      target_.get()->blit(x, y, framebuffer_height, RowOrder::kTopFirst);
  }

  Image read() const override {
    return target_.get() == nullptr ? Image{0, 0, {}} : target_.get()->rows();
  }

 private:
  Painter& painter_;
  PictureTarget target_;
};

class ShaderRenderer final : public Renderer {
 public:
  explicit ShaderRenderer(Programs programs) : painter_(std::move(programs)) {}

  std::string name() const override { return driver_name(); }
  bool is_software() const override { return is_software_driver(); }
  std::unique_ptr<Picture> make_picture() override {
    return std::make_unique<TexturePicture>(painter_, picture_bytes_);
  }
  std::optional<uint32_t> acquire_slot() override { return slots_.acquire(); }
  void release_slot(uint32_t slot) override { slots_.release(slot); }
  void upload(uint32_t slot, std::span<const layout::Texel, layout::kTileColumns> texels) override {
    painter_.upload(slot, texels);
  }
  uint64_t gpu_bytes() const override { return painter_.gpu_bytes() + picture_bytes_; }
  void finish() override { glFinish(); }

 private:
  Painter painter_;
  SlotPool slots_{TileAtlas::kSlotCount};
  uint64_t picture_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<Renderer>> create_shader_renderer() {
  WEFT_TRY_ASSIGN(Programs programs, Programs::compile());
  return std::make_unique<ShaderRenderer>(std::move(programs));
}

}  // namespace weft::render::opengl
