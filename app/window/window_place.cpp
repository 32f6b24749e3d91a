#include "app/window/window_place.h"

#include "app/base/json.h"
#include "app/base/text_file.h"

namespace weft::app {
namespace {

constexpr const char* kFile = "window.json";
constexpr uint64_t kMostBytes = 1 << 16;
constexpr int64_t kMostSide = 1 << 15;

std::optional<int> side(const Json& json, const char* name) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_number_integer()) return std::nullopt;
  const auto px = it->get<int64_t>();
  if (px < 1 || px > kMostSide) return std::nullopt;
  return static_cast<int>(px);
}

}  // namespace

std::optional<WindowPlace> read_window_place(const std::filesystem::path& folder) {
  if (folder.empty()) return std::nullopt;
  const Result<Json> json = read_json(folder / kFile, kMostBytes);
  if (!json || !json->is_object()) return std::nullopt;
  const auto width = side(*json, "width"), height = side(*json, "height");
  if (!width || !height) return std::nullopt;
  return WindowPlace{*width, *height, flag_in(*json, "maximized")};
}

Status write_window_place(const WindowPlace& place, const std::filesystem::path& folder) {
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const Json json = {
      {"width", place.width}, {"height", place.height}, {"maximized", place.is_maximized}};
  return write_text(json_file_text(json), folder / kFile);
}

}  // namespace weft::app
