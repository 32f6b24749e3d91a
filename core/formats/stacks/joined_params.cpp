#include "core/formats/stacks/joined_params.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/formats/base/json_text.h"

namespace weft::formats::stacks {
namespace {

using Members = std::vector<std::pair<std::string_view, std::string_view>>;

// Returns the members that begin before the object's last `rest` bytes, and sets `rest` to begin at
// the next. The text is padded as a cursor requires.
Members members_before(std::string_view object, size_t& rest) {
  Members members;
  json::Cursor cursor(object.data());
  if (!cursor.take('{')) return members;
  json::RawString name;
  json::RawValue value;
  do {
    cursor.skip_space();
    const size_t left = static_cast<size_t>(object.data() + object.size() - cursor.p);
    if (left <= rest) {
      rest = left;
      return members;
    }
    if (!cursor.string(name) || !cursor.take(':')) break;
    cursor.skip_space();
    if (!cursor.value(value)) break;
    members.emplace_back(name.text, value.text);
  } while (cursor.take(','));
  rest = 0;
  return members;
}

// Whether `end` is an object of one member, of plain text, whose name `begin` does not contain.
// What is looked for begins with the name itself, for quotes are met too often.
bool is_one_member_beside(std::string_view begin, std::string_view end) {
  const size_t behind_name = end.find("\":", 1);
  return end.starts_with("{\"") && behind_name != end.npos && !end.contains(',') &&
         !end.contains('\\') && !begin.contains('\\') && begin.size() > 2 &&
         !begin.contains(end.substr(2, behind_name));
}

}  // namespace

// A begin and its end mostly say the same at last, of the thread: what they end with need not be
// taken apart. Where it begins with a member of the one, it does in the other, since what follows
// closes the object.
std::string joined_params(std::string_view begin, std::string_view end) {
  if (begin.empty() || end.empty()) return std::string(begin.empty() ? end : begin);
  if (is_one_member_beside(begin, end)) {
    std::string out(begin);
    out.back() = ',';
    return out.append(end.substr(1));
  }
  const auto same = std::mismatch(begin.rbegin(), begin.rend(), end.rbegin(), end.rend());
  size_t rest = static_cast<size_t>(same.second - end.rbegin());
  std::string padded;
  padded.reserve(begin.size() + end.size() + 2 * json::kTextPadding);
  padded.append(begin).append(json::kTextPadding, '\0');
  padded.append(end).append(json::kTextPadding, '\0');
  const std::string_view text = padded;
  const Members added =
      members_before(text.substr(begin.size() + json::kTextPadding, end.size()), rest);
  const Members members = members_before(text.substr(0, begin.size()), rest);
  std::string out(begin);
  for (const auto& [name, value] : added) {
    const auto it = std::ranges::find(members, name, &Members::value_type::first);
    if (it != members.end() && it->second == value) continue;
    out.back() = ',';
    out.append(it == members.end() ? "\"" : "\"end.").append(name);
    out.append("\":").append(value).append("}");
  }
  return out;
}

}  // namespace weft::formats::stacks
