#include "core/formats/stacks/joined_params.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/formats/general/chrome_json/json_text.h"

namespace weft::formats::stacks {

using chrome_json::RawString;
using chrome_json::RawValue;

std::string joined_params(std::string_view begin, std::string_view end) {
  if (begin.empty() || end.empty()) return std::string(begin.empty() ? end : begin);
  const std::string padding(chrome_json::kTextPadding, '\0');
  const std::string padded_begin = std::string(begin) + padding;
  const std::string padded_end = std::string(end) + padding;
  std::vector<std::pair<std::string_view, std::string_view>> members;
  chrome_json::for_each_member(padded_begin, [&](const RawString& name, const RawValue& value) {
    members.emplace_back(name.text, value.text);
  });
  std::string out(begin);
  chrome_json::for_each_member(padded_end, [&](const RawString& name, const RawValue& value) {
    const auto it = std::ranges::find(members, name.text, &decltype(members)::value_type::first);
    if (it != members.end() && it->second == value.text) return;
    out.back() = ',';
    out.append(it == members.end() ? "\"" : "\"end.").append(name.text);
    out.append("\":").append(value.text).append("}");
  });
  return out;
}

}  // namespace weft::formats::stacks
