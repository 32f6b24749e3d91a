// Everything known about the selected element, read by a worker: the inspector shows it, the
// timeline draws its links. Bounded, however large the element; truncation is indicated.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/sheet.h"
#include "core/layout/hit.h"
#include "core/layout/links.h"
#include "core/query/element.h"
#include "core/query/messages/causality.h"
#include "core/query/ran_instead.h"
#include "core/store/trace.h"
#include "core/symbols/payload.h"

namespace weft::app {

struct ElementFactsKey {
  store::TracePtr trace;
  query::ElementRef element;
  std::shared_ptr<const symbols::Symbols> symbols{};  // for payloads; null: only bytes are shown
  bool operator==(const ElementFactsKey&) const = default;
};

// A line of the tree of parameters; its children follow, one level deeper.
struct ParamLine {
  uint32_t level = 0;
  uint32_t below = 0;  // number of lines within it, at any level
  std::string name;    // for items of a list: "[3]"
  std::string value;   // empty for objects and lists
};

struct LinkFact {
  query::Element link;
  query::LinkEnds ends;
  std::optional<query::Element> far;  // the element at the other end
};

struct ElementFacts {
  static constexpr size_t kMostLinks = 100;   // listed in each direction
  static constexpr size_t kMostChain = 200;   // counted in each direction
  static constexpr size_t kMostDrawn = 25;    // the nearest, in the timeline: more would cover it
  static constexpr size_t kMostRunners = 20;  // of those that ran instead, listed
  static constexpr size_t kMostParamLines = 5'000;
  static constexpr size_t kMostValueBytes = 4 << 10;
  static constexpr size_t kMostPayloadBytes = 1 << 20;

  ElementFactsKey key;
  std::optional<query::Element> element;     // nullopt: it is not in this snapshot
  Duration self;                             // states
  bool lacks_end = false;                    // for a state: its end is not in the trace
  std::vector<query::Element> parents;       // outermost first
  std::optional<query::RanInstead> instead;  // set if it waited for a CPU
  std::vector<LinkFact> sent, received;
  uint64_t sent_count = 0, received_count = 0;     // of all
  std::vector<LinkFact> wakers;                    // of a thread that waits, latest first
  std::optional<query::Element> sender, receiver;  // of a link, and what follows
  std::optional<uint64_t> message_id;
  query::Handling handling;
  query::CausalTree causes, effects;
  std::vector<layout::LinkItem> chain;    // of both, with their ends
  std::vector<layout::LinkItem> nearest;  // of these, those that the timeline draws
  std::vector<ParamLine> params;
  bool params_are_cut = false;
  std::string params_text;  // as in the trace
  std::vector<std::byte> payload;
  uint64_t payload_bytes = 0;               // of all
  std::optional<symbols::Fields> fields{};  // its fields, if its struct is known
};

// One row per name, with times in ticks.
Sheet sheet_of(const std::shared_ptr<const ElementFacts>& facts);

// Worker threads only: touches mapped pages.
ElementFacts make_element_facts(const ElementFactsKey& key);

// The element that was drawn there; for a bundle, its first link. Not for aggregates.
query::ElementRef element_of(const store::Trace& trace, const layout::Hit& hit);

}  // namespace weft::app
