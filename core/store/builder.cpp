#include "core/store/builder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/base/demangle.h"
#include "core/base/hash_index.h"
#include "core/base/text_hash.h"
#include "core/io/output_file.h"
#include "core/store/epochs.h"
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

// With a size limit, a tail is a small part of what is kept; assumes more bytes than an event
// usually takes.
constexpr uint64_t kBytesPerKeptEvent = 64;
constexpr uint64_t kKeptTails = 8;
constexpr size_t kLookAt = 4096;

// Types found by what they are, without a copy of their names.
class TypeIds {
 public:
  explicit TypeIds(trace::EventTypes& types) : types_(types) {}

  EventTypeId id_of(trace::Category category, std::string_view name, std::string_view group) {
    const TextHash hash;
    const uint64_t whole = hash(name) ^ (hash(group) * 31 + static_cast<uint64_t>(category));
    bool is_new = false;
    const auto is_equal = [&](uint32_t id) {
      const trace::EventType& type = types_[id];
      return type.category == category && type.name == name && type.group == group;
    };
    const uint32_t id = ids_.find_or_add(whole, is_equal, is_new);
    if (is_new) types_.push_back({name, group, category});
    return EventTypeId(id);
  }
  // When no more are asked for.
  void forget() { ids_ = {}; }

 private:
  trace::EventTypes& types_;
  HashIndex ids_;
};

}  // namespace

struct StoreBuilder::Impl {
  Impl(BuilderOptions o, ThreadPool& p, std::shared_ptr<io::OutputFile> f,
       std::unique_ptr<Epochs> e)
      : options(std::move(o)),
        pool(&p),
        output(std::move(f)),
        epochs(std::move(e)),
        started(Clock::now()) {
    dictionary.format = options.format;
    publish({});
  }

  BuilderOptions options;
  ThreadPool* pool;
  std::shared_ptr<io::OutputFile> output;  // holds the first parameters
  std::unique_ptr<Epochs> epochs;
  size_t most_tail = tail_budget();
  Clock::time_point started;

  // Used by the feeding thread only.
  trace::Dictionary dictionary;
  TypeIds types{dictionary.types};
  PlainNames plain_names;
  Tail tail;
  Tail full;                   // being sealed, by the sealing task
  Tail fresh;                  // what came since it was looked at last
  uint64_t events = 0;         // all that ever came
  uint64_t sealed_events = 0;  // of those that are kept
  uint64_t shown_events = 0;
  std::vector<trace::HeldEvents*> held;
  Clock::time_point show_next;
  Look look;
  bool is_watching_events = false;  // there may be something to do behind each

  // Wished for by any thread, taken by the one that feeds.
  std::atomic<bool> has_wishes = false;
  std::optional<Keep> wished_keep;  // guarded by the mutex
  std::optional<Look> wished_look;  // so is this

  // Shared with the sealing task and with watchers.
  mutable std::mutex mutex;
  std::condition_variable sealed;
  bool is_sealing = false;
  std::shared_ptr<const Segment> shown_tail;  // null: there is none, or it has been sealed since
  uint64_t generation = 0;
  TracePtr newest;
  Status status;
  std::atomic<uint64_t> done_bytes = 0;
  std::atomic<uint64_t> total_bytes = 0;
  std::atomic<bool> cancelled = false;
  std::atomic<bool> is_finishing = false;
  std::atomic<bool> is_given_up = false;
  std::atomic<uint64_t> to_merge = 0, merged = 0;  // records
  std::atomic<bool> failed = false;

  // Ranges are half-open, so the last instant of 64 bits belongs to none: it is moved by one tick.
  static Time placed(Time t) { return std::min(t, Time{Time::max().ticks - 1}); }
  void note_instant(int64_t t) { epochs->note_times(t, saturating_add(t, 1)); }
  ParamsId params_of(ParamsId id) { return epochs->params_of(id, dictionary.report); }

