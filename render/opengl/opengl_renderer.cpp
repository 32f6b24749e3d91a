#include "render/opengl/opengl_renderer.h"

#include <glad/gl.h>

#include <string>

#include "render/opengl/driver.h"
#include "render/opengl/painted_renderer.h"
#include "render/opengl/shader_renderer.h"

namespace weft::render::opengl {

std::string driver_name() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name ? name : "unknown";
}

bool is_software_driver() {
  const std::string name = driver_name();
  for (const char* software : {"llvmpipe", "softpipe", "SwiftShader", "swrast"}) {
    if (name.find(software) != std::string::npos) return true;
  }
  return false;
}

Status load_opengl(Loader loader) {
  const int version = gladLoadGL(loader);
  if (version == 0) return fail("cannot load OpenGL");
  if (version < GLAD_MAKE_VERSION(4, 1)) {
    return fail("OpenGL " + std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
                std::to_string(GLAD_VERSION_MINOR(version)) + ": 4.1 is needed");
  }
  return {};
}

Result<std::unique_ptr<Renderer>> create_renderer(Drawing drawing) {
  const bool is_painted =
      drawing == Drawing::kProcessor || (drawing == Drawing::kByDriver && is_software_driver());
  if (is_painted) return create_painted_renderer();
  return create_shader_renderer();
}

}  // namespace weft::render::opengl
