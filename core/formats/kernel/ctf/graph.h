// Babeltrace 2, reduced to what a reader wants: the messages of all streams of some CTF traces, in
// order of time. It is the only place that knows of graphs, components and iterators.
//
//   folder with `metadata` ─▷ source.ctf.fs ─▷ a port for each stream ─▷ merged by time ─▷ Visitor
//
// Streams are merged here, not by Babeltrace's muxer: a damaged stream ends alone, clocks need not
// be related, and it costs less. The library's error texts become one line; it logs nothing.
#pragma once

#include <babeltrace2/babeltrace.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"

namespace weft::formats::ctf {

// Events or whole packets that the tracer says it had no room for.
struct Discarded {
  bool are_packets = false;
  std::optional<uint64_t> count;
  std::optional<TimeRange> when;
};

// Streams are numbered from 0. Of a stream without a clock the time is the number of its event.
class Visitor {
 public:
  virtual ~Visitor() = default;
  // Called for all streams before any event.
  virtual void begin(size_t stream, const bt_stream& what, bool has_clock) = 0;
  // Whether its events come before those of other streams of the same time.
  virtual bool goes_first(const bt_stream&) const { return false; }
  virtual void packet(size_t stream, const bt_packet& packet) = 0;
  virtual void event(size_t stream, const bt_event& event, Time time) = 0;
  virtual void discarded(size_t stream, const Discarded& what) = 0;
  // Called when a stream fails: nothing more comes of it.
  virtual void failed(size_t stream, const std::string& why) = 0;
  // A time of the stream is none in nanoseconds since its clock's origin.
  virtual void time_out_of_range(size_t stream) = 0;
  virtual bool keep_going() const = 0;
};

inline constexpr std::string_view kClockBeyondRange =
    "its clock counts beyond the range of nanoseconds";

inline constexpr std::string_view kBadStream = "a stream's packets do not fit its file";
inline constexpr std::string_view kEndsWithinEvent = "the file ends within an event";
inline constexpr std::string_view kBeyondPacket = "an event reaches beyond its packet";

class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Adds traces, each in a folder that holds `metadata`. Of those of one recording (snapshots that
  // overlap, archives of a rotation) a stream is one, and a packet that lies in several comes once;
  // they cannot be added where one of them cannot. `offset_s` is added to their clocks' offsets:
  // where these lie beyond the years that nanoseconds reach, the error is kClockBeyondRange. Where
  // a stream does not end where a packet does, it is kBadStream, ": " and the file's name, or since
  // Babeltrace 2.1 kEndsWithinEvent or kBeyondPacket, which say of no stream that it is it.
  Status add(std::vector<std::filesystem::path> folders, int64_t offset_s = 0);
  // Gives everything to the visitor, once.
  Status run(Visitor& visitor);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::formats::ctf
