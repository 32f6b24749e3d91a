#include "core/base/regex.h"

#include <fmt/format.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace weft {

struct Regex::Code {
  pcre2_code* code = nullptr;
  pcre2_match_context* limits = nullptr;
  ~Code() {
    pcre2_match_context_free(limits);
    pcre2_code_free(code);
  }
};

namespace {
constexpr uint32_t kMatchLimit = 100'000;
constexpr uint32_t kHeapLimitKib = 4096;
constexpr size_t kPatternLimit = 10'000;
}  // namespace

Result<Regex> Regex::compile(std::string_view pattern) {
  if (pattern.size() > kPatternLimit) {
    return fail(fmt::format("regular expression of {} bytes is longer than {}", pattern.size(),
                            kPatternLimit));
  }
  int error = 0;
  PCRE2_SIZE offset = 0;
  auto code = std::make_shared<Code>();
  code->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                             PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &error, &offset, nullptr);
  if (code->code == nullptr) {
    char text[256] = {};
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(text), sizeof text);
    return fail(fmt::format("regular expression '{}': {} at offset {}", pattern, text, offset));
  }
  pcre2_jit_compile(code->code, PCRE2_JIT_COMPLETE);  // where it cannot, matching interprets
  code->limits = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(code->limits, kMatchLimit);
  pcre2_set_heap_limit(code->limits, kHeapLimitKib);
  return Regex(std::move(code));
}

bool Regex::matches(std::string_view text) const {
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
  const int found = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                0, 0, data, code_->limits);
  pcre2_match_data_free(data);
  return found >= 0;
}

}  // namespace weft
