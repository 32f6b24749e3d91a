// A linked shader program. Move-only owner; a context must be current.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace weft::render::opengl {

class Program {
 public:
  // `defines` is inserted in both sources after the version line. Errors contain the driver's
  // message.
  static Result<Program> compile(std::string_view name, const char* vertex_source,
                                 const char* fragment_source, const std::string& defines = {});
  Program() = default;
  ~Program();
  Program(Program&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  // Makes it current and sets the picture's size in px.
  void use(int width, int height) const;
  uint32_t id() const { return id_; }

 private:
  explicit Program(uint32_t id) : id_(id) {}
  uint32_t id_ = 0;
};

}  // namespace weft::render::opengl
