#include "render/opengl/program.h"

#include <glad/gl.h>

#include <array>

namespace weft::render::opengl {
namespace {

Result<GLuint> compile_shader(GLenum kind, const char* source, const std::string& defines) {
  const std::array<const char*, 3> parts{"#version 410 core\n", defines.c_str(), source};
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, static_cast<GLsizei>(parts.size()), parts.data(), nullptr);
  glCompileShader(shader);
  GLint is_compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
  if (is_compiled) return shader;
  std::array<char, 1024> log{};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  return fail(log.data());
}

Result<GLuint> link_program(GLuint vertex, GLuint fragment) {
  const GLuint program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  GLint is_linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &is_linked);
  if (is_linked) return program;
  std::array<char, 1024> log{};
  glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteProgram(program);
  return fail(log.data());
}

}  // namespace

Result<Program> Program::compile(std::string_view name, const char* vertex_source,
                                 const char* fragment_source, const std::string& defines) {
  const std::string what = "shader " + std::string(name);
  auto vertex = compile_shader(GL_VERTEX_SHADER, vertex_source, defines);
  if (!vertex) return fail(std::move(vertex.error()).context(what + ".vert"));
  auto fragment = compile_shader(GL_FRAGMENT_SHADER, fragment_source, defines);
  if (!fragment) {
    glDeleteShader(*vertex);
    return fail(std::move(fragment.error()).context(what + ".frag"));
  }
  auto program = link_program(*vertex, *fragment);
  glDeleteShader(*vertex);
  glDeleteShader(*fragment);
  if (!program) return fail(std::move(program.error()).context(what));
  return Program(*program);
}

Program::~Program() {
  if (id_ != 0) glDeleteProgram(id_);
}

void Program::use(int width, int height) const {
  glUseProgram(id_);
  glUniform2f(glGetUniformLocation(id_, "u_size"), static_cast<float>(width),
              static_cast<float>(height));
}

}  // namespace weft::render::opengl
