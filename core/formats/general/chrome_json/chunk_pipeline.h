// Reads the array of events on all cores: the text is cut into chunks, which are parsed on the pool
// and committed in order on the calling thread.
//
// Chunk borders are guesses: a brace after a comma that seems to begin an event. A guess is checked
// once the chunk before it has been parsed: if that ended inside an event, the guess was wrong; the
// rest is prepended to the next chunk and parsed again. So guesses affect the speed, but never the
// result.
//
//  text  ──cut──▶ [chunk 3] [chunk 2] [chunk 1] ──▶ [chunk 0] ──▶ committer ──▶ sink
//                     parsed in any order           committed in order
//
// Parsed chunks are committed once kOrderedBytes of later text have been parsed, so that late
// begins and ends are known before others are paired in their place; or when the input pauses.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/claim.h"
#include "core/base/thread_pool.h"
#include "core/formats/base/text_window.h"
#include "core/formats/general/chrome_json/chunk.h"
#include "core/formats/general/chrome_json/committer.h"

namespace weft::formats::chrome_json {

struct PipelineLimits {
  size_t chunk_bytes = 1 << 20;
  size_t in_flight = 4;
  size_t event_bytes = 64 << 20;  // a longer event is skipped and counted
};

class ChunkPipeline final : private trace::HeldEvents {
 public:
  ChunkPipeline(json::TextWindow& window, Committer& committer, trace::EventSink& sink,
                ThreadPool& pool, PipelineLimits limits)
      : HeldEvents(sink),
        window_(window),
        committer_(committer),
        sink_(sink),
        pool_(pool),
        limits_(limits) {}

  // Reads from after the opening bracket up to the closing one, which stays in the window, or the
  // end of the input. Returns false if the sink wants no more. `default_phase`: see parse_chunk().
  bool run(char default_phase);

  // One of many short arrays, of which the text from behind the bracket to the closing one is
  // there. The text is copied. Returns false if the sink wants no more.
  bool add(std::string_view text, uint64_t offset, char default_phase = 0);
  bool finish_added();
  // The longest text for add(), so that many can be in flight.
  size_t most_added_bytes() const { return limits_.chunk_bytes; }

 private:
  struct Job {
    Chunk chunk;
    char default_phase = 0;
    Claim parsing;
    std::shared_ptr<TypeTables> tables;
    void parse();
    void parse_or_wait();
    void work();
  };
  using JobPointer = std::shared_ptr<Job>;

  void give_held() override;
  void fill();
  JobPointer take_job(size_t capacity);
  JobPointer make_job();
  bool commit_added();
  void commit(const JobPointer& job);
  void list_pairs_of_held();
  void commit_first_held();
  void commit_held();
  void learn_first_event();
  void learn_origin(std::string_view text);
  void give_back(size_t from_first);
  void join_with_next();

  json::TextWindow& window_;
  Committer& committer_;
  trace::EventSink& sink_;
  ThreadPool& pool_;
  const PipelineLimits limits_;
  char default_phase_ = 0;
  std::string first_name_;  // of the first member of the first event, quoted: others begin alike
  int64_t origin_us_ = 0;   // for times far from 0
  std::string carry_;       // text behind the last cut
  bool is_input_ended_ = false;
  std::deque<JobPointer> jobs_;
  std::deque<JobPointer> held_;  // parsed, not yet committed
  size_t held_bytes_ = 0;        // of their text
  // True from the first late begin or end on: results must not depend on where chunks end.
  bool is_unordered_ = false;
  std::vector<JobPointer> idle_;
  std::shared_ptr<TypeTables> tables_ = std::make_shared<TypeTables>();
};

// Returns where a new chunk may begin in padded text: the last brace that seems to begin an event,
// or the text's end.
size_t find_cut(std::string_view text, std::string_view first_name);

}  // namespace weft::formats::chrome_json
