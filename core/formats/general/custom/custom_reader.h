// The reader of user-defined trace types: parses records, applies the rules, gives the events to
// the sink. Streams; records that no rule matches are losses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/base/result.h"
#include "core/formats/general/custom/rules.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::custom {

// Observes the reading of a trace, for previews.
class Observer {
 public:
  virtual ~Observer() = default;
  // `rule` is the first that matched; null: none.
  virtual void see(const Record& record, const CompiledRule* rule) = 0;
};

// Returns how surely the rules can read the input, by the share of the first records that they
// match.
int sniff_custom(const Rules& rules, std::span<const std::byte> head);
// `max_bytes` bounds open states and messages in transit; `changed` as in ReadContext.
Status read_custom(const Rules& rules, io::Source& source, trace::EventSink& sink,
                   uint64_t max_bytes, std::optional<Time> changed = {},
                   Observer* observer = nullptr);

// Of several variants for one kind of log, returns the one surest of `head`, and how sure it is.
std::pair<RulesPtr, int> surest_of(std::span<const RulesPtr> variants,
                                   std::span<const std::byte> head);
Status read_surest(std::span<const RulesPtr> variants, io::Source& source, trace::EventSink& sink,
                   uint64_t max_bytes, std::optional<Time> changed);

}  // namespace weft::formats::custom
