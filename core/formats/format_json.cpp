#include "core/formats/format_json.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace weft::formats {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Option::Kind kind) {
  return kind == Option::Kind::kNumber ? "number" : "text";
}

// The items of a list, each made by `make`.
template <class Item, class Make>
Json list(const std::vector<Item>& items, const Make& make) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(make(item));
  return json;
}

}  // namespace

Json json_from_format(const Format& format) {
  Json json = {{"id", format.id},
               {"name", format.name},
               {"category", format.category},
               {"icon", format.icon},
               {"extensions", format.extensions},
               {"reads", format.reads},
               {"writes", format.create_writer != nullptr},
               {"version", format.version}};
  json["options"] = list(format.options, [](const Option& option) {
    return Json{{"name", option.name},
                {"about", option.about},
                {"kind", name_of(option.kind)},
                {"default", option.fallback}};
  });
  json["columns"] = list(format.columns, [](const Column& column) {
    return Json{{"title", column.title}, {"param", column.param}};
  });
  json["pages"] = list(format.pages, [](const Page& page) {
    return Json{
        {"id", page.id}, {"title", page.title}, {"sql", page.sql}, {"durations", page.durations}};
  });
  json["panels"] = format.panels;
  if (!format.origin.empty()) json["origin"] = format.origin.string();
  return json;
}

Result<Format> format_from_json(const Json& json) try {
  Format format{.id = json.at("id"),
                .name = json.at("name"),
                .category = json.at("category"),
                .icon = json.at("icon"),
                .extensions = json.at("extensions"),
                .reads = json.at("reads"),
                .sniff = nullptr,
                .read = nullptr,
                .version = json.at("version"),
                .panels = json.at("panels"),
                .origin = json.value("origin", "")};
  for (const Json& option : json.at("options")) {
    format.options.push_back(
        {option.at("name"), option.at("about"), option.at("default"),
         option.at("kind") == "number" ? Option::Kind::kNumber : Option::Kind::kText});
  }
  for (const Json& column : json.at("columns"))
    format.columns.push_back({column.at("title"), column.at("param")});
  for (const Json& page : json.at("pages")) {
    format.pages.push_back({page.at("id"), page.at("title"), page.at("sql"), page.at("durations")});
  }
  return format;
} catch (const nlohmann::json::exception& error) {
  return fail(std::string("is not a description of a trace type: ") + error.what());
}

}  // namespace weft::formats
