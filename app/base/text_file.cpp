#include "app/base/text_file.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <system_error>

#include "core/io/output_file.h"

namespace weft::app {

Status write_text(std::string_view text, const std::filesystem::path& path) {
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
  WEFT_TRY(file.write_at(0, std::as_bytes(std::span(text))));
  return file.commit();
}

Result<Json> read_json(const std::filesystem::path& path, uint64_t most_bytes) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) return fail("cannot be read");  // nor opened: a pipe would wait for a writer
  if (size > most_bytes) return fail("is too large");
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("cannot be read");
  return parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string set_aside(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path aside = path.string() + ".broken";
  for (int i = 2; std::filesystem::exists(aside, error); ++i)
    aside = fmt::format("{}.broken-{}", path.string(), i);
  std::filesystem::rename(path, aside, error);
  return error ? "could not be put aside: " + error.message()
               : "was put aside as " + aside.filename().string();
}

}  // namespace weft::app
