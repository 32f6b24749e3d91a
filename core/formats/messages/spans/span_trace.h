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
// Memory: all spans, since parents may come last; but not their parameters.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/by_name.h"
#include "core/trace/event_sink.h"

namespace weft::formats::spans {

struct SpanEvent {
  Time time;
  std::string name;
  std::string params;
  ParamsId given = ParamsId::none();  // as in a span
};

// A span's key_of(), and the number of the first span with it.
using KnownSpan = ByName<size_t>::Entry;

struct Reference {
  std::string_view kind;  // "child of", "follows from", "link"
  std::string span;       // key_of()
  std::string params = {};
  const KnownSpan* known = nullptr;  // once all are there; null: it is not in the file
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
  SpanTrace(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), most_bytes_(memory_bytes) {}

  // False: it is beyond the memory.
  bool add(Span span);
  // The number of the next.
  uint64_t count() const { return spans_.size(); }
  void finish();

 private:
  struct Placed;
  struct Row {
    LaneId lane;
    std::vector<const Placed*> open;  // the innermost last
  };
  struct Service {
    std::vector<Row> rows;
    std::vector<Time> free_from;  // of each row: the end of the outermost that is open
  };
  struct Placed {
    Span span;
    const KnownSpan* known = nullptr;
    LaneId lane = LaneId::none();
    size_t row = 0;
    uint32_t depth = 0;  // in the row
  };

  void give_params(Span& span);
  void resolve();
  uint32_t depth_of(const Span& span) const;
  void place(Placed& placed);
  size_t row_of(Service& service, const Placed& placed) const;
  static bool fits(Row& row, const Placed& placed, const KnownSpan* parent);
  static const Reference* parent_of(const Span& span);
  const Placed* first_of(const KnownSpan* known) const {
    return known == nullptr ? nullptr : &spans_[known->second];
  }
  void give(const Placed& placed);
  void give_links(const Placed& placed, uint64_t index);

  trace::EventSink& sink_;
  uint64_t most_bytes_, bytes_ = 0;
  std::deque<Placed> spans_;
  ByName<size_t> by_key_;
  bool has_shared_ = false;      // some share the number of their parent
  bool has_equal_keys_ = false;  // some have the number of another
  ByName<Service> services_;
};

}  // namespace weft::formats::spans
