// A piece of the array of events, and what was read from it.
//
// A chunk is parsed on its own, on any thread: lanes, types and parameters have numbers of the
// chunk's; the committer (committer.h) maps them, in order of first appearance. Views point into
// the chunk's text or arena and live as long as the chunk's results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/hash_index.h"
#include "core/base/text_arena.h"
#include "core/formats/general/chrome_json/event_parser.h"
#include "core/formats/general/chrome_json/type_table.h"
#include "core/trace/event_sink.h"

namespace weft::formats::chrome_json {

inline constexpr uint32_t kNoIndex = std::numeric_limits<uint32_t>::max();

// A sampled thread is of a process that the sample does not say.
enum class LaneRole : uint8_t { kGlobal, kProcess, kThread, kCounter, kSampledThread, kScheduler };

// One lane within the chunk, and what the parser must remember of it between events.
struct ChunkLane {
  LaneRole role = LaneRole::kThread;
  Ident pid;
  Ident tid;                         // threads, and what the scheduler did with them
  std::string_view counter;          // counters: name and id
  uint64_t hash = 0;                 // hash of the above
  Time first_pair = Time::max();     // the earliest begin ("B") or end ("E")
  Time last_pair = Time::min();      // the latest
  Time last_end = Time::min();       // of the states paired in the chunk
  uint32_t top = kNoIndex;           // the innermost open begin, an index into `begins`
  uint32_t open = 0;                 // open begins
  uint32_t early_ends = 0;           // ends whose begin is not in this chunk
  Time last_begin = Time::min();     // of the latest state in the text
  uint32_t waiting_flow = kNoIndex;  // flow ends that wait for the next state: a chain
  uint32_t waiting_flows = 0;
};

struct ChunkParams {
  std::string_view json;
  bool is_repaired = false;
};

// A "B", and whether the chunk ends it; an "E" whose begin lies elsewhere.
struct OpenBegin {
  Time time;
  uint64_t offset;
  uint32_t order;  // among the chunk's states, as written
  uint32_t lane;
  uint32_t type;
  uint32_t params;
  uint32_t below;  // the begin it is nested in, an index into `begins`
  bool is_ended;
};
struct OpenEnd {
  Time time;
  uint64_t offset;
  std::string_view name;  // as ChunkType::raw_name; may be empty
  uint32_t lane;
  uint32_t params;
};

// An event related to others by its id: asynchronous states, flows, objects.
struct KeyedEvent {
  char phase;
  bool is_local_id;      // "id2": {"local": …}
  bool binds_enclosing;  // flows
  bool is_bound;         // a flow of a state with "bind_id": the id alone is its key
  Time time;
  Time last_begin;  // flows: of the state before it on its lane, Time::min() where the chunk has
                    // none
  Time next_begin;  // flows: of the next state that begins at or after it; Time::max() likewise
  uint64_t offset;
  std::string_view name;      // decoded
  std::string_view category;  // decoded
  std::string_view id;        // spelled plainly, with its scope
  uint32_t lane;              // flows: the thread's; others: the process's
  uint32_t type;
  uint32_t params;
  uint32_t next_waiting;  // flows: the chain of ChunkLane::waiting_flow
};

// Metadata ("M"): about the lane, or about the trace.
struct MetadataEvent {
  std::string_view name;
  std::string_view args;  // compact JSON
  uint32_t lane;
  uint64_t offset;
};

// A state or punctual event whose parameters wait for the call stacks that "sf" and "esf" name.
struct StackEvent {
  trace::Category category;
  Time time;
  Duration duration;
  uint32_t order;
  uint32_t lane;
  uint32_t type;
  uint32_t params;
  std::string_view frame;  // "sf"
  bool is_sample;          // a sample of what ran, not an event
};

// A state without an end: "X" without "dur".
struct UnfinishedState {
  Time begin;
  uint32_t order;
  uint32_t lane;
  uint32_t type;
  uint32_t params;
};

// Losses by kind, with the first places of each.
enum class LossKind : uint8_t {
  kMalformed,
  kMended,
  kNoObject,
  kNoPhase,
  kUnknownPhase,
  kNoTime,
  kBadTime,
  kTimeRange,
  kRounded,
  kNegativeDuration,
  kEndRange,
  kBadDuration,
  kNoDuration,
  kRepeatedKey,
  kInvalidText,
  kDeepArguments,
  kBadCounter,
  kOtherName,
  kCount
};
struct LossText {
  std::string_view text;
  bool is_damage;
};
LossText text_of(LossKind kind);

struct ChunkLosses {
  struct Place {
    uint64_t offset = 0;       // in the input
    uint32_t lane = kNoIndex;  // of the chunk; if none, there is no time either
    Time time = {};
  };
  struct Entry {
    uint64_t count = 0;
    Place first[trace::Loss::kFirstKept];
  };
  Entry entries[static_cast<size_t>(LossKind::kCount)];
  void add(LossKind kind, const Place& place) {
    Entry& entry = entries[static_cast<size_t>(kind)];
    if (entry.count < trace::Loss::kFirstKept) entry.first[entry.count] = place;
    ++entry.count;
  }
};

// The outcome of parsing a chunk.
enum class ChunkEnd : uint8_t {
  kWhole,       // between two events, at the text's end
  kArrayEnd,    // at the bracket that closes the array
  kLost,        // still looking for an event to begin with
  kIncomplete,  // inside an event, or in damage whose end is not in sight
};

// Everything read from one chunk. The vectors keep their memory between chunks.
struct ChunkResults {
  ChunkEnd end = ChunkEnd::kWhole;
  size_t parsed_bytes = 0;  // of the text; the rest was not read

