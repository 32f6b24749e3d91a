// The compiled rules of a definition: which matches a record, and what it makes of it. Immutable
// and thread-safe; state between records is kept by the reader.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/regex.h"
#include "core/base/result.h"
#include "core/formats/base/time_form.h"
#include "core/formats/general/custom/definition.h"
#include "core/formats/general/custom/event.h"
#include "core/formats/general/custom/record.h"
#include "core/formats/general/custom/template.h"

namespace weft::formats::custom {

class CompiledRule {
 public:
  static Result<CompiledRule> compile(const Rule& rule, Kind kind);

  Makes makes() const { return makes_; }
  bool goes_on() const { return goes_on_; }

  // Whether the rule may apply to elements at this path.
  bool is_about(std::string_view path) const;
  // Whether the rule is about the record. Where it is of text, the record's fields become the
  // groups of its pattern. Too hard: a regular expression reached its limits.
  Regex::Found takes(Record& record) const;

  // Says in `event` what the record says of one, in views into the record. What it lacks: the kind
  // of a loss, or kEndAlone; empty: nothing.
  std::string_view read_event(const Record& record, const TimeForm& form,
                              std::optional<Time> before, Event& event) const;
  // The same for what a record adds to the event before: its fields, or all of its text.
  void read_params(const Record& record, Event& event) const;
  // How many events the record says were lost; one where it does not say.
  uint64_t read_loss(const Record& record) const;

  // The fields that the rule needs: those in its templates and conditions.
  const std::vector<std::string>& needed_fields() const { return needed_; }
  // Returns the role of a field; nullopt: a parameter, or unused.
  std::optional<Role> role_of(std::string_view field) const;

 private:
  std::optional<Time> begin_before_end(const Record& record, const TimeForm& form,
                                       std::optional<Time> before) const;
  struct Condition {
    std::string field;
    Regex regex;
  };
  struct Param {
    std::string name;
    Template text;
  };
  // A field that has a use, and the name it is referred to by.
  struct SaidField {
    std::string name, names;
  };
  Status compile_templates(const Rule& rule);
  Status check_groups() const;
  void list_said_fields();
  void resolve_groups();
  const Template& role(Role role) const { return roles_[static_cast<size_t>(role)]; }
  bool is_rest(std::string_view field) const;  // of a pattern
  bool is_rest(const Record& record, const Field& field) const;

  Kind kind_ = Kind::kText;
  Makes makes_ = Makes::kEvent;
  bool goes_on_ = false;
  bool takes_rest_ = true;  // fields without another use are parameters
  std::optional<Regex> pattern_;
  std::string path_;  // of elements
  std::vector<Condition> where_;
  std::array<Template, kRoleCount> roles_;
  std::vector<Param> params_;
  std::vector<std::string> needed_;
  std::vector<std::pair<std::string, Role>> role_fields_;
  std::vector<SaidField> said_;    // by the two before, name by name
  std::vector<bool> rest_groups_;  // of the pattern: those that are parameters
};

struct Rules {
  Definition definition;
  TimeForm time;
  std::vector<CompiledRule> rules;
  std::optional<Regex> continued;  // finds lines continued by the next
  bool has_children = false;

  // Errors give the place: "rules[2].pattern: missing closing parenthesis at offset 7".
  static Result<std::shared_ptr<const Rules>> compile(Definition definition);
};
using RulesPtr = std::shared_ptr<const Rules>;

}  // namespace weft::formats::custom
