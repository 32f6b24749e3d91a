// Complaints about files that people may edit: an entry that cannot be read is reported and left
// out, and the rest of the file is used.
#pragma once

#include <string>
#include <vector>

#include "app/base/json.h"
#include "core/base/result.h"

namespace weft::app {

using Complaints = std::vector<std::string>;  // each says where and why

// The first few complaints on one line, safe to show, and how many more there are.
std::string in_words(const Complaints& complaints);

// Reads the list of the object {"NAME": […]}, at most `most` entries. Complaints give the number of
// an entry, from 1.
template <class T>
std::vector<T> list_from_json(const Json& json, const char* name, size_t most,
                              Result<T> (*entry_from_json)(const Json&), Complaints& complaints) {
  std::vector<T> list;
  const Json entries = json.value(name, Json::array());
  if (!entries.is_array()) {
    complaints.push_back(std::string("'") + name + "' is not a list");
    return list;
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    if (list.size() == most) {
      complaints.push_back("more than " + std::to_string(most) + " entries");
      break;
    }
    Result<T> entry = entry_from_json(entries[i]);
    if (entry) {
      list.push_back(std::move(*entry));
    } else {
      complaints.push_back("entry " + std::to_string(i + 1) + ": " + entry.error().message);
    }
  }
  return list;
}

}  // namespace weft::app
