#include "core/store/builder.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <unordered_set>

#include "core/io/output_file.h"
#include "core/store/memory_file.h"
#include "core/store/snapshot_maker.h"
#include "core/store/store_file.h"
#include "core/store/tail.h"

namespace weft::store {
namespace {

using Clock = std::chrono::steady_clock;

// Shares of the memory budget. Two tails are alive at once, one filling and one being sealed, with
// its sorted copies; the merge runs when they are gone.
constexpr uint64_t kTailShare = 6;
constexpr uint64_t kBytesPerMergedRecord = 128;
constexpr uint64_t kMergeShare = 2;

constexpr size_t kFirstTail = 256 << 10;
constexpr size_t kFirstWatchedTail = 64 << 10;
constexpr auto kFirstPublish = std::chrono::milliseconds(100);

// A tail that is shown stays one. A large one takes long to be shown again and again, many small
// segments take long to be looked at: it is sealed when it has its share of what came before.
constexpr uint64_t kLeastShown = 64 << 10;
constexpr uint64_t kShownShare = 32;
// Between two times lies as long as whoever watches may need to look at all events anew, and so
// long that showing takes at most a fifth of it.
constexpr Clock::duration kLookAtEvent = std::chrono::nanoseconds(100);
constexpr Clock::duration kShowSoonest = std::chrono::milliseconds(100);
constexpr Clock::duration kShowLatest = std::chrono::seconds(1);
constexpr int kShowSeldom = 4;

// Types found by what they are, without a copy of their names: a set of their ids.
struct TypeKey {
  trace::Category category;
  std::string_view name;
  std::string_view group;
  bool operator==(const TypeKey&) const = default;
};

class TypeIds {
 public:
  explicit TypeIds(std::vector<trace::EventType>& types)
      : types_(types), ids_(0, {types}, {types}) {}

  EventTypeId id_of(const TypeKey& key) {
    if (const auto it = ids_.find(key); it != ids_.end()) return EventTypeId(*it);
    const auto id = static_cast<uint32_t>(types_.size());
    types_.push_back(
        {std::string(key.name), std::string(key.group), key.category, trace::EventType::kNoColor});
    ids_.insert(id);
    return EventTypeId(id);
  }

 private:
  struct ByKey {
    using is_transparent = void;
    const std::vector<trace::EventType>& types;

    TypeKey key_of(uint32_t id) const {
      return {types[id].category, types[id].name, types[id].group};
    }
    static TypeKey key_of(const TypeKey& key) { return key; }
    size_t operator()(const auto& type) const {
      const auto [category, name, group] = key_of(type);
      const std::hash<std::string_view> hash;
      return hash(name) * 31 + hash(group) * 7 + static_cast<size_t>(category);
    }
    bool operator()(const auto& a, const auto& b) const { return key_of(a) == key_of(b); }
  };
  std::vector<trace::EventType>& types_;
  std::unordered_set<uint32_t, ByKey, ByKey> ids_;
};

}  // namespace

struct StoreBuilder::Impl {
  Impl(BuilderOptions o, ThreadPool& p, io::OutputFile f, io::SpillFile s)
      : options(std::move(o)),
        pool(&p),
        output(std::move(f)),
        spill(std::move(s)),
        spill_end([this](uint64_t at,
                         std::span<const std::byte> bytes) { return spill.write_at(at, bytes); },
                  0),
        params(std::make_shared<ParamsStore>(options.path.parent_path())),
        most_tail(
            std::max<uint64_t>(4096, options.memory_bytes / kTailShare / Tail::kBytesPerEvent)),
        started(Clock::now()) {
    dictionary.format = options.format;
    publish({});
  }

  BuilderOptions options;
  ThreadPool* pool;
  io::OutputFile output;
  io::SpillFile spill;
  FileEnd spill_end;
  std::shared_ptr<ParamsStore> params;
  size_t most_tail;
  Clock::time_point started;

  // Of the thread that feeds the builder.
  trace::Dictionary dictionary;
  TypeIds types{dictionary.types};
  Tail tail;
  Tail full;  // being sealed, by the sealing task
  trace::Counts counts;
  int64_t begin = Time::max().ticks;
  int64_t end = Time::min().ticks;
  uint64_t sealed_events = 0;
  trace::Counts shown_counts;
  Clock::time_point show_next;

