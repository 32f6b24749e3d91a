#include "app/text_file.h"

#include <span>

#include "core/io/output_file.h"

namespace weft::app {

Status write_text(std::string_view text, const std::filesystem::path& path) {
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(path));
  WEFT_TRY(file.write_at(0, std::as_bytes(std::span(text))));
  return file.commit();
}

}  // namespace weft::app
