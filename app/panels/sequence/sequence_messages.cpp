// The questions of the sequence diagram to its workers: the messages of a grid, with the memory of
// earlier answers, and the chain of what is selected.
#include <algorithm>
#include <mutex>
#include <utility>

#include "app/panels/sequence/sequence_panel.h"

namespace weft::app {
namespace {

constexpr size_t kMostActivations = 4'000;

}  // namespace

std::optional<SequencePanel::MessagesOf> SequencePanel::Memory::find(const MessagesKey& key) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(kept_, key, &std::pair<MessagesKey, MessagesOf>::first);
  if (known == kept_.end()) return std::nullopt;
  kept_.splice(kept_.begin(), kept_, known);
  return kept_.front().second;
}

void SequencePanel::Memory::keep(const MessagesKey& key, const MessagesOf& answer) {
  const std::lock_guard lock(mutex_);
  // Answers for other snapshots, lanes or classes will not be asked for again.
  std::erase_if(kept_, [&](const auto& kept) {
    const bool is_past = kept.first.trace != key.trace || kept.first.shown != key.shown ||
                         kept.first.rules != key.rules;
    if (is_past) bytes_ -= bytes_of(kept.second);
    return is_past;
  });
  kept_.emplace_front(key, answer);
  bytes_ += bytes_of(answer);
  for (; bytes_ > kMostKeptBytes && kept_.size() > 1; kept_.pop_back())
    bytes_ -= bytes_of(kept_.back().second);
}

size_t SequencePanel::Memory::bytes_of(const MessagesOf& answer) {
  return answer.arrows.size() * sizeof(layout::MessageArrow) +
         answer.bars.size() * sizeof(layout::TrafficBar) +
         answer.waiting.size() * sizeof(layout::Waiting) +
         answer.activations.size() * sizeof(layout::Activation);
}

// No outline is made if reading takes only a moment.
std::optional<SequencePanel::MessagesOf> SequencePanel::make_outline(const MessagesKey& key,
                                                                     const std::stop_token& stop) {
  constexpr uint64_t kReadAtOnce = 1'000'000;
  MessagesOf none{{}, key.trace_id, {}};
  none.grid = key.grid;
  if (layout::messages_sent_in(*key.trace, key.grid.range) < kReadAtOnce) return none;
  auto outline = layout::outline_of_messages(*key.trace, key.grid, *key.shown,
                                             {key.filter, key.keeps_rest}, stop);
  if (stop.stop_requested()) return std::nullopt;
  return outline ? MessagesOf{std::move(*outline), key.trace_id, {}} : none;
}

std::optional<SequencePanel::MessagesOf> SequencePanel::recall_or_make(
    const MessagesKey& key, Memory& memory, ThreadPool& pool, const std::stop_token& stop) {
  if (auto known = memory.find(key)) return known;
  auto made = make_messages(key, pool, stop);
  if (made) memory.keep(key, *made);
  return made;
}

SequencePanel::LatestMessages SequencePanel::latest_messages(const PanelServices& services) const {
  return LatestMessages(
      [pool = services.pool, memory = memory_](const MessagesKey& key,
                                               const std::stop_token& stop) {
        return recall_or_make(key, *memory, *pool, stop);
      },
      services.wake);
}

std::shared_ptr<const ElementFacts> SequencePanel::find_facts(const PanelInput& input,
                                                              PanelOutput& output) {
  if (!input.trace->element()) return nullptr;
  const auto found = facts_.find({input.model->trace, *input.trace->element()});
  output.is_stale |= found.is_stale;
  return found.is_stale ? nullptr : found.value;
}

std::optional<SequencePanel::MessagesOf> SequencePanel::make_messages(const MessagesKey& key,
                                                                      ThreadPool& pool,
                                                                      const std::stop_token& stop) {
  auto messages = layout::messages_in(*key.trace, key.grid, *key.shown,
                                      {key.filter, key.keeps_rest, key.rules}, {pool, stop});
  if (!messages) return std::nullopt;
  if (key.joins_runs) layout::join_runs(*messages, *key.shown, key.open_runs);
  MessagesOf made{std::move(*messages), key.trace_id, {}};
  if (key.activations_of) {
    std::vector<RowId> rows;
    for (const DiagramLanes::Row& row : key.activations_of->rows) rows.push_back(row.row);
    made.activations = layout::activations_in(
        *key.trace, rows, key.grid.range, key.keeps_rest ? nullptr : key.filter, kMostActivations);
  }
  return made;
}

}  // namespace weft::app