  void add(LaneId lane, RowKind kind, const Record& record) {
    if (look) fresh.add(lane, kind, record);
    tail.add(lane, kind, record);
    if (tail.size() >= tail_limit()) start_sealing();
  }
  void begin_batch() {
    if (has_wishes.load(std::memory_order_relaxed)) take_wishes();
  }
  void end_event(trace::Category category) {
    epochs->note_event(category);
    ++events;
    if (is_watching_events) watch_events();
  }

  size_t tail_budget() const {
    return std::max<uint64_t>(4096, options.memory_bytes / kTailShare / Tail::kBytesPerEvent);
  }
  // The first segments are small so that workers have something to do, and, watched, so that the
  // picture comes early; they grow with the trace so that there are few.
  size_t tail_limit() const {
    const size_t first = options.is_watched ? kFirstWatchedTail : kFirstTail;
    return std::min<size_t>(most_tail, std::max<size_t>(first, sealed_events / 4));
  }

  void take_wishes();
  void take_keep(const Keep& keep);
  void watch_events();
  Status drop_old();
  void look_at_news();
  void start_sealing();
  void wait_until_sealed();
  void seal(const SnapshotMaker& context);
  void show_tail();
  SnapshotMaker context();
  void publish(SnapshotMaker maker);
  void fail_with(Status s);
};

// The part of the feeding thread's state that a snapshot needs.
SnapshotMaker StoreBuilder::Impl::context() {
  SnapshotMaker maker;
  maker.dictionary = std::make_shared<trace::Dictionary>(dictionary);
  maker.range = epochs->range();
  maker.counts = epochs->counts();
  return maker;
}

