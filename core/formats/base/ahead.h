// Processes blocks of input ahead: pool workers work on them in any order, and the thread that
// feeds the sink takes them in input order.
//
//   source ──▶ [block] [block] [block] ──▶ front() ──▶ sink
//                worked on in any order     in their order
//
// Memory: `most` blocks, which are reused.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/claim.h"
#include "core/base/thread_pool.h"

namespace weft::formats {

template <class Block>
class Ahead {
 public:
  // `work` processes one block; called from several threads at once.
  Ahead(ThreadPool& pool, size_t most, std::function<void(Block&)> work)
      : pool_(pool), most_(most), work_(std::move(work)) {}
  // Waits until workers are done with our blocks.
  ~Ahead() {
    for (const auto& job : jobs_) job->working.drop();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  bool is_empty() const { return jobs_.empty(); }
  bool is_full() const { return jobs_.size() >= most_; }

  // Returns a block to fill, which still has its former content. The same block until push().
  Block& idle() {
    if (idle_.empty()) idle_.push_back(std::make_shared<Job>());
    return idle_.back()->block;
  }
  // Queues the filled block.
  void push() {
    const std::shared_ptr<Job> job = push_as_it_is();
    job->working.open();
    pool_.submit([this, job] { job->working.run([&] { work_(job->block); }); });
  }
  // Queues the block without processing.
  void push_done() { push_as_it_is(); }

  const Block& back() const { return jobs_.back()->block; }
  // Returns the first block in the queue, processed: by a worker, or now.
  Block& front() {
    Job& job = *jobs_.front();
    job.working.run_or_wait([&] { work_(job.block); });
    return job.block;
  }
  void pop() {
    idle_.push_back(std::move(jobs_.front()));
    jobs_.pop_front();
  }

 private:
  struct Job {
    Block block;
    Claim working;
  };
  std::shared_ptr<Job> push_as_it_is() {
    jobs_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    return jobs_.back();
  }

  ThreadPool& pool_;
  const size_t most_;
  const std::function<void(Block&)> work_;
  std::deque<std::shared_ptr<Job>> jobs_;
  std::vector<std::shared_ptr<Job>> idle_;
};

}  // namespace weft::formats
