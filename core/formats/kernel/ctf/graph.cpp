#include "core/formats/kernel/ctf/graph.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <queue>
#include <utility>

#include "core/base/text.h"
#include "core/formats/kernel/ctf/packet_times.h"
#include "core/io/listing.h"
#include "core/io/redirect.h"

namespace weft::formats::ctf {
namespace {

constexpr bt_logging_level kSilent = BT_LOGGING_LEVEL_NONE;

// A reference that is put when it leaves.
template <auto kPut>
struct Put {
  template <class T>
  void operator()(T* object) const {
    kPut(object);
  }
};
template <class T, auto kPut>
using Owned = std::unique_ptr<T, Put<kPut>>;
using GraphRef = Owned<bt_graph, bt_graph_put_ref>;
using PluginRef = Owned<const bt_plugin, bt_plugin_put_ref>;
using ValueRef = Owned<bt_value, bt_value_put_ref>;
using SinkClassRef = Owned<bt_component_class_sink, bt_component_class_sink_put_ref>;
using IteratorRef = Owned<bt_message_iterator, bt_message_iterator_put_ref>;

// Rephrases the library's messages for users who have a trace but not its sources.
struct Words {
  std::string_view theirs, ours;
};
constexpr std::string_view kBadMetadata = "its metadata cannot be understood";
constexpr Words kWords[] = {
    {"Cannot create trace for", kBadMetadata},
    {"Cannot convert clock cycles to nanoseconds", kClockBeyondRange},
    {"returned EOF", kEndsWithinEvent},
    {"Insufficient data in file", kEndsWithinEvent},
    {"bits of data required at this point", kBeyondPacket},
    {"Cannot handle state", kBeyondPacket},
    {"BFCR failed to start", kBeyondPacket},
    {"Invalid empty event record", "an event without bytes"},
    {"No event class with ID", "an event of a kind that the metadata does not describe"},
    {"no event record class exists with ID",
     "an event of a kind that the metadata does not describe"},
    {"Cannot find variant field class's option", "a variant's tag selects nothing"},
};

constexpr std::string_view kBadStreamWords[] = {"Failed to index CTF stream file",
                                                "Cannot get stream file's first packet"};

// "Cannot seek: msg-it-addr=0x55, stream-class-id=0" without what only helps those who debug the
// library.
std::string without_details(std::string_view message) {
  std::string text;
  for (const char c : message) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    if (is_space && (text.empty() || text.back() == ' ')) continue;
    text += is_space ? ' ' : c;
  }
  for (const std::string_view mark : {"-addr=", "-ptr=", ": ret=-", ": node-type="}) {
    const size_t at = text.find(mark);
    if (at != std::string::npos) text.resize(std::min(text.find_last_of(":,", at), at));
  }
  while (text.ends_with(' ') || text.ends_with('.') || text.ends_with(':')) text.pop_back();
  return printable(text);
}

// ": channel0_0" of "…: '/tmp/trace/channel0_0'", or between backquotes.
std::string name_in(std::string_view message) {
  const size_t end = message.find_last_of("'`");
  const size_t slash = message.rfind('/', end);
  if (end == std::string_view::npos || slash == std::string_view::npos) return {};
  return ": " + std::string(message.substr(slash + 1, end - slash - 1));
}

std::string_view message_of(const bt_error& error, uint64_t cause) {
  return bt_error_cause_get_message(bt_error_borrow_cause_by_index(&error, cause));
}

// "line 6: Invalid `size`: size=0" of "At line 6 in metadata stream: Invalid `size`: size=0";
// empty: another message.
std::string line_of_metadata(std::string_view message) {
  constexpr std::string_view kAt = "At line ", kOf = " in metadata stream";
  const size_t of = message.find(kOf);
  if (!message.starts_with(kAt) || of == message.npos) return {};
  return fmt::format("line {}{}", message.substr(kAt.size(), of - kAt.size()),
                     message.substr(of + kOf.size()));
}

// Why the last call failed, and nothing is left of it: the first cause is the most exact, but of a
// stream that can be left out it matters which it is.
std::string take_error() {
  const bt_error* const error = bt_current_thread_take_error();
  if (error == nullptr) return "cannot be read";
  std::string text = "cannot be read";
  const uint64_t causes = bt_error_get_cause_count(error);
  if (causes > 0) {
    const std::string_view message = message_of(*error, 0);
    const auto* const words = std::ranges::find_if(
        kWords, [&](const Words& each) { return message.find(each.theirs) != message.npos; });
    text = words == std::end(kWords) ? without_details(message) : std::string(words->ours);
    if (const std::string line = line_of_metadata(text); !line.empty())
      text = fmt::format("{}: {}", kBadMetadata, line);
  }
  for (uint64_t i = 0; i < causes; ++i) {
    const std::string_view message = message_of(*error, i);
    const bool is_of_stream = std::ranges::any_of(
        kBadStreamWords, [&](std::string_view theirs) { return message.contains(theirs); });
    if (is_of_stream) text = std::string(kBadStream) + name_in(message);
  }
  bt_error_release(error);
  return text;
}

// Returns the reason in a log's first line, without the location in the library:
// "… E TAG function@file.c:12 [component] At line 6 in metadata stream: Invalid `size`: size=0"
std::string reason_in(std::string_view log) {
  std::string_view line = log.substr(0, log.find('\n'));
  const size_t place = line.find('@');
  const size_t end = place == line.npos ? line.npos : line.find(' ', place);
  if (end == line.npos) return {};
  line.remove_prefix(end + 1);
  if (const size_t component = line.find("] "); line.starts_with('[') && component != line.npos)
    line.remove_prefix(component + 2);
  const std::string reason = without_details(line), of_line = line_of_metadata(reason);
  return ": " + (of_line.empty() ? reason : of_line);
}

// One stream: the messages of its port, a batch at a time.
struct Port {
  const bt_port_output* output = nullptr;
  bt_self_component_port_input* input = nullptr;
  IteratorRef iterator;
  bt_message_array_const messages = nullptr;
  uint64_t count = 0, next = 0;
  Time time = Time::min();  // of the next message
  int64_t event_number = 0, most_events = 0;
  bool is_over = false;  // whatever else it gives
  bool has_clock = false;
  bool goes_first = false;
};

// The events that a trace can have at most, each of a bit. Of those without bytes there is no end.
int64_t most_events_of(const std::vector<std::filesystem::path>& folders) {
  uintmax_t bytes = 0;
  for (const std::filesystem::path& folder : folders) {
    for (const auto& file : io::Listing::of(folder).entries) {
      std::error_code error;
      const uintmax_t size = file.file_size(error);
      if (!error) bytes += size;
    }
  }
  return static_cast<int64_t>(std::min<uintmax_t>(bytes, INT64_MAX / CHAR_BIT)) * CHAR_BIT;
}

// Folders that hold `metadata`, and what is added to their clocks.
struct Traces {
  std::vector<std::filesystem::path> folders;
  int64_t offset_s = 0;
};

}  // namespace

