// The markers of a thread in a Firefox profile: instants, intervals, and intervals whose begin and
// end are markers of their own, paired by name. Requests of the network are paired by number, and a
// picture of a window lasts until its next one.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/profiles/firefox/devtools_recording.h"
#include "core/formats/profiles/firefox/firefox_table.h"
#include "core/trace/event_sink.h"

namespace weft::formats::firefox {

// The profile's description of a kind of marker.
struct MarkerSchema {
  std::vector<std::string> categories;
  // Members of a marker's data that are numbers of strings, by the data's type.
  std::map<std::string, std::set<std::string>, std::less<>> strings;
  // Fields that name a flow of the marker, and whether the flow ends there.
  std::map<std::string, std::map<std::string, bool>, std::less<>> flows;
};
MarkerSchema marker_schema_of(std::optional<json::Element> meta);

// Flows lead from marker to marker, also of other threads and processes: each leg is a link.
class MarkerFlows {
 public:
  struct Point {
    std::string flow;
    Time time;
    LaneId lane;
    EventTypeId type;  // of the link that leaves it; none of the last
    bool is_last = false;
  };
  void add(Point point) { points_.push_back(std::move(point)); }
  void finish(trace::EventSink& sink);

 private:
  std::vector<Point> points_;
};

// Messages between processes: each has up to five markers, of who sends it, of the threads that
// hand it over, and of who receives it. A link leads from the first to the last.
class IpcMessages {
 public:
  enum class Step : uint8_t { kSend, kSendStarts, kSendEnds, kReceiveEnds, kReceive };
  struct Point {
    uint64_t message = 0;  // a hash of from whom, to whom, number and type
    Step step = Step::kSend;
    Time time;
    LaneId lane;
    EventTypeId type;
  };
  void add(Point point) { points_.push_back(std::move(point)); }
  void finish(trace::EventSink& sink);

 private:
  LargeVector<Point> points_;
};

// What leads from marker to marker of a whole profile.
struct MarkerLinks {
  MarkerFlows flows;
  IpcMessages messages;
};

// Stacks by number, as text.
struct StackTexts {
  std::function<std::string(int64_t)> of;  // a JSON array; empty: there is none
  std::string thread;                      // whose they are; empty: all threads'
};

class Markers {
 public:
  // `process`: the number of the thread's.
  Markers(trace::EventSink& sink, MarkerLinks& links, const MarkerSchema& schema,
          const Strings& strings, const StackTexts& stacks, double offset_ms, std::string process)
      : sink_(sink),
        links_(links),
        schema_(schema),
        strings_(strings),
        stacks_(stacks),
        offset_ms_(offset_ms),
        process_(std::move(process)) {}

  // Gives them on a lane of their own below the thread's, if there are any.
  void read(const Table& table, LaneId thread);

 private:
  enum class Phase : uint8_t { kInstant, kInterval, kBegin, kEnd };
  struct Marker {
    Phase phase = Phase::kInstant;
    double begin_ms = 0, end_ms = 0;  // NaN: it has none
    int64_t name = 0;
    std::string group{};
    std::string params{};  // a JSON object; empty: none
    uint64_t index = 0;
  };
  static void find_phase(Marker& marker, std::optional<json::Element> data);
  void add(const Marker& marker);
  // Each returns whether the marker is of its kind, and is done with.
  bool add_load(const Marker& marker, std::optional<json::Element> data);
  bool add_picture(const Marker& marker, std::optional<json::Element> data);
  void add_state(const Marker& marker, double begin_ms, double end_ms, std::string_view params);
  void add_unended(const Marker& marker, double end_ms);
  void finish(double end_ms);
  std::string params_of(std::optional<json::Element> data) const;
  std::string stack_in(std::string_view key, json::Element value) const;
  void add_flows(const Marker& marker, std::optional<json::Element> data);
  void add_message(const Marker& marker, std::optional<json::Element> data);

  trace::EventSink& sink_;
  MarkerLinks& links_;
  const MarkerSchema& schema_;
  const Strings& strings_;
  const StackTexts& stacks_;
  double offset_ms_;
  const std::string process_;
  LaneId lane_ = LaneId::none();
  std::map<int64_t, std::vector<Marker>> open_;  // by name
  std::map<std::string, Marker> loads_;          // requests that are open, by number
  std::map<std::string, Marker> pictures_;       // the last of each window
};

// When each of the first markers begins, as it says, but those that say an end only.
std::vector<NamedTime> begins_of(const Table& markers, const Strings& strings);

// Milliseconds as nanoseconds; false where they are none.
bool time_from(double ms, Time& out);

}  // namespace weft::formats::firefox
