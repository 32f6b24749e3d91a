// What the driver behind the current context says about itself.
#pragma once

#include <string>

namespace weft::render::opengl {

std::string driver_name();
bool is_software_driver();

}  // namespace weft::render::opengl
