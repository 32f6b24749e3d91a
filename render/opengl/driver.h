// The current context's driver, in its own words.
#pragma once

#include <string>

namespace weft::render::opengl {

std::string driver_name();
bool is_software_driver();

}  // namespace weft::render::opengl
