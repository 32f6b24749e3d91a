// The causes and effects of an element, line by line, read by a worker for the panel of causes and
// effects and for its sheet.
//
//     client → server   request        ╮ causes, the nearest closest to the element
//   server → disk       read           ╯
//   disk → server       done             the element
//     server → client   reply          ╮ effects
//     server → log      entry          ╯
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/sheet.h"
#include "core/query/element.h"
#include "core/query/messages/causality.h"
#include "core/query/messages/critical_path.h"
#include "core/store/trace.h"

namespace weft::app {

struct CausalityKey {
  store::TracePtr trace;
  query::ElementRef element;
  std::optional<query::ElementRef> path_end;  // the other end of the path to find, if any
  std::string field;                          // a field to follow (query::field_text); empty: none
  bool operator==(const CausalityKey&) const = default;
};

// A message with its handling or, if the panel was asked about a state, that state.
struct CausalLine {
  query::Element element;
  query::LinkEnds ends;  // for a message
  query::Handling handling;
  std::optional<uint64_t> id;
  uint32_t distance = 0;
  int way = 0;                          // -1: a cause, 0: the element, 1: an effect
  std::optional<Duration> travel = {};  // for a message whose latency is known
  Duration waiting;                     // from its arrival until its handling began
  // The time between this message and the element: from the earlier send to the later receive.
  std::optional<Duration> total = {};
  bool is_on_path = false;
  std::string value;         // of the field that is followed
  bool has_changed = false;  // differs from the previous message, towards the first cause

  bool is_message() const { return element.is_link(); }
  bool has_both() const { return is_message() && ends.is_sent() && ends.is_received(); }
  // Whether it is this message, from either end, or the state that handles it.
  bool is(const query::ElementRef& ref) const;
};

struct CausalityFacts {
  static constexpr size_t kMostMessages = 2'000;  // listed in each direction
  static constexpr size_t kMostOfPath = 100'000;  // examined for a path
  static constexpr size_t kMostFields = 200;

  CausalityKey key;
  std::vector<CausalLine> lines;  // empty: the element is not in this snapshot
  size_t own_line = 0;            // index of the element's line
  uint64_t causes = 0, effects = 0;
  bool is_cut = false;  // whether there are more
  std::optional<query::CausalPath> path;
  std::vector<std::string> fields;  // names of all fields of the messages, in order
};

// nullopt if it was stopped. Worker threads only: touches mapped pages.
std::optional<CausalityFacts> make_causality_facts(const CausalityKey& key,
                                                   const std::stop_token& stop);

// Every line, with times in ticks.
Sheet sheet_of(const std::shared_ptr<const CausalityFacts>& facts);

}  // namespace weft::app
