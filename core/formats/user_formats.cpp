#include "core/formats/user_formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/general/custom/custom_reader.h"
#include "core/formats/plugin/plugin.h"
#include "core/io/listing.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

Result<Format> defined_format(const fs::path& file) {
  WEFT_TRY_ASSIGN(const std::string text, definition_text(file));
  WEFT_TRY_ASSIGN(custom::Definition definition, custom::definition_from_text(text));
  WEFT_TRY_ASSIGN(const custom::RulesPtr rules, custom::Rules::compile(std::move(definition)));
  const std::string id = file.stem().string();
  const custom::Definition& made = rules->definition;
  Format format{
      .id = id,
      .name = made.name.empty() ? id : made.name,
      .category = "Own",
      .extensions = made.extensions,
      .sniff =
          [rules](std::span<const std::byte> head) { return custom::sniff_custom(*rules, head); },
      .read =
          [rules](io::Source& source, trace::EventSink& sink, const ReadContext& context) {
            return custom::read_custom(*rules, source, sink, context.memory_bytes, context.changed);
          },
      .version = 5,
      .origin = file};
  if (!made.panels.empty()) format.panels = made.panels;
  return format;
}

}  // namespace

Result<std::string> definition_text(const fs::path& file) {
  return text_up_to(file, kMostLenientBytes + 1);
}

Result<Format> format_from_file(const fs::path& file) {
  if (file.extension() == ".so") return load_plugin(file);
  const std::string name = printable(file.string());
  if (file.extension() != ".json") return fail(fmt::format("{}: defines no trace type", name));
  auto format = defined_format(file);
  if (format) return format;
  return fail(std::move(format).error().context(name));
}

fs::path user_format_folder(const fs::path& config_folder) { return config_folder / "trace-types"; }

std::vector<Error> add_formats_in(const fs::path& folder) {
  std::vector<Error> errors;
  for (const fs::directory_entry& each : io::Listing::of(folder).entries) {
    std::error_code error;
    if (each.path().extension() != ".json" || !each.is_regular_file(error)) continue;
    const fs::path& file = each.path();
    auto format = format_from_file(file);
    Status added;
    if (!format) {
      added = fail(std::move(format).error());
    } else if (added = add_format(*std::move(format)); !added) {
      added = fail(std::move(added).error().context(printable(file.string())));
    }
    if (!added) errors.push_back(std::move(added).error());
  }
  return errors;
}

}  // namespace weft::formats
