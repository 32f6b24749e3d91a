#include "core/formats/embedded/btf/btf_line.h"

#include "core/formats/base/text.h"

namespace weft::formats::btf {
namespace {

std::string_view take_field(std::string_view& line) { return trimmed(take_to(line, ',')); }

std::optional<int64_t> take_number_field(std::string_view& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  int64_t number = 0;
  if (!take_few_digits(at, end, number) || at == end || *at != ',')
    return parse_number<int64_t>(take_field(line));
  line = {at + 1, end};  // no white space around it
  return number;
}

}  // namespace

std::optional<Line> parse_line(std::string_view text) {
  const auto time = take_number_field(text);
  Line line;
  line.source = take_field(text);
  take_field(text);  // the instance of the source
  line.type = take_field(text);
  line.target = take_field(text);
  // "-1" or nothing: it has only one.
  line.target_instance = take_number_field(text).value_or(-1);
  line.event = take_field(text);
  line.note = trimmed(text);
  if (!time || line.type.empty() || line.target.empty() || line.event.empty()) return std::nullopt;
  line.time = *time;
  return line;
}

}  // namespace weft::formats::btf
