// Which build this is.
#pragma once

#include <string>

namespace weft::cli {

// "weftscope 0.1.0 (3f2a91c0de)", and a line of the libraries that it was built with.
std::string version_text();

}  // namespace weft::cli
