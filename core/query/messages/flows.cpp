#include "core/query/messages/flows.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <span>

#include "core/aggregate/filtered_scan.h"
#include "core/base/flat_index.h"
#include "core/query/link_ends.h"
#include "core/query/messages/answer_search.h"
#include "core/query/metrics/tally.h"
#include "core/query/reduce.h"
#include "core/query/windows.h"

namespace weft::query {
namespace {

using store::Record;
using store::Row;

constexpr size_t kRounds = 64;
constexpr std::chrono::seconds kBetweenAnswers{1};

// The flows met so far, by key.
class FlowMap {
 public:
  Flow& at(GroupKey key) {
    const size_t at = index_.insert(key, flows_.size());
    return at == flows_.size() ? flows_.emplace_back() : flows_[at];
  }
  void merge(const FlowMap& other) {
    other.for_each([&](GroupKey key, const Flow& more) {
      Flow& flow = at(key);
      flow.messages += more.messages;
      flow.bytes += more.bytes;
      flow.unanswered += more.unanswered;
      flow.latencies.merge(more.latencies);
    });
  }
  template <class Body>
  void for_each(const Body& body) const {
    for (const auto& [key, at] : index_.entries()) body(key, flows_[at]);
  }

 private:
  FlatIndex<GroupKey, NumberHash> index_;
  std::vector<Flow> flows_;
};

// One thread's share.
class FlowCount {
 public:
  FlowCount(const store::Trace& trace, const AnswerSearch* answers)
      : trace_(&trace), answers_(answers) {}

  // Parameters lie far apart, out of the caches: a loop that does nothing else waits for several of
  // them at a time.
  void add(const Row& row, std::span<const Record> records) {
    bytes_.clear();
    for (const Record& record : records)
      bytes_.push_back(trace_->params(record.params).payload.size());
    for (size_t i = 0; i < records.size(); ++i) add(row, records[i], bytes_[i]);
  }

  void merge(const FlowCount& other) {
    pairs_.merge(other.pairs_);
    types_.merge(other.types_);
  }

  Flows finish(double share) const {
    Flows flows;
    flows.share = share;
    pairs_.for_each([&](GroupKey key, const Flow& flow) {
      flows.pairs.push_back(
          {flow, LaneId(static_cast<uint32_t>(key)), LaneId(static_cast<uint32_t>(key >> 32))});
    });
    types_.for_each([&](GroupKey key, const Flow& flow) {
      flows.types.push_back({flow, EventTypeId(static_cast<uint32_t>(key))});
    });
    std::ranges::sort(flows.pairs, [](const PairFlow& a, const PairFlow& b) {
      if (a.messages != b.messages) return a.messages > b.messages;
      return std::pair(a.source, a.target) < std::pair(b.source, b.target);
    });
    std::ranges::sort(flows.types, [](const TypeFlow& a, const TypeFlow& b) {
      return a.messages != b.messages ? a.messages > b.messages : a.type < b.type;
    });
    return flows;
  }

 private:
  void add(const Row& row, const Record& record, uint64_t bytes) {
    Flow* const flows[] = {&pairs_.at(group_of(GroupBy::kPair, row, record)),
                           &types_.at(group_of(GroupBy::kType, row, record))};
    const LinkEnds ends = ends_of(row.kind, row.lane, record);
    const bool is_whole = ends.is_sent() && ends.is_received();
    const bool lacks_answer = answers_ != nullptr && is_whole && is_unanswered(ends);
    const auto latency = latency_of(*trace_, ends);
    for (Flow* const flow : flows) {
      ++flow->messages;
      flow->bytes += bytes;
      flow->unanswered += lacks_answer ? 1 : 0;
      if (latency) flow->latencies.add(latency->ticks);
    }
  }

  bool is_unanswered(const LinkEnds& ends) const {
    bool is_answered = false;
    const auto take = [&](EventTypeId) {
      is_answered = true;
      return false;
    };
    if (ends.source != ends.target) answers_->for_each_answer(ends, take);
    return ends.source != ends.target && !is_answered;
  }

  const store::Trace* trace_;
  const AnswerSearch* answers_;  // null: they are not looked for
  FlowMap pairs_, types_;
  std::vector<uint64_t> bytes_;  // of the payloads of what is added
};

// Windows over the selection's links that contain every message once: at its send or, if that is
// missing, at its receive.
std::vector<Window> windows_of(const store::Trace& trace, const Selection& selection) {
  const bool has_unsent = has_links_without_send(trace);
  return row_windows(trace, selection, [&](store::RowKind kind) {
    return kind == store::RowKind::kLinkOut || (kind == store::RowKind::kLinkIn && has_unsent);
  });
}

}  // namespace

Flows measure_flows(const store::Trace& trace, const Selection& selection, FlowsAsked asked,
                    const Work& work, const std::function<void(Flows)>& so_far) {
  using Clock = std::chrono::steady_clock;
  const std::vector<Window> windows = windows_of(trace, selection);
  std::optional<AnswerSearch> answers;
  if (asked.unanswered) answers.emplace(trace);
  const FlowCount empty(trace, answers ? &*answers : nullptr);
  const auto count = [&](FlowCount& state, const Window& window) {
    const Row& row = window.rows.front();
    const RowSelection events = selection.of(trace, row);
    std::vector<Record> counted;
    for_each_passing(row, events.filter(), window.range, aggregate::ScanOrder::kForwards,
                     [&](const aggregate::PassingRecords& passing) {
                       counted.clear();
                       for (const Record& record : passing.records) {
                         if (window.owns(record) && lies_in(row, record, selection.range) &&
                             events.takes(record))
                           counted.push_back(record);
                       }
                       state.add(row, counted);
                       return !work.stop.stop_requested();
                     });
  };
  // Every rounds-th window is of one round, so that each is spread over all rows and times.
  const size_t rounds = windows.size() < kRounds ? 1 : kRounds;
  FlowCount all = empty;
  auto answered = Clock::now();
  for (size_t round = 0; round < rounds && !work.stop.stop_requested(); ++round) {
    const size_t tasks = (windows.size() + rounds - 1 - round) / rounds;
    all.merge(reduce(work, tasks, empty, [&](FlowCount& state, size_t i) {
      count(state, windows[i * rounds + round]);
    }));
    const size_t done = round + 1;
    const bool is_due = std::has_single_bit(done) || Clock::now() - answered >= kBetweenAnswers;
    if (done == rounds || !is_due) continue;
    so_far(all.finish(static_cast<double>(done) / static_cast<double>(rounds)));
    answered = Clock::now();
  }
  return all.finish(1);
}

}  // namespace weft::query
