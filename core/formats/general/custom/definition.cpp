#include "core/formats/general/custom/definition.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"

namespace weft::formats::custom {
namespace {

constexpr std::array<std::string_view, 4> kKindNames = {"text", "csv", "xml", "json"};
constexpr std::array<std::string_view, 12> kMakesNames = {"event",   "state", "begin", "end",
                                                          "change",  "value", "link",  "send",
                                                          "receive", "child", "loss",  "nothing"};
constexpr std::array<std::string_view, kRoleCount> kRoleNames = {
    "time", "end", "duration", "lane", "type", "value", "id", "from", "to"};

constexpr size_t kMostTextBytes = 16 << 10;  // of one member

// The place of a name in its list; none where it is not there.
std::optional<size_t> place_of(std::span<const std::string_view> names, std::string_view name) {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<size_t>(it - names.begin());
}

std::string any_of(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) (text += text.empty() ? "" : ", ") += name;
  return text;
}

// Takes the members of an object one by one; what remains is unknown. The first error stays.
class Members {
 public:
  Members(const OrderedJson& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) complain("", "is not an object");
  }

  std::string where(std::string_view name) const {
    return name.empty() ? where_ : fmt::format("{}{}{}", where_, where_.empty() ? "" : ".", name);
  }
  void complain(std::string_view name, std::string_view what) {
    if (error_) return;
    const std::string place = where(name);
    error_ = Error{place.empty() ? std::string(what) : fmt::format("{}: {}", place, what)};
  }
  Status status() {
    if (error_) return fail(*error_);
    for (const auto& [name, value] : json_.items()) {
      if (std::ranges::find(taken_, name) == taken_.end())
        return fail(fmt::format("{}: is not a member that is known", printable(where(name))));
    }
    return {};
  }

  const OrderedJson* take(std::string_view name) {
    if (!json_.is_object()) return nullptr;
    const auto it = json_.find(std::string(name));
    if (it == json_.end()) return nullptr;
    taken_.emplace_back(name);
    return &*it;
  }
  void take(std::string_view name, std::string& out) {
    const OrderedJson* const value = take(name);
    if (value != nullptr) out = text_of(name, *value);
  }
  void take(std::string_view name, bool& out) {
    const OrderedJson* const value = take(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) return complain(name, "is neither true nor false");
    out = value->get<bool>();
  }
  // One character of ASCII.
  void take(std::string_view name, char& out) {
    std::string text(1, out);
    take(name, text);
    if (text.size() == 1 && text[0] > 0 && text[0] != '\n') {
      out = text[0];
    } else {
      complain(name, "is not one character");
    }
  }
  void take(std::string_view name, std::vector<std::string>& out) {
    const OrderedJson* const value = take(name);
    if (value == nullptr) return;
    if (!value->is_array()) return complain(name, "is not an array");
    for (const OrderedJson& each : *value) out.push_back(text_of(name, each));
  }
  std::optional<NamedTexts> take_texts(std::string_view name) {
    const OrderedJson* const value = take(name);
    if (value == nullptr) return std::nullopt;
    NamedTexts texts;
    if (!value->is_object()) complain(name, "is not an object");
    if (value->size() > kMostParams) complain(name, fmt::format("has more than {}", kMostParams));
    if (error_) return std::nullopt;
    for (const auto& [key, text] : value->items()) texts.emplace_back(key, text_of(name, text));
    return texts;
  }
  template <class Enum>
  void take(std::string_view name, std::span<const std::string_view> names, Enum& out) {
    std::string text;
    take(name, text);
    if (text.empty() || error_) return;
    const auto place = place_of(names, text);
    if (!place)
      return complain(name, fmt::format("'{}' is none of {}", printable(text), any_of(names)));
    out = static_cast<Enum>(*place);
  }

 private:
  std::string text_of(std::string_view name, const OrderedJson& value) {
    if (!value.is_string()) {
      complain(name, "is not text");
      return {};
    }
    auto text = value.get<std::string>();
    if (text.size() > kMostTextBytes)
      complain(name, fmt::format("is longer than {}", format_bytes(kMostTextBytes)));
    return text;
  }

  const OrderedJson& json_;
  std::string where_;
  std::vector<std::string> taken_;
  std::optional<Error> error_;
};

Result<Rule> rule_from(const OrderedJson& json, size_t index) {
  Members members(json, fmt::format("rules[{}]", index));
  Rule rule;
  members.take("pattern", rule.pattern);
  if (auto where = members.take_texts("where")) rule.where = *std::move(where);
  members.take("makes", kMakesNames, rule.makes);
  for (size_t i = 0; i < kRoleCount; ++i) members.take(kRoleNames[i], rule.roles[i]);
  rule.params = members.take_texts("params");
  members.take("goes_on", rule.goes_on);
  WEFT_TRY(members.status());
  return rule;
}

