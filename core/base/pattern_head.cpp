#include "core/base/pattern_head.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/base/numbers.h"

namespace weft {
namespace {

using Signs = std::optional<std::string>;  // nullopt: not understood here

constexpr size_t kAny = std::numeric_limits<size_t>::max();
constexpr std::string_view kDigits = "0123456789", kBlanks = " \t";
constexpr std::string_view kOfWords =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// Those of plain text that are not in `signs`.
std::string others(std::string_view signs) {
  std::string out;
  for (int byte = '\t'; byte < 0x80; byte = std::max(byte + 1, int{' '})) {
    const auto c = static_cast<char>(byte);
    if (!signs.contains(c)) out += c;
  }
  return out;
}

bool are_equal(const CharSet& a, const CharSet& b) {
  return std::ranges::all_of(others(""), [&](char c) { return a.contains(c) == b.contains(c); });
}

bool have_common(const CharSet& a, const CharSet& b) {
  return std::ranges::any_of(others(""), [&](char c) { return a.contains(c) && b.contains(c); });
}

// What stands behind a backslash.
Signs signs_of_escape(char c) {
  switch (c) {
    case 'd':
      return std::string(kDigits);
    case 'D':
      return others(kDigits);
    case 's':
      return std::string(kBlanks);
    case 'S':
      return others(kBlanks);
    case 'w':
      return std::string(kOfWords);
    case 'W':
      return others(kOfWords);
    default:
      return is_alphanumeric(c) ? std::nullopt : Signs(std::string(1, c));
  }
}

// Whether the pattern may be cut: it is no choice of several as a whole, and nothing in it refers
// to groups by their numbers or names.
bool may_be_cut(std::string_view pattern) {
  if (pattern.contains("[:")) return false;  // has brackets of its own
  int depth = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view behind = pattern.substr(i + 1);
    switch (pattern[i]) {
      case '\\':
        if (behind.empty() || is_digit(behind[0])) return false;
        if (std::string_view("gkGKQE").contains(behind[0])) return false;
        ++i;
        break;
      case '[':  // up to its end, where a bracket may be a member
        i += behind.starts_with("^]") ? 2 : behind.starts_with('^') || behind.starts_with(']');
        while (++i < pattern.size() && pattern[i] != ']') i += pattern[i] == '\\';
        break;
      case '(': {
        ++depth;
        if (behind.starts_with('*')) return false;
        if (!behind.starts_with('?')) break;
        const size_t end = behind.find_first_not_of("ism-", 1);
        if (end == std::string_view::npos) return false;
        const std::string_view kinds = end == 1 ? ":=!<>" : ":)";
        if (!kinds.contains(behind[end])) return false;
        break;
      }
      case ')':
        --depth;
        break;
      case '|':
        if (depth == 0) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

}  // namespace

// Takes steps until something else comes, and leaves away those of which it is not certain how
// often they are repeated.
class PatternHead::Parser {
 public:
  explicit Parser(std::string_view pattern) : pattern_(pattern) {}

  PatternHead parse() {
    if (!pattern_.starts_with('^') || !may_be_cut(pattern_)) return {};
    at_ = 1;
    while (at_ < pattern_.size() && take_part()) {
    }
    const bool is_whole = at_ == pattern_.size() && !group_;
    size_t steps = out_.steps_.size();
    if (is_whole && is_certain(steps, true)) return std::move(out_);
    while (steps > 0 && !may_end_at(steps)) --steps;
    if (steps < out_.steps_.size()) {
      out_.rest_ = begins_[steps];
    } else {
      out_.rest_ = group_ ? group_->second : at_;
    }
    out_.steps_.resize(steps);
    std::erase_if(out_.groups_, [steps](const Group& group) { return group.last >= steps; });
    out_.ends_text_ = false;
    return std::move(out_);
  }

 private:
  // False: what comes is none, and nothing was taken.
  bool take_part() {
    const std::string_view rest = pattern_.substr(at_);
    if (rest[0] == '(') return take_bracket(rest);
    if (rest[0] == ')') return take_closing_bracket(rest);
    if (rest == "$") {
      if (group_) return false;
      out_.ends_text_ = true;
      ++at_;
      return true;
    }
    const size_t before = at_;
    const bool begins_group = group_ && group_->first == out_.steps_.size();
    Step step;
    const Signs signs = take_signs();
    if (!signs || !take_times(step)) {
      at_ = before;
      return false;
    }
    step.signs = CharSet(*signs);
    out_.steps_.push_back(step);
    begins_.push_back(begins_group ? group_->second : before);
    return true;
  }

  // Of a group, with or without a name. What it is not for: brackets in brackets.
  bool take_bracket(std::string_view rest) {
    size_t size = 1;
    if (rest.starts_with("(?")) {
      const size_t end = rest.find_first_not_of(kOfWords, 3);
      if (!rest.starts_with("(?<") || end == std::string_view::npos || rest[end] != '>')
        return false;
      size = end + 1;
    }
    if (group_) return false;
    group_ = {out_.steps_.size(), at_};
    at_ += size;
    return true;
  }

  bool take_closing_bracket(std::string_view rest) {
    constexpr std::string_view kTimes = "?*+{";
    const bool is_repeated = rest.size() > 1 && kTimes.contains(rest[1]);
    if (!group_ || group_->first == out_.steps_.size() || is_repeated) return false;
    out_.groups_.push_back({group_->first, out_.steps_.size() - 1});
    group_.reset();
    ++at_;
    return true;
  }

  Signs take_signs() {
    constexpr std::string_view kWithMeaning = "^$|?*+{()";
    const char c = pattern_[at_++];
    if (c == '.') return others("");
    if (c == '[') return take_set();
    if (c == '\\') return signs_of_escape(pattern_[at_++]);
    return kWithMeaning.contains(c) ? std::nullopt : Signs(std::string(1, c));
  }

  // Behind its bracket.
  Signs take_set() {
    const bool is_of_others = pattern_.substr(at_).starts_with('^');
    if (is_of_others) ++at_;
    std::string members;
    do {
      const Signs some = take_members();
      if (!some) return std::nullopt;
      members += *some;
    } while (pattern_[at_] != ']');
    ++at_;
    return is_of_others ? others(members) : members;
  }

  // The pattern compiles, so each set has its end.
  Signs take_members() {
    const char first = pattern_[at_++];
    const bool is_range = pattern_[at_] == '-' && pattern_[at_ + 1] != ']';
    if (first == '\\' && !is_range) return signs_of_escape(pattern_[at_++]);
    if (!is_range) return first == '[' ? std::nullopt : Signs(std::string(1, first));
    const char last = pattern_[at_ + 1];
    if (!is_alphanumeric(first) || !is_alphanumeric(last) || last < first) return std::nullopt;
    at_ += 2;
    std::string members;
    for (char c = first; c <= last; ++c) members += c;
    return members;
  }

  // How often the step may come. False: it is not as often as it goes.
  bool take_times(Step& step) {
    std::string_view rest = pattern_.substr(at_);
    if (rest.empty()) return true;
    if (rest[0] == '{') {
      rest.remove_prefix(1);
      const auto least = take_number<uint16_t>(rest);
      if (!least) return false;
      step.least = step.most = *least;
      if (rest.starts_with(',')) {
        rest.remove_prefix(1);
        const auto most = take_number<uint16_t>(rest);
        step.most = most ? size_t{*most} : kAny;
      }
      if (!rest.starts_with('}')) return false;
    } else if (rest[0] == '+' || rest[0] == '*' || rest[0] == '?') {
      step.least = rest[0] == '+' ? 1 : 0;
      step.most = rest[0] == '?' ? 1 : kAny;
    } else {
      return true;
    }
    rest.remove_prefix(1);
    at_ = pattern_.size() - rest.size();
    return !rest.starts_with('?') && !rest.starts_with('+');
  }

  bool may_end_at(size_t steps) const {
    const auto is_cut = [steps](const Group& group) {
      return group.first < steps && group.last >= steps;
    };
    if (group_ && group_->first < steps) return false;
    return std::ranges::none_of(out_.groups_, is_cut) && is_certain(steps, false);
  }

  // Whether of the first steps each that may come more or less often is followed by other signs:
  // those of the next steps, with which the rest of the pattern may begin.
  bool is_certain(size_t steps, bool are_all) const {
    const std::vector<Step>& all = out_.steps_;
    for (size_t i = 0; i < steps; ++i) {
      if (all[i].least == all[i].most) continue;
      size_t next = i + 1;
      for (; next < all.size(); ++next) {
        if (have_common(all[i].signs, all[next].signs)) return false;
        if (all[next].least > 0) break;
      }
      if (next == all.size() && !are_all) return false;
    }
    return true;
  }

  std::string_view pattern_;
  size_t at_ = 0;
  std::optional<std::pair<size_t, size_t>> group_;  // that is open: its first step, its bracket
  std::vector<size_t> begins_;                      // of the steps, with the brackets of groups
  PatternHead out_;
};

bool PatternHead::Step::operator==(const Step& other) const {
  return least == other.least && most == other.most && are_equal(signs, other.signs);
}

PatternHead PatternHead::of(std::string_view pattern) { return Parser(pattern).parse(); }

size_t PatternHead::shared_with(const PatternHead& other) const {
  const auto behind = std::ranges::mismatch(steps_, other.steps_).in1;
  return static_cast<size_t>(behind - steps_.begin());
}

bool PatternHead::find(std::string_view text, size_t shared, Progress& progress) const {
  if (progress.steps < shared) return false;
  if (progress.ends.size() < steps_.size()) progress.ends.resize(steps_.size());
  const char* at = shared == 0 ? text.data() : progress.ends[shared - 1];
  const char* const end = text.data() + text.size();
  for (progress.steps = shared; progress.steps < steps_.size(); ++progress.steps) {
    const Step& step = steps_[progress.steps];
    const char* const begin = at;
    const char* const last = static_cast<size_t>(end - at) < step.most ? end : at + step.most;
    while (at != last && step.signs.contains(*at)) ++at;
    if (static_cast<size_t>(at - begin) < step.least) return false;
    progress.ends[progress.steps] = at;
  }
  return !ends_text_ || at == end;
}

}  // namespace weft
