#include "core/formats/profiles/ghc/ghc_profile_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/general/perfetto/args_text.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

class GhcProfileReader {
 public:
  GhcProfileReader(Element root, trace::EventSink& sink)
      : root_(root), sink_(sink), timeline_(sink) {}

  void read() {
    sink_.set_time_base(TimeBase::kMicroseconds);
    for (const std::string_view key :
         {"program", "arguments", "rts_arguments", "end_time", "initial_capabilities", "total_time",
          "total_ticks", "tick_interval", "total_alloc"}) {
      const auto value = member(root_, key);
      if (value) sink_.set_metadata(key, json::plain(value));
    }
    tick_us_ = std::clamp<int64_t>(json::integer(member(root_, "tick_interval")).value_or(1), 1,
                                   kMostTickUs);
    json::for_each_element(member(root_, "cost_centres"), [&](Element centre) {
      const auto id = json::integer(member(centre, "id"));
      if (!id) return sink_.loss("cost centre without a number", centres_.size());
      centres_.emplace(*id, centre);
    });
    const LaneId calls = sink_.add_lane({.name = "calls", .kind = trace::LaneKind::kThread});
    stacks_.emplace(timeline_, calls);
    const LaneId costs =
        sink_.add_lane({.name = "costs", .parent = calls, .kind = trace::LaneKind::kAsync});
    if (const auto profile = member(root_, "profile")) {
      add(*profile, costs);
    } else {
      sink_.loss("profile without a tree", trace::LossPlace::nowhere());
    }
    timeline_.finish();
  }

 private:
  static constexpr int64_t kMostTickUs = 1'000'000'000;

  // Nested no deeper than the document lets it be. What a centre cost by itself comes first, then
  // what it called. A centre that never ran long enough is a punctual event, too.
  void add(Element node, LaneId costs) {
    const uint64_t index = nodes_++;
    const auto id = json::integer(member(node, "id"));
    const auto centre = centres_.find(id.value_or(json::kNoIndex));
    const bool is_known = id && centre != centres_.end();
    if (!is_known) sink_.loss("cost centre that is not there", index, 1, false);
    const auto said = is_known ? std::optional(centre->second) : std::nullopt;
    const std::string_view label = json::text(member(said, "label"));
    const std::string_view name = label.empty() ? "(unknown)" : label;
    const std::string_view module = json::text(member(said, "module"));
    frames_.push_back(sink_.type(trace::Category::kState, name, module));
    const int64_t ticks = std::clamp<int64_t>(json::integer(member(node, "ticks")).value_or(0), 0,
                                              INT64_MAX / tick_us_);
    add_costs(node, said, sink_.type(trace::Category::kPunctual, name, module), costs);
    stacks_->add(frames_, ticks * tick_us_);
    json::for_each_part(member(node, "children"), [&](Element child) { add(child, costs); });
    frames_.pop_back();
  }

  void add_costs(Element node, std::optional<Element> centre, EventTypeId type, LaneId lane) {
    perfetto::ArgsText params;
    bool has_costs = false;
    for (const std::string_view key : {"entries", "alloc", "ticks"}) {
      const int64_t value = json::integer(member(node, key)).value_or(0);
      params.add(key, value);
      has_costs |= value != 0;
    }
    if (!has_costs) return;  // it is in the tree for what it called, or not at all
    const std::string_view place = json::text(member(centre, "src_loc"));
    if (!place.empty()) params.add("src_loc", place);
    const trace::PunctualEvent event{
        .time = stacks_->now(), .params = sink_.params(params.take()), .lane = lane, .type = type};
    sink_.punctuals({&event, 1});
  }

  Element root_;
  trace::EventSink& sink_;
  stacks::StackTimeline timeline_;
  std::optional<stacks::WeightedStacks> stacks_;
  std::unordered_map<int64_t, Element> centres_;
  std::vector<EventTypeId> frames_;  // from the root to the node
  int64_t tick_us_ = 1;
  uint64_t nodes_ = 0;
};

}  // namespace

int sniff_ghc_profile(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  if (!trimmed(text).starts_with('{')) return 0;
  return has("\"rts_arguments\"") && has("\"cost_centres\"") ? 95 : 0;
}

Status read_ghc_profile(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  GhcProfileReader(document.root(), sink).read();
  return {};
}

}  // namespace weft::formats