  std::vector<ChunkLane> lanes;
  std::shared_ptr<TypeTable> table;  // the table of `types`
  std::vector<UsedType> types;       // in order of first appearance
  std::vector<ChunkParams> params;

  // Lane, type and params of these events are the chunk's numbers.
  std::vector<trace::StateEvent> complete;  // "X"; nesting holds their order among the states
  std::vector<trace::StateEvent> paired;  // "B" with its "E"; nesting counts from the chunk's begin
  std::vector<uint32_t> early_ends_before;  // of each of `paired`: its lane's early_ends then
  std::vector<trace::PunctualEvent> punctuals;
  std::vector<trace::VariableSample> samples;
  std::vector<OpenBegin> begins;  // all
  std::vector<OpenEnd> ends;      // if is_unordered, all of them
  std::vector<KeyedEvent> keyed;
  std::vector<MetadataEvent> metadata;
  std::vector<StackEvent> stack_events;
  std::vector<UnfinishedState> unfinished;
  bool is_unordered = false;  // the begins and ends of a lane are not in the order of their times
  bool has_stacks = false;    // begins or ends name stacks
  uint32_t states = 0;        // begun in the chunk
  Time last_time = Time::min();  // the latest begin or end
  ChunkLosses losses;

  HashIndex lane_index;
  HashIndex params_index;
  TextArena arena;

  // Notes a begin ("B") or end ("E") on the lane.
  void note_pair(ChunkLane& lane, Time time) {
    is_unordered = is_unordered || time < lane.last_pair;
    lane.first_pair = std::min(lane.first_pair, time);
    lane.last_pair = std::max(lane.last_pair, time);
  }
  void clear();
};

// Text of the array, followed by kTextPadding zero bytes. Move-only.
class ChunkText {
 public:
  ChunkText() = default;
  explicit ChunkText(size_t capacity);

  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  std::string_view view() const { return {data_.get(), size_}; }
  // Sets the size (at most the capacity) and writes the padding.
  void set_size(size_t size);

 private:
  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

struct Chunk {
  ChunkText text;
  uint64_t offset = 0;    // of the text in the input
  int64_t origin_us = 0;  // see EventParser
  bool is_last = false;   // the input ends with it
  bool is_lost = false;   // begins inside an event that was given up
  // Begins and ends are not in order of time, here or where the chunk meets others: they are listed
  // and not paired.
  bool is_unordered = false;
  ChunkResults results;
};

// Parses the chunk's text, from between two events on; its results have a table. `default_phase`
// stands in for a missing "ph"
// ('P' in the array "samples"; 0: none).
void parse_chunk(Chunk& chunk, char default_phase);

}  // namespace weft::formats::chrome_json
