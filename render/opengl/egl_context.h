// An OpenGL 4.1 core context without any window or display: Mesa's surfaceless platform, else the
// first device (EGL_EXT_platform_device), else the default display.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/opengl/opengl_renderer.h"

namespace weft::render::opengl {

// Current, with OpenGL loaded, on the thread that made it until destroyed. Has no default
// framebuffer: draw into an OffscreenTarget or a Picture.
class EglContext {
 public:
  static Result<std::unique_ptr<EglContext>> create();
  ~EglContext();
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

 private:
  EglContext() = default;
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace weft::render::opengl
