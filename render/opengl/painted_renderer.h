// Draws on the CPU (SoftwarePainter) and hands OpenGL finished pictures: an upload and a copy. With
// software OpenGL that is ten times as fast as shaders.
#pragma once

#include <memory>

#include "render/renderer.h"

namespace weft::render::opengl {

// OpenGL must be loaded.
std::unique_ptr<Renderer> create_painted_renderer();

}  // namespace weft::render::opengl
