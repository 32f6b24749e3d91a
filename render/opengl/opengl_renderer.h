// The OpenGL 4.1 core renderer. Two ways to the same pictures: shaders for GPUs, the CPU for
// software drivers.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/renderer.h"

namespace weft::render::opengl {

// Looks up OpenGL functions, like glfwGetProcAddress.
using Loader = void (*(*)(const char* name))();

enum class Drawing { kByDriver, kShaders, kProcessor };

// Loads OpenGL functions; call once per context, before using it. The context must be current.
// Fails if the version is below 4.1.
Status load_opengl(Loader loader);

// OpenGL must be loaded. Fails, with the driver's message, if a shader does not compile.
Result<std::unique_ptr<Renderer>> create_renderer(Drawing drawing = Drawing::kByDriver);

}  // namespace weft::render::opengl
