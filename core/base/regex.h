// A user's regular expression (PCRE2), bounded in time and memory: match and heap limits are set,
// and a match that exceeds them counts as "no match".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace weft {

// What is wrong in a pattern, and where: in bytes.
struct RegexError {
  std::string reason;
  size_t offset = 0;
};

class Regex {
 public:
  // The error names the offset in the pattern.
  static Result<Regex> compile(std::string_view pattern);
  static std::expected<Regex, RegexError> try_compile(std::string_view pattern);

  // True where the pattern is found anywhere in `text`. Thread-safe.
  bool matches(std::string_view text) const;

  // The names of the groups; the first is that of group 1. Empty: it has none.
  const std::vector<std::string>& groups() const;

  enum class Found : uint8_t { kNo, kYes, kTooHard };  // too hard: beyond a limit
  // The same, and what each group took, views into `text`; data() is null where it took no part.
  // Thread-safe.
  Found find(std::string_view text, std::vector<std::string_view>& groups) const;

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
};

}  // namespace weft
