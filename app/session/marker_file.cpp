#include "app/session/marker_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/base/text_file.h"
#include "core/base/stable_hash.h"
#include "core/io/source.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

Result<Markers> markers_in(const fs::path& path) {
  const Result<Json> json = read_json(path, MarkerFile::kMostBytes);
  if (!json) return fail("it " + json.error().message);
  if (json->is_discarded()) return fail("it is not JSON");
  return Markers::from_json(*json);
}

bool holds(const Markers& markers, Marker marker) {
  return std::ranges::any_of(markers.all(), [&](const Marker& each) {
    marker.id = each.id;  // which each window counts by itself
    return each == marker;
  });
}

}  // namespace

MarkerFile::MarkerFile(const fs::path& trace, const fs::path& folder) {
  std::error_code error;
  trace_ = fs::weakly_canonical(trace, error);
  if (error) trace_ = trace;
  beside_ = io::path_beside(trace_);
  beside_ += ".markers.json";
  if (fs::exists(beside_, error)) {
    path_ = beside_;
  } else if (!folder.empty()) {
    path_ = folder / "markers" / fmt::format("{:016x}.json", stable_hash(trace_.native()));
  }
}

Result<std::optional<Markers>> MarkerFile::load() {
  std::error_code error;
  if (path_.empty() || !fs::is_regular_file(path_, error)) return std::nullopt;
  Result<Markers> markers = markers_in(path_);
  if (markers) {
    saved_ = *markers;
    return std::optional(std::move(*markers));
  }
  return fail(fmt::format("{} {}: {}", path_.string(), set_aside(path_), markers.error().message));
}

Markers MarkerFile::with_those_of_others(Markers markers) const {
  std::error_code error;
  const auto theirs = fs::is_regular_file(path_, error) ? markers_in(path_) : Markers();
  if (!theirs) return markers;
  for (Marker marker : theirs->all()) {
    if (holds(saved_, marker) || holds(markers, marker)) continue;
    marker.id = 0;
    (void)markers.add(std::move(marker));
  }
  return markers;
}

Status MarkerFile::save(const Markers& markers) {
  if (path_.empty() || markers.generation() == saved_.generation()) return {};
  return write(markers);
}

Status MarkerFile::write(const Markers& markers) {
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  Json json = with_those_of_others(markers).to_json();
  json["trace"] = trace_.string();
  saved_ = markers;  // what fails is told once
  return write_text(json_file_text(json), path_);
}

Status MarkerFile::move_beside_trace(const Markers& markers) {
  const fs::path before = path_;
  path_ = beside_;
  Status status = write(markers);
  if (!status) path_ = before;
  return status;
}

}  // namespace weft::app
