#include "render/workshop.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft::render {
namespace {

// Most tiles in one run: a screen's width. Later wishes wait that long.
constexpr uint32_t kMostTogether = 8;

// On Linux a nice value belongs to a thread.
void prepare_this_thread() {
  constexpr int kNice = 10;
  pthread_setname_np(pthread_self(), "tiles");
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

}  // namespace

layout::TileKey TileRun::key(uint32_t i) const {
  layout::TileKey key = first.key;
  key.index += i;
  return key;
}

std::vector<layout::Tile> TileMaker::operator()(const TileSource& source, const TileRun& run,
                                                const std::stop_token& stop) const {
  const auto& [key, row, filter] = run.first;
  if (!filter) {
    return layout::make_tiles(source.trace->row(row), key, run.count, *source.palette);
  }
  return layout::make_filtered_tiles(source.trace, row, key, run.count, filter, *source.palette,
                                     *rows_, stop);
}

Workshop::Workshop(uint32_t workers, MakeTiles make, std::function<void()> on_ready)
    : make_(std::move(make)), on_ready_(std::move(on_ready)) {
  for (uint32_t i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
}

Workshop::~Workshop() {
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
    for (Work& work : in_work_) work.stop.request_stop();
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool Workshop::try_publish(const TileSource& source, std::vector<TileWish>& wishes,
                           std::vector<std::unique_ptr<const layout::Tile>>& unused) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return false;
  if (!coming_.empty()) {
    for (Work& work : in_work_) work.is_wanted = false;
    std::erase_if(wishes, [this](const TileWish& wish) { return is_coming_locked(wish.key); });
    for (Work& work : in_work_) {
      if (!work.is_wanted) work.stop.request_stop();
    }
  }
  if (source_.version != source.version) source_ = source;
  wishes_.swap(wishes);
  wishes.clear();
  next_wish_ = 0;
  std::ranges::move(unused, std::back_inserter(unused_));
  unused.clear();
  count_locked();
  const bool has_work = !wishes_.empty() || !unused_.empty();
  lock.unlock();
  if (has_work) wake_.notify_all();
  return true;
}

void Workshop::try_take(size_t max, std::vector<MadeTile>& made) {
  if (!has_ready()) return;
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  const auto end = ready_.begin() + static_cast<ptrdiff_t>(std::min(max, ready_.size()));
  for (auto tile = ready_.begin(); tile != end; ++tile) coming_.erase(tile->tile->key);
  std::move(ready_.begin(), end, std::back_inserter(made));
  ready_.erase(ready_.begin(), end);
  count_locked();
}

bool Workshop::wait_until_idle(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, timeout, [this] { return is_idle(); });
}

bool Workshop::is_coming_locked(const layout::TileKey& key) {
  const auto coming = coming_.find(key);
  if (coming == coming_.end()) return false;
  Work* const work = coming->second;
  if (work == nullptr) return true;
  if (work->stop.stop_requested()) return false;
  work->is_wanted = true;
  return true;
}

void Workshop::count_locked() {
  pending_count_.store(wishes_.size() - next_wish_ + in_work_.size(), std::memory_order_release);
  ready_count_.store(ready_.size(), std::memory_order_relaxed);
}

// A long row is filtered for each tile by itself, so that its picture grows, and several workers
// help.
uint32_t Workshop::most_together(const TileWish& wish) const {
  const bool is_slow =
      wish.filter && aggregate::is_filtered_in_chunks(source_.trace->row(wish.row));
  return is_slow ? 1 : kMostTogether;
}

TileRun Workshop::take_run_locked() {
  TileRun run{wishes_[next_wish_++]};
  const uint32_t most = most_together(run.first);
  while (run.count < most && next_wish_ < wishes_.size() &&
         run.is_continued_by(wishes_[next_wish_])) {
    ++run.count;
    ++next_wish_;
  }
  return run;
}

void Workshop::work() {
  prepare_this_thread();
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock,
               [this] { return is_stopping_ || next_wish_ < wishes_.size() || !unused_.empty(); });
    if (is_stopping_) return;
    if (!unused_.empty()) {
      auto unused = std::exchange(unused_, {});
      lock.unlock();
      unused.clear();
      lock.lock();
      continue;
    }
    const auto work = in_work_.insert(in_work_.end(), {take_run_locked()});
    const TileRun& run = work->run;
    for (uint32_t i = 0; i < run.count; ++i) coming_[run.key(i)] = &*work;
    const TileSource source = source_;
    const std::stop_token stop = work->stop.get_token();
    lock.unlock();

    std::vector<MadeTile> made;
    for (layout::Tile& tile : make_(source, run, stop)) {
      made.push_back({std::make_unique<const layout::Tile>(std::move(tile)), source.version});
    }

    lock.lock();
    for (uint32_t i = 0; i < run.count; ++i) {
      const auto coming = coming_.find(run.key(i));
      if (coming == coming_.end() || coming->second != &*work) continue;  // begun anew
      if (made.empty()) {
        coming_.erase(coming);
      } else {
        coming->second = nullptr;
      }
    }
    in_work_.erase(work);
    std::ranges::move(made, std::back_inserter(ready_));
    count_locked();
    if (is_idle()) idle_.notify_all();
    if (!on_ready_) continue;
    lock.unlock();
    on_ready_();
    lock.lock();
  }
}

}  // namespace weft::render
