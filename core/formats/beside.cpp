#include "core/formats/beside.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/base/numbers.h"
#include "core/io/source.h"

namespace weft::formats {
namespace {

std::string_view up_to_first_dot(std::string_view name) {
  return name.substr(0, name.find('.', 1));
}

}  // namespace

OpensBeside opens_endings(std::vector<std::string> endings,
                          std::vector<std::string> endings_of_any) {
  return [own = std::move(endings), any = std::move(endings_of_any)](std::string_view trace,
                                                                     std::string_view other) {
    const std::filesystem::path name = io::without_compression(trace);
    const auto is_own = [&](const std::string& ending) {
      return other == name.string() + ending || other == name.stem().string() + ending;
    };
    const auto ends = [&](const std::string& ending) { return other.ends_with(ending); };
    return std::ranges::any_of(own, is_own) || std::ranges::any_of(any, ends);
  };
}

OpensBeside opens_numbered() {
  return [](std::string_view trace, std::string_view other) {
    return other.starts_with(trace) && other.substr(trace.size()).starts_with('.') &&
           parse_number<uint32_t>(other.substr(trace.size() + 1));
  };
}

OpensBeside opens_namesakes() {
  return [](std::string_view trace, std::string_view other) {
    return up_to_first_dot(trace) == up_to_first_dot(other);
  };
}

OpensBeside opens_any() {
  return [](std::string_view, std::string_view) { return true; };
}

}  // namespace weft::formats
