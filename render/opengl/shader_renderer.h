// Draws with shaders: instanced shapes, one draw call per kind of shape. For GPUs.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/renderer.h"

namespace weft::render::opengl {

// OpenGL must be loaded.
Result<std::unique_ptr<Renderer>> create_shader_renderer();

}  // namespace weft::render::opengl
