// The declared resources of a TLV log: from the resource file beside it (X.res: unit and radix of
// times, resources and their first values), and from the headers it names (.resh: types of
// resources, their attributes and behaviours).
//
// Headers are searched beside the log, in folders named `resourceHeaders` beside it and above it,
// and in that of the user's data folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text_decoder.h"
#include "core/base/time.h"

namespace weft::formats::tlv {

struct Attribute {
  bool is_number = false;
  bool is_dynamic = false;  // changes while the system runs
  std::string first{};      // its value at the begin, unless the resource says another
};

struct ResourceType {
  std::string display_name;
  std::map<std::string, Attribute, std::less<>> attributes{};
  // The names of their arguments.
  std::map<std::string, std::vector<std::string>, std::less<>> behaviors{};
};

struct Resource {
  std::string name;
  std::string type;
  std::string display_name;
  std::optional<uint32_t> rgb;
  std::map<std::string, std::string, std::less<>> attributes{};  // their values at the begin
};

struct Resources {
  TimeBase time_base = TimeBase::kTicks;
  int radix = 10;  // 2 to 36
  std::vector<Resource> resources;
  std::map<std::string, ResourceType, std::less<>> types;
  std::vector<std::string> problems;  // what could not be read, a line each
};

// Reads the resources of the log at `path` (X.log, X.log.gz). A missing resource file is no
// problem, a damaged one is. `decoder`: of the log's text.
Resources resources_of(const std::filesystem::path& path, TextDecoder& decoder);

}  // namespace weft::formats::tlv
