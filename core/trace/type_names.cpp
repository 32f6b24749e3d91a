#include "core/trace/type_names.h"

#include <set>
#include <string_view>
#include <unordered_map>

namespace weft::trace {
namespace {

std::string category_and_group(const EventType& type) {
  std::string text(name_of(type.category));
  if (!type.group.empty()) text.append(", ").append(type.group);
  return text;
}

}  // namespace

std::vector<std::string> distinct_names(std::span<const EventType* const> types) {
  std::unordered_map<std::string_view, std::vector<size_t>> of_name;
  for (size_t i = 0; i < types.size(); ++i) of_name[types[i]->name].push_back(i);
  std::vector<std::string> names;
  for (const EventType* type : types) names.emplace_back(type->name);
  for (const auto& [name, places] : of_name) {
    if (places.size() == 1) continue;
    std::set<std::string_view> groups;
    for (const size_t i : places) groups.insert(types[i]->group);
    const bool groups_differ = groups.size() == places.size();
    for (const size_t i : places) {
      const std::string apart =
          groups_differ ? std::string(types[i]->group) : category_and_group(*types[i]);
      if (!apart.empty()) names[i] += " · " + apart;
    }
  }
  return names;
}

std::string key_of(const EventType& type) {
  std::string key(type.name);
  key += '\0';
  return key += type.group;
}

}  // namespace weft::trace
