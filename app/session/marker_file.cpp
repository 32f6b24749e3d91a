#include "app/session/marker_file.h"

#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "app/base/text_file.h"
#include "core/io/output_file.h"
#include "core/io/source.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

// FNV-1a: the same in every build, and enough for files of one user.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  return hash;
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
    path_ = folder / "markers" / fmt::format("{:016x}.json", hash_of(trace_.native()));
  }
}

Result<std::optional<Markers>> MarkerFile::load() {
  std::error_code error;
  if (path_.empty() || !fs::is_regular_file(path_, error)) return std::nullopt;
  const auto read = [&]() -> Result<Markers> {
    if (fs::file_size(path_, error) > kMostBytes || error) return fail("it is too large");
    std::ifstream in(path_, std::ios::binary);
    const Json json = Json::parse(in, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) return fail("it is no JSON");
    return Markers::from_json(json);
  };
  Result<Markers> markers = read();
  if (markers) {
    saved_ = markers->generation();
    return std::optional(std::move(*markers));
  }
  return fail(fmt::format("the markers were set aside as {}: {}", set_aside(path_).string(),
                          markers.error().message));
}

Status MarkerFile::save(const Markers& markers) {
  if (path_.empty() || markers.generation() == saved_) return {};
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  Json json = markers.to_json();
  json["trace"] = trace_.string();
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  saved_ = markers.generation();  // what fails is told once
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path_));
  WEFT_TRY(file.write_at(0, std::as_bytes(std::span(text))));
  return file.commit();
}

Status MarkerFile::move_beside_trace(const Markers& markers) {
  const fs::path before = path_;
  path_ = beside_;
  saved_ = ~markers.generation();
  Status status = save(markers);
  if (!status) path_ = before;
  return status;
}

}  // namespace weft::app
