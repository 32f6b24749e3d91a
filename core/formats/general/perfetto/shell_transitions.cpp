#include "core/formats/general/perfetto/shell_transitions.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/message_names.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"
#include "core/formats/general/perfetto/typed_args.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kMostTransitionBytes = 16 << 20, kBytesPerTransition = 128;
constexpr uint32_t kTransitionTargets = 14;

// Where a transition begins, and where it ends: by the first of these times that is known.
constexpr std::array<uint32_t, 3> kFirstSteps = {2, 3, 4};    // created, sent, dispatched
constexpr std::array<uint32_t, 4> kLastSteps = {9, 7, 8, 5};  // finished, aborted (2), merged

// What several parts tell of one step is what the last of them tells.
void keep_last(std::vector<Field>& fields) {
  std::ranges::stable_sort(fields, {}, &Field::number);
  std::vector<Field> kept;
  for (const Field& field : fields) {
    const bool is_same = !kept.empty() && kept.back().number == field.number;
    if (is_same && field.number != kTransitionTargets) kept.pop_back();
    kept.push_back(field);
  }
  fields = std::move(kept);
}

uint64_t first_of(std::span<const Field> fields, std::span<const uint32_t> numbers) {
  for (const uint32_t number : numbers) {
    const auto field = std::ranges::find(fields, number, &Field::number);
    if (field != fields.end() && field->value != 0) return field->value;
  }
  return 0;
}

}  // namespace

bool ShellTransitions::add(const Field& data, std::optional<Time> time, uint64_t offset) {
  if (data.number != kShellTransition) return false;
  uint64_t id = 0;
  const bool is_good = for_each_field(data.bytes, [&](const Field& field) {
    if (field.number == 1) id = field.value;
  });
  // Half a message, with another behind it, would make damage of both.
  if (!is_good) {
    sink_.loss("shell_transition damaged", offset);
    return true;
  }
  kept_bytes_ += data.bytes.size() + kBytesPerTransition;
  if (kept_bytes_ > kMostTransitionBytes) {
    sink_.loss("shell transitions beyond the memory", offset);
    return true;
  }
  const auto [it, is_new] = transitions_.try_emplace(id);
  Transition& transition = it->second;
  if (is_new) transition.offset = offset;
  if (!transition.time) transition.time = time;
  transition.parts += data.bytes;
  return true;
}

void ShellTransitions::finish() {
  for (const auto& [id, transition] : transitions_) show(transition);
  transitions_.clear();
}

void ShellTransitions::show(const Transition& transition) {
  std::vector<Field> fields;
  for_each_field(transition.parts, [&](const Field& field) { fields.push_back(field); });
  keep_last(fields);
  // Times count from the boot of the device.
  const auto time_of = [&](std::span<const uint32_t> steps) {
    const uint64_t ns = first_of(fields, steps);
    return ns == 0 ? std::nullopt : clocks_.time_of(0, Clocks::kBoottime, ns);
  };
  const std::optional<Time> end = time_of(kLastSteps);
  std::optional<Time> begin = time_of(kFirstSteps);
  if (!begin) begin = end ? end : transition.time;
  if (!begin) return sink_.loss("packet without a time", transition.offset);
  ArgsText args;
  add_typed_arguments(fields, names_of_message("Transition"), args);
  const ParamsId params = sink_.params(args.take());
  const LaneId lane = lanes_.below(lanes_.root(), "Shell transitions", trace::LaneKind::kAsync, -1);
  const auto type_of = [&](trace::Category category) {
    return sink_.type(category, "transition", packet_kind(kShellTransition));
  };
  if (end && *end > *begin) {
    return sink_.give(trace::StateEvent{.begin = *begin,
                                        .duration = *end - *begin,
                                        .params = params,
                                        .lane = lane,
                                        .type = type_of(trace::Category::kState)});
  }
  sink_.give(trace::PunctualEvent{
      .time = *begin, .params = params, .lane = lane, .type = type_of(trace::Category::kPunctual)});
}

}  // namespace weft::formats::perfetto
