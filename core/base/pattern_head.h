// The head of a regular expression that is found without a search: signs and sets of signs one
// behind the other, each repeated as often as it goes, since what follows is of other signs. Most
// patterns of lines begin so, and many are nothing else.
//
// It finds what PCRE2 finds, in plain text (Subject).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"

namespace weft {

class PatternHead {
 public:
  // How far a text goes with a pattern: which of its steps were found, and where they end. It
  // serves the next pattern as far as that has the same steps.
  struct Progress {
    size_t steps = 0;
    std::vector<const char*> ends;
  };

  // Empty if the pattern does not begin with `^`, or goes on with anything else than signs.
  static PatternHead of(std::string_view pattern);

  bool is_empty() const { return steps_.empty(); }
  // Where in the pattern that begins which is to be found where the head ends; nullopt: nothing is.
  std::optional<size_t> rest() const { return rest_; }
  size_t group_count() const { return groups_.size(); }
  // How many of the first steps are the same.
  size_t shared_with(const PatternHead& other) const;

  // Whether the text begins so. The first `shared` steps are known by `progress`.
  bool find(std::string_view text, size_t shared, Progress& progress) const;
  // Where the head ends and what its groups are, once it was found.
  const char* end(const Progress& progress) const { return progress.ends[steps_.size() - 1]; }
  std::string_view group(size_t i, std::string_view text, const Progress& progress) const {
    const auto [first, last] = groups_[i];
    return {first == 0 ? text.data() : progress.ends[first - 1], progress.ends[last]};
  }

 private:
  struct Step {
    CharSet signs{""};
    size_t least = 1, most = 1;
    bool operator==(const Step& other) const;
  };
  struct Group {
    size_t first, last;  // steps
  };
  class Parser;

  std::vector<Step> steps_;
  std::vector<Group> groups_;
  std::optional<size_t> rest_;
  bool ends_text_ = false;  // nothing may follow the last step
};

}  // namespace weft