struct Graph::Impl {
  GraphRef graph{bt_graph_create(0)};
  PluginRef plugin;
  const bt_component_class_source* source_class = nullptr;
  SinkClassRef sink_class;
  std::vector<Port> ports;
  std::vector<Traces> traces;
  Visitor* visitor = nullptr;

  // The youngest message first, of equal ones that of a stream that goes first, then the stream's
  // with the lower number.
  struct Place {
    Time time;
    bool goes_later;
    size_t index;
    auto operator<=>(const Place&) const = default;
  };
  std::priority_queue<Place, std::vector<Place>, std::greater<>> queue;

  Status find_plugin();
  Status add(const Traces& added);
  Result<const bt_component_source*> make_source(const bt_value* params);
  Status connect();
  bool make_iterators(bt_self_component_sink* self);
  bool fetch(size_t index);
  void take_time(Port& port, size_t index);
  bool merge_some();
  void give(size_t index);
  bool read_time(const bt_clock_snapshot* snapshot, size_t index, Time& time);
  Discarded discarded_of(const bt_message* message, size_t index);
  void put_rest(Port& port);

  static Impl& of(bt_self_component_sink* self) {
    return *static_cast<Impl*>(
        bt_self_component_get_data(bt_self_component_sink_as_self_component(self)));
  }
};

