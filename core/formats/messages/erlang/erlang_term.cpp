#include "core/formats/messages/erlang/erlang_term.h"

#include <algorithm>

#include "core/formats/base/text.h"

namespace weft::formats::erlang {
namespace {

// Which bytes may say how a term is built.
constexpr CharSet kSigns("\"'\\{}[]()<>,");

// Where in a term one is.
struct Place {
  const char* at;
  size_t depth = 0;  // of brackets
  char quote = 0;    // within which it is
};

// Steps to the next sign, or to the end.
inline bool find_sign(Place& place, const char* end) {
  while (place.at != end && !kSigns.contains(*place.at)) ++place.at;
  return place.at != end;
}

// Steps over one sign, or two that belong together. Brackets of pids hold no commas; those of
// binaries, "<<1,2>>", do.
inline void step(Place& place, const char* end) {
  const char c = *place.at++;
  if (place.quote != 0) {
    if (c == '\\' && place.at != end) {
      ++place.at;
    } else if (c == place.quote) {
      place.quote = 0;
    }
    return;
  }
  switch (c) {
    case '"':
    case '\'':
      place.quote = c;
      break;
    case '{':
    case '[':
    case '(':
      ++place.depth;
      break;
    case '}':
    case ']':
    case ')':
      place.depth -= place.depth > 0 ? 1 : 0;
      break;
    case '<':
      if (place.at != end && *place.at == c) ++place.at, ++place.depth;
      break;
    case '>':
      if (place.at != end && *place.at == c && place.depth > 0) ++place.at, --place.depth;
      break;
    default:
      break;
  }
}

const char* end_of(std::string_view text) { return std::to_address(text.end()); }

}  // namespace

// A backslash at a line's end stands before the space that follows.
bool Terms::add(std::string_view line) {
  if (is_whole_) clear();
  if (!text_.empty()) {
    text_.append(1, ' ').append(trimmed(line));
    line = text_;
  }
  Place place{line.data() + std::min(looked_at_, line.size()), depth_, quote_};
  const char* const end = end_of(line);
  while (find_sign(place, end)) step(place, end);
  depth_ = place.depth;
  quote_ = place.quote;
  if (depth_ > 0 || quote_ != 0) {
    if (text_.empty()) text_ = line;
    looked_at_ = text_.size();
    return false;
  }
  term_ = trimmed(line);
  if (term_.ends_with('.')) term_.remove_suffix(1);
  // Behind it may stand what separates or ends a list of them.
  if (term_.starts_with('{')) term_ = term_.substr(0, term_.rfind('}') + 1);
  return is_whole_ = true;
}

void Terms::clear() {
  text_.clear();
  term_ = {};
  looked_at_ = depth_ = 0;
  quote_ = 0;
  is_whole_ = false;
}

bool split(std::string_view term, std::vector<std::string_view>& parts) {
  parts.clear();
  term = trimmed(term);
  const bool is_tuple = term.starts_with('{') && term.ends_with('}');
  const bool is_list = term.starts_with('[') && term.ends_with(']');
  if (term.size() < 2 || (!is_tuple && !is_list)) return false;
  term = trimmed(term.substr(1, term.size() - 2));
  Place place{term.data()};
  const char* begin = place.at;
  const char* const end = end_of(term);
  while (find_sign(place, end)) {
    if (place.depth == 0 && place.quote == 0 && *place.at == ',') {
      parts.push_back(trimmed({begin, place.at}));
      begin = place.at + 1;
    }
    step(place, end);
  }
  if (!term.empty()) parts.push_back(trimmed({begin, end}));
  return true;
}

std::string_view atom(std::string_view term) {
  const bool is_quoted = term.size() >= 2 && term.front() == '\'' && term.back() == '\'';
  return is_quoted ? term.substr(1, term.size() - 2) : term;
}

}  // namespace weft::formats::erlang
