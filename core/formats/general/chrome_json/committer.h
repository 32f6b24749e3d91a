// Chunks, in the order of the input → the sink. The only part that knows the whole trace.
//
// Runs on the reader's thread while other threads parse, so it does little for an ordinary event:
// three look-ups in arrays, and whole chunks go to the sink at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/large_vector.h"
#include "core/formats/general/chrome_json/async_tracker.h"
#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/flow_linker.h"
#include "core/formats/general/chrome_json/lane_table.h"
#include "core/formats/general/chrome_json/output.h"
#include "core/formats/general/chrome_json/stack_pairing.h"
#include "core/formats/general/chrome_json/stack_samples.h"
#include "core/formats/general/chrome_json/v8_profiles.h"

namespace weft::formats::chrome_json {

class Committer {
 public:
  // `memory_bytes` bounds what is kept of events that wait for others.
  Committer(trace::EventSink& sink, uint64_t memory_bytes);

  // Whether the begins and ends of each lane are in order of time, within the chunk and after those
  // of all chunks asked about before. Ask in order of chunks.
  bool is_in_order(const ChunkResults& chunk);

  // Gives what waits to be put in order.
  void give_held();

  // Takes the content of a parsed chunk, whose events are changed in place.
  void commit(Chunk& chunk);

  // Adds metadata of the trace; a repeated key gets a number.
  void add_metadata(std::string_view key, std::string_view value);

  // Adds an ftrace text of the same machine, or Fuchsia's object, from `offset`. It is read at the
  // end, when the processes and threads that have lanes are known.
  void add_kernel_text(std::string text, uint64_t offset);

  // Adds an entry of "stackFrames": its name and its caller (empty: none).
  void add_stack_frame(std::string_view id, std::string_view name, std::string_view parent);

  // Ends what has no end and gives the remaining links.
  void finish();

  // The number of items in the event arrays that are not events; 0 if any is one.
  uint64_t others_alone() const { return has_events_ ? 0 : others_; }

 private:
  struct Frame {
    std::string name;
    std::string parent;
    uint64_t walk = 0;     // the latest to its callers that met it
    bool is_told = false;  // that its stack is not whole
  };
  struct KernelText {
    std::string text;
    uint64_t offset;
  };
  struct Unfinished {
    Time begin;
    LaneId lane;
    EventTypeId type;
    ParamsId params;
  };

  void map_numbers(ChunkResults& chunk);
  void commit_states(ChunkResults& chunk);
  void commit_instants(ChunkResults& chunk);
  void take_profiles(ChunkResults& chunk);
  void commit_pairs(ChunkResults& chunk);
  void put_in_order(const ChunkResults& chunk);
  StackPairing::Begin begin_of(const ChunkResults& chunk, const OpenBegin& begin) const;
  StackPairing::End end_of(const ChunkResults& chunk, const OpenEnd& end) const;
  void land_flows(const ChunkResults& chunk);
  void commit_keyed(const ChunkResults& chunk);
  void commit_flow(const ChunkResults& chunk, const KeyedEvent& event, std::string_view json);
  void place_lane(const MetadataEvent& event, const ChunkLane& thread);
  void commit_metadata(const MetadataEvent& event);
  void color_type(const MetadataEvent& event);
  void commit_stack_events(const ChunkResults& chunk);
  void commit_losses(const ChunkLosses& losses);
  void hold_stacked(ChunkResults& chunk);
  void hold(StackedEvent event);
  void emit(const StackedEvent& event, std::string_view json);
  template <class Reader>
  void read_kernel_text(Reader reader);
  std::vector<std::string_view> stack_of(std::string_view frame);
  std::string stack_text(std::string_view frame);
  std::string with_stacks(std::string_view json, bool& is_whole);
  std::string_view json_of(const ChunkResults& chunk, uint32_t params) const;
  template <class Event>
  void renumber(std::vector<Event>& events) const;

  trace::EventSink& sink_;
  Output output_;
  WaitingMemory waiting_memory_;
  bool has_events_ = false;
  uint64_t others_ = 0;  // objects without a phase or a time
  LaneTable lanes_;
  StackPairing stacks_;
  AsyncTracker async_;
  FlowLinker flows_;

  // The current chunk's numbers → the sink's.
  std::vector<LaneId> lane_ids_;
  std::vector<EventTypeId> type_ids_;
  std::vector<ParamsId> params_ids_;

  std::unordered_set<EventTypeId> colored_;
  LargePool memory_;
  std::pmr::unordered_map<uint64_t, Time> last_pairs_{
      &memory_};                   // last begin or end, by hash of the lane
  LargeVector<Time> last_begins_;  // by lane, where flows look
  std::unordered_map<std::string, Frame> frames_;
  uint64_t walks_ = 0;              // over frames
  std::vector<StackedEvent> held_;  // wait for frames, which mostly come behind the events
  StackSamples samples_;
  std::vector<KernelText> kernel_texts_;
  std::vector<V8Piece> v8_pieces_;  // read at the end: their lanes come last
  size_t held_bytes_ = 0;           // by events and texts
  const size_t most_held_bytes_;
  std::vector<Unfinished> unfinished_;
  std::unordered_map<std::string, uint32_t> metadata_;
  Time last_time_ = Time::min();
};

}  // namespace weft::formats::chrome_json
