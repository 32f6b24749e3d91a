#include "core/formats/user_formats.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace weft::formats {

Result<Format> format_from_file(const std::filesystem::path& file) {
  return fail(fmt::format("{}: defines no trace type", printable(file.string())));
}

}  // namespace weft::formats
