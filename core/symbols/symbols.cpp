#include "core/symbols/symbols.h"

#include <algorithm>
#include <array>

#include "core/base/ascii.h"

namespace weft::symbols {
namespace {

// "MSG_SampleRate2" is msg, sample, rate2.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool is_new = true;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_alphanumeric(c)) {
      is_new = true;
      continue;
    }
    const bool is_after_lower = i > 0 && is_upper(c) && is_lower(name[i - 1]);
    if (is_new || is_after_lower) words.emplace_back();
    is_new = false;
    words.back() += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

}  // namespace

std::string family_of_macro(std::string_view name) {
  const size_t from = name.find_first_not_of('_');
  if (from == std::string_view::npos) return {};
  const size_t end = name.find('_', from);
  return end == std::string_view::npos ? std::string() : std::string(name.substr(0, end + 1));
}

std::string core_of_name(std::string_view name) {
  constexpr std::array<std::string_view, 14> kCommon = {
      "msg", "message", "struct",  "t",    "s",    "type", "id",
      "sig", "signal",  "payload", "data", "body", "evt",  "event"};
  std::vector<std::string> words = words_of(name);
  std::string core;
  for (const std::string& word : words) {
    if (std::ranges::find(kCommon, word) == kCommon.end()) core += word;
  }
  return core;
}

}  // namespace weft::symbols
