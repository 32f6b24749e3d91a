#include "core/formats/profiles/cpu_profile/cpu_profile_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/time_order.h"
#include "core/formats/stacks/v8_nodes.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

// A time, or what is between two. Business Central counts from the year 1, for which a double has
// no room.
struct Microseconds {
  int64_t whole = 0;
  double rest = 0;

  static Microseconds from(double number) {
    constexpr double kMost = 9.2e18;
    const double within = std::clamp(number, -kMost, kMost);
    const auto whole = static_cast<int64_t>(within);
    return {whole, within - static_cast<double>(whole)};
  }
  double number() const { return static_cast<double>(whole) + rest; }
  Time time() const { return {saturating_add(whole, std::llround(rest))}; }
  Microseconds operator+(const Microseconds& other) const {
    return {saturating_add(whole, other.whole), rest + other.rest};
  }
  Microseconds operator-(const Microseconds& other) const {
    return {saturating_sub(whole, other.whole), rest - other.rest};
  }
};

// None if it is neither a number nor a text of one.
std::optional<Microseconds> microseconds_of(std::optional<Element> value) {
  if (const auto whole = json::integer_or_text(value)) return Microseconds{.whole = *whole};
  const auto number =
      value && value->is_string() ? parse_number<double>(json::text(value)) : json::number(value);
  if (!number || std::isnan(*number)) return std::nullopt;
  return Microseconds::from(*number);
}
std::optional<Microseconds> microseconds_of(const json::Numbers& numbers) {
  constexpr double kMostExact = 1LL << 53;
  const double number = numbers.number();
  return std::abs(number) < kMostExact ? Microseconds::from(number)
                                       : microseconds_of(numbers.value());
}

class CpuProfileReader {
 public:
  CpuProfileReader(Element root, trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), root_(root), timeline_(sink), nodes_(sink), order_(memory_bytes / 4) {}

  void read() {
    const auto head = member(root_, "head");
    is_old_ = head.has_value();
    is_of_heap_ = member(head, "selfSize").has_value();
    for (const std::string_view key :
         {"environmentName", "activityDescription", "serverSessionId"}) {
      const std::string_view value = json::text(member(root_, key));
      if (!value.empty()) sink_.set_metadata(key, value);
    }
    if (is_old_) {
      add_nested(*head);
    } else {
      nodes_.for_each_listed(member(root_, "nodes"),
                             [this](Element node, int64_t caller) { add_node(node, caller); });
    }
    lane_ = sink_.add_lane(
        {.name = is_of_heap_ ? "heap profile" : "CPU profile", .kind = trace::LaneKind::kThread});
    const auto ids = member(root_, "samples");
    const bool has_samples = !is_of_heap_ && ids && ids->is_array() && has_times();
    sink_.set_time_base(has_samples ? TimeBase::kMicroseconds : TimeBase::kTicks);
    if (has_samples) {
      read_samples(*ids);
    } else {
      read_weights();
    }
    timeline_.finish();
  }

 private:
  static constexpr size_t kMostApplications = 1000;
  struct Sample {
    Time time;
    int64_t stack;
  };

  void add_node(Element node, int64_t caller) {
    // Samples of the heap say the order of allocations, not when they were: nodes need no ids.
    is_of_heap_ ? nodes_.add_nameless(node, caller) : nodes_.add(node, caller);
    const auto weight = member(node, is_of_heap_ ? "selfSize" : "hitCount");
    weights_.push_back(json::integer_or_text(weight).value_or(0));
    add_application(node);
  }

  // Business Central says of each node of which application its code is.
  void add_application(Element node) {
    const auto application = member(node, "declaringApplication");
    const json::TextScope scope(application);
    const std::string_view name = json::text(member(application, "appName"));
    if (name.empty() || applications_.size() == kMostApplications ||
        !applications_.emplace(name).second)
      return;
    sink_.set_metadata(fmt::format("application {}", name),
                       fmt::format("{}, {}", json::text(member(application, "appVersion")),
                                   json::text(member(application, "appPublisher"))));
  }

  // In the order in which they are nested, which is bounded by the document.
  void add_nested(Element node, int64_t caller = stacks::StackTree::kNoCaller) {
    const auto stack = static_cast<int64_t>(nodes_.size());
    add_node(node, caller);
    json::for_each_part(member(node, "children"), [&](Element child) { add_nested(child, stack); });
  }

  Microseconds begin() const { return time_in("startTime"); }
  Microseconds end() const { return time_in("endTime"); }
  Microseconds time_in(std::string_view name) const {
    constexpr double kInSecond = 1e6;
    const auto time = microseconds_of(member(root_, name)).value_or(Microseconds{});
    return is_old_ ? Microseconds::from(time.number() * kInSecond) : time;  // older ones: seconds
  }

  // Whether samples have times, or at least an overall range.
  bool has_times() const {
    return member(root_, "timeDeltas") || member(root_, "timestamps") ||
           ((end() - begin()).number() > 0 && !json::is_cut(root_));
  }

