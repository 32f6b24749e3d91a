// Events that are begin and end of one thing, by their names and by which others their stream has.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::ctf {

struct HalfOfPair {
  bool is_begin = false;
  std::string stem;  // what both have in common: "app:load" of "app:load_begin" and "app:load_end"
};
// Returns nullopt if the metadata of the stream does not describe the other half.
std::optional<HalfOfPair> half_of_pair(std::string_view name, const bt_stream_class& stream);

}  // namespace weft::formats::ctf