Graph::Graph() : impl_(std::make_unique<Impl>()) {}

Graph::~Graph() {
  for (Port& port : impl_->ports) impl_->put_rest(port);
}

// A graph to which nothing could be added takes nothing more: the traces before go into another.
Status Graph::add(std::vector<std::filesystem::path> folders, int64_t offset_s) {
  Status added = impl_->add({std::move(folders), offset_s});
  if (added) return added;
  const std::vector<Traces> before = std::move(impl_->traces);
  impl_ = std::make_unique<Impl>();
  for (const Traces& each : before) WEFT_TRY(impl_->add(each));
  return added;
}

Status Graph::Impl::add(const Traces& added) {
  WEFT_TRY(find_plugin());
  const ValueRef params(bt_value_map_create());
  bt_value* inputs = nullptr;
  const bool is_made =
      params != nullptr &&
      bt_value_map_insert_empty_array_entry(params.get(), "inputs", &inputs) ==
          BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
      std::ranges::all_of(added.folders,
                          [&](const std::filesystem::path& folder) {
                            return bt_value_array_append_string_element(inputs, folder.c_str()) ==
                                   BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK;
                          }) &&
      bt_value_map_insert_signed_integer_entry(params.get(), "clock-class-offset-s",
                                               added.offset_s) ==
          BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
  if (!is_made) return fail(take_error());
  WEFT_TRY_ASSIGN(const bt_component_source* source, make_source(params.get()));
  const uint64_t count = bt_component_source_get_output_port_count(source);
  const int64_t most_events = most_events_of(added.folders);
  for (uint64_t i = 0; i < count; ++i) {
    Port port;
    port.output = bt_component_source_borrow_output_port_by_index_const(source, i);
    port.most_events = most_events;
    ports.push_back(std::move(port));
  }
  traces.push_back(added);
  return {};
}

// Why metadata cannot be understood the library tells its log alone, and most of that only a
// component that logs.
Result<const bt_component_source*> Graph::Impl::make_source(const bt_value* params) {
  const io::FileDescriptor log(::memfd_create("log", MFD_CLOEXEC));
  const bt_component_source* source = nullptr;
  std::string reason;
  {
    const io::Redirect logged(stderr, log.get());
    const auto make = [&](bt_graph* in, bt_logging_level level) {
      const std::string name = fmt::format("trace {}", traces.size());
      return bt_graph_add_source_component(in, source_class, name.c_str(), params, level,
                                           &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
    };
    if (make(graph.get(), kSilent)) return source;
    reason = take_error();
    if (reason != kBadMetadata) return fail(std::move(reason));
    const GraphRef again(bt_graph_create(0));
    if (again != nullptr) (void)make(again.get(), BT_LOGGING_LEVEL_ERROR);
    (void)take_error();
  }
  std::array<char, 4096> text{};
  const ssize_t size = ::pread(log.get(), text.data(), text.size(), 0);
  if (size > 0) reason += reason_in({text.data(), static_cast<size_t>(size)});
  return fail(std::move(reason));
}

Status Graph::run(Visitor& visitor) {
  impl_->visitor = &visitor;
  if (impl_->ports.empty()) return {};
  WEFT_TRY(impl_->connect());
  for (;;) {
    switch (bt_graph_run_once(impl_->graph.get())) {
      case BT_GRAPH_RUN_ONCE_STATUS_OK:
      case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
        continue;
      case BT_GRAPH_RUN_ONCE_STATUS_END:
        return {};
      default:
        return fail(take_error());
    }
  }
}

// Only the system's plugins: the environment and the user's folder hold code of others.
Status Graph::Impl::find_plugin() {
  if (source_class != nullptr) return {};
  stand_before_packet_times();
  // Its parser logs as this says when the plugin is loaded, whatever its component is told.
  ::setenv("BABELTRACE_PLUGIN_CTF_METADATA_LOG_LEVEL", "ERROR", 1);
  const bt_plugin* found = nullptr;
  const auto status = bt_plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &found);
  if (status != BT_PLUGIN_FIND_STATUS_OK) {
    (void)take_error();
    return fail("Babeltrace's plugin for CTF is not installed");
  }
  plugin.reset(found);
  source_class = bt_plugin_borrow_source_component_class_by_name_const(found, "fs");
  if (source_class == nullptr) return fail("Babeltrace's plugin for CTF reads no folders");
  return {};
}