  // Shared with the sealing task and with watchers.
  mutable std::mutex mutex;
  std::condition_variable sealed;
  bool is_sealing = false;
  std::vector<std::shared_ptr<const Segment>> segments;
  std::shared_ptr<const Segment> shown_tail;  // null: there is none, or it has been sealed since
  uint64_t generation = 0;
  std::shared_ptr<const Trace> newest;
  Status status;
  std::atomic<uint64_t> done_bytes = 0;
  std::atomic<uint64_t> total_bytes = 0;
  std::atomic<bool> cancelled = false;
  std::atomic<bool> failed = false;

  TimeRange range() const { return begin > end ? TimeRange{} : TimeRange{{begin}, {end}}; }

  // Ranges are half-open, so the last instant of 64 bits belongs to none: it is moved by one tick.
  static Time placed(Time t) { return std::min(t, Time{Time::max().ticks - 1}); }

  void note_instant(int64_t t) {
    begin = std::min(begin, t);
    end = std::max(end, saturating_add(t, 1));
  }

  void add(LaneId lane, RowKind kind, const Record& record) {
    tail.add(lane, kind, record);
    if (tail.size() >= tail_limit()) start_sealing();
  }

  // The first segments are small so that workers have something to do, and, watched, so that the
  // picture comes early; they grow with the trace so that there are few.
  size_t tail_limit() const {
    const size_t first = options.is_watched ? kFirstWatchedTail : kFirstTail;
    return std::min<size_t>(most_tail, std::max<size_t>(first, sealed_events / 4));
  }

