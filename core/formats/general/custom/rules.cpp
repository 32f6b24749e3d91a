#include "core/formats/general/custom/rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::custom {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether the field is one of these names, or stands in for one that is.
bool is_named_in(std::string_view names, std::string_view field) {
  return any_name_of(names, [field](std::string_view name) { return name == field; });
}

Result<Regex> regex_from(std::string_view pattern, const std::string& where) {
  auto regex = Regex::try_compile(pattern);
  if (regex) return *std::move(regex);
  return fail(
      fmt::format("{}: {} at offset {}", where, regex.error().reason, regex.error().offset));
}

// "entry" and "log/entry" end "/log/entry"; "og/entry" does not, and "/entry" is a root alone.
bool ends_path(std::string_view path, std::string_view end) {
  if (end.starts_with('/')) return path == end.substr(1);
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

}  // namespace

Result<CompiledRule> CompiledRule::compile(const Rule& rule, Kind kind) {
  CompiledRule out;
  out.kind_ = kind;
  out.makes_ = rule.makes;
  out.goes_on_ = rule.goes_on;
  switch (kind) {
    case Kind::kText: {
      if (rule.pattern.empty()) return fail("pattern: is missing");
      WEFT_TRY_ASSIGN(out.pattern_, regex_from(rule.pattern, "pattern"));
      break;
    }
    case Kind::kXml:
      if (rule.pattern.empty()) return fail("pattern: is missing");
      out.path_ = rule.pattern;
      break;
    case Kind::kCsv:
    case Kind::kJson:
      if (!rule.pattern.empty())
        return fail(fmt::format("pattern: {} are chosen by where",
                                kind == Kind::kCsv ? "rows" : "objects"));
      break;
  }
  if (rule.where.size() > kMostParams) return fail("where: has too many conditions");
  for (const auto& [field, pattern] : rule.where) {
    WEFT_TRY_ASSIGN(Regex regex, regex_from(pattern, fmt::format("where.{}", printable(field))));
    out.where_.push_back({field, std::move(regex)});
    out.needed_.push_back(field);
  }
  WEFT_TRY(out.compile_templates(rule));
  WEFT_TRY(out.check_groups());
  out.list_said_fields();
  if (out.pattern_) out.resolve_groups();
  return out;
}

Status CompiledRule::compile_templates(const Rule& rule) {
  const auto compiled = [&](const std::string& text, std::string_view where) -> Result<Template> {
    auto made = Template::compile(text);
    if (!made) return fail(std::move(made).error().context(std::string(where)));
    for (std::string& field : made->fields()) needed_.push_back(std::move(field));
    return made;
  };
  for (size_t i = 0; i < kRoleCount; ++i) {
    const std::string_view name = role_names()[i];
    const bool has_role = uses(makes_, static_cast<Role>(i));
    if (!has_role && !rule.roles[i].empty())
      return fail(fmt::format("{}: '{}' has none", name, name_of(makes_)));
    // A name that is not a group of the pattern says nothing.
    const bool has_field = !pattern_ || contains(pattern_->groups(), name);
    if (has_role && has_field && is_field_of_its_name(makes_, static_cast<Role>(i)))
      roles_[i] = Template::of_field(name);
    if (!rule.roles[i].empty()) {
      WEFT_TRY_ASSIGN(roles_[i], compiled(rule.roles[i], name));
    }
    for (std::string& field : roles_[i].fields())
      role_fields_.emplace_back(std::move(field), static_cast<Role>(i));
  }
  takes_rest_ = !rule.params.has_value();
  if (takes_rest_) return {};
  if (rule.params->size() > kMostParams) return fail("params: are too many");
  for (const auto& [name, text] : *rule.params) {
    WEFT_TRY_ASSIGN(Template made, compiled(text, fmt::format("params.{}", printable(name))));
    params_.push_back({name, std::move(made)});
  }
  return {};
}

