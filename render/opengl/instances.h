// Instanced drawing: what a draw call for one kind of shape needs. A context must be current.
#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <span>

namespace weft::render::opengl {

// One attribute of an instance, at its offset in the shape's struct.
struct Attribute {
  GLint components;
  GLenum type;  // GL_UNSIGNED_BYTE: a normalised colour; GL_UNSIGNED_INT: an integer
  size_t offset;
};

// Instances of one kind of shape: a vertex array over a buffer that is filled for each draw.
class Instances {
 public:
  Instances(size_t stride, std::initializer_list<Attribute> attributes)
      : stride_(static_cast<GLsizei>(stride)) {
    glGenVertexArrays(1, &array_);
    glGenBuffers(1, &buffer_);
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    GLuint location = 0;
    for (const Attribute& a : attributes) {
      const auto* offset = reinterpret_cast<const void*>(a.offset);
      glEnableVertexAttribArray(location);
      glVertexAttribDivisor(location, 1);
      if (a.type == GL_UNSIGNED_INT) {
        glVertexAttribIPointer(location, a.components, a.type, stride_, offset);
      } else {
        glVertexAttribPointer(location, a.components, a.type, a.type == GL_UNSIGNED_BYTE, stride_,
                              offset);
      }
      ++location;
    }
  }
  ~Instances() {
    glDeleteBuffers(1, &buffer_);
    glDeleteVertexArrays(1, &array_);
  }
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;

  template <std::ranges::contiguous_range Shapes>
  void draw(const Shapes& shapes, GLenum primitive, GLsizei vertices) {
    if (shapes.empty()) return;
    const auto size_bytes = static_cast<GLsizeiptr>(std::as_bytes(std::span(shapes)).size());
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    // New storage each time: the driver need not wait for the last frame's.
    glBufferData(GL_ARRAY_BUFFER, size_bytes, shapes.data(), GL_STREAM_DRAW);
    glDrawArraysInstanced(primitive, 0, vertices, static_cast<GLsizei>(shapes.size()));
    size_bytes_ = static_cast<uint64_t>(size_bytes);
  }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  GLsizei stride_;
  GLuint array_ = 0, buffer_ = 0;
  uint64_t size_bytes_ = 0;
};

}  // namespace weft::render::opengl
