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

#include "core/base/pattern_head.h"
#include "core/base/result.h"

namespace weft {

// Why a pattern does not compile, and at which byte.
struct RegexError {
  std::string reason;
  size_t offset = 0;
};

class Subject;

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
  // The same; takes less where several are looked for in one text.
  Found find(Subject& subject, std::vector<std::string_view>& groups) const;
  // Declares that this one is looked for behind `other`, with which it may begin alike.
  void come_behind(const Regex& other);

 private:
  struct Code;
  explicit Regex(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
  std::shared_ptr<const Code> before_;
  size_t shared_ = 0;  // the first steps of its head that are those of `before_`
};

// A text in which expressions are looked for one after the other.
class Subject {
 public:
  Subject() = default;
  explicit Subject(std::string_view text) { set(text); }
  void set(std::string_view text);

 private:
  friend Regex;
  std::string_view text_;
  bool is_plain_ = true;        // ASCII, without signs that end lines
  const void* last_ = nullptr;  // whose head was looked for last, and how far it went
  PatternHead::Progress progress_;
};

}  // namespace weft
