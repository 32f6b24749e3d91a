#include "app/session/message_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/base/text_file.h"
#include "app/view/named_colors.h"
#include "core/base/text.h"
#include "core/io/source.h"
#include "core/query/filter/filter_compiler.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostNameBytes = 200;
constexpr uint64_t kMostFileBytes = 8 << 20;

// The enumerator of a member; the first where there is no such member.
template <class Enum>
Result<Enum> enum_member(const Json& json, const char* member,
                         std::span<const std::string_view> names) {
  const auto value = json.find(member);
  if (value == json.end()) return Enum{};
  const auto name = value->is_string()
                        ? std::ranges::find(names, value->get_ref<const std::string&>())
                        : names.end();
  if (name == names.end())
    return fail(fmt::format("'{}' must be one of {}", member, fmt::join(names, ", ")));
  return static_cast<Enum>(name - names.begin());
}

Result<std::string> text_member(const Json& json, const char* member) {
  const auto value = json.find(member);
  if (value == json.end() || !value->is_string() || value->get_ref<const std::string&>().empty())
    return fail(fmt::format("'{}' is missing, or no text", member));
  return value->get<std::string>();
}

fs::path beside(const fs::path& trace) {
  fs::path path = io::path_beside(trace);
  return path += ".classes.json";
}

}  // namespace

Result<MessageClass> message_class_from_json(const Json& json) {
  if (!json.is_object()) return fail("a class is an object");
  MessageClass made;
  WEFT_TRY_ASSIGN(made.name, text_member(json, "name"));
  if (made.name.size() > kMostNameBytes) return fail("the name is too long");
  WEFT_TRY_ASSIGN(made.where, text_member(json, "where"));
  if (const auto parsed = query::parse_filter(made.where); !parsed)
    return fail("where: " + printable(parsed.error().one_line(made.where)));
  if (const auto color = json.find("color"); color != json.end()) {
    made.color =
        color->is_string() ? rgb_from_text(color->get_ref<const std::string&>()) : std::nullopt;
    if (!made.color) return fail("'color' is not a colour (as #4e79a7)");
  }
  WEFT_TRY_ASSIGN(made.sign, enum_member<MessageSign>(json, "sign", kMessageSigns));
  WEFT_TRY_ASSIGN(made.line, enum_member<MessageLine>(json, "line", kMessageLines));
  if (const auto importance = json.find("importance"); importance != json.end()) {
    if (!importance->is_number()) return fail("'importance' is not a number");
    made.importance = static_cast<int>(
        std::clamp<double>(importance->get<double>(), -kMostImportance, kMostImportance));
  }
  return made;
}

Json json_from_message_class(const MessageClass& message_class) {
  Json json = {{"name", message_class.name},
               {"where", message_class.where},
               {"sign", kMessageSigns[static_cast<size_t>(message_class.sign)]},
               {"line", kMessageLines[static_cast<size_t>(message_class.line)]},
               {"importance", message_class.importance}};
  if (message_class.color) json["color"] = text_from_rgb(*message_class.color);
  return json;
}

MessageClasses message_classes_from_json(const Json& json, Complaints& complaints) {
  return list_from_json<MessageClass>(json, "classes", layout::kMostMessageClasses,
                                      message_class_from_json, complaints);
}

Json json_from_message_classes(const MessageClasses& classes) {
  if (classes.empty()) return Json::object();
  Json list = Json::array();
  for (const MessageClass& each : classes) list.push_back(json_from_message_class(each));
  return {{"classes", std::move(list)}};
}

Result<MessageClassesPtr> load_message_classes(const fs::path& trace, Complaints& complaints) {
  const fs::path path = beside(trace);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return nullptr;
  const Result<Json> json = read_json(path, kMostFileBytes);
  if (!json) return fail(path.string() + " " + json.error().message);
  if (!json->is_object()) return fail(path.string() + " is not a JSON object");
  return std::make_shared<const MessageClasses>(message_classes_from_json(*json, complaints));
}

Status save_message_classes(const fs::path& trace, const MessageClasses& classes) {
  return write_text(json_file_text(json_from_message_classes(classes)), beside(trace));
}

std::shared_ptr<const layout::MessageRules> message_rules(const MessageClasses& classes,
                                                          const store::Trace& trace) {
  layout::MessageRules rules;
  for (const MessageClass& each : classes) {
    const auto filter = query::compile_filter(each.where, trace);
    rules.push_back({filter ? *filter : nullptr, each.importance});
  }
  return std::make_shared<const layout::MessageRules>(std::move(rules));
}

}  // namespace weft::app
