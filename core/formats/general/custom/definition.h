// What a user writes to define a trace type: how a text, a table, an XML document or lines of JSON
// become events
// (docs/custom-trace-types.md). Plain values, as a file in JSON holds them and as the editor
// changes them; rules.h makes of them what reads.
//
//   {"kind": "text", "time": "s",
//    "rules": [{"pattern": "^\\[(?<time>[\\d.]+)\\] (?<lane>\\w+): (?<type>.*)"}]}
//
// A record (a line, a row, an element, an object) has fields (groups of a regular expression,
// columns, attributes and children, members). The first rule that matches a record makes an event
// of it: each role of the event is a template, "{host}/{thread}", and where there is none the field
// of the role's name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
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
  kBegin,    // of a state, which the end of its id, or of its lane, ends
  kEnd,      //
  kChange,   // a state that lasts until the lane's next change
  kValue,    // a sample of a variable
  kLink,     // whole: from a lane to a lane
  kSend,     // of a message, which is received by its id
  kReceive,  //
  kChild,    // more of the event before
  kNothing,  // known, and of no interest
};

// What an event has, as far as it is said by a template.
enum class Role : uint8_t { kTime, kEnd, kDuration, kLane, kType, kValue, kId, kFrom, kTo };
inline constexpr size_t kRoleCount = 9;

// "text"; "event"; "time": as in the file.
std::string_view name_of(Kind kind);
std::string_view name_of(Makes makes);
std::string_view name_of(Role role);
std::span<const std::string_view> makes_names();
std::span<const std::string_view> role_names();

// Whether what is made has such a role.
bool uses(Makes makes, Role role);

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct Rule {
  std::string pattern{};  // of text: a regular expression; of XML: the end of the element's path
  NamedTexts where{};     // fields, and the regular expressions that they must match
  Makes makes = Makes::kEvent;
  std::array<std::string, kRoleCount> roles{};  // templates
  std::optional<NamedTexts> params{};           // templates; none: all fields that say nothing else
  bool goes_on = false;                         // the rules behind it are asked, too

  std::string& role(Role role) { return roles[static_cast<size_t>(role)]; }
  const std::string& role(Role role) const { return roles[static_cast<size_t>(role)]; }
  bool operator==(const Rule&) const = default;
};

struct Definition {
  std::string name{};  // for people; empty: as the file
  Kind kind = Kind::kText;
  std::vector<std::string> extensions{};
  std::vector<std::string> panels{};  // kinds that open with such a trace; none: as with most
  std::string time = "s";             // a unit, or a pattern with '%' (time_form.h)
  std::string duration_unit{};        // empty: the unit of time, or seconds
  char decimal = '.';                 // the sign before fractions
  std::string continued{};            // of text: a pattern of lines that go on in the next
  char separator = ',';               // of CSV, with the two below
  char quote = '"';
  bool has_header = true;
  std::vector<std::string> columns{};  // their names where there is no header
  std::vector<Rule> rules{};

  bool operator==(const Definition&) const = default;
};

// Bounds of what a hostile definition can cost.
inline constexpr size_t kMostRules = 64;
inline constexpr size_t kMostParams = 64;  // of a rule, also of its conditions

// Errors say where: "rules[2].makes: …", or the line and column of what is no JSON. Patterns and
// templates are looked at by Rules::compile.
Result<Definition> definition_from_json(const OrderedJson& json);
Result<Definition> definition_from_text(std::string_view text);
// Only what differs from what a member that is not there means.
OrderedJson json_from_definition(const Definition& definition);

}  // namespace weft::formats::custom
