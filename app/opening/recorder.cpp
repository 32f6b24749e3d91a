#include "app/opening/recorder.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/io/source.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/filter/filter_words.h"
#include "core/query/search.h"
#include "core/store/snapshot_maker.h"

namespace weft::app {
namespace {

using query::Field;

constexpr uint64_t kLeastKept = 1 << 20;

// Fields that a piece of the trace cannot tell, or not yet.
constexpr std::array kKnownLater = {Field::kDepth,   Field::kBegin,       Field::kEnd,
                                    Field::kCauseOf, Field::kEffectOf,    Field::kAnswer,
                                    Field::kMotif,   Field::kPayloadField};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == text.npos; }

Status check_duration(const std::string& text, const char* what) {
  if (text.empty()) return {};
  const auto length = parse_duration(text, TimeBase::kNanoseconds);
  if (!length) return fail(fmt::format("{}: {}", what, length.error().message));
  if (length->ticks < 0) return fail(fmt::format("{}: '{}' is negative", what, text));
  return {};
}

// A trace of nothing: an expression that compiles for it does for every other.
query::FilterResult<aggregate::FilterPtr> compiled_for_nothing(const std::string& expression) {
  store::SnapshotMaker maker;
  maker.dictionary = std::make_shared<const trace::Dictionary>();
  return query::compile_filter(expression, *maker.make());
}

Status check_trigger(const std::string& text) {
  const auto parsed = query::parse_filter(text);
  if (!parsed) return fail("trigger: " + parsed.error().one_line(text));
  for (const query::ExpressionNode& node : parsed->nodes) {
    if (node.kind != query::ExpressionNode::Kind::kComparison) continue;
    if (std::ranges::find(kKnownLater, node.field) == kKnownLater.end()) continue;
    const query::FilterError error{
        fmt::format("'{}' is not known of an event that has just come", name_of(node.field)),
        node.where};
    return fail("trigger: " + error.one_line(text));
  }
  if (const auto filter = compiled_for_nothing(text); !filter)
    return fail("trigger: " + filter.error().one_line(text));
  return {};
}

// When it is known: at its end.
Time end_of(const query::Element& element) {
  const query::ElementRef& ref = element.ref;
  if (ref.kind == store::RowKind::kState) return ref.begin + ref.duration;
  const bool is_sent = ref.kind == store::RowKind::kLinkOut && !ref.peer.is_none();
  return is_sent ? std::max(ref.begin, ref.begin + ref.duration) : ref.begin;
}

std::optional<TriggerHit> find_hit(const std::string& trigger, const store::TracePtr& news,
                                   ThreadPool& pool) {
  const auto filter = query::compile_filter(trigger, *news);
  if (!filter) return std::nullopt;  // checked before: names that take too long to compare
  const query::Selection selection{*filter, query::whole_range(*news)};
  const auto first = query::EventPlace::before(Time::min());
  const auto hit = query::next_hit(*news, selection, first, pool);
  if (!hit) return std::nullopt;
  const auto element = query::Elements(news).at(hit->place);
  if (!element) return std::nullopt;
  return TriggerHit{trigger, element->ref, end_of(*element)};
}

}  // namespace

bool may_have_no_end(const std::filesystem::path& path, bool follows) {
  std::error_code ignored;
  const std::filesystem::path on_disk = io::file_on(path);
  return follows || path == "-" ||
         !(std::filesystem::is_regular_file(on_disk, ignored) ||
           std::filesystem::is_directory(on_disk, ignored));
}

Status set_kept(store::Keep& keep, const std::string& text) {
  const auto length = parse_duration(text, TimeBase::kNanoseconds);
  if (length && length->ticks > 0) {
    keep.last = text;
    return {};
  }
  // "5m" would be five minutes to many.
  const uint64_t bytes = length || text.ends_with('m') ? 0 : parse_bytes(text);
  if (bytes < kLeastKept)
    return fail(fmt::format("'{}' is neither a time (30s, 5min) nor a size of at least 1MB (500MB)",
                            printable(text)));
  keep.bytes = bytes;
  return {};
}

Status check(const Recording& recording) {
  WEFT_TRY(check_duration(recording.keep.last, "keep-last"));
  WEFT_TRY(check_duration(recording.after, "after"));
  if (is_blank(recording.trigger)) {
    return recording.after.empty() ? Status() : fail("after: it needs a trigger");
  }
  return check_trigger(recording.trigger);
}

std::string in_words(const TriggerHit& hit, const store::Trace& trace) {
  const trace::Dictionary& dictionary = trace.dictionary();
  const Duration from_begin = hit.time - trace.range().begin;
  return fmt::format("{} on {}, {} from the begin", dictionary.type(hit.element.type).name,
                     dictionary.path_text(hit.element.lane),
                     format_duration(from_begin, dictionary.time_base, 9));
}

void Recorder::apply(const Recording& recording, store::StoreBuilder& builder, ThreadPool& pool) {
  builder.keep(recording.keep);
  if (is_blank(recording.trigger)) return builder.look_with({});
  builder.look_with([this, recording, &builder, &pool](const auto& news) {
    look(recording, news, builder, pool);
  });
}

std::optional<TriggerHit> Recorder::hit() const {
  const std::lock_guard lock(mutex_);
  return hit_;
}

bool Recorder::is_over() const { return end_at_ && Clock::now() >= *end_at_; }

void Recorder::look(const Recording& recording, const store::TracePtr& news,
                    store::StoreBuilder& builder, ThreadPool& pool) {
  if (!hit()) {
    const auto found = find_hit(recording.trigger, news, pool);
    if (!found) return;
    builder.hold();
    builder.set_metadata("trigger", recording.trigger);
    set_end(recording, found->time, news->dictionary().time_base);
    {
      const std::lock_guard lock(mutex_);
      hit_ = found;
    }
    if (wake_) wake_();
  }
  if (news->range().end >= end_) builder.cancel();
}

void Recorder::set_end(const Recording& recording, Time hit, TimeBase base) {
  const std::string& after = recording.after.empty() ? recording.keep.last : recording.after;
  end_ = hit;
  end_at_ = Clock::now();
  if (after.empty()) return;
  const auto length = parse_duration(after, base);
  end_ = length ? hit + *length : Time::max();
  const int64_t hz = ticks_per_second(base);
  if (!length) {  // a time of a trace that counts ticks: by the clock on the wall
    const auto ns = parse_duration(after, TimeBase::kNanoseconds);
    *end_at_ += std::chrono::nanoseconds(ns ? ns->ticks : 0);
  } else if (hz > 0) {
    const double seconds = static_cast<double>(length->ticks) / static_cast<double>(hz);
    *end_at_ += std::chrono::nanoseconds(static_cast<int64_t>(std::min(seconds, 1e9) * 1e9));
  } else {
    end_at_.reset();
  }
}

}  // namespace weft::app
