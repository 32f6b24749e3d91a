// Names that tell lanes apart. Lanes with the same name are qualified with as many ancestors as
// necessary: "rank 0/main", "rank 1/main". Lanes whose whole paths are equal stay alike.
//
// Cost: O(lanes · depth) look-ups of names.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/model.h"

namespace weft::layout {

// Returns a name per lane, in order.
std::vector<std::string> distinct_names(const trace::Dictionary& dictionary,
                                        std::span<const LaneId> lanes);

// What separates the words of names.
inline constexpr std::string_view kNameSeparators = " -.:/#_";

// The width of a text: in letters, or in pixels of a font.
using NameWidth = std::function<double(std::string_view)>;

// Shortens valid UTF-8 to a width, with "…" at its end; empty if not even that has room.
std::string cut_at_end(std::string_view text, double room, const NameWidth& width_of);

// Shortens names to a width each. "…" replaces the end or, if that would make different names
// alike, a part that they share, up to the word in which they differ or, where that is too long, to
// the letter: "Execution #1/main" and "Execution #2/main" become "Ex…1/main" and "Ex…2/main".
std::vector<std::string> shortened(std::span<const std::string> names, double room,
                                   const NameWidth& width_of);
// … to at most `most` characters.
std::vector<std::string> shortened(std::span<const std::string> names, size_t most);

}  // namespace weft::layout
