#include "core/formats/kernel/ctf/metadata_2_classes.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/base/ascii.h"

namespace weft::formats::ctf {
namespace {

constexpr size_t kMostValues = 10'000'000;

// Keywords of version 1.8 (TSDL), which cannot be names there.
constexpr std::string_view kKeywords[] = {
    "_Bool",  "_Complex", "_Imaginary", "align",   "callsite", "char",           "clock",
    "const",  "double",   "enum",       "env",     "event",    "floating_point", "float",
    "int",    "integer",  "long",       "short",   "signed",   "stream",         "string",
    "struct", "trace",    "typealias",  "typedef", "unsigned", "variant",        "void"};

// Shown as the selector's value too, so only what is not a name is changed.
std::string option_name(const std::string& name) {
  const bool is_name = identifier(name) == "_" + name && !name.empty() && !is_digit(name.front()) &&
                       std::ranges::find(kKeywords, name) == std::end(kKeywords);
  return is_name ? name : identifier(name);
}

bool is_leaf(const Json& field) {
  return field.is_object() && !field.contains("member-classes") && !field.contains("options") &&
         !field.contains(kElement);
}

// The structure's own member of that name, null where it has none.
Json* member_class(Json& structure, const std::string& name) {
  if (!structure.is_object() || !structure.contains("member-classes")) return nullptr;
  Json* found = nullptr;
  for (Json& each : structure["member-classes"]) {
    if (text(each, "name") == name && each.contains("field-class")) found = &each["field-class"];
  }
  return found;
}

}  // namespace

const Scope* scope_of(std::string_view origin) {
  const auto* const scope = std::ranges::find(kScopes, origin, &Scope::origin);
  return scope == std::end(kScopes) ? nullptr : *scope;
}

const Json& member(const Json& object, const char* key) {
  static const Json kNone;
  const auto at = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && at != object.end() ? *at : kNone;
}

std::string text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

uint64_t number(const Json& object, const char* key, uint64_t otherwise) {
  const Json& value = member(object, key);
  return value.is_number_unsigned() ? value.get<uint64_t>() : otherwise;
}

std::string identifier(std::string_view name) {
  std::string out = "_";
  for (const char c : name) out += is_alphanumeric(c) ? c : '_';
  return out;
}

std::string uuid_text(const Json& bytes) {
  std::string out;
  if (!bytes.is_array() || bytes.size() != 16) return out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out +=
        fmt::format("{:02x}", bytes[i].is_number_unsigned() ? bytes[i].get<unsigned>() & 255U : 0);
  }
  return out;
}

FieldLocation location_of(const Json& location) {
  const Json& path = location.is_array() ? location : member(location, "path");
  FieldLocation found{text(location, "origin"), {}};
  for (const Json& name : path) {
    if (name.is_string()) found.path.push_back(name.get<std::string>());
  }
  const bool is_draft = location.is_array() && !found.path.empty();
  if (is_draft && scope_of(found.path.front()) != nullptr) {
    found.origin = found.path.front();
    found.path.erase(found.path.begin());
  }
  return found;
}

void Metadata2Classes::add(Json fragment) {
  const std::string type = text(fragment, "type");
  if (type == "preamble") {
    uuid = uuid_text(member(fragment, "uuid"));
  } else if (type == "field-class-alias") {
    aliases_[text(fragment, "name")] = member(fragment, "field-class");
  } else if (type == "trace-class") {
    trace = std::move(fragment);
  } else if (type == "clock-class") {
    clocks.push_back(std::move(fragment));
  } else if (type == "data-stream-class") {
    streams[number(fragment, "id", 0)] = std::move(fragment);
  } else if (type == "event-record-class") {
    events.push_back(std::move(fragment));
  } else {
    throw Unreadable{fmt::format("it is a '{}'", type)};
  }
}

void Metadata2Classes::resolve() {
  resolve_aliases(trace, 0);
  for (auto& [id, stream] : streams) resolve_aliases(stream, 0);
  for (Json& event : events) resolve_aliases(event, 0);
  for (auto& [id, stream] : streams) name_options_of(stream, stream);
  for (Json& event : events) {
    const auto stream = streams.find(number(event, "data-stream-class-id", 0));
    name_options_of(event, stream == streams.end() ? event : stream->second);
  }
}

