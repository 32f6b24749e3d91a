#include "app/base/json_merge.h"

#include <utility>

namespace weft::app {
namespace {

// Null where it is not there, which no member that is kept is.
const Json& member(const Json& object, const std::string& key) {
  static const Json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

}  // namespace

Json merged(const Json& base, const Json& ours, const Json& theirs) {
  if (ours == base) return theirs;
  if (theirs == base) return ours;
  if (ours.is_null()) return theirs;  // removed here, changed there
  if (!ours.is_object() || !theirs.is_object()) return ours;
  Json result = Json::object();
  for (const Json* each : {&ours, &theirs}) {
    for (const auto& [key, value] : each->items()) {
      if (result.contains(key)) continue;
      Json both = merged(base.is_object() ? member(base, key) : Json(), member(ours, key),
                         member(theirs, key));
      if (!both.is_null()) result[key] = std::move(both);
    }
  }
  return result;
}

}  // namespace weft::app
