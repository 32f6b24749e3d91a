#include "core/store/epochs.h"

#include <algorithm>

#include "core/store/file_format.h"

namespace weft::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kQuarters = 4;
// A new one costs a file and a segment: it has its share of the events, or of somebody's time.
constexpr uint64_t kLeastEvents = 1024;
constexpr Clock::duration kSoonest = std::chrono::milliseconds(250);

}  // namespace

Result<std::unique_ptr<Epochs>> Epochs::create(std::filesystem::path folder, uint64_t memory_bytes,
                                               std::shared_ptr<io::NewFile> output) {
  WEFT_TRY_ASSIGN(io::SpillFile file, io::SpillFile::create(folder));
  auto params = std::make_shared<ParamsStore>(std::move(output), kParamsAt, memory_bytes);
  return std::unique_ptr<Epochs>(
      new Epochs(std::move(folder), memory_bytes, std::move(file), std::move(params)));
}

Epochs::Epochs(std::filesystem::path folder, uint64_t memory_bytes, io::SpillFile file,
               std::shared_ptr<ParamsStore> params)
    : folder_(std::move(folder)),
      memory_bytes_(memory_bytes),
      now_(epochs_.emplace_back(std::make_unique<Epoch>(std::move(file))).get()),
      params_(std::make_shared<const ParamsChain>(std::move(params))) {}

TimeRange Epochs::range() const {
  TimeRange range = {Time::max(), Time::min()};
  for (const auto& epoch : epochs_) {
    range.begin.ticks = std::min(range.begin.ticks, epoch->begin);
    range.end.ticks = std::max(range.end.ticks, epoch->end);
  }
  return range.begin > range.end ? TimeRange{} : range;
}

trace::Counts Epochs::counts() const {
  trace::Counts all;
  for (const auto& epoch : epochs_) {
    for (int i = 0; i < trace::kCategoryCount; ++i)
      all.by_category[i] += epoch->counts.by_category[i];
  }
  return all;
}

std::vector<StatesOfLane> Epochs::refused() const {
  std::vector<StatesOfLane> all;
  for (const auto& epoch : epochs_)
    all.insert(all.end(), epoch->refused.begin(), epoch->refused.end());
  return all;
}

uint64_t Epochs::sealed_events() const {
  uint64_t all = 0;
  for (const auto& epoch : epochs_) all += epoch->sealed_events;
  return all;
}

uint64_t Epochs::spilled_bytes() const {
  uint64_t all = 0;
  for (const auto& epoch : epochs_) all += epoch->spill_end.end();
  return all;
}

uint64_t Epochs::bytes() const { return spilled_bytes() + params_->size_bytes(); }

std::vector<std::shared_ptr<const Segment>> Epochs::segments() const {
  std::vector<std::shared_ptr<const Segment>> all;
  for (const auto& epoch : epochs_)
    all.insert(all.end(), epoch->segments.begin(), epoch->segments.end());
  return all;
}

ParamsId Epochs::take_along(ParamsId id, trace::ImportReport& report) {
  const auto [known, is_new] = taken_along_.try_emplace(id, id);
  if (known->second.value() >= params_->last_begin()) return known->second;
  const Params params = params_->get(known->second);
  ParamsId here = now_params().add(params.json, params.payload);
  if (here.is_none()) {
    taken_along_.erase(known);
    report.add("parameters older than what is kept", trace::LossPlace::nowhere(), 1,
               /*is_damage=*/false);
    return here;
  }
  here = ParamsId(params_->last_begin() + here.value());
  known->second = here;
  return here;
}

bool Epochs::is_due() const {
  const bool is_long =
      keep_ticks_ > 0 && saturating_sub(latest_end_, now_->since) >= keep_ticks_ / kQuarters;
  const bool is_large = keep_bytes_ > 0 && now_->spill_end.end() + now_params().size_bytes() >=
                                               keep_bytes_ / kQuarters;
  return (is_long && (now_->events >= kLeastEvents || Clock::now() - now_->began >= kSoonest)) ||
         is_large;
}

Status Epochs::begin_next() {
  WEFT_TRY_ASSIGN(io::SpillFile file, io::SpillFile::create(folder_));
  WEFT_TRY_ASSIGN(io::SpillFile params_file, io::SpillFile::create(folder_));
  now_->until = latest_end_;
  now_ = epochs_.emplace_back(std::make_unique<Epoch>(std::move(file))).get();
  auto longer = std::make_shared<ParamsChain>(*params_);
  longer->add(std::make_shared<ParamsStore>(std::make_shared<io::SpillFile>(std::move(params_file)),
                                            0, memory_bytes_));
  params_ = std::move(longer);
  return {};
}

// All of it ended before what is kept begins; or there is too much of it.
bool Epochs::is_old(const Epoch& epoch) const {
  if (is_held_) return false;
  return (keep_ticks_ > 0 && epoch.until <= saturating_sub(latest_end_, keep_ticks_)) ||
         (keep_bytes_ > 0 && bytes() > keep_bytes_ - keep_bytes_ / kQuarters);
}

void Epochs::drop_old(trace::ImportReport& report) {
  while (epochs_.size() > 1 && is_old(*epochs_.front())) {
    const uint64_t events = epochs_.front()->counts.total();
    report.add(trace::Loss{"event older than what is kept", events, {}, /*is_damage=*/false});
    epochs_.pop_front();
    auto shorter = std::make_shared<ParamsChain>(*params_);
    shorter->drop_first();
    params_ = std::move(shorter);
  }
  std::erase_if(taken_along_,
                [&](const auto& taken) { return taken.second.value() < params_->begin(); });
}

}  // namespace weft::store
