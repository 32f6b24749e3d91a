// Where the user's files of this program live (the XDG base directory specification).
//
// Each is $XDG_…_HOME/weftscope, or the specification's default under $HOME; a relative value of a
// variable is ignored, as the specification asks. Empty where there is no home at all: then nothing
// is kept. The folders are not made.
#pragma once

#include <filesystem>

namespace weft::io {

std::filesystem::path config_folder();  // $XDG_CONFIG_HOME, ~/.config
std::filesystem::path state_folder();   // $XDG_STATE_HOME, ~/.local/state
std::filesystem::path cache_folder();   // $XDG_CACHE_HOME, ~/.cache
std::filesystem::path data_folder();    // $XDG_DATA_HOME, ~/.local/share

}  // namespace weft::io