// The fields of text are the pattern's groups: a name that is none of them is a mistake.
Status CompiledRule::check_groups() const {
  if (!pattern_) return {};
  const auto& groups = pattern_->groups();
  std::string missing;
  const auto is_missing = [&](std::string_view field) {
    const auto number = parse_number<size_t>(field);
    const bool is_number = number && *number >= 1 && *number <= groups.size();
    missing = field;
    return !is_number && !contains(groups, field);
  };
  for (const std::string& fields : needed_) {
    if (any_name_of(fields, is_missing))
      return fail(fmt::format("pattern: has no group '{}'", printable(missing)));
  }
  return {};
}

void CompiledRule::list_said_fields() {
  const auto list = [this](const std::string& names) {
    any_name_of(names, [&](std::string_view name) {
      said_.push_back({std::string(name), names});
      return false;
    });
  };
  for (const std::string& names : needed_) list(names);
  for (const auto& [names, role] : role_fields_) list(names);
}

// The groups are the same in all records.
void CompiledRule::resolve_groups() {
  const auto& groups = pattern_->groups();
  for (Template& each : roles_) each.resolve(groups);
  for (Param& param : params_) param.text.resolve(groups);
  for (const std::string& name : groups) rest_groups_.push_back(is_rest(name));
}

bool CompiledRule::is_about(std::string_view path) const { return ends_path(path, path_); }

Regex::Found CompiledRule::takes(Record& record) const {
  if (pattern_) {
    thread_local std::vector<std::string_view> groups;
    const Regex::Found found = pattern_->find(record.text, groups);
    if (found != Regex::Found::kYes) return found;
    record.fields.clear();
    for (size_t i = 0; i < groups.size(); ++i)
      record.fields.push_back({pattern_->groups()[i], groups[i]});
  } else if (kind_ == Kind::kXml && !is_about(record.path)) {
    return Regex::Found::kNo;
  }
  for (const Condition& condition : where_) {
    const Field* const field = find_field(record, condition.field);
    if (field == nullptr || !condition.regex.matches(field->value)) return Regex::Found::kNo;
  }
  return Regex::Found::kYes;
}

// Returns the begin of a state whose record gives its end and duration.
std::optional<Time> CompiledRule::begin_before_end(const Record& record, const TimeForm& form,
                                                   std::optional<Time> before) const {
  std::string scratch;
  const auto end = form.parse(role(Role::kEnd).expand(record, scratch), before);
  const auto duration = form.parse_duration(role(Role::kDuration).expand(record, scratch));
  return end && duration ? std::optional(*end - *duration) : std::nullopt;
}

std::string_view CompiledRule::read_event(const Record& record, const TimeForm& form,
                                          std::optional<Time> before, Event& event) const {
  const auto text_of = [&](Role role) {
    return this->role(role).expand(record, event.made_roles[static_cast<size_t>(role)]);
  };
  event.makes = makes_;
  event.offset = record.offset;
  event.end = {};
  const std::string_view said = text_of(Role::kTime);
  std::optional<Time> time = form.parse(said, before);
  if (!time) time = begin_before_end(record, form, before);
  if (!time && makes_ == Makes::kEnd && trimmed(said).empty()) return kEndAlone;
  if (!time) return "time that cannot be read";
  event.time = *time;
  if (const std::string_view end = text_of(Role::kEnd); !trimmed(end).empty()) {
    event.end = form.parse(end, time);
    if (!event.end) return "end that cannot be read";
  } else if (const std::string_view length = text_of(Role::kDuration); !trimmed(length).empty()) {
    const auto duration = form.parse_duration(length);
    if (!duration) return "duration that cannot be read";
    event.end = event.time + *duration;
  }
  if (event.end && *event.end < event.time) return "end before its begin";
  if (makes_ == Makes::kEnd && event.end) event.time = *std::exchange(event.end, std::nullopt);
  if (makes_ == Makes::kState && !event.end) return "state without an end";
  if (makes_ == Makes::kValue) {
    const auto value = form.parse_value(text_of(Role::kValue));
    if (!value) return "value that is not a number";
    event.value = *value;
  }
  event.lane = trimmed(text_of(Role::kLane));
  event.type = trimmed(text_of(Role::kType));
  event.id = trimmed(text_of(Role::kId));
  event.from = trimmed(text_of(Role::kFrom));
  event.to = trimmed(text_of(Role::kTo));
  if (makes_ == Makes::kLink && event.from.empty() && event.to.empty()) return "link without ends";
  read_params(record, event);
  return {};
}

