// A user's regular expression (PCRE2), bounded in time and memory: match and heap limits are set,
// and a match that exceeds them counts as "no match".
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace weft {

class Regex {
 public:
  // The error names the offset in the pattern.
  static Result<Regex> compile(std::string_view pattern);

  // True where the pattern is found anywhere in `text`. Thread-safe.
  bool matches(std::string_view text) const;

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
};

}  // namespace weft
