#include "core/formats/general/chrome_json/chunk_pipeline.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

namespace weft::formats::chrome_json {
namespace {

// An event longer than this is cut by the looks of any event, not by those of the first one.
constexpr size_t kUsualEvent = 64 << 10;
constexpr size_t kOrderedBytes = 256 << 10;

const char* skip_space_back(const char* p, const char* begin) {
  while (p > begin && is_space(*p)) --p;
  return p;
}

// `brace` follows "}," as the brace of an event that is not the first does.
bool is_behind_event(const char* brace, const char* begin) {
  const char* comma = skip_space_back(brace - 1, begin);
  return *comma == ',' && comma > begin && *skip_space_back(comma - 1, begin) == '}';
}

}  // namespace

size_t find_cut(std::string_view text, std::string_view first_name) {
  const char* const begin = text.data();
  const auto search = [&](size_t from, const auto& is_event) -> size_t {
    for (size_t end = text.size(); end > from;) {
      const void* found = ::memrchr(begin + from, '{', end - from);
      if (found == nullptr) return 0;
      const char* brace = static_cast<const char*>(found);
      if (brace > begin && is_behind_event(brace, begin) && is_event(brace)) {
        return static_cast<size_t>(brace - begin);
      }
      end = static_cast<size_t>(brace - begin);
    }
    return 0;
  };
  const auto begins_alike = [&](const char* brace) {
    json::Cursor cursor(brace + 1);
    cursor.skip_space();
    return std::strncmp(cursor.p, first_name.data(), first_name.size()) == 0;
  };
  const size_t near = text.size() > kUsualEvent ? text.size() - kUsualEvent : 0;
  size_t cut = first_name.empty() ? 0 : search(near, begins_alike);
  if (cut == 0) cut = search(0, looks_like_event);
  return cut == 0 ? text.size() : cut;
}

void ChunkPipeline::Job::work() {
  chunk.results.table = tables->take();
  parse_chunk(chunk, default_phase);
  tables->give_back(chunk.results.table);
}

void ChunkPipeline::Job::parse() {
  parsing.run([this] { work(); });
}

void ChunkPipeline::Job::parse_or_wait() {
  parsing.run_or_wait([this] { work(); });
}

void ChunkPipeline::learn_first_event() {
  if (window_.size() == 0) window_.grow();
  json::Cursor cursor(window_.data());
  json::RawString name;
  if (cursor.take('{') && (cursor.skip_space(), cursor.string(name))) {
    first_name_ = fmt::format("\"{}\"", name.text);
  }
  learn_origin(window_.view());
}

void ChunkPipeline::learn_origin(std::string_view text) {
  if (origin_us_ != 0) return;
  origin_us_ = far_origin_in(text);
  if (origin_us_ != 0)
    sink_.set_metadata("time origin",
                       fmt::format("{} microseconds before what is shown as 0", origin_us_));
}

ChunkPipeline::JobPointer ChunkPipeline::take_job(size_t capacity) {
  JobPointer job;
  if (idle_.empty()) {
    job = std::make_shared<Job>();
    job->tables = tables_;
  } else {
    job = std::move(idle_.back());
    idle_.pop_back();
  }
  Chunk& chunk = job->chunk;
  if (chunk.text.capacity() < capacity) chunk.text = ChunkText(capacity + capacity / 8);
  chunk.origin_us = origin_us_;
  chunk.is_lost = false;
  chunk.is_unordered = is_unordered_;
  return job;
}

ChunkPipeline::JobPointer ChunkPipeline::make_job() {
  JobPointer job = take_job(carry_.size() + limits_.chunk_bytes);
  Chunk& chunk = job->chunk;
  chunk.offset = window_.offset() - carry_.size();
  std::memcpy(chunk.text.data(), carry_.data(), carry_.size());
  const size_t n = window_.read(chunk.text.data() + carry_.size(), limits_.chunk_bytes);
  is_input_ended_ = window_.is_at_end();
  chunk.text.set_size(carry_.size() + n);
  carry_.clear();
  if (!is_input_ended_) {
    const size_t cut = find_cut(chunk.text.view(), first_name_);
    carry_ = chunk.text.view().substr(cut);
    chunk.text.set_size(cut);
  }
  chunk.is_last = is_input_ended_;
  job->default_phase = default_phase_;
  job->parsing.open();
  return job;
}

void ChunkPipeline::commit(const JobPointer& job) {
  held_.push_back(job);
  held_bytes_ += job->chunk.text.size();
  is_unordered_ = is_unordered_ || !committer_.is_in_order(job->chunk.results);
  if (is_unordered_) list_pairs_of_held();
  while (held_bytes_ - held_.front()->chunk.text.size() >= kOrderedBytes) commit_first_held();
}

// Discards the pairs of held chunks: they are parsed again.
void ChunkPipeline::list_pairs_of_held() {
  for (const JobPointer& held : held_) {
    if (std::exchange(held->chunk.is_unordered, true)) continue;
    held->parsing.open();
    held->parse();
  }
}

void ChunkPipeline::commit_first_held() {
  const JobPointer job = std::move(held_.front());
  held_.pop_front();
  held_bytes_ -= job->chunk.text.size();
  committer_.commit(job->chunk);
  idle_.push_back(job);
}

void ChunkPipeline::commit_held() {
  while (!held_.empty()) commit_first_held();
}

void ChunkPipeline::give_held() {
  commit_held();
  committer_.give_held();
}

// Does not wait while there is something to commit.
void ChunkPipeline::fill() {
  const auto may_read = [&] {
    return jobs_.empty() || (jobs_.size() < limits_.in_flight && window_.source().is_ready());
  };
  while (!is_input_ended_ && may_read()) {
    jobs_.push_back(make_job());
    pool_.submit([job = jobs_.back()] { job->parse(); });
  }
}

// Everything from byte `from_first` of the first chunk on goes back to the window.
void ChunkPipeline::give_back(size_t from_first) {
  std::string text;
  for (const JobPointer& job : jobs_) {
    job->parse_or_wait();
    text += job->chunk.text.view().substr(from_first);
    from_first = 0;
  }
  text += carry_;
  carry_.clear();
  jobs_.clear();
  window_.put_back(text);
}

// The first chunk ended inside an event: what is left of it is parsed again with the next one. An
// event that is too long is given up.
void ChunkPipeline::join_with_next() {
  const Chunk& first = jobs_[0]->chunk;
  Job& next = *jobs_[1];
  next.parse_or_wait();
  Chunk& chunk = next.chunk;
  std::string_view rest = first.text.view().substr(first.results.parsed_bytes);
  chunk.is_lost = first.results.end == ChunkEnd::kLost;
  if (!chunk.is_lost && rest.size() > limits_.event_bytes) {
    sink_.loss("event longer than the limit", first.offset + first.results.parsed_bytes);
    chunk.is_lost = true;
  }
  if (!chunk.is_lost) {
    ChunkText text(rest.size() + chunk.text.size());
    std::memcpy(text.data(), rest.data(), rest.size());
    std::memcpy(text.data() + rest.size(), chunk.text.data(), chunk.text.size());
    text.set_size(rest.size() + chunk.text.size());
    chunk.text = std::move(text);
    chunk.offset -= rest.size();
  }
  next.parsing.open();
  next.parse();
}

bool ChunkPipeline::commit_added() {
  const JobPointer job = std::move(jobs_.front());
  jobs_.pop_front();
  job->parse_or_wait();
  commit(job);
  sink_.progress(window_.source().disk_bytes_read(), window_.source().disk_bytes_total());
  return sink_.keep_going();
}

bool ChunkPipeline::add(std::string_view text, uint64_t offset, char default_phase) {
  learn_origin(text);
  const JobPointer job = take_job(text.size());
  std::memcpy(job->chunk.text.data(), text.data(), text.size());
  job->chunk.text.set_size(text.size());
  job->chunk.offset = offset;
  job->chunk.is_last = true;
  job->default_phase = default_phase;
  job->parsing.open();
  jobs_.push_back(job);
  pool_.submit([job] { job->parse(); });
  return jobs_.size() < limits_.in_flight || commit_added();
}

bool ChunkPipeline::finish_added() {
  while (!jobs_.empty())
    if (!commit_added()) return false;
  commit_held();
  return true;
}

bool ChunkPipeline::run(char default_phase) {
  default_phase_ = default_phase;
  is_input_ended_ = false;
  learn_first_event();
  for (fill(); !jobs_.empty(); fill()) {
    Job& job = *jobs_.front();
    job.parse_or_wait();
    commit(jobs_.front());
    sink_.progress(window_.source().disk_bytes_read(), window_.source().disk_bytes_total());
    const ChunkResults& results = job.chunk.results;
    if (!sink_.keep_going()) return false;
    if (results.end == ChunkEnd::kArrayEnd) {
      commit_held();
      give_back(results.parsed_bytes);
      return true;
    }
    if (results.end != ChunkEnd::kWhole && jobs_.size() > 1) join_with_next();
    if (results.end == ChunkEnd::kIncomplete && jobs_.size() == 1) {
      sink_.loss("event cut off by the end of the input", job.chunk.offset + results.parsed_bytes);
    }
    jobs_.pop_front();
  }
  commit_held();
  return true;
}

}  // namespace weft::formats::chrome_json
