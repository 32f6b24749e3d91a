// The reader of a trace type that a user defined: takes records apart, asks the rules what they
// are, gives the events to the sink. Streams; what no rule takes is a loss.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/custom/rules.h"
#include "core/formats/formats.h"

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
Status read_custom(const Rules& rules, io::Source& source, trace::EventSink& sink,
                   const ReadContext& context, Observer* observer = nullptr);

}  // namespace weft::formats::custom
