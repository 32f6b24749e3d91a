// The renderer on OpenGL 4.1 core. Two ways to the same pictures: shaders for GPUs, the processor
// for software drivers.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "render/renderer.h"

namespace weft::render::opengl {

// How OpenGL functions are found, as by glfwGetProcAddress.
using Loader = void (*(*)(const char* name))();

enum class Drawing { kByDriver, kShaders, kProcessor };

// Once per context, before anything else of it is used; it must be current. Error: a version below
// 4.1.
Status load_opengl(Loader loader);

// OpenGL must be loaded. Error: a shader that does not compile (with the driver's message).
Result<std::unique_ptr<Renderer>> create_renderer(Drawing drawing = Drawing::kByDriver);

}  // namespace weft::render::opengl
