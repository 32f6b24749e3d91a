// A user's definition of a trace type: how a text, a table, an XML document or lines of JSON become
// events (docs/custom-trace-types.md). Plain values, as stored in a JSON file and as changed by the
// editor; rules.h compiles them.
//
//  {"kind": "text", "time": "s",
//   "rules": [{"pattern": "^\\[(?<time>[\\d.]+)\\] (?<lane>\\w+): (?<type>.*)"}]}
//
// A record (a line, a row, an element, an object) has fields (groups of a regular expression,
// columns, attributes and children, members). The first rule that matches a record makes an event
// of it: each role of the event is a template, "{host}/{thread}"; a role without one is the field
// of its name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/lenient_json.h"
#include "core/base/result.h"

namespace weft::formats::custom {

enum class Kind : uint8_t { kText, kCsv, kXml, kJson };

enum class Makes : uint8_t {
  kEvent,    // a punctual event
  kState,    // with a duration or an end
  kBegin,    // begin of a state, closed by the end of its id or on its lane
  kEnd,      //
  kChange,   // a state that lasts until the lane's next change
  kValue,    // a sample of a variable
  kLink,     // complete: from a lane to a lane
  kSend,     // send of a message, received by its id
  kReceive,  //
  kChild,    // adds to the event before
  kLoss,     // events that the tracer says it lost
  kNothing,  // recognised, but ignored; before the first event so are its children
};

// The properties of an event that are given by templates.
enum class Role : uint8_t { kTime, kEnd, kDuration, kLane, kType, kValue, kId, kFrom, kTo };
inline constexpr size_t kRoleCount = 9;

// Names as in the file: "text"; "event"; "time".
std::string_view name_of(Kind kind);
std::string_view name_of(Makes makes);
std::string_view name_of(Role role);
std::span<const std::string_view> makes_names();
std::span<const std::string_view> role_names();

// Whether events of this kind have such a role.
bool uses(Makes makes, Role role);
// Whether such a role without a template is the field of its name. What an end took mostly stands
// beside the time of the end: only a template says that the time is that of the begin.
bool is_field_of_its_name(Makes makes, Role role);

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct Rule {
  std::string pattern{};  // of text: a regular expression; of XML: the end of the element's path
  NamedTexts where{};     // fields, and the regular expressions that they must match
  Makes makes = Makes::kEvent;
  std::array<std::string, kRoleCount> roles{};  // templates
  std::optional<NamedTexts> params{};           // templates; nullopt: all fields without another
                                                // use
  bool goes_on = false;                         // later rules apply, too

  std::string& role(Role role) { return roles[static_cast<size_t>(role)]; }
  const std::string& role(Role role) const { return roles[static_cast<size_t>(role)]; }
  bool operator==(const Rule&) const = default;
};

struct Definition {
  std::string name{};  // for people; empty: the file's name
  Kind kind = Kind::kText;
  std::vector<std::string> extensions{};
  std::vector<std::string> panels{};  // panels that open with such a trace; empty: the usual ones
  std::string time = "s";             // a unit, or a pattern with '%' (time_form.h)
  std::string duration_unit{};        // empty: the unit of time, or seconds
  char decimal = '.';                 // the sign before fractions
  std::string continued{};            // text: a pattern of lines continued by the next
  char separator = ',';               // of CSV, with the two below
  char quote = '"';
  bool has_header = true;
  std::vector<std::string> columns{};  // column names if there is no header
  std::vector<Rule> rules{};

  bool operator==(const Definition&) const = default;
};

// Limits on the cost of hostile definitions.
inline constexpr size_t kMostRules = 64;
inline constexpr size_t kMostParams = 64;  // of a rule, conditions included

// Errors give the place: "rules[2].makes: …", or line and column of a JSON error. Patterns and
// templates are checked by Rules::compile.
Result<Definition> definition_from_json(const OrderedJson& json);
Result<Definition> definition_from_text(std::string_view text);
// Writes only members that differ from their default.
OrderedJson json_from_definition(const Definition& definition);

}  // namespace weft::formats::custom
