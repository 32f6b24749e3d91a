#include "core/query/metrics/flame_difference.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/trace/type_names.h"

namespace weft::query {
namespace {

// One id for all types of both traces that meet: B's first one of the name and group, or one beyond
// B's.
class MetTypes {
 public:
  explicit MetTypes(const trace::Dictionary& names_b)
      : beyond_(static_cast<uint32_t>(names_b.types.size())) {
    for (uint32_t i = 0; i < names_b.types.size(); ++i) {
      if (names_b.types[i].category == trace::Category::kState)
        met_.try_emplace(trace::key_of(names_b.types[i]), EventTypeId(i));
    }
  }
  // Maps the types of one side.
  std::vector<EventTypeId> meet(const trace::Dictionary& names) {
    std::vector<EventTypeId> ids(names.types.size(), EventTypeId::none());
    for (size_t i = 0; i < ids.size(); ++i) {
      if (names.types[i].category != trace::Category::kState) continue;
      const auto [met, is_new] =
          met_.try_emplace(trace::key_of(names.types[i]), EventTypeId(beyond_));
      if (is_new) ++beyond_;
      ids[i] = met->second;
    }
    return ids;
  }

 private:
  uint32_t beyond_;
  std::unordered_map<std::string, EventTypeId> met_;
};

// The nodes of one side; `is_b`: the tree has its figures.
void lay(const FlameTree& side, const trace::Dictionary& names, bool is_b, double scale,
         MetTypes& types, FlameDifference& difference, const std::stop_token& stop) {
  const std::vector<EventTypeId> met = types.meet(names);
  LargeVector<uint32_t> placed(side.nodes().size(), 0);
  for (uint32_t i = 1; i < side.nodes().size(); ++i) {  // parents before their children
    if (stop.stop_requested()) return;
    const FlameNode& node = side[i];
    placed[i] = difference.tree.child(placed[node.parent], met[node.type.value()]);
    if (placed[i] == difference.nodes.size()) difference.nodes.emplace_back();
    Change& of = difference.nodes[placed[i]];
    (is_b ? of.type_of_b : of.type_of_a) = node.type;
    add(is_b ? of.b : of.a, node, scale);
    if (!is_b) continue;
    FlameNode& shown = difference.tree.edit(placed[i]);
    shown.count += node.count;
    shown.total = saturating_add(shown.total, node.total);
    shown.self = saturating_add(shown.self, node.self);
    shown.min = std::min(shown.min, node.min);
    shown.max = std::max(shown.max, node.max);
  }
}

}  // namespace

std::string_view name_of(const Change& node, const trace::Dictionary& names_a,
                         const trace::Dictionary& names_b) {
  if (!node.type_of_b.is_none()) return names_b.type(node.type_of_b).name;
  return node.type_of_a.is_none() ? "all" : names_a.type(node.type_of_a).name;
}

Result<FlameDifference> flame_difference(const FlameTree& a, const trace::Dictionary& names_a,
                                         const FlameTree& b, const trace::Dictionary& names_b,
                                         const std::stop_token& stop) {
  WEFT_TRY_ASSIGN(const double scale, ticks_of_a(names_a.time_base, names_b.time_base));
  FlameDifference difference;
  difference.base = names_a.time_base;
  difference.nodes.reserve(std::max(a.nodes().size(), b.nodes().size()));
  difference.nodes.emplace_back();
  MetTypes types(names_b);
  lay(b, names_b, /*is_b=*/true, scale, types, difference, stop);
  lay(a, names_a, /*is_b=*/false, 1, types, difference, stop);
  difference.tree.finish();
  const auto is_gone = [&](const Change& of, uint32_t at) {
    return at != 0 && figure_of(of.b, Measure::kCount) == 0.0;
  };
  for (uint32_t i = 1; i < difference.nodes.size(); ++i) {
    const Change& of = difference.nodes[i];
    const uint32_t parent = difference.tree[i].parent;
    if (parent == 0) {
      Change& all = difference.nodes[0];
      for (const Measure measure : {Measure::kCount, Measure::kTotal}) {
        figure(all.a, measure) += *figure_of(of.a, measure);
        figure(all.b, measure) += *figure_of(of.b, measure);
      }
    }
    if (!is_gone(of, i)) continue;
    ++difference.gone_paths;
    if (!is_gone(difference.nodes[parent], parent))
      difference.gone += *figure_of(of.a, Measure::kTotal);
  }
  return difference;
}

}  // namespace weft::query
