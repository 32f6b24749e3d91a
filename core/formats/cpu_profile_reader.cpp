#include "core/formats/cpu_profile_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/json_document.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/v8_nodes.h"
#include "core/formats/stacks/weighted_stacks.h"
#include "core/formats/text.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

class CpuProfileReader {
 public:
  CpuProfileReader(Element root, trace::EventSink& sink)
      : sink_(sink), root_(root), timeline_(sink), nodes_(sink) {}

  void read() {
    const auto head = member(root_, "head");
    is_old_ = head.has_value();
    is_of_heap_ = member(head, "selfSize").has_value();
    if (is_old_) {
      add_nested(*head);
    } else {
      add_listed();
    }
    lane_ = sink_.add_lane(
        {.name = is_of_heap_ ? "heap profile" : "CPU profile", .kind = trace::LaneKind::kThread});
    const auto ids = member(root_, "samples");
    const bool has_samples = !is_of_heap_ && ids && ids->is_array() && has_times();
    sink_.set_time_base(has_samples ? TimeBase::kMicroseconds : TimeBase::kTicks);
    if (has_samples) {
      read_samples(json::indices(ids));
    } else {
      read_weights();
    }
    timeline_.finish();
  }

 private:
  struct Sample {
    Time time;
    int64_t stack;
  };

  void add_node(Element node, int64_t caller) {
    // Samples of the heap say the order of allocations, not when they were: nodes need no ids.
    is_of_heap_ ? nodes_.add_nameless(node, caller) : nodes_.add(node, caller);
    const auto weight = member(node, is_of_heap_ ? "selfSize" : "hitCount");
    weights_.push_back(json::integer(weight).value_or(0));
  }

  // Children are named by their callers, or callers by their children ("parent"); a node comes
  // behind its caller either way, but in files that others wrote.
  void add_listed() {
    std::unordered_map<int64_t, int64_t> caller_of;
    json::for_each_element(member(root_, "nodes"), [&](Element node) {
      const auto id = json::integer(member(node, "id"));
      const auto parent = json::integer(member(node, "parent"));
      if (id && parent) caller_of.emplace(*id, *parent);
      for (const int64_t child : json::indices(member(node, "children")))
        if (id) caller_of.emplace(child, *id);
    });
    json::for_each_element(member(root_, "nodes"), [&](Element node) {
      const auto caller = caller_of.find(json::integer(member(node, "id")).value_or(-1));
      if (caller == caller_of.end()) return add_node(node, stacks::StackTree::kNoCaller);
      constexpr int64_t kNotYet = -2;
      add_node(node, nodes_.index_of(caller->second).value_or(kNotYet));
    });
  }

  // In the order in which they are nested, which is bounded by the parser.
  void add_nested(Element node, int64_t caller = stacks::StackTree::kNoCaller) {
    const auto stack = static_cast<int64_t>(nodes_.size());
    add_node(node, caller);
    json::for_each_element(member(node, "children"),
                           [&](Element child) { add_nested(child, stack); });
  }

  // Older ones give them in seconds.
  double begin() const { return microseconds("startTime"); }
  double end() const { return microseconds("endTime"); }
  double microseconds(std::string_view name) const {
    return json::number(member(root_, name)).value_or(0) * (is_old_ ? 1e6 : 1);
  }

  // Of the samples, or at least of what they were taken in.
  bool has_times() const {
    return member(root_, "timeDeltas") || member(root_, "timestamps") || begin() < end();
  }

  void read_samples(const std::vector<int64_t>& ids) {
    const std::vector<Sample> samples = samples_of(ids);
    for (size_t i = 0; i < samples.size(); ++i) {
      const Time begin = samples[i].time;
      const Time next = i + 1 < samples.size() ? samples[i + 1].time : time_from(end());
      timeline_.add(lane_, nodes_.frames(samples[i].stack), begin, std::max(begin, next));
    }
  }

  // In order of time: V8 notes some late.
  std::vector<Sample> samples_of(const std::vector<int64_t>& ids) {
    const auto deltas = json::numbers(member(root_, "timeDeltas"));
    const auto stamps = json::numbers(member(root_, "timestamps"));
    // Before V8 noted times, samples were taken at equal distances.
    const bool has_none = deltas.empty() && stamps.empty() && !ids.empty();
    const double step = has_none ? (end() - begin()) / static_cast<double>(ids.size()) : 0;
    double at = begin();
    std::vector<Sample> samples;
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto stack = nodes_.index_of(ids[i]);
      if (i < deltas.size()) at += std::isnan(deltas[i]) ? 0 : deltas[i];
      if (i < stamps.size() && !std::isnan(stamps[i])) at = stamps[i];
      if (has_none) at = begin() + step * static_cast<double>(i);
      if (!stack) {
        sink_.loss("sample of a node that is not there", i);
      } else if (!has_none && i >= deltas.size() && i >= stamps.size()) {
        sink_.loss("sample without a time", i);
      } else {
        samples.push_back({time_from(at), *stack});
      }
    }
    if (!std::ranges::is_sorted(samples, {}, &Sample::time)) {
      sink_.loss("sample before the one before it", trace::LossPlace::nowhere(), 1, false);
      std::ranges::stable_sort(samples, {}, &Sample::time);
    }
    return samples;
  }

  void read_weights() {
    stacks::WeightedStacks stacks(timeline_, lane_);
    for (size_t i = 0; i < weights_.size(); ++i)
      stacks.add(nodes_.frames(static_cast<int64_t>(i)), weights_[i]);
  }

  static Time time_from(double microseconds) {
    constexpr double kMost = 9.2e18;
    return {std::llround(std::clamp(microseconds, -kMost, kMost))};
  }

  trace::EventSink& sink_;
  Element root_;
  stacks::StackTimeline timeline_;
  stacks::V8Nodes nodes_;
  std::vector<int64_t> weights_;  // by stack: hits or bytes
  bool is_old_ = false, is_of_heap_ = false;
  LaneId lane_ = LaneId::none();
};

}  // namespace

int sniff_cpu_profile(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  // What describes such members (OpenAPI, say) has them, too, with other values.
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
  CpuProfileReader(root, sink).read();
  return {};
}

}  // namespace weft::formats