  // In order of time: V8 notes some late.
  void read_samples(Element ids) {
    json::Numbers samples(ids), deltas(member(root_, "timeDeltas")),
        stamps(member(root_, "timestamps"));
    bool has_delta = deltas.next(), has_stamp = stamps.next();
    // Before V8 noted times, samples were taken at equal distances.
    const bool has_none = !has_delta && !has_stamp;
    const double step = has_none ? (end() - begin()).number() / count_of(ids) : 0;
    const Microseconds first = begin();
    Microseconds at = first;
    const auto give = [this](const Sample& sample) { give_sample(sample); };
    bool is_sorted = true;
    Time last = Time::min();
    for (size_t i = 0; samples.next(); ++i) {
      const auto stack = node_of(samples);
      if (const auto delta = has_delta ? microseconds_of(deltas) : std::nullopt) at = at + *delta;
      if (const auto stamp = has_stamp ? microseconds_of(stamps) : std::nullopt) at = *stamp;
      if (has_none) at = first + Microseconds::from(step * static_cast<double>(i));
      if (!stack) {
        sink_.loss("sample of a node that is not there", i);
      } else if (!has_none && !has_delta && !has_stamp) {
        sink_.loss("sample without a time", i);
      } else {
        const Time time = at.time();
        is_sorted &= last <= time;
        last = std::max(last, time);
        order_.add({time, *stack}, give);
      }
      has_delta = has_delta && deltas.next();
      has_stamp = has_stamp && stamps.next();
    }
    order_.finish(give);
    // How long the last of a text that is cut went on is not known.
    if (given_) give_until(json::is_cut(root_) ? last_ : end().time());
    if (!is_sorted) sink_.note("sample before the one before it", trace::LossPlace::nowhere());
    if (order_.late() > 0)
      sink_.loss("sample too late to be put in order (--memory)", trace::LossPlace::nowhere(),
                 order_.late());
  }

  std::optional<int64_t> node_of(const json::Numbers& samples) const {
    const int64_t id = samples.index();
    if (id != json::kNoIndex) return nodes_.index_of(id);
    const auto written = json::integer_or_text(samples.value());
    return written ? nodes_.index_of(*written) : std::nullopt;
  }

  static double count_of(Element ids) {
    double count = 0;
    for (json::Numbers each(ids); each.next();) ++count;
    return std::max(count, 1.0);
  }

  // Each lasts until the next of another stack.
  void give_sample(const Sample& sample) {
    if (given_ && sample.time < last_) return;  // late: it is counted
    last_ = sample.time;
    if (given_ && sample.stack == given_->stack) return;
    if (given_) give_until(sample.time);
    given_ = sample;
  }
  void give_until(Time next) {
    timeline_.add(lane_, nodes_.frames(given_->stack), given_->time, std::max(last_, next));
  }

  void read_weights() {
    stacks::WeightedStacks stacks(timeline_, lane_);
    for (size_t i = 0; i < weights_.size(); ++i)
      stacks.add(nodes_.frames(static_cast<int64_t>(i)), weights_[i]);
  }

  trace::EventSink& sink_;
  Element root_;
  stacks::StackTimeline timeline_;
  stacks::V8Nodes nodes_;
  std::vector<int64_t> weights_;  // by stack: hits or bytes
  std::set<std::string, std::less<>> applications_;
  bool is_old_ = false, is_of_heap_ = false;
  LaneId lane_ = LaneId::none();
  stacks::TimeOrder<Sample> order_;
  std::optional<Sample> given_;  // the first of the last stack, whose end is not known
  Time last_;                    // that this stack was seen
};

}  // namespace

int sniff_cpu_profile(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  // Descriptions of such members (as in OpenAPI) have them, too, with other values.
  const auto has_member = [&](std::string_view name, char value) {
    const size_t at = text.find(name);
    if (at == std::string_view::npos) return false;
    std::string_view rest = trimmed(text.substr(at + name.size()));
    if (!rest.starts_with(':')) return false;
    rest = trimmed(rest.substr(1));
    return rest.starts_with(value);
  };
  if (!trimmed(text).starts_with('{')) return 0;
  const bool has_tree = has_member("\"nodes\"", '[') || has_member("\"head\"", '{');
  const bool has_calls = has_member("\"functionName\"", '"') && !has("\"traceEvents\"");
  return has_tree && has_calls ? 88 : 0;
}

Status read_cpu_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  Element root = document.root();
  for (const char* wrapper : {"result", "profile"})  // as the protocol of DevTools gives it
    root = member(root, wrapper).value_or(root);
  const auto nodes = member(root, "nodes");
  if (!member(root, "head") && !(nodes && nodes->is_array()))
    return fail("is JSON with functions, but no CPU profile: has neither `nodes` nor `head`");
  CpuProfileReader(root, sink, context.memory_bytes).read();
  return {};
}

}  // namespace weft::formats
