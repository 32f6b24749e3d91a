// Spans of distributed tracing, whatever wrote them, put into a sink: services are lanes, and a
// span is a state on its service's lane. One that is neither within its parent nor alone there lies
// on a further lane below the service's, so that states lie within each other only where one caused
// the other.
//
// What a span refers to is a link: from its parent where that lies on another lane ("child of"),
// and from what it follows or names ("follows from", "link"). It arrives when the span begins. Only
// a client's span says when it left: at its begin; other parents caused it at an unknown time, for
// which the arrival stands.
//
// Memory: all spans, since parents may come last, in large arrays; but not their parameters. What
// several spans have in common, such as their service and name, is kept once: a span takes 80 bytes
// and its key 100.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/text_numbers.h"
#include "core/formats/base/by_name.h"
#include "core/trace/event_sink.h"

namespace weft::formats::spans {

struct SpanEvent {
  Time time;
  std::string name;
  std::string params;
  ParamsId given = ParamsId::none();  // as in a span
};

struct Reference {
  std::string_view kind;  // "child of", "follows from", "link"
  std::string span;       // key_of()
  std::string params = {};
  std::string otherwise = {};  // of the span that is meant where the trace lacks the other
};

struct Span {
  std::string key;  // key_of()
  std::string service, name;
  std::string group = "span";
  std::string params;  // an object, or empty
  // Likewise parameters of its origin, shared with other spans.
  std::shared_ptr<const std::string> about;
  ParamsId given = ParamsId::none();  // both, once the sink has them
  Time begin, end;
  bool is_sender = false;  // a client's or a producer's
  std::vector<Reference> references;
  std::vector<SpanEvent> events;
};

// Numbers of spans need be unique in their trace only.
std::string key_of(std::string_view trace, std::string_view span);
// The key of a span that shares its parent's number, such as a server's in Zipkin.
std::string shared_key_of(std::string_view trace, std::string_view span);

class SpanTrace {
 public:
  explicit SpanTrace(trace::EventSink& sink) : sink_(sink) {}

  void add(Span span);
  // The number of the next.
  uint64_t count() const { return spans_.size(); }
  void finish();

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Placed;
  struct Row {
    LaneId lane;
    std::vector<const Placed*> open;  // the innermost last
  };
  struct Service {
    std::vector<Row> rows;
    std::vector<Time> free_from;  // of each row: the end of the outermost that is open
  };
  // The types of spans of one group, by name; none() until one is given.
  struct Types {
    EventTypeId state = EventTypeId::none();
    EventTypeId call = EventTypeId::none();  // of links from parents
  };
  using Names = ByName<Types>;
  struct Cause {
    std::string_view kind;
    uint32_t key;
    uint32_t otherwise;
    ParamsId params;
  };
  struct Moment {
    Time time;
    ByName<EventTypeId>::Entry* name;
    ParamsId params;
  };
  struct Placed {
    Time begin, end;
    ByName<Names>::Entry* group;
    Names::Entry* name;
    ByName<Service>::Entry* service;
    ParamsId params;
    uint32_t key;                        // its number in keys_
    uint32_t first_cause, first_moment;  // up to those of the next span
    LaneId lane = LaneId::none();
    uint32_t row = 0;
    uint32_t depth = 0;  // in the row
    bool is_sender = false;
  };

  uint32_t number_of(std::string_view key);
  void resolve();
  std::span<Cause> causes_of(const Placed& span);
  std::span<const Moment> moments_of(const Placed& span) const;
  const Cause* parent_of(const Placed& span);
  uint32_t depth_of(const Placed& span);
  LargeVector<uint32_t> in_order();
  void place(Placed& span);
  uint32_t row_of(Service& service, const Placed& span);
  static bool fits(Row& row, const Placed& span, uint32_t parent);
  // The first span of a key; null: it is not in the file.
  const Placed* first_of(uint32_t key) const {
    return key == kNone || first_[key] == kNone ? nullptr : &spans_[first_[key]];
  }
  void give(const Placed& span);
  void give_links(const Placed& span, uint64_t index);
  EventTypeId link_type(const Placed& span, std::string_view kind);

  trace::EventSink& sink_;
  LargeVector<Placed> spans_;
  LargeVector<Cause> causes_;
  LargeVector<Moment> moments_;
  TextNumbers keys_;             // of spans, and of those that they refer to
  LargeVector<uint32_t> first_;  // of each key: the first span that has it; kNone: none has
  bool has_shared_ = false;      // some share the number of their parent
  bool has_equal_keys_ = false;  // some have the number of another
  ByName<Names> groups_;
  ByName<EventTypeId> moment_names_;
  ByName<Service> services_;
};

}  // namespace weft::formats::spans
