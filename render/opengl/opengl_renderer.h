// The renderer on OpenGL 4.1 core. Two ways to the same pictures: shaders for GPUs, the processor
// for software drivers.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/renderer.h"

namespace weft::render::opengl {

// How OpenGL functions are found: glfwGetProcAddress, or EglContext::loader().
using Loader = void (*(*)(const char* name))();

enum class Drawing { kByDriver, kShaders, kProcessor };

// Loads OpenGL (once per context); a context must be current. Errors: a version below 4.1, a shader
// that does not compile (with the driver's message).
Result<std::unique_ptr<Renderer>> create_renderer(Loader loader,
                                                  Drawing drawing = Drawing::kByDriver);

}  // namespace weft::render::opengl