// Our end of the graph: a sink with an input for each stream.
Status Graph::Impl::connect() {
  sink_class.reset(bt_component_class_sink_create("weft", [](bt_self_component_sink* self) {
    return of(self).merge_some() ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
                                 : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
  }));
  if (sink_class == nullptr) return fail(take_error());
  bt_component_class_sink_set_initialize_method(
      sink_class.get(), [](bt_self_component_sink* self, bt_self_component_sink_configuration*,
                           const bt_value*, void* data) {
        bt_self_component_set_data(bt_self_component_sink_as_self_component(self), data);
        for (size_t i = 0; Port & port : static_cast<Impl*>(data)->ports) {
          const std::string name = std::to_string(i++);
          const auto status =
              bt_self_component_sink_add_input_port(self, name.c_str(), nullptr, &port.input);
          if (status != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
            return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
        }
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
      });
  bt_component_class_sink_set_graph_is_configured_method(
      sink_class.get(), [](bt_self_component_sink* self) {
        return of(self).make_iterators(self)
                   ? BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK
                   : BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
      });
  const bt_component_sink* sink = nullptr;
  const auto added = bt_graph_add_sink_component_with_initialize_method_data(
      graph.get(), sink_class.get(), "sink", nullptr, this, kSilent, &sink);
  if (added != BT_GRAPH_ADD_COMPONENT_STATUS_OK) return fail(take_error());
  for (size_t i = 0; i < ports.size(); ++i) {
    const auto connected = bt_graph_connect_ports(
        graph.get(), ports[i].output, bt_component_sink_borrow_input_port_by_index_const(sink, i),
        nullptr);
    if (connected != BT_GRAPH_CONNECT_PORTS_STATUS_OK) return fail(take_error());
  }
  return {};
}

bool Graph::Impl::make_iterators(bt_self_component_sink* self) {
  for (size_t i = 0; i < ports.size(); ++i) {
    bt_message_iterator* iterator = nullptr;
    const auto status =
        bt_message_iterator_create_from_sink_component(self, ports[i].input, &iterator);
    if (status != BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK) {
      visitor->failed(i, take_error());
      continue;
    }
    ports[i].iterator.reset(iterator);
    queue.push({ports[i].time, true, i});
  }
  return true;
}

// The next batch of a stream; false at its end, or where it is damaged.
bool Graph::Impl::fetch(size_t index) {
  Port& port = ports[index];
  if (port.is_over) return false;
  for (;;) {
    switch (bt_message_iterator_next(port.iterator.get(), &port.messages, &port.count)) {
      case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
        port.next = 0;
        return true;
      case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
        continue;
      case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
        port.count = port.next = 0;
        return false;
      default:
        port.count = port.next = 0;
        visitor->failed(index, take_error());
        return false;
    }
  }
}

// Some messages in order; false when there are no more.
bool Graph::Impl::merge_some() {
  constexpr int kMessagesAtOnce = 4096;
  for (int done = 0; done < kMessagesAtOnce;) {
    if (queue.empty() || !visitor->keep_going()) return false;
    const size_t index = queue.top().index;
    queue.pop();
    Port& port = ports[index];
    // While no other stream has an older one.
    for (;; ++done) {
      if (port.next == port.count && !fetch(index)) break;
      take_time(port, index);
      const Place place{port.time, !port.goes_first, index};
      if (done >= kMessagesAtOnce || (!queue.empty() && queue.top() < place)) {
        queue.push(place);
        break;
      }
      give(index);
    }
  }
  return true;
}

// A message without a time follows its predecessor.
void Graph::Impl::take_time(Port& port, size_t index) {
  const bt_message* const message = port.messages[port.next];
  const bt_message_type type = bt_message_get_type(message);
  if (type == BT_MESSAGE_TYPE_EVENT && !port.has_clock) {
    port.time = {port.event_number};
  } else if (type == BT_MESSAGE_TYPE_EVENT) {
    read_time(bt_message_event_borrow_default_clock_snapshot_const(message), index, port.time);
  } else if (type == BT_MESSAGE_TYPE_DISCARDED_EVENTS ||
             type == BT_MESSAGE_TYPE_DISCARDED_PACKETS) {
    const Discarded what = discarded_of(message, index);
    if (what.when) port.time = what.when->begin;
  }
}

// False, and the time stays, where it is none in nanoseconds. Asked for each event, so it returns
// no std::optional, which is written in parts and read whole: a core waits for that.
bool Graph::Impl::read_time(const bt_clock_snapshot* snapshot, size_t index, Time& time) {
  int64_t ns = 0;
  const bool is_good = bt_clock_snapshot_get_ns_from_origin(snapshot, &ns) ==
                       BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK;
  if (is_good) {
    time = {ns};
  } else {
    (void)take_error();
    visitor->time_out_of_range(index);
  }
  return is_good;
}

void Graph::Impl::give(size_t index) {
  Port& port = ports[index];
  const bt_message* const message = port.messages[port.next++];
  switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT:
      if (++port.event_number > port.most_events) {
        visitor->failed(index, "events without bytes, of which there is no end");
        put_rest(port);
        port.is_over = true;
        break;
      }
      visitor->event(index, *bt_message_event_borrow_event_const(message), port.time);
      break;
    case BT_MESSAGE_TYPE_STREAM_BEGINNING: {
      const bt_stream* const stream = bt_message_stream_beginning_borrow_stream_const(message);
      port.has_clock = bt_stream_class_borrow_default_clock_class_const(
                           bt_stream_borrow_class_const(stream)) != nullptr;
      visitor->begin(index, *stream, port.has_clock);
      port.goes_first = visitor->goes_first(*stream);
      break;
    }
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
      visitor->packet(index, *bt_message_packet_beginning_borrow_packet_const(message));
      break;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
      visitor->discarded(index, discarded_of(message, index));
      break;
    default:
      break;
  }
  bt_message_put_ref(message);
}

