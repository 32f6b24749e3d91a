#include "app/session/recent.h"

#include <system_error>
#include <utility>

#include "capture/host/ssh_address.h"

namespace weft::app {
namespace {

template <class Value>
void put_first(std::vector<Value>& values, Value value) {
  std::erase(values, value);
  values.insert(values.begin(), std::move(value));
  if (values.size() > Recent::kMost) values.pop_back();
}

}  // namespace

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  if (capture::is_ssh_address(path.native())) return path;
  std::error_code error;
  const std::filesystem::path normal = std::filesystem::absolute(path, error).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // "trace/" is the folder "trace"
}

void Recent::add_file(const std::filesystem::path& path) { put_first(files, absolute_path(path)); }

void Recent::add_filter(const std::string& text) {
  if (!text.empty()) put_first(filters, text);
}

}  // namespace weft::app
