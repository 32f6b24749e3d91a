// The table of KeyedStates.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace weft::formats::ftrace {

struct NamedNumber {
  int64_t number;
  std::string_view name;
};

// What a lane lies below, and whose begins and ends belong together where no field tells.
enum class Below : uint8_t { kRoot, kTask, kCpu };

struct KeyedPair {
  // Tracepoints; "name_*": all that begin so. No end: each begin ends the one before.
  std::string_view begin, end;
  std::array<std::string_view, 2> keys;  // fields that both have; "a|b": the first that it has
  Below below;
  // "ring {name}": with values of the begin's fields; "{*}": what a tracepoint's name adds; "{#}":
  // the how manieth of such keys it is.
  std::string_view lane, name;
  std::string_view group;
  std::string_view named = {};  // the field whose numbers have names
  std::span<const NamedNumber> names = {};
  // The field that tells begins from ends where both are one tracepoint, or begins from what else
  // the begin's tracepoint tells, and what it is in them, "a|b": either; no `in_begin`: what is no
  // end.
  std::string_view told_by = {};
  std::string_view in_end = {}, in_begin = {};
};

std::span<const KeyedPair> keyed_pairs();

}  // namespace weft::formats::ftrace
