#include "core/symbols/symbol_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/os_error.h"
#include "core/symbols/c_reader.h"
#include "core/symbols/dwarf_reader.h"

namespace weft::symbols {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kMapName = "weftscope-symbols.json";
constexpr uint64_t kMostFileBytes = 8ull << 20;
constexpr std::string_view kElfMagic =
    "\x7F"
    "ELF";

bool is_c_source(const fs::path& path) {
  constexpr std::array<std::string_view, 9> kExtensions = {".h",   ".hh", ".hpp", ".hxx", ".c",
                                                           ".cpp", ".cc", ".cxx", ".inc"};
  return std::ranges::find(kExtensions, path.extension().string()) != kExtensions.end();
}

Result<std::string> text_of(const fs::path& path, uint64_t most_bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(os_error(path.string() + ": cannot be read"));
  std::string text(most_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(most_bytes));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

// The given files, sorted by content.
struct Files {
  std::vector<fs::path> sources, programs, maps;
  bool is_cut = false;
};

// Headers first: what is declared there is meant for all.
void add_folder(const fs::path& folder, const std::stop_token& stop, Files& files) {
  std::vector<fs::path> found;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, error), end; at != end && !error;
       at.increment(error)) {
    if (stop.stop_requested()) return;
    if (at->is_symlink(error) || !at->is_regular_file(error)) continue;
    if (at.depth() == 0 && at->path().filename() == kMapName) files.maps.push_back(at->path());
    if (!is_c_source(at->path())) continue;
    files.is_cut |= found.size() >= kMostFiles;
    if (files.is_cut) break;
    found.push_back(at->path());
  }
  std::ranges::sort(found, {}, [](const fs::path& path) {
    return std::pair(!path.extension().string().starts_with(".h"), path);
  });
  files.sources.insert(files.sources.end(), found.begin(), found.end());
}

Status add_path(const fs::path& path, const std::stop_token& stop, Files& files) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    add_folder(path, stop, files);
    return {};
  }
  if (!fs::is_regular_file(path, error)) {
    return fail(fmt::format("{}: {}", path.string(),
                            error ? error.message() : "is neither a file nor a folder"));
  }
  WEFT_TRY_ASSIGN(const std::string head, text_of(path, 64));
  const size_t first = head.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && head[first] == '{';
  std::vector<fs::path>& list = head.starts_with(kElfMagic) ? files.programs
                                : is_json                   ? files.maps
                                                            : files.sources;
  list.push_back(path);
  return {};
}

Status read_target(const Json& json, Target& target) {
  const std::string endian = json.value("endian", "little");
  if (endian != "big" && endian != "little") return fail("'endian' is neither big nor little");
  target.is_big_endian = endian == "big";
  target.pointer_bytes = json.value("pointer", target.pointer_bytes);
  target.long_bytes = json.value("long", target.pointer_bytes);
  for (const uint32_t bytes : {target.pointer_bytes, target.long_bytes}) {
    if (bytes != 2 && bytes != 4 && bytes != 8) return fail("a size is none of 2, 4 and 8 bytes");
  }
  target.max_align = json.value("align", target.pointer_bytes == 8 ? 16U : 8U);
  if (target.max_align == 0 || target.max_align > 16) return fail("'align' is not from 1 to 16");
  return {};
}

Status read_map(const fs::path& path, Target& target, SymbolMap& map) {
  WEFT_TRY_ASSIGN(const std::string text, text_of(path, kMostFileBytes));
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail(fmt::format("{}: is not a JSON object", path.string()));
  try {
    if (json.contains("target")) {
      if (Status read = read_target(json["target"], target); !read)
        return fail(std::move(read).error().context(path.string()));
    }
    map.queues = json.value("queues", map.queues);
    map.types = json.value("types", map.types);
    const Json structs = json.value("structs", Json::object());
    for (const auto& [type, name] : structs.items()) map.structs[type] = name.get<std::string>();
  } catch (const Json::exception&) {
    return fail(fmt::format("{}: a value is of another kind than it should be", path.string()));
  }
  return {};
}

// Adds what `more` knows; its structs win.
void merge(Symbols& symbols, Symbols more) {
  const auto first = static_cast<uint32_t>(symbols.types.size());
  const auto moved = [&](DataTypeId id) {
    return id.is_none() ? id : DataTypeId(id.value() + first);
  };
  for (DataType& type : more.types) {
    type.element = moved(type.element);
    for (Member& member : type.members) member.type = moved(member.type);
    symbols.types.push_back(std::move(type));
  }
  for (const auto& [name, type] : more.structs) symbols.structs[name] = moved(type);
  std::ranges::move(more.constants, std::back_inserter(symbols.constants));
  for (const trace::Loss& loss : more.report.losses()) symbols.report.add(loss);
  symbols.files += more.files;
}

Result<Symbols> read_sources(const Files& files, const Target& target,
                             const std::stop_token& stop) {
  CReader reader(target);
  uint64_t bytes = 0, read = 0, too_many = files.is_cut ? 1 : 0, unreadable = 0;
  for (const fs::path& path : files.sources) {
    if (stop.stop_requested()) break;
    if (bytes >= kMostBytes) {
      ++too_many;
      continue;
    }
    auto text = text_of(path, kMostFileBytes);
    if (!text && files.sources.size() == 1) return fail(std::move(text).error());
    if (!text) {
      ++unreadable;
      continue;
    }
    bytes += text->size();
    ++read;
    reader.add(std::move(*text));
  }
  Symbols symbols = std::move(reader).finish();
  symbols.files = read;
  if (too_many > 0)
    symbols.report.add("file beyond what is read", trace::LossPlace::nowhere(), too_many);
  if (unreadable > 0)
    symbols.report.add("file that cannot be read", trace::LossPlace::nowhere(), unreadable);
  return symbols;
}

}  // namespace

Result<std::shared_ptr<const Symbols>> read_symbols(std::span<const fs::path> paths,
                                                    const std::stop_token& stop) {
  Files files;
  for (const fs::path& path : paths) WEFT_TRY(add_path(path, stop, files));
  Target target;
  SymbolMap map;
  for (const fs::path& path : files.maps) WEFT_TRY(read_map(path, target, map));
  std::vector<Symbols> of_programs;
  for (const fs::path& path : files.programs) {
    auto symbols = read_dwarf(path, stop);
    if (!symbols) return fail(std::move(symbols).error().context(path.string()));
    if (files.maps.empty()) target = symbols->target;  // of the sources, too
    of_programs.push_back(std::move(*symbols));
  }
  WEFT_TRY_ASSIGN(Symbols symbols, read_sources(files, target, stop));
  for (Symbols& more : of_programs) merge(symbols, std::move(more));
  symbols.map = std::move(map);
  return std::make_shared<const Symbols>(std::move(symbols));
}

}  // namespace weft::symbols
