#include "core/base/regex.h"

#include <fmt/core.h>

#include <memory>
#include <mutex>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace weft {

namespace {

constexpr uint32_t kMatchLimit = 100'000;
constexpr uint32_t kHeapLimitKib = 4096;
constexpr size_t kPatternLimit = 10'000;
constexpr uint32_t kForAny = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
// For plain text, in which each byte is a character and a point stands for any: matching takes half
// of the time.
constexpr uint32_t kForPlain = PCRE2_DOTALL;

// What PCRE2 makes of a pattern. Code of the machine is made of it once a text is matched, since
// that takes longer than all else, and most of many patterns are never needed.
class Program {
 public:
  static std::expected<Program, RegexError> compile(std::string_view pattern, uint32_t options) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    Program program;
    program.code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                      options, &error, &offset, nullptr));
    if (program.code_ != nullptr) return program;
    char text[256] = {};
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(text), sizeof text);
    return std::unexpected(RegexError{text, offset});
  }

  bool exists() const { return code_ != nullptr; }
  const pcre2_code* code() const { return code_.get(); }

  // Thread-safe.
  int match(std::string_view text, pcre2_match_data* data, pcre2_match_context* limits) const {
    std::call_once(*is_translated_, [this] {
      pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);  // where it cannot, matching interprets
    });
    // The compiled programs look at no length before the text.
    const auto* const subject = reinterpret_cast<PCRE2_SPTR>(text.empty() ? "" : text.data());
    const int found = pcre2_jit_match(code_.get(), subject, text.size(), 0, 0, data, limits);
    if (found != PCRE2_ERROR_JIT_BADOPTION) return found;
    return pcre2_match(code_.get(), subject, text.size(), 0, 0, data, limits);
  }

 private:
  struct Free {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  };
  std::unique_ptr<pcre2_code, Free> code_;
  std::unique_ptr<std::once_flag> is_translated_ = std::make_unique<std::once_flag>();
};

// Whether the text is ASCII, without signs that end lines, whichever a pattern may name. The loop
// has no way out, so that it looks at many bytes at once.
bool is_plain(std::string_view text) {
  unsigned char others = 0;
  for (const char c : text) {
    const auto byte = static_cast<signed char>(c);
    others |= static_cast<unsigned char>(!(byte >= ' ' || byte == '\t'));
  }
  return others == 0;
}

// Whether the pattern means the same to plain text when it is compiled for bytes: \C is a byte, and
// errs where characters may have several.
bool may_be_for_plain(std::string_view pattern) {
  return is_plain(pattern) && pattern.find("\\C") == std::string_view::npos;
}

}  // namespace

struct Regex::Code {
  std::string pattern;
  Program for_plain;        // none: the other is for all
  mutable Program for_any;  // made once a text is not plain
  mutable std::once_flag is_any_asked;
  pcre2_match_context* limits = nullptr;
  std::vector<std::string> groups;
  ~Code() { pcre2_match_context_free(limits); }

  int match(std::string_view text, pcre2_match_data* data) const {
    if (for_plain.exists() && is_plain(text)) return for_plain.match(text, data, limits);
    std::call_once(is_any_asked, [this] {
      if (for_any.exists()) return;
      if (auto program = Program::compile(pattern, kForAny)) for_any = *std::move(program);
    });
    return for_any.exists() ? for_any.match(text, data, limits) : PCRE2_ERROR_NULL;
  }
};

namespace {

struct FreeMatch {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
using Match = std::unique_ptr<pcre2_match_data, FreeMatch>;

// The calling thread's, with places for so many groups and the whole; its next match overwrites it.
pcre2_match_data* match_data(size_t groups) {
  thread_local Match data;
  const auto places = static_cast<uint32_t>(groups) + 1;
  if (data == nullptr || pcre2_get_ovector_count(data.get()) < places)
    data.reset(pcre2_match_data_create(places, nullptr));
  return data.get();
}

std::vector<std::string> group_names(const pcre2_code* code) {
  uint32_t groups = 0, names = 0, entry_bytes = 0;
  PCRE2_SPTR entry = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry_bytes);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, static_cast<void*>(&entry));
  std::vector<std::string> out(groups);
  for (uint32_t i = 0; i < names; ++i, entry += entry_bytes) {
    const size_t number = (size_t{entry[0]} << 8) + entry[1];  // then the name, as a C string
    out[number - 1] = reinterpret_cast<const char*>(entry + 2);
  }
  return out;
}

}  // namespace

std::expected<Regex, RegexError> Regex::try_compile(std::string_view pattern) {
  if (pattern.size() > kPatternLimit) {
    return std::unexpected(
        RegexError{fmt::format("{} bytes are more than {}", pattern.size(), kPatternLimit), 0});
  }
  auto code = std::make_shared<Code>();
  code->pattern = pattern;
  if (may_be_for_plain(pattern)) {
    if (auto program = Program::compile(pattern, kForPlain)) code->for_plain = *std::move(program);
  }
  if (!code->for_plain.exists()) {
    auto program = Program::compile(pattern, kForAny);
    if (!program) return std::unexpected(std::move(program).error());
    code->for_any = *std::move(program);
  }
  code->limits = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(code->limits, kMatchLimit);
  pcre2_set_heap_limit(code->limits, kHeapLimitKib);
  code->groups = group_names((code->for_plain.exists() ? code->for_plain : code->for_any).code());
  return Regex(std::move(code));
}

Result<Regex> Regex::compile(std::string_view pattern) {
  auto regex = try_compile(pattern);
  if (regex) return *std::move(regex);
  return fail(fmt::format("regular expression '{}': {} at offset {}", pattern, regex.error().reason,
                          regex.error().offset));
}

bool Regex::matches(std::string_view text) const { return code_->match(text, match_data(0)) >= 0; }

const std::vector<std::string>& Regex::groups() const { return code_->groups; }

Regex::Found Regex::find(std::string_view text, std::vector<std::string_view>& groups) const {
  pcre2_match_data* const data = match_data(code_->groups.size());
  const int found = code_->match(text, data);
  if (found < 0) return found == PCRE2_ERROR_NOMATCH ? Found::kNo : Found::kTooHard;
  groups.assign(code_->groups.size(), {});
  const PCRE2_SIZE* const ends = pcre2_get_ovector_pointer(data);
  for (size_t i = 0; i < groups.size(); ++i) {
    const PCRE2_SIZE begin = ends[2 * i + 2], end = ends[2 * i + 3];
    // \K lets a group begin behind its end.
    if (begin != PCRE2_UNSET && begin <= end) groups[i] = text.substr(begin, end - begin);
  }
  return Found::kYes;
}

}  // namespace weft
