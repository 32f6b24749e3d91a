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

// Why a pattern does not compile, and at which byte.
struct RegexError {
  std::string reason;
  size_t offset = 0;
};

class Regex {
 public:
  // The error names the offset in the pattern.
  static Result<Regex> compile(std::string_view pattern);
  static std::expected<Regex, RegexError> try_compile(std::string_view pattern);

  // Returns true if the pattern is found anywhere in `text`. Thread-safe.
  bool matches(std::string_view text) const;

  // Names of the capture groups; element 0 is that of group 1, an unnamed group's is empty.
  const std::vector<std::string>& groups() const;

  enum class Found : uint8_t { kNo, kYes, kTooHard };  // kTooHard: a limit was exceeded
  // Searches `text` as matches() does and sets `groups` to what each group captured, as views into
  // `text`; data() is null for a group that took no part. Thread-safe.
  Found find(std::string_view text, std::vector<std::string_view>& groups) const;

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
};

}  // namespace weft
