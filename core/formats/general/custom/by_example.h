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
// Takes that line, and those that differ from it in numbers and words. `parts` are in order and
// apart from each other.
std::string pattern_by_example(std::string_view line, const std::vector<NamedPart>& parts);

struct PointedPart {
  size_t begin = 0, end = 0;  // bytes of the record's text
  std::optional<Role> role;   // none: a parameter …
  std::string name;           // … of this name
};
// The definition, of text, with which that part of the record says so: in the rule that takes it,
// or in a new one; the only rule is made anew where it takes nothing. Where it then takes fewer
// lines than before, the old one stays behind it for these. A time is read in the form that fits
// most of the sample's lines. Costs some previews of the first of them.
Definition taught(Definition definition, const PreviewRecord& record, const PointedPart& pointed,
                  std::string_view sample);

// The part of the line around that byte that is likely to say one thing: a word, a number, a time.
std::pair<size_t, size_t> part_at(std::string_view line, size_t at);
// The word that says what the part that begins there is: of "speed=3" at the 3, speed. Empty: none.
std::string key_before(std::string_view line, size_t at);

}  // namespace weft::formats::custom