Discarded Graph::Impl::discarded_of(const bt_message* message, size_t index) {
  const bool are_packets = bt_message_get_type(message) == BT_MESSAGE_TYPE_DISCARDED_PACKETS;
  Discarded what;
  what.are_packets = are_packets;
  uint64_t count = 0;
  const bool has_count = are_packets ? bt_message_discarded_packets_get_count(message, &count) ==
                                           BT_PROPERTY_AVAILABILITY_AVAILABLE
                                     : bt_message_discarded_events_get_count(message, &count) ==
                                           BT_PROPERTY_AVAILABILITY_AVAILABLE;
  // The library gives the difference of two counters, also of one that ran backwards.
  constexpr uint64_t kMostCount = uint64_t{1} << 63;
  if (has_count && count < kMostCount) what.count = count;
  const bt_stream_class* const stream_class = bt_stream_borrow_class_const(
      are_packets ? bt_message_discarded_packets_borrow_stream_const(message)
                  : bt_message_discarded_events_borrow_stream_const(message));
  const bool has_times =
      are_packets
          ? bt_stream_class_discarded_packets_have_default_clock_snapshots(stream_class) != BT_FALSE
          : bt_stream_class_discarded_events_have_default_clock_snapshots(stream_class) != BT_FALSE;
  if (has_times) {
    TimeRange when{};
    const bool has_begin = read_time(
        are_packets
            ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message)
            : bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message),
        index, when.begin);
    const bool has_end = read_time(
        are_packets ? bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message)
                    : bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message),
        index, when.end);
    if (has_begin && has_end) what.when = when;
  }
  return what;
}

void Graph::Impl::put_rest(Port& port) {
  while (port.next < port.count) bt_message_put_ref(port.messages[port.next++]);
}

}  // namespace weft::formats::ctf
