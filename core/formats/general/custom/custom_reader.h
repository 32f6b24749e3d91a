// The reader of a trace type that a user defined: takes records apart, asks the rules what they
// are, gives the events to the sink. Streams; what no rule takes is a loss.
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

// Looks on while a trace is read: what a preview shows.
class Observer {
 public:
  virtual ~Observer() = default;
  // `rule`: that took it, the first of them; null: none did.
  virtual void see(const Record& record, const CompiledRule* rule) = 0;
};

// How sure the rules are of what begins so, by the share of the first records that they take.
int sniff_custom(const Rules& rules, std::span<const std::byte> head);
// `max_bytes`: for what is open and under way; `changed`: ReadContext::changed.
Status read_custom(const Rules& rules, io::Source& source, trace::EventSink& sink,
                   uint64_t max_bytes, std::optional<Time> changed = {},
                   Observer* observer = nullptr);

// Of several rules for one kind of log: those that are surest of what begins so, and how sure.
std::pair<RulesPtr, int> surest_of(std::span<const RulesPtr> variants,
                                   std::span<const std::byte> head);
Status read_surest(std::span<const RulesPtr> variants, io::Source& source, trace::EventSink& sink,
                   uint64_t max_bytes, std::optional<Time> changed);

}  // namespace weft::formats::custom
