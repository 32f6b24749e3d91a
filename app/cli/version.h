// The version of this build.
#pragma once

#include <string>

namespace weft::cli {

// "weftscope 0.1.0 (3f2a91c0de)", and a line with the versions of its libraries.
std::string version_text();

}  // namespace weft::cli
