// Blocks of input, of which workers of the pool make something ahead, in any order, and which the
// thread that feeds the sink takes in their own.
//
//   source ──▶ [block] [block] [block] ──▶ front() ──▶ sink
//                worked on in any order     in their order
//
// Memory: of `most` blocks, which are used again.
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
  // `work` is called from several threads at once, for a block each.
  Ahead(ThreadPool& pool, size_t most, std::function<void(Block&)> work)
      : pool_(pool), most_(most), work_(std::move(work)) {}
  // Workers are done with what is ours.
  ~Ahead() {
    for (const auto& job : jobs_) job->working.drop();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  bool is_empty() const { return jobs_.empty(); }
  bool is_full() const { return jobs_.size() >= most_; }

  // To be filled: what was in it before is still there. The same until it is pushed.
  Block& idle() {
    if (idle_.empty()) idle_.push_back(std::make_shared<Job>());
    return idle_.back()->block;
  }
  // What was filled goes last in line.
  void push() {
    const std::shared_ptr<Job> job = push_as_it_is();
    job->working.open();
    pool_.submit([this, job] { job->working.run([&] { work_(job->block); }); });
  }
  // The same, with nothing to be done.
  void push_done() { push_as_it_is(); }

  const Block& back() const { return jobs_.back()->block; }
  // The first in line, worked on: by a worker, or now.
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
