// The renderer on OpenGL 4.1 core: instanced shapes, one draw call per kind of shape.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/renderer.h"

namespace weft::render::opengl {

// How OpenGL functions are found: glfwGetProcAddress, or EglContext::loader().
using Loader = void (*(*)(const char* name))();

// Loads OpenGL (once per context) and compiles the shaders; a context must be current. Errors: a
// version below 4.1, a shader that does not compile (with the driver's message).
Result<std::unique_ptr<Renderer>> create_renderer(Loader loader);

}  // namespace weft::render::opengl
