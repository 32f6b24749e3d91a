// Rules for lines of text, found by examples: what a part of a line says, as the user points at it.
//
//   <0001250> [press] closing speed=3     time, lane and type are pointed at:
//   ^<(?<time>\d+)>\s+\[(?<lane>[^\]]+)\]\s+(?<type>\S+)(?<text>.*)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/custom/preview.h"

namespace weft::formats::custom {

struct NamedPart {
  size_t begin = 0, end = 0;  // bytes of the line
  std::string name;
};
// Returns a pattern that matches `line` and lines that differ from it in numbers and words. `parts`
// are in order and disjoint.
std::string pattern_by_example(std::string_view line, const std::vector<NamedPart>& parts);

struct PointedPart {
  size_t begin = 0, end = 0;  // in bytes of the record's text
  std::optional<Role> role;   // none: a parameter …
  std::string name;           // … of this name
};
// Returns a text definition that assigns the role to that part of the record: in the rule that
// matches it, or in a new one; a sole rule is replaced if it matches nothing. If the changed rule
// matches fewer lines, the old one is kept after it for these. A time is parsed in the form that
// fits most of the sample's lines. Costs some previews of the sample's beginning.
Definition taught(Definition definition, const PreviewRecord& record, const PointedPart& pointed,
                  std::string_view sample);

// Returns the range of the line around byte `at` that is likely one item: a word, a number, a time.
std::pair<size_t, size_t> part_at(std::string_view line, size_t at);
// Returns the key of the part that begins at `at`: "speed" for the 3 of "speed=3". Empty: none.
std::string key_before(std::string_view line, size_t at);

}  // namespace weft::formats::custom