  void start_sealing();
  void wait_until_sealed();
  void seal(const SnapshotMaker& context);
  void show_tail();
  SnapshotMaker context();
  void publish(SnapshotMaker maker);
  void fail_with(Status s);
};

// What a snapshot needs of the feeding thread's state.
SnapshotMaker StoreBuilder::Impl::context() {
  SnapshotMaker maker;
  maker.dictionary = std::make_shared<trace::Dictionary>(dictionary);
  maker.range = range();
  maker.counts = counts;
  return maker;
}

void StoreBuilder::Impl::publish(SnapshotMaker maker) {
  if (!maker.dictionary) maker.dictionary = std::make_shared<trace::Dictionary>(dictionary);
  maker.params = params;
  maker.is_complete = false;
  maker.size_bytes = spill_end.end();
  {
    std::lock_guard lock(mutex);
    maker.segments = segments;
    if (shown_tail != nullptr) maker.segments.push_back(shown_tail);
    maker.generation = generation++;
  }
  auto trace = maker.make();
  {
    std::lock_guard lock(mutex);
    newest = std::move(trace);
  }
  if (options.on_published) options.on_published();
}

void StoreBuilder::Impl::fail_with(Status s) {
  std::lock_guard lock(mutex);
  if (status) status = std::move(s);
  failed = true;
}

void StoreBuilder::Impl::wait_until_sealed() {
  std::unique_lock lock(mutex);
  sealed.wait(lock, [this] { return !is_sealing; });
}

void StoreBuilder::Impl::start_sealing() {
  if (tail.size() == 0) return;
  wait_until_sealed();
  params->flush();
  sealed_events += tail.size();
  std::swap(tail, full);
  {
    std::lock_guard lock(mutex);
    is_sealing = true;
  }
  auto snapshot = std::make_shared<SnapshotMaker>();
  if (options.is_watched) *snapshot = context();
  pool->submit([this, snapshot] {
    seal(*snapshot);
    std::lock_guard lock(mutex);
    is_sealing = false;
    sealed.notify_all();
  });
}

void StoreBuilder::Impl::seal(const SnapshotMaker& snapshot) {
  SegmentDraft draft;
  const SegmentUse use = options.is_watched ? SegmentUse::kGrowing : SegmentUse::kRun;
  full.write(use, *pool, spill_end, draft);
  full.clear();
  const char slack[kReadSlack] = {};
  spill_end.write(spill_end.take(sizeof slack), {slack, sizeof slack});
  if (Status s = spill_end.status(); !s) return fail_with(std::move(s));
  auto map = spill.map(0, spill_end.end());
  if (!map) return fail_with(fail(std::move(map).error()));
  auto segment = std::make_shared<Segment>(std::move(*map), spill_end.end() - kReadSlack,
                                           std::vector<uint32_t>{});
  // Ids are our own; and states still carry their nesting in the place of a lane.
  segment->set_rows(draft.take_rows(), draft.take_lists(), UINT32_MAX, UINT32_MAX);
  {
    std::lock_guard lock(mutex);
    segments.push_back(std::move(segment));
    shown_tail.reset();
  }
  if (options.is_watched) publish(snapshot);
}

// It stays as it is, and goes on growing.
void StoreBuilder::Impl::show_tail() {
  SegmentDraft draft;
  MemoryFile memory;
  tail.write(SegmentUse::kGrowing, *pool, memory.end(), draft);
  auto segment = std::make_shared<Segment>(memory.take());
  segment->set_rows(draft.take_rows(), draft.take_lists(), UINT32_MAX, UINT32_MAX);
  params->flush();
  {
    std::lock_guard lock(mutex);
    shown_tail = std::move(segment);
  }
  publish(context());
}

StoreBuilder::StoreBuilder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StoreBuilder::~StoreBuilder() { impl_->wait_until_sealed(); }

Result<std::unique_ptr<StoreBuilder>> StoreBuilder::create(BuilderOptions options,
                                                           ThreadPool& pool) {
  WEFT_TRY_ASSIGN(io::OutputFile output, io::OutputFile::create(options.path));
  WEFT_TRY_ASSIGN(io::SpillFile spill, io::SpillFile::create(options.path.parent_path()));
  auto impl = std::make_unique<Impl>(std::move(options), pool, std::move(output), std::move(spill));
  return std::unique_ptr<StoreBuilder>(new StoreBuilder(std::move(impl)));
}

void StoreBuilder::set_time_base(TimeBase base) { impl_->dictionary.time_base = base; }

void StoreBuilder::set_metadata(std::string_view key, std::string_view value) {
  impl_->dictionary.metadata[std::string(key)] = value;
}

LaneId StoreBuilder::add_lane(const trace::Lane& lane) {
  auto& lanes = impl_->dictionary.lanes;
  lanes.push_back(lane);
  return LaneId(static_cast<uint32_t>(lanes.size() - 1));
}

void StoreBuilder::update_lane(LaneId id, const trace::Lane& lane) {
  // Where it would be below itself it stays where it is: the lanes are a tree.
  auto& lanes = impl_->dictionary.lanes;
  LaneId above = lane.parent;
  while (!above.is_none() && above != id) above = lanes[above.value()].parent;
  trace::Lane& known = lanes[id.value()];
  const LaneId parent = above == id ? known.parent : lane.parent;
  known = lane;
  known.parent = parent;
}

EventTypeId StoreBuilder::type(trace::Category category, std::string_view name,
                               std::string_view group) {
  return impl_->types.id_of({category, name, group});
}

void StoreBuilder::set_type_color(EventTypeId id, uint32_t rgb) {
  impl_->dictionary.types[id.value()].rgb = rgb;
}

ParamsId StoreBuilder::keep_params(std::string_view json, std::span<const std::byte> payload) {
  const ParamsId id = impl_->params->add(json, payload);
  if (id.is_none() && json.size() + payload.size() > 0) {
    if (const Status& s = impl_->params->status(); !s) {
      impl_->fail_with(s);
    } else {
      loss(payload.empty() ? "parameters too large to keep" : "payload too large to keep", 0, 1,
           true);
      if (!payload.empty()) return params(json, {});
    }
  }
  return id;
}

void StoreBuilder::states(std::span<const trace::StateEvent> events) {
  Impl& impl = *impl_;
  for (const trace::StateEvent& e : events) {
    Record r;
    r.begin = Impl::placed(e.begin);
    r.duration = {
        std::clamp<int64_t>(e.duration.ticks, 0, saturating_sub(Time::max().ticks, r.begin.ticks))};
    r.params = e.params;
    r.type = e.type;
    r.peer = LaneId(e.nesting);
    impl.begin = std::min(impl.begin, r.begin.ticks);
    impl.end =
        std::max(impl.end, r.duration.ticks > 0 ? r.end().ticks : saturating_add(r.begin.ticks, 1));
    impl.add(e.lane, RowKind::kState, r);
  }
  impl.counts[trace::Category::kState] += events.size();
}

void StoreBuilder::punctuals(std::span<const trace::PunctualEvent> events) {
  for (const trace::PunctualEvent& e : events) {
    impl_->note_instant(e.time.ticks);
    impl_->add(e.lane, RowKind::kPunctual, {Impl::placed(e.time), {}, e.params, e.type});
  }
  impl_->counts[trace::Category::kPunctual] += events.size();
}

void StoreBuilder::links(std::span<const trace::LinkEvent> events) {
  for (const trace::LinkEvent& e : events) {
    const bool has_both = !e.source.is_none() && !e.target.is_none();
    const Duration latency = has_both ? e.receive - e.send : Duration{0};
    if (!e.source.is_none()) {
      impl_->note_instant(e.send.ticks);
      impl_->add(e.source, RowKind::kLinkOut,
                 {Impl::placed(e.send), latency, e.params, e.type, e.target});
    }
    if (!e.target.is_none()) {
      impl_->note_instant(e.receive.ticks);
      impl_->add(e.target, RowKind::kLinkIn,
                 {Impl::placed(e.receive), latency, e.params, e.type, e.source});
    }
  }
  impl_->counts[trace::Category::kLink] += events.size();
}

void StoreBuilder::variables(std::span<const trace::VariableSample> events) {
  for (const trace::VariableSample& e : events) {
    impl_->note_instant(e.time.ticks);
    impl_->add(e.lane, RowKind::kVariable,
               {Impl::placed(e.time), {}, e.params, e.type, LaneId::none(), e.value});
  }
  impl_->counts[trace::Category::kVariable] += events.size();
}

void StoreBuilder::loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
                        bool is_damage) {
  impl_->dictionary.report.add(kind, place, count, is_damage);
}

