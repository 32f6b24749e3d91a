// Plays what CTF traces tell: finds out by the traces' environments who recorded them, gives
// each event to what knows its meaning, and keeps what nobody understands as a punctual event with
// its fields, on its thread, its CPU or its stream.
//
//   host (where there are several)
//     CPUs, processes and threads   of the kernel's and of user space's events alike
//   machines, processes, threads    of locations, where a trace was converted from OTF2
//   stream                          of events that name neither a thread nor a CPU
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/general/chrome_json/logged_json.h"
#include "core/formats/kernel/ctf/converted_otf2.h"
#include "core/formats/kernel/ctf/event.h"
#include "core/formats/kernel/ctf/graph.h"
#include "core/formats/kernel/ctf/gst_shark_events.h"
#include "core/formats/kernel/ctf/kernel_events.h"
#include "core/formats/kernel/ctf/ros1_events.h"
#include "core/formats/kernel/ctf/ros2_events.h"
#include "core/formats/kernel/ctf/user_events.h"
#include "core/formats/kernel/ctf/zephyr_events.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/trace/event_sink.h"

namespace weft::formats::ctf {

inline constexpr std::string_view kLostEvents = "events lost by the tracer",
                                  kLostPackets = "packets lost by the tracer";

// How many packets were left out at the ends of streams, by the streams' files.
using CutStreams = std::map<std::string, uint64_t>;

class Player {
 public:
  Player(trace::EventSink& sink, const ReadContext& context, CutStreams cuts = {});

  // Streams and losses are as for a Visitor.
  void begin(size_t stream, const bt_stream& what, bool has_clock);
  static bool goes_first(const bt_stream& stream);
  // `context`: its packets', null where they have none.
  void packet(size_t stream, const Field* context);
  void event(size_t stream, const EventLayout& layout, const EventFields& fields, Time time);
  void discarded(size_t stream, const Discarded& what);
  void failed(size_t stream, const std::string& why);
  void time_out_of_range(size_t stream);
  bool keep_going() const { return sink_.keep_going(); }

  // Ends what is still open at the end of the trace.
  Status finish();

 private:
  // A machine: what happened on it, whoever recorded it.
  struct Host {
    Host(trace::EventSink& sink, LaneId root, const KernelEvents::Params& params)
        : kernel(sink, root), kernel_events(kernel, params), user_events(kernel, json, params) {}
    ftrace::Kernel kernel;
    chrome_json::LoggedJson json;
    KernelEvents kernel_events;
    UserEvents user_events;
    uint64_t number = 0;
  };
  enum class Domain : uint8_t { kKernel, kUser, kZephyr, kOtf2, kGstShark, kOther };
  static Domain domain_of(const bt_stream& stream);
  struct Stream {
    const bt_stream* stream = nullptr;
    size_t number = 0;
    std::string name;
    uint64_t packets_left_out = 0;  // at its end
    Domain domain = Domain::kOther;
    std::string host_name;
    Host* host = nullptr;
    ZephyrEvents* zephyr = nullptr;
    ConvertedOtf2* otf2 = nullptr;
    GstSharkEvents* gst_shark = nullptr;
    int32_t process = -1;         // of a trace of one process
    std::string process_name;     // until it was said
    std::optional<uint32_t> cpu;  // of the packet
    std::string cpu_member;       // `"cpu":2`, or empty
    LaneId lane = LaneId::none();
    int32_t last_thread = -1;  // of the event before, and its lane
    std::string last_thread_name;
    LaneId last_thread_lane = LaneId::none();
    bool has_clock = false;
    std::optional<Time> last;  // of its events
  };
  // The fields of an event's common context that identify its thread.
  struct ThreadFields {
    std::optional<uint64_t> process, thread, name;
  };
  // What is known about a class of events.
  struct EventClass {
    std::string name;
    EventTypeId type = EventTypeId::none();  // as a punctual event; none before the first
    EventKeys keys;
    ThreadFields thread;
    KernelEvents::Handler kernel = nullptr;
    std::optional<uint64_t> perf_cpu;  // the payload's field, where perf says the CPU
    bool keeps_cpu = false;            // of events on tasks' lanes, as a parameter
    UserEvents::Meaning user;
    ZephyrEvents::Meaning zephyr;
    ConvertedOtf2::Handler otf2 = nullptr;
    Ros1Events::Handler ros1 = nullptr;
    Ros2Events::Meaning ros2;
  };

  void begin_events();
  void say_cuts();
  trace::LossPlace end_of(const Stream& stream) const;
  void say_environment(const bt_trace& trace);
  EventClass& class_of(const EventLayout& layout, const Stream& stream);
  void learn(EventClass& its_class, const Stream& stream, const bt_event_class& bt_class);
  bool understand(Stream& stream, EventClass& its_class, Event& event);
  LaneId lane_of(Stream& stream, const EventClass& its_class, const Event& event);
  RosEvent ros_event(Stream& stream, const EventClass& its_class, Event& event);
  static void append_fields(std::string& json, const Event& event, const Keys& common);
  // The text of a JSON object, until the next.
  std::string_view json_of(const Event& event);
  static std::string fields_of(const Event& event);

  trace::EventSink& sink_;
  const ReadContext& context_;
  CutStreams cuts_;  // of streams that are not known yet
  std::vector<Stream> streams_;
  std::map<std::string, std::unique_ptr<Host>, std::less<>> hosts_;
  std::map<const bt_trace*, std::unique_ptr<ZephyrEvents>> zephyrs_;
  std::map<const bt_trace*, std::unique_ptr<ConvertedOtf2>> converted_;
  std::map<const bt_trace*, std::unique_ptr<GstSharkEvents>> gst_sharks_;
  std::set<const bt_trace*> traces_;
  std::deque<EventClass> classes_;  // by the numbers of their layouts
  Ros1Events ros1_;
  Ros2Events ros2_;
  bool has_begun_ = false;
  uint64_t events_ = 0;
  Time last_;
  std::string json_;  // kept for its memory
};

}  // namespace weft::formats::ctf
