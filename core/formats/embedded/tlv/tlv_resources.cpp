#include "core/formats/embedded/tlv/tlv_resources.h"

#include <fmt/core.h>

#include <string_view>

#include "core/base/lenient_json.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/io/paths.h"
#include "core/io/source.h"

namespace weft::formats::tlv {
namespace {

namespace fs = std::filesystem;

// The whole of a small file.
Result<OrderedJson> json_of(const fs::path& path, TextDecoder& decoder) {
  WEFT_TRY_ASSIGN(const std::string text, text_up_to(path, kMostLenientBytes + 1));
  return parse_lenient_json(decoder.utf8(text));
}

// The member, or an empty value of JSON.
const OrderedJson& member(const OrderedJson& object, std::string_view name) {
  static const OrderedJson kNothing;
  if (!object.is_object()) return kNothing;
  const auto it = object.find(std::string(name));
  return it == object.end() ? kNothing : *it;
}

// Numbers and truth values as they are written.
std::string text_of(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_primitive() && !value.is_null() ? value.dump() : std::string();
}

std::optional<uint32_t> color_of(const OrderedJson& value) {
  const auto color = parse_number<uint32_t>(text_of(value), 16);
  return color ? std::optional(*color & 0xFFFFFF) : std::nullopt;  // some begin with an alpha
}

TimeBase time_base_of(const std::string& scale) {
  return time_base_from_name(scale == "µs" ? "us" : scale).value_or(TimeBase::kTicks);
}

ResourceType type_from(const OrderedJson& json) {
  ResourceType type{.display_name = text_of(member(json, "DisplayName"))};
  for (const auto& [name, attribute] : member(json, "Attributes").items()) {
    type.attributes[name] = {
        .is_number = text_of(member(attribute, "VariableType")) == "Number",
        .is_dynamic = text_of(member(attribute, "AllocationType")) == "Dynamic",
        .first = text_of(member(attribute, "Default"))};
  }
  for (const auto& [name, behavior] : member(json, "Behaviors").items()) {
    auto& arguments = type.behaviors[name];
    for (const auto& [argument, kind] : member(behavior, "Arguments").items())
      arguments.push_back(argument);
  }
  return type;
}

using Types = decltype(Resources::types);

Resource resource_from(const std::string& name, const OrderedJson& json, const Types& types) {
  Resource resource{.name = name,
                    .type = text_of(member(json, "Type")),
                    .display_name = text_of(member(json, "DisplayName")),
                    .rgb = color_of(member(json, "Color"))};
  for (const auto& [attribute, value] : member(json, "Attributes").items())
    resource.attributes[attribute] = text_of(value);
  const auto type = types.find(resource.type);
  if (type == types.end()) return resource;
  for (const auto& [name_of_attribute, attribute] : type->second.attributes) {
    if (!attribute.first.empty())
      resource.attributes.try_emplace(name_of_attribute, attribute.first);
  }
  return resource;
}

fs::path find_header(const fs::path& folder, const std::string& name) {
  const std::string file = fs::path(name).filename().string() + ".resh";
  const fs::path folders[] = {folder, folder / "resourceHeaders", folder / ".." / "resourceHeaders",
                              io::data_folder() / "resourceHeaders"};
  for (const fs::path& candidate : folders) {
    std::error_code error;
    if (fs::is_regular_file(candidate / file, error)) return candidate / file;
  }
  return {};
}

void add_types(Resources& resources, const OrderedJson& types) {
  if (!types.is_object()) return;
  for (const auto& [type, description] : types.items())
    resources.types[type] = type_from(description);
}

// A header file holds the types of each of its targets.
void add_header(Resources& resources, const fs::path& folder, const std::string& name,
                TextDecoder& decoder) {
  const fs::path path = find_header(folder, name);
  if (path.empty()) {
    resources.problems.push_back(fmt::format("resource header {} is not there", printable(name)));
    return;
  }
  const auto json = json_of(path, decoder);
  if (!json) {
    resources.problems.push_back(
        fmt::format("resource header {}: {}", printable(name), json.error().message));
    return;
  }
  for (const auto& [target, types] : json->items()) add_types(resources, types);
}

}  // namespace

Resources resources_of(const fs::path& path, TextDecoder& decoder) {
  Resources resources;
  fs::path beside = io::without_compression(path);

  beside.replace_extension(".res");
  std::error_code error;
  if (!fs::is_regular_file(beside, error)) return resources;
  const auto json = json_of(beside, decoder);
  if (!json) {
    resources.problems.push_back(fmt::format("resource file: {}", json.error().message));
    return resources;
  }
  resources.time_base = time_base_of(text_of(member(*json, "TimeScale")));
  const OrderedJson& radix = member(*json, "TimeRadix");
  if (radix.is_number_integer() && radix >= 2 && radix <= 36) resources.radix = radix.get<int>();
  const OrderedJson& headers = member(*json, "ResourceHeaders");
  add_types(resources, headers);  // as in a .tlv archive; else the names of files
  if (headers.is_array()) {
    for (const OrderedJson& name : headers)
      add_header(resources, beside.parent_path(), text_of(name), decoder);
  }
  for (const auto& [name, resource] : member(*json, "Resources").items())
    resources.resources.push_back(resource_from(name, resource, resources.types));
  return resources;
}

}  // namespace weft::formats::tlv