void StoreBuilder::Impl::publish(SnapshotMaker maker) {
  if (!maker.dictionary) maker.dictionary = std::make_shared<trace::Dictionary>(dictionary);
  maker.params = epochs->params();
  maker.is_complete = false;
  maker.size_bytes = epochs->spilled_bytes();
  {
    std::lock_guard lock(mutex);
    maker.segments = epochs->segments();
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

void StoreBuilder::Impl::take_wishes() {
  std::optional<Keep> keep;
  {
    std::lock_guard lock(mutex);
    has_wishes = false;
    keep = std::exchange(wished_keep, std::nullopt);
    if (wished_look) look = *std::exchange(wished_look, std::nullopt);
  }
  if (keep) take_keep(*keep);
  is_watching_events = epochs->is_dropping() || look;
}

void StoreBuilder::Impl::take_keep(const Keep& keep) {
  Duration last;
  uint64_t bytes = keep.bytes;
  if (!keep.last.empty()) {
    const auto parsed = parse_duration(keep.last, dictionary.time_base);
    if (parsed) {
      last = *parsed;
    } else {
      dictionary.report.add("what is kept goes by its size: " + parsed.error().message,
                            trace::LossPlace::nowhere(), 1, /*is_damage=*/false);
    }
    if (bytes == 0) bytes = Keep::kMostBytes;
  }
  epochs->keep(last.ticks, bytes);
  const uint64_t share = bytes / kKeptTails / kBytesPerKeptEvent;
  most_tail = tail_budget();
  if (bytes > 0) most_tail = std::min<size_t>(most_tail, std::max<uint64_t>(share, 4096));
}

void StoreBuilder::Impl::watch_events() {
  if (fresh.size() >= kLookAt) look_at_news();
  if (!epochs->is_due()) return;
  look_at_news();  // whose parameters are of this epoch
  start_sealing();
  wait_until_sealed();
  if (Status begun = epochs->begin_next(); !begun) return fail_with(std::move(begun));
  if (Status dropped = drop_old(); !dropped) return fail_with(std::move(dropped));
  sealed_events = epochs->sealed_events();
  if (epochs->is_full()) cancelled = true;
}

// Also returns the space of the first parameters in the output, once they are dropped.
Status StoreBuilder::Impl::drop_old() {
  const bool has_first = epochs->params()->begin() == 0;
  epochs->drop_old(dictionary.report);
  if (!has_first || epochs->params()->begin() == 0) return {};
  WEFT_TRY_ASSIGN(io::OutputFile fresh, io::OutputFile::create(options.path));
  output = std::make_shared<io::OutputFile>(std::move(fresh));
  return {};
}

void StoreBuilder::Impl::look_at_news() {
  if (!look || fresh.size() == 0) return;
  SegmentDraft draft;
  MemoryFile memory;
  fresh.write(SegmentUse::kGrowing, *pool, memory.end(), draft);
  fresh.clear();
  auto segment = std::make_shared<Segment>(memory.take());
  segment->set_rows(draft.take_rows(), draft.take_lists(), UINT32_MAX, UINT32_MAX);
  epochs->now_params().flush();
  SnapshotMaker maker;
  maker.dictionary = std::make_shared<trace::Dictionary>(dictionary);
  maker.params = epochs->params();
  maker.range = {Time::max(), Time::min()};
  for (const SegmentRow& row : segment->rows()) {
    maker.range.begin.ticks = std::min(maker.range.begin.ticks, row.first_begin);
    maker.range.end.ticks = std::max(maker.range.end.ticks, row.last_end);
  }
  maker.segments = {std::move(segment)};
  maker.is_complete = false;
  look(maker.make());
}

void StoreBuilder::Impl::wait_until_sealed() {
  std::unique_lock lock(mutex);
  sealed.wait(lock, [this] { return !is_sealing; });
}

void StoreBuilder::Impl::start_sealing() {
  if (tail.size() == 0) return;
  wait_until_sealed();
  epochs->now_params().flush();
  sealed_events += tail.size();
  epochs->now().sealed_events += tail.size();
  std::swap(tail, full);
  {
    std::lock_guard lock(mutex);
    is_sealing = true;
  }
  auto snapshot = std::make_shared<SnapshotMaker>();
  if (options.is_watched) *snapshot = context();
  pool->submit([this, snapshot] {
    try {
      seal(*snapshot);
    } catch (const std::bad_alloc&) {
      fail_with(fail("out of memory"));
    }
    std::lock_guard lock(mutex);
    is_sealing = false;
    sealed.notify_all();
  });
}

void StoreBuilder::Impl::seal(const SnapshotMaker& snapshot) {
  SegmentDraft draft;
  const SegmentUse use = options.is_watched ? SegmentUse::kGrowing : SegmentUse::kRun;
  Epoch& now = epochs->now();
  full.write(use, *pool, now.spill_end, draft);
  full.clear();
  const char slack[kReadSlack] = {};
  now.spill_end.write(now.spill_end.take(sizeof slack), {slack, sizeof slack});
  if (Status s = now.spill_end.status(); !s) return fail_with(std::move(s));
  auto map = now.spill.map(0, now.spill_end.end());
  if (!map) return fail_with(fail(std::move(map).error()));
  auto segment = std::make_shared<Segment>(std::move(*map), now.spill_end.end() - kReadSlack,
                                           std::vector<uint32_t>{});
  // Ids are our own; and states still carry their nesting in the place of a lane.
  segment->set_rows(draft.take_rows(), draft.take_lists(), UINT32_MAX, UINT32_MAX);
  {
    std::lock_guard lock(mutex);
    for (const StatesOfLane& states : draft.refused()) now.refused.push_back(states);
    now.segments.push_back(std::move(segment));
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
  epochs->now_params().flush();
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
  WEFT_TRY_ASSIGN(io::OutputFile file, io::OutputFile::create(options.path));
  auto output = std::make_shared<io::OutputFile>(std::move(file));
  WEFT_TRY_ASSIGN(auto epochs,
                  Epochs::create(options.path.parent_path(), options.memory_bytes, output));
  auto impl =
      std::make_unique<Impl>(std::move(options), pool, std::move(output), std::move(epochs));
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
  // A lane that would become its own ancestor stays in place: lanes form a tree.
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
  return impl_->types.id_of(category, impl_->plain_names.of(name), group);
}

void StoreBuilder::set_type_color(EventTypeId id, uint32_t rgb) {
  impl_->dictionary.types.set_color(id, rgb);
}

ParamsId StoreBuilder::keep_params(std::string_view json, std::span<const std::byte> payload) {
  ParamsStore& store = impl_->epochs->now_params();
  const ParamsId id = store.add(json, payload);
  if (!id.is_none()) return ParamsId(impl_->epochs->params()->last_begin() + id.value());
  if (json.size() + payload.size() > 0) {
    if (const Status& s = store.status(); !s) {
      impl_->fail_with(s);
    } else {
      loss(payload.empty() ? "parameters too large to keep" : "payload too large to keep",
           trace::LossPlace::nowhere(), 1, true);
      if (!payload.empty()) return params(json, {});
    }
  }
  return id;
}

void StoreBuilder::states(std::span<const trace::StateEvent> events) {
  Impl& impl = *impl_;
  impl.begin_batch();
  for (const trace::StateEvent& e : events) {
    Record r;
    r.begin = Impl::placed(e.begin);
    r.duration = {
        std::clamp<int64_t>(e.duration.ticks, 0, saturating_sub(Time::max().ticks, r.begin.ticks))};
    if (r.duration < e.duration)
      loss("state longer than 64 bits can say", trace::LossPlace::on_time_line(e.lane, r.begin), 1,
           false);
    r.params = impl.params_of(e.params);
    r.type = e.type;
    r.peer = LaneId(e.nesting);
    impl.epochs->note_times(
        r.begin.ticks, r.duration.ticks > 0 ? r.end().ticks : saturating_add(r.begin.ticks, 1));
    impl.add(e.lane, RowKind::kState, r);
    impl.end_event(trace::Category::kState);
  }
}

void StoreBuilder::punctuals(std::span<const trace::PunctualEvent> events) {
  Impl& impl = *impl_;
  impl.begin_batch();
  for (const trace::PunctualEvent& e : events) {
    impl.note_instant(e.time.ticks);
    impl.add(e.lane, RowKind::kPunctual,
             {Impl::placed(e.time), {}, impl.params_of(e.params), e.type});
    impl.end_event(trace::Category::kPunctual);
  }
}

void StoreBuilder::links(std::span<const trace::LinkEvent> events) {
  Impl& impl = *impl_;
  impl.begin_batch();
  for (const trace::LinkEvent& e : events) {
    const bool has_both = !e.source.is_none() && !e.target.is_none();
    const Duration latency = has_both ? e.receive - e.send : Duration{0};
    if (has_both && e.send + latency != e.receive)
      loss("link longer than 64 bits can say", trace::LossPlace::on_time_line(e.source, e.send), 1,
           false);
    const ParamsId params = impl.params_of(e.params);
    if (!e.source.is_none()) {
      impl.note_instant(e.send.ticks);
      impl.add(e.source, RowKind::kLinkOut,
               {Impl::placed(e.send), latency, params, e.type, e.target});
    }
    if (!e.target.is_none()) {
      impl.note_instant(e.receive.ticks);
      impl.add(e.target, RowKind::kLinkIn,
               {Impl::placed(e.receive), latency, params, e.type, e.source});
    }
    impl.end_event(trace::Category::kLink);
  }
}

void StoreBuilder::variables(std::span<const trace::VariableSample> events) {
  Impl& impl = *impl_;
  impl.begin_batch();
  for (const trace::VariableSample& e : events) {
    impl.note_instant(e.time.ticks);
    impl.add(e.lane, RowKind::kVariable,
             {Impl::placed(e.time), {}, impl.params_of(e.params), e.type, LaneId::none(), e.value});
    impl.end_event(trace::Category::kVariable);
  }
}

void StoreBuilder::loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
                        bool is_damage) {
  impl_->dictionary.report.add(kind, place, count, is_damage);
}

// A trace without events shows nothing, however long it was recorded.
void StoreBuilder::set_end(Time end) {
  const TimeRange range = impl_->epochs->range();
  if (impl_->events > 0 && end > range.begin)
    impl_->epochs->note_times(range.begin.ticks, Impl::placed(end).ticks);
}

void StoreBuilder::progress(uint64_t bytes_done, uint64_t bytes_total) {
  impl_->done_bytes = bytes_done;
  impl_->total_bytes = bytes_total;
  // Publishes early, even if there is little.
  const bool is_first = impl_->sealed_events == 0 && impl_->options.is_watched;
  if (is_first && Clock::now() - impl_->started > kFirstPublish) impl_->start_sealing();
}

bool StoreBuilder::keep_going() const { return !impl_->cancelled && !impl_->failed; }
uint64_t StoreBuilder::bytes_done() const { return impl_->done_bytes; }
uint64_t StoreBuilder::bytes_total() const { return impl_->total_bytes; }
void StoreBuilder::cancel() { impl_->cancelled = true; }
bool StoreBuilder::is_cancelled() const { return impl_->cancelled; }
void StoreBuilder::give_up() { impl_->is_given_up = impl_->cancelled = true; }
void StoreBuilder::hold() { impl_->epochs->hold(); }

void StoreBuilder::keep(Keep keep) {
  std::lock_guard lock(impl_->mutex);
  impl_->wished_keep = std::move(keep);
  impl_->has_wishes = true;
}

void StoreBuilder::look_with(Look look) {
  std::lock_guard lock(impl_->mutex);
  impl_->wished_look = std::move(look);
  impl_->has_wishes = true;
}

void StoreBuilder::add_held(trace::HeldEvents& held) { impl_->held.push_back(&held); }
void StoreBuilder::drop_held(trace::HeldEvents& held) { std::erase(impl_->held, &held); }
void StoreBuilder::give_held() {
  for (trace::HeldEvents* const held : impl_->held) held->give_held();
}

void StoreBuilder::show_tail() {
  Impl& impl = *impl_;
  impl.begin_batch();
  impl.look_at_news();
  const Clock::time_point now = Clock::now();
  if (!impl.options.is_watched || impl.shown_events == impl.events || now < impl.show_next) return;
  {
    std::lock_guard lock(impl.mutex);
    if (impl.is_sealing) return;  // asked again soon
  }
  impl.shown_events = impl.events;
  if (impl.tail.size() >= std::max(kLeastShown, impl.sealed_events / kShownShare)) {
    impl.start_sealing();
  } else {
    impl.show_tail();
  }
  const auto events = static_cast<int64_t>(impl.epochs->counts().total());
  const Clock::time_point end = Clock::now();
  impl.show_next = end + std::max(std::clamp(events * kLookAtEvent, kShowSoonest, kShowLatest),
                                  kShowSeldom * (end - now));
}

TracePtr StoreBuilder::snapshot() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->newest;
}

std::optional<double> StoreBuilder::merged_share() const {
  if (!impl_->is_finishing) return std::nullopt;
  const auto all = static_cast<double>(std::max<uint64_t>(1, impl_->to_merge));
  return std::min(1.0, static_cast<double>(impl_->merged) / all);
}

Result<TracePtr> StoreBuilder::finish() {
  Impl& impl = *impl_;
  impl.is_finishing = true;
  impl.look_at_news();
  impl.start_sealing();
  impl.wait_until_sealed();
  WEFT_TRY(impl.drop_old());
  impl.tail = {};
  impl.full = {};
  impl.fresh = {};
  impl.types.forget();
  impl.epochs->now_params().flush();
  WEFT_TRY(impl.status);
  WEFT_TRY(impl.epochs->now_params().status());
  const uint64_t at_once = impl.options.memory_bytes / kMergeShare / kBytesPerMergedRecord;
  {
    const auto segments = impl.epochs->segments();
    const auto refused = impl.epochs->refused();
    impl.to_merge = impl.epochs->counts().total();
    const StoreContent content{impl.dictionary,
                               segments,
                               refused,
                               *impl.epochs->params(),
                               impl.epochs->range(),
                               impl.epochs->counts(),
                               impl.merged,
                               impl.is_given_up};
    WEFT_TRY(write_store(*impl.output, content, at_once, *impl.pool));
  }
  WEFT_TRY(impl.output->commit());
  // The trace has its own.
  impl.epochs = {};
  impl.dictionary = {};
  return Trace::open(impl.options.path);
}

}  // namespace weft::store
