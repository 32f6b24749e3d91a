#include "app/opening/trace_types.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/base/text_file.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/general/custom/rules.h"
#include "core/formats/user_formats.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

bool is_of_id(char c) { return is_lower(c) || is_digit(c) || c == '-'; }

}  // namespace

Result<fs::path> trace_type_file(const fs::path& folder, std::string_view id) {
  constexpr size_t kMostBytes = 100;
  const bool is_id = !id.empty() && id.size() <= kMostBytes && std::ranges::all_of(id, is_of_id);
  if (!is_id)
    return fail(fmt::format("'{}' is not the name of a trace type: a word of a-z, 0-9 and -",
                            printable(id, kMostBytes)));
  return folder / (std::string(id) + ".json");
}

Status save_trace_type(const fs::path& folder, std::string_view id,
                       const formats::custom::Definition& definition) {
  WEFT_TRY_ASSIGN(const fs::path file, trace_type_file(folder, id));
  WEFT_TRY(formats::custom::Rules::compile(definition));
  const formats::FormatPtr known = formats::format_from_id(id);
  if (known != nullptr && known->origin.empty())
    return fail(fmt::format("'{}' is a trace type of the program", id));
  std::error_code error;
  fs::create_directories(folder, error);
  WEFT_TRY(write_text(formats::custom::json_from_definition(definition).dump(2) + "\n", file));
  WEFT_TRY_ASSIGN(formats::Format format, formats::format_from_file(file));
  return formats::add_format(std::move(format));
}

std::string trace_type_id(std::string_view name) {
  std::string id;
  for (const char c : name) {
    const char lower = to_lower(c);
    if (is_of_id(lower) && lower != '-') {
      id += lower;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (id.ends_with('-')) id.pop_back();
  return id;
}

}  // namespace weft::app
