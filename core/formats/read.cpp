// Reading by a row of the table.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/unit_of_places.h"
#include "core/formats/formats.h"
#include "core/formats/state_adapter.h"
#include "core/trace/passing_sink.h"

namespace weft::formats {
namespace {

// Links that lead back in time are a note: the clocks of those that took part may not be one clock.
class ClockNote final : public trace::PassingSink {
 public:
  using PassingSink::PassingSink;

  void links(std::span<const trace::LinkEvent> events) override {
    for (const trace::LinkEvent& e : events) {
      const bool has_ends = !e.source.is_none() && !e.target.is_none();
      if (has_ends && e.receive < e.send && count_++ == 0) {
        first_.lane = e.target;
        first_.time = e.receive;
      }
    }
    PassingSink::links(events);
  }
  void finish() {
    if (count_ > 0)
      loss("link that arrives before it leaves: clocks may differ", first_, count_, false);
  }

 private:
  trace::LossPlace first_ = trace::LossPlace::nowhere();
  uint64_t count_ = 0;
};

// A text's identifying line may follow blank lines.
Status skip_blank_lines(const Format& format, io::Source& source) {
  if (source.is_folder()) return {};
  WEFT_TRY_ASSIGN(auto head, source.peek(kHeadBytes));
  head = head.first(std::min(head.size(), kHeadBytes));
  std::vector<std::byte> blank(blank_lines_bytes(head));
  if (blank.empty() || format.sniff(head) > 0) return {};
  if (format.sniff(head.subspan(blank.size())) > 0) WEFT_TRY(source.read(blank));
  return {};
}

Status read_in_units(const Format& format, io::Source& source, trace::EventSink& sink,
                     const ReadContext& context) {
  if (format.place_unit == trace::PlaceUnit::kByte) return format.read(source, sink, context);
  UnitOfPlaces in_units(sink, format.place_unit);
  return format.read(source, in_units, context);
}

}  // namespace

Status check_options(const Format& format, const std::map<std::string, std::string>& options) {
  for (const auto& [name, value] : options) {
    const auto option = std::ranges::find(format.options, name, &Option::name);
    if (option == format.options.end()) {
      return fail(fmt::format("'{}' is not an option of {} (`weftscope formats {}` lists them)",
                              printable(name), format.id, format.id));
    }
    if (option->kind == Option::Kind::kNumber && !parse_number<uint64_t>(value))
      return fail(fmt::format("{}: '{}' is not a number", name, printable(value)));
    if (name != kStatesOption) continue;
    if (const auto pairs = parse_state_pairs(value); !pairs)
      return fail(Error(pairs.error()).context(name));
  }
  return {};
}

Status read(const Format& format, io::Source& source, trace::EventSink& target,
            const ReadContext& context) {
  WEFT_TRY(check_options(format, context.options));
  WEFT_TRY(skip_blank_lines(format, source));
  ClockNote sink(target);
  ReadContext complete = context;
  for (const Option& option : format.options) {
    if (!option.fallback.empty()) complete.options.emplace(option.name, option.fallback);
  }
  const std::string_view states = complete.option(kStatesOption);
  if (states.empty()) {
    WEFT_TRY(read_in_units(format, source, sink, complete));
  } else {
    WEFT_TRY_ASSIGN(auto pairs, parse_state_pairs(states));
    StateAdapter adapter(sink, std::move(pairs));
    WEFT_TRY(read_in_units(format, source, adapter, complete));
    adapter.finish();
  }
  sink.finish();
  return {};
}

}  // namespace weft::formats
