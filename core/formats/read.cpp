// Reading by a row of the table.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "core/formats/formats.h"
#include "core/formats/state_adapter.h"

namespace weft::formats {

Status check_options(const Format& format, const std::map<std::string, std::string>& options) {
  for (const auto& [name, value] : options) {
    const auto option = std::ranges::find(format.options, name, &Option::name);
    if (option == format.options.end()) {
      return fail(fmt::format("'{}' is no option of {} (`weftscope formats {}` lists them)",
                              printable(name), format.id, format.id));
    }
    uint64_t number = 0;
    const char* end = value.data() + value.size();
    const auto parsed = std::from_chars(value.data(), end, number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == end;
    if (option->kind == Option::Kind::kNumber && !is_number)
      return fail(fmt::format("{}: '{}' is no number", name, printable(value)));
    if (name != kStatesOption) continue;
    if (const auto pairs = parse_state_pairs(value); !pairs)
      return fail(Error(pairs.error()).context(name));
  }
  return {};
}

Status read(const Format& format, io::Source& source, trace::EventSink& sink,
            const ReadContext& context) {
  WEFT_TRY(check_options(format, context.options));
  ReadContext complete = context;
  for (const Option& option : format.options) {
    if (!option.fallback.empty()) complete.options.emplace(option.name, option.fallback);
  }
  const auto states = complete.options.find(std::string(kStatesOption));
  if (states == complete.options.end()) return format.read(source, sink, complete);
  WEFT_TRY_ASSIGN(auto pairs, parse_state_pairs(states->second));
  StateAdapter adapter(sink, std::move(pairs));
  WEFT_TRY(format.read(source, adapter, complete));
  adapter.finish();
  return {};
}

}  // namespace weft::formats