void StoreBuilder::progress(uint64_t bytes_done, uint64_t bytes_total) {
  impl_->done_bytes = bytes_done;
  impl_->total_bytes = bytes_total;
  // What came so far is shown early, even if it is little.
  const bool is_first = impl_->sealed_events == 0 && impl_->options.is_watched;
  if (is_first && Clock::now() - impl_->started > kFirstPublish) impl_->start_sealing();
}

bool StoreBuilder::keep_going() const { return !impl_->cancelled && !impl_->failed; }
uint64_t StoreBuilder::bytes_done() const { return impl_->done_bytes; }
uint64_t StoreBuilder::bytes_total() const { return impl_->total_bytes; }
void StoreBuilder::cancel() { impl_->cancelled = true; }
bool StoreBuilder::is_cancelled() const { return impl_->cancelled; }

void StoreBuilder::show_tail() {
  Impl& impl = *impl_;
  const Clock::time_point now = Clock::now();
  if (!impl.options.is_watched || impl.shown_counts == impl.counts || now < impl.show_next) return;
  {
    std::lock_guard lock(impl.mutex);
    if (impl.is_sealing) return;  // asked again soon
  }
  impl.shown_counts = impl.counts;
  if (impl.tail.size() >= std::max(kLeastShown, impl.sealed_events / kShownShare)) {
    impl.start_sealing();
  } else {
    impl.show_tail();
  }
  const auto events = static_cast<int64_t>(impl.counts.total());
  const Clock::time_point end = Clock::now();
  impl.show_next = end + std::max(std::clamp(events * kLookAtEvent, kShowSoonest, kShowLatest),
                                  kShowSeldom * (end - now));
}

std::shared_ptr<const Trace> StoreBuilder::snapshot() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->newest;
}

Result<std::shared_ptr<const Trace>> StoreBuilder::finish() {
  Impl& impl = *impl_;
  impl.start_sealing();
  impl.wait_until_sealed();
  impl.tail = {};
  impl.full = {};
  impl.params->flush();
  WEFT_TRY(impl.status);
  WEFT_TRY(impl.params->status());
  const uint64_t per_thread = impl.options.memory_bytes / kMergeShare / impl.pool->size();
  const uint64_t slice = std::max<uint64_t>(4096, per_thread / kBytesPerMergedRecord);
  const StoreContent content{impl.dictionary, impl.segments, *impl.params, impl.range(),
                             impl.counts};
  WEFT_TRY(write_store(impl.output, content, slice, *impl.pool));
  WEFT_TRY(impl.output.commit());
  impl.dictionary = {};  // the trace has its own
  return Trace::open(impl.options.path);
}

}  // namespace weft::store
