#include "core/trace/message_id.h"

#include <algorithm>

#include "core/base/numbers.h"

namespace weft::trace {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Takes `word` off the front, with the blanks before it.
bool take(std::string_view& text, std::string_view word) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::optional<uint64_t> message_id_from_text(std::string_view text) {
  const bool has_prefix = text.starts_with("0x") || text.starts_with("0X");
  if (!has_prefix) {
    if (const auto id = parse_number<uint64_t>(text)) return id;
  }
  return parse_number<uint64_t>(has_prefix ? text.substr(2) : text, 16);
}

std::optional<uint64_t> message_id(std::string_view params) {
  if (!take(params, "{") || (!take(params, R"("uid")") && !take(params, R"("id")")) ||
      !take(params, ":"))
    return std::nullopt;
  const bool is_quoted = take(params, "\"");
  const size_t end = params.find_first_of(is_quoted ? "\"" : ",} \t\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  return message_id_from_text(params.substr(0, end));
}

bool is_dropped(std::string_view params) { return params.contains(kDroppedMember); }

}  // namespace weft::trace