// Aliases within aliases, and variants that look for their selectors, can be few and mean many.
void Metadata2Classes::visit(size_t depth) {
  if (depth > kMostDepth || ++visited_ > kMostValues)
    throw Unreadable{"fields within fields without end"};
}

void Metadata2Classes::resolve_aliases(Json& value, size_t depth) {
  visit(depth);
  if (!value.is_structured()) return;
  for (auto& item : value.items()) {
    Json& below = item.value();
    const bool is_class = std::string_view(item.key()).ends_with("field-class");
    if (is_class && below.is_string()) {
      const auto alias = aliases_.find(below.get<std::string>());
      if (alias == aliases_.end()) throw Unreadable{"a name that stands for no field class"};
      below = alias->second;
    }
    resolve_aliases(below, depth + 1);
  }
}

void Metadata2Classes::name_options_of(Json& own, Json& stream) {
  for (const Scope* scope : kScopes) {
    if (const auto at = own.find(std::string(scope->key)); at != own.end())
      name_options(*at, own, stream, 0);
  }
}

// Of what `field` holds; `own` is the event or stream that it is of, whose packets and headers are
// of `stream`.
void Metadata2Classes::name_options(Json& field, Json& own, Json& stream, size_t depth) {
  visit(depth);
  if (!field.is_object()) return;
  if (text(field, "type") == "variant" && field.contains("options"))
    name_options_of_variant(field, own, stream);
  for (const char* key : {"member-classes", "options"}) {
    if (!field.contains(key)) continue;
    for (Json& each : field[key]) {
      if (each.is_object() && each.contains("field-class"))
        name_options(each["field-class"], own, stream, depth + 1);
    }
  }
  if (field.contains(kElement)) name_options(field[kElement], own, stream, depth + 1);
}

// In 1.8 an option is selected by the label of an enumeration: what selects becomes one, which has
// a label more for each option. Those of several variants may select different options by one
// number, so a label that is taken by other numbers gets a number behind it.
void Metadata2Classes::name_options_of_variant(Json& variant, Json& own, Json& stream) {
  // It holds no field, so nothing that is being walked through moves when it grows.
  Json* selector = field_at(location_of(member(variant, "selector-field-location")), own, stream);
  if (selector == nullptr || !is_leaf(*selector))
    throw Unreadable{"a variant whose selector is not found"};
  Json& mappings = (*selector)["mappings"];
  if (!mappings.is_object()) mappings = Json::object();
  for (Json& option : variant["options"]) {
    const Json& ranges = member(option, "selector-field-ranges");
    const std::string name = option_name(text(option, "name"));
    std::string label = name;
    for (int i = 2; mappings.contains(label) && mappings[label] != ranges; ++i) {
      visit(0);
      label = name + std::to_string(i);
    }
    mappings[label] = ranges;
    option["name"] = label;
  }
}

// A location without an origin is looked for in everything that the event or stream has.
Json* Metadata2Classes::field_at(const FieldLocation& location, Json& own, Json& stream) {
  for (const Scope* scope : kScopes) {
    if (!location.origin.empty() && location.origin != scope->origin) continue;
    for (Json* holder : {&own, &stream, &trace}) {
      const auto at = holder->find(std::string(scope->key));
      if (at == holder->end()) continue;
      if (Json* found = follow(*at, location, 0)) return found;
    }
  }
  return nullptr;
}

Json* Metadata2Classes::follow(Json& field, const FieldLocation& location, size_t depth) {
  visit(depth);
  Json* at = location.path.empty() ? nullptr : &field;
  for (const std::string& name : location.path) {
    if (at != nullptr) at = member_class(*at, name);
  }
  if (at != nullptr) return at;
  if (!location.origin.empty() || !field.is_object() || !field.contains("member-classes"))
    return nullptr;
  for (Json& each : field["member-classes"]) {
    if (!each.is_object() || !each.contains("field-class")) continue;
    if (Json* found = follow(each["field-class"], location, depth + 1)) return found;
  }
  return nullptr;
}

}  // namespace weft::formats::ctf
