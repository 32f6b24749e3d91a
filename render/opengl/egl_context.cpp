#include "render/opengl/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string>
#include <string_view>

namespace weft::render::opengl {
namespace {

// In a list of names separated by spaces.
bool has_client_extension(std::string_view name) {
  const char* all = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::string_view rest = all ? all : "";
  while (!rest.empty()) {
    const size_t space = rest.find(' ');
    if (rest.substr(0, space) == name) return true;
    rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  }
  return false;
}

template <class Function>
Function function_named(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

EGLDisplay surfaceless_display() {
  if (!has_client_extension("EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
  const auto get = function_named<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  return get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : EGL_NO_DISPLAY;
}

EGLDisplay device_display() {
  if (!has_client_extension("EGL_EXT_platform_device")) return EGL_NO_DISPLAY;
  const auto query = function_named<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto get = function_named<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  EGLDeviceEXT device = nullptr;
  EGLint count = 0;
  if (!query || !get || !query(1, &device, &count) || count == 0) return EGL_NO_DISPLAY;
  return get(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
}

EGLDisplay default_display() { return eglGetDisplay(EGL_DEFAULT_DISPLAY); }

EGLContext create_context(EGLDisplay display) {
  constexpr std::array<EGLint, 7> kConfig{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                          EGL_OPENGL_BIT,   EGL_RED_SIZE,    8,
                                          EGL_NONE};
  constexpr std::array<EGLint, 7> kContext{EGL_CONTEXT_MAJOR_VERSION,
                                           4,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           1,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  // A surfaceless platform may have no configs at all; contexts need none there.
  if (!eglChooseConfig(display, kConfig.data(), &config, 1, &count) || count == 0) config = nullptr;
  return eglCreateContext(display, config, EGL_NO_CONTEXT, kContext.data());
}

}  // namespace

Result<std::unique_ptr<EglContext>> EglContext::create() {
  std::string reason = "no EGL display";
  for (const auto open_display : {surfaceless_display, device_display, default_display}) {
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) continue;
    if (!eglBindAPI(EGL_OPENGL_API)) {
      reason = "EGL without OpenGL";
    } else if (const EGLContext context = create_context(display); context == EGL_NO_CONTEXT) {
      reason = "no OpenGL 4.1 core context";
    } else if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      reason = "no context without a surface";
      eglDestroyContext(display, context);
    } else {
      std::unique_ptr<EglContext> result(new EglContext);
      result->display_ = display;
      result->context_ = context;
      WEFT_TRY(load_opengl([](const char* name) { return eglGetProcAddress(name); }));
      return result;
    }
    eglTerminate(display);
  }
  return fail("cannot draw offscreen: " + reason);
}

EglContext::~EglContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

}  // namespace weft::render::opengl
