#include "core/query/cpu_lanes.h"

#include "core/base/numbers.h"
#include "core/query/filter/param_predicate.h"
#include "core/query/filter/text_predicate.h"

namespace weft::query {
namespace {

std::optional<int64_t> cpu_of(const trace::Lane& lane) {
  const std::string_view name = lane.name;
  const size_t last = name.find_last_not_of("0123456789");
  const size_t digits = last == std::string_view::npos ? 0 : last + 1;
  const auto number = parse_number<int64_t>(name.substr(digits));
  if (!number) return std::nullopt;
  std::string_view word = name.substr(0, digits);
  if (!word.empty() && std::string_view(" -_").contains(word.back())) word.remove_suffix(1);
  const bool is_cpu = lane.kind == trace::LaneKind::kCpu ||
                      (word.size() == 3 && contains_ignoring_case(word, "cpu"));
  return is_cpu ? number : std::nullopt;
}

}  // namespace

std::vector<std::optional<int64_t>> cpu_of_lanes(const trace::Dictionary& dictionary) {
  std::vector<std::optional<int64_t>> cpus(dictionary.lanes.size());
  for (const LaneId id : dictionary.lanes_in_order()) {  // parents before their children
    const trace::Lane& lane = dictionary.lane(id);
    cpus[id.value()] = cpu_of(lane);
    if (!cpus[id.value()] && !lane.parent.is_none()) cpus[id.value()] = cpus[lane.parent.value()];
  }
  return cpus;
}

std::optional<int64_t> cpu_in_params(const store::Trace& trace, const store::Record& record) {
  if (record.params.is_none()) return std::nullopt;
  const std::string_view json = trace.params(record.params).json;
  if (!json.contains(R"("cpu")")) return std::nullopt;
  return parse_number<int64_t>(param_text(json, kCpuParam).value_or(""));
}

}  // namespace weft::query