OrderedJson object_of(const NamedTexts& texts) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [name, text] : texts) json[name] = text;
  return json;
}

OrderedJson json_from_rule(const Rule& rule) {
  OrderedJson json = OrderedJson::object();
  if (!rule.pattern.empty()) json["pattern"] = rule.pattern;
  if (!rule.where.empty()) json["where"] = object_of(rule.where);
  if (rule.makes != Makes::kEvent) json["makes"] = name_of(rule.makes);
  for (size_t i = 0; i < kRoleCount; ++i) {
    if (!rule.roles[i].empty()) json[std::string(kRoleNames[i])] = rule.roles[i];
  }
  if (rule.params) json["params"] = object_of(*rule.params);
  if (rule.goes_on) json["goes_on"] = true;
  return json;
}

}  // namespace

std::string_view name_of(Kind kind) { return kKindNames[static_cast<size_t>(kind)]; }
std::string_view name_of(Makes makes) { return kMakesNames[static_cast<size_t>(makes)]; }
std::string_view name_of(Role role) { return kRoleNames[static_cast<size_t>(role)]; }
std::span<const std::string_view> makes_names() { return kMakesNames; }
std::span<const std::string_view> role_names() { return kRoleNames; }

bool uses(Makes makes, Role role) {
  const auto is_one_of = [makes](auto... each) { return ((makes == each) || ...); };
  switch (role) {
    case Role::kTime:
    case Role::kType:
      return !is_one_of(Makes::kChild, Makes::kLoss, Makes::kNothing);
    case Role::kLane:
      return !is_one_of(Makes::kChild, Makes::kLoss, Makes::kNothing, Makes::kLink);
    case Role::kEnd:
      return is_one_of(Makes::kState, Makes::kLink);
    case Role::kDuration:
      return is_one_of(Makes::kState, Makes::kLink, Makes::kEnd);
    case Role::kValue:
      return is_one_of(Makes::kValue, Makes::kLoss);
    case Role::kId:
      return is_one_of(Makes::kBegin, Makes::kEnd, Makes::kSend, Makes::kReceive);
    case Role::kFrom:
    case Role::kTo:
      return makes == Makes::kLink;
  }
  return false;
}

bool is_field_of_its_name(Makes makes, Role role) {
  return makes != Makes::kEnd || role != Role::kDuration;
}

Result<Definition> definition_from_json(const OrderedJson& json) {
  Members members(json, "");
  Definition definition;
  members.take("name", definition.name);
  members.take("kind", kKindNames, definition.kind);
  members.take("extensions", definition.extensions);
  members.take("panels", definition.panels);
  members.take("time", definition.time);
  members.take("duration_unit", definition.duration_unit);
  members.take("decimal", definition.decimal);
  members.take("continued", definition.continued);
  members.take("separator", definition.separator);
  members.take("quote", definition.quote);
  members.take("header", definition.has_header);
  members.take("columns", definition.columns);
  const OrderedJson* const rules = members.take("rules");
  if (rules == nullptr || !rules->is_array() || rules->empty()) {
    members.complain("rules", "is not an array of rules");
  } else if (rules->size() > kMostRules) {
    members.complain("rules", fmt::format("has more than {}", kMostRules));
  }
  WEFT_TRY(members.status());
  for (size_t i = 0; i < rules->size(); ++i) {
    WEFT_TRY_ASSIGN(Rule rule, rule_from((*rules)[i], i));
    definition.rules.push_back(std::move(rule));
  }
  return definition;
}

Result<Definition> definition_from_text(std::string_view text) {
  WEFT_TRY_ASSIGN(const OrderedJson json, parse_lenient_json(text));
  return definition_from_json(json);
}

OrderedJson json_from_definition(const Definition& definition) {
  const Definition plain;
  OrderedJson json = OrderedJson::object();
  if (!definition.name.empty()) json["name"] = definition.name;
  json["kind"] = name_of(definition.kind);
  if (!definition.extensions.empty()) json["extensions"] = definition.extensions;
  if (!definition.panels.empty()) json["panels"] = definition.panels;
  json["time"] = definition.time;
  if (!definition.duration_unit.empty()) json["duration_unit"] = definition.duration_unit;
  const auto add_sign = [&](const char* name, char sign, char usual) {
    if (sign != usual) json[name] = std::string(1, sign);
  };
  add_sign("decimal", definition.decimal, plain.decimal);
  if (!definition.continued.empty()) json["continued"] = definition.continued;
  add_sign("separator", definition.separator, plain.separator);
  add_sign("quote", definition.quote, plain.quote);
  if (!definition.has_header) json["header"] = false;
  if (!definition.columns.empty()) json["columns"] = definition.columns;
  json["rules"] = OrderedJson::array();
  for (const Rule& rule : definition.rules) json["rules"].push_back(json_from_rule(rule));
  return json;
}

}  // namespace weft::formats::custom
