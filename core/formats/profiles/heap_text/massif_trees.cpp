#include "core/formats/profiles/heap_text/massif_trees.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/heap_text/valgrind_frame.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace {

constexpr size_t kMostDepth = 256;                // massif's own is 200
constexpr size_t kMostNodes = 1 << 16;            // of a tree, and places of all trees
constexpr std::string_view kOthers = "(others)";  // below massif's threshold

// "0x1091AE: make (a.c:5)" as "make (a.c:5)".
std::string_view without_address(std::string_view text) {
  const size_t colon = text.find(": ");
  return colon == std::string_view::npos ? text : text.substr(colon + 2);
}

}  // namespace

bool MassifTrees::add(std::string_view line, uint64_t offset) {
  const size_t depth = line.find_first_not_of(' ');
  std::string_view text = line.substr(depth + 1);
  if (!take_number<uint64_t>(text) || !take_prefix(text, ": ")) return false;
  const auto bytes = take_number<int64_t>(text);
  if (!bytes || *bytes < 0 || depth > std::min(path_.size(), kMostDepth)) return false;
  path_.resize(depth);
  if (depth == 0) {  // what all of it is
    path_.push_back(kRoot);
    nodes_.clear();
    return true;
  }
  text = trimmed(text);
  const bool is_others = text.starts_with("in ");
  const ValgrindFrame frame = valgrind_frame(is_others ? kOthers : text);
  if (nodes_.size() == kMostNodes) {
    sink_.loss("place beyond those that are kept", offset);
    return true;
  }
  nodes_.push_back({depth, *bytes,
                    sink_.type(trace::Category::kState, valid_utf8(name_of_valgrind_frame(frame)),
                               valid_utf8(frame.where))});
  const std::string_view name = is_others ? kOthers : without_address(text);
  const size_t site = site_of(path_.back(), name.empty() ? "(unknown)" : name, offset);
  sites_[site].now += static_cast<double>(*bytes);
  path_.push_back(site);
  return true;
}

size_t MassifTrees::site_of(size_t called, std::string_view name, uint64_t offset) {
  const std::string shown = valid_utf8(name);
  const auto known = known_.find(std::pair(called, shown));
  if (known != known_.end()) return known->second;
  if (sites_.size() == kMostNodes) {
    sink_.loss("place beyond those that are kept", offset);
    return kRoot;
  }
  if (sites_[called].callers.is_none())
    sites_[called].callers = sink_.add_lane({.name = sites_[called].name,
                                             .parent = sites_[called].variable,
                                             .kind = trace::LaneKind::kCounter});
  const size_t site = sites_.size();
  known_.try_emplace(std::pair(called, shown), site);
  sites_.push_back({.name = shown,
                    .variable = sites_[called].callers,
                    .type = sink_.type(trace::Category::kVariable, shown)});
  return site;
}

void MassifTrees::end_snapshot(Time time, bool is_peak) {
  for (Site& site : sites_) {
    const bool is_shown = !site.type.is_none() && (site.now != 0 || site.last != 0);
    const trace::VariableSample sample{
        .time = time, .value = site.now, .lane = site.variable, .type = site.type};
    if (is_shown) sink_.give(sample);
    site.last = site.now;
    site.now = 0;
  }
  (is_peak ? peak_ : last_) = std::move(nodes_);
  if (is_peak) last_.clear();
  nodes_.clear();
  path_.clear();
}

void MassifTrees::finish() {
  show("stacks at the peak (bytes)", peak_);
  show("stacks at the last tree (bytes)", last_);
}

// A node has by itself what those below it, who called it, do not account for.
void MassifTrees::show(std::string_view lane, const std::vector<Node>& nodes) {
  if (nodes.empty()) return;
  std::vector<int64_t> left;  // by node
  std::vector<size_t> open;   // nodes, the innermost first
  for (size_t i = 0; i < nodes.size(); ++i) {
    open.resize(nodes[i].depth - 1);
    if (!open.empty()) left[open.back()] -= std::min(left[open.back()], nodes[i].bytes);
    open.push_back(i);
    left.push_back(nodes[i].bytes);
  }
  struct Stack {
    std::vector<EventTypeId> frames;  // the outermost first
    int64_t bytes;
  };
  std::vector<Stack> all;
  std::vector<EventTypeId> path;  // the innermost first
  for (size_t i = 0; i < nodes.size(); ++i) {
    path.resize(nodes[i].depth - 1);
    path.push_back(nodes[i].frame);
    if (left[i] > 0) all.push_back({{path.rbegin(), path.rend()}, left[i]});
  }
  std::ranges::stable_sort(all, [](const Stack& a, const Stack& b) {
    return std::ranges::lexicographical_compare(a.frames, b.frames, {}, &EventTypeId::value,
                                                &EventTypeId::value);
  });
  stacks::StackTimeline timeline(sink_);
  stacks::WeightedStacks stacks(
      timeline, sink_.add_lane({.name = std::string(lane), .kind = trace::LaneKind::kThread}));
  for (const Stack& stack : all) stacks.add(stack.frames, stack.bytes);
  timeline.finish();
}

}  // namespace weft::formats
