#include "core/io/paths.h"

#include <cstdlib>

namespace weft::io {
namespace {

std::filesystem::path absolute_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || value[0] != '/') return {};
  return value;
}

std::filesystem::path folder(const char* variable, const char* default_in_home) {
  std::filesystem::path base = absolute_from(variable);
  if (base.empty()) {
    const std::filesystem::path home = absolute_from("HOME");
    if (home.empty()) return {};
    base = home / default_in_home;
  }
  return base / "weftscope";
}

}  // namespace

std::filesystem::path config_folder() { return folder("XDG_CONFIG_HOME", ".config"); }
std::filesystem::path state_folder() { return folder("XDG_STATE_HOME", ".local/state"); }
std::filesystem::path cache_folder() { return folder("XDG_CACHE_HOME", ".cache"); }
std::filesystem::path data_folder() { return folder("XDG_DATA_HOME", ".local/share"); }

}  // namespace weft::io
