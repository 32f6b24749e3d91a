// An event of a CTF trace as `babeltrace`, `babeltrace2` and `lttng view` print it, on a line:
//
//   [15:34:57.034689597] (+0.018695493) host:demo:589 my_app:open: { cpu_id = 0 }, { name = "a" }
//
// The time may have a date, be seconds or cycles, or be all there is before the event; what stands
// between it and the name is the trace's host, process and log level. With `--names all` the same
// is said with names: "timestamp = …, delta = …, name = …, event.fields = { … }".
//
// Source: the output of babeltrace 1.5 and 2.0; babeltrace2-sink.text.pretty(7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats::ctf_text {

enum class ValueKind : uint8_t { kInteger, kReal, kText, kEnumeration, kStructure, kArray };

// A field, or the element of an array. Those within it follow it, each before its own.
struct Value {
  ValueKind kind = ValueKind::kInteger;
  bool is_large = false;  // an integer beyond those with a sign
  uint32_t within = 0;    // how many follow it that are within it, at any depth
  uint64_t integer = 0;   // its bits; of an enumeration, too
  double real = 0;
  std::string_view name = {};  // empty: the text says none
  std::string_view text = {};  // decoded; of an enumeration the label; as written of what has parts
};

// The fields in a pair of braces.
struct Group {
  enum class Scope : uint8_t { kUnnamed, kPacket, kContext, kPayload };
  Scope scope = Scope::kUnnamed;
  size_t begin = 0, end = 0;  // of EventLine::values
};

// Views lie in the line, or in the EventLine until the next is parsed.
class EventLine {
 public:
  // Returns false if it is no such line.
  bool parse(std::string_view line);

  std::string_view time;    // as it is written, without brackets
  std::string_view origin;  // "host:demo:589"
  std::string_view name;
  std::optional<int> level;  // of its source
  std::string_view model;    // where it lies
  std::vector<Group> groups;
  std::vector<Value> values;  // of all groups
  bool is_broken = false;     // behind these groups comes what cannot be understood

 private:
  bool parse_plain_head(std::string_view& rest);
  bool parse_named_head(std::string_view& rest);
  void take_level(std::string_view text);
  bool parse_groups(std::string_view rest);
  bool parse_members(std::string_view& rest, char end, int depth);
  bool parse_value(std::string_view& rest, std::string_view name, int depth);
  bool parse_text(std::string_view& rest, std::string_view& text);
  bool parse_enumeration(std::string_view& rest, Value& value);

  std::string texts_;  // decoded, of which there is room for a line before it is parsed
};

}  // namespace weft::formats::ctf_text
