// Per-user folders of this program, by the XDG base directory specification.
//
// Each is $XDG_…_HOME/weftscope, or the specification's default under $HOME; relative values of the
// variables are ignored, as it demands. Empty if there is no home at all: then nothing is kept. The
// folders are not created.
#pragma once

#include <filesystem>

namespace weft::io {

std::filesystem::path config_folder();  // $XDG_CONFIG_HOME, ~/.config
std::filesystem::path state_folder();   // $XDG_STATE_HOME, ~/.local/state
std::filesystem::path cache_folder();   // $XDG_CACHE_HOME, ~/.cache
std::filesystem::path data_folder();    // $XDG_DATA_HOME, ~/.local/share

}  // namespace weft::io