// A field with a name that says nothing else: one without a name is a group for its brackets' sake.
bool CompiledRule::is_rest(std::string_view field) const {
  if (field.empty() || field.starts_with("../")) return false;
  return std::ranges::find(said_, field, &SaidField::name) == said_.end();
}

// Of alternatives, only the one that is used counts as used.
bool CompiledRule::is_rest(const Record& record, const Field& field) const {
  if (field.name.empty() || field.name.starts_with("../")) return false;
  return std::ranges::none_of(said_, [&](const SaidField& said) {
    return said.name == field.name &&
           (said.names == said.name || find_field(record, said.names) == &field);
  });
}

void CompiledRule::read_params(const Record& record, Event& event) const {
  event.params.clear();
  const auto add = [&](std::string_view name, std::string_view text) {
    text = trimmed(text);
    if (!text.empty()) event.params.push_back({name, text});
  };
  if (!takes_rest_) {
    if (event.made_params.size() < params_.size()) event.made_params.resize(params_.size());
    for (size_t i = 0; i < params_.size(); ++i)
      add(params_[i].name, params_[i].text.expand(record, event.made_params[i]));
    return;
  }
  for (size_t i = 0; i < record.fields.size(); ++i) {
    const auto& [name, value] = record.fields[i];
    const bool is_shown = pattern_ ? rest_groups_[i] : is_rest(record, record.fields[i]);
    if (is_shown) add(name, value);
  }
  if (event.params.empty() && makes_ == Makes::kChild) add("text", record.text);
}

uint64_t CompiledRule::read_loss(const Record& record) const {
  constexpr uint64_t kMost = 1'000'000'000'000;  // what many lines tell stays within 64 bits
  std::string made;
  const auto count = parse_number<uint64_t>(trimmed(role(Role::kValue).expand(record, made)));
  return std::min(count.value_or(1), kMost);
}

std::optional<Role> CompiledRule::role_of(std::string_view field) const {
  const auto it = std::ranges::find_if(
      role_fields_, [field](const auto& each) { return is_named_in(each.first, field); });
  return it == role_fields_.end() ? std::nullopt : std::optional(it->second);
}

Result<std::shared_ptr<const Rules>> Rules::compile(Definition definition) {
  auto out = std::make_shared<Rules>();
  WEFT_TRY_ASSIGN(out->time,
                  TimeForm::compile(definition.time, definition.duration_unit, definition.decimal));
  if (definition.rules.empty()) return fail("rules: there are none");
  if (definition.kind == Kind::kCsv && definition.separator == definition.quote)
    return fail("separator: is the quote, too");
  if (!definition.continued.empty()) {
    if (definition.kind != Kind::kText) return fail("continued: only lines go on");
    WEFT_TRY_ASSIGN(out->continued, regex_from(definition.continued, "continued"));
  }
  for (size_t i = 0; i < definition.rules.size(); ++i) {
    auto rule = CompiledRule::compile(definition.rules[i], definition.kind);
    if (!rule) return fail(fmt::format("rules[{}].{}", i, rule.error().message));
    out->has_children |= rule->makes() == Makes::kChild;
    out->rules.push_back(*std::move(rule));
  }
  out->definition = std::move(definition);
  return out;
}

}  // namespace weft::formats::custom
