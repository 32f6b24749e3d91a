#include "core/query/thread_states.h"

#include <algorithm>

namespace weft::query {

bool is_thread_state(const trace::Dictionary& dictionary, const Element& element) {
  constexpr std::string_view kGroup = "scheduler";
  return element.ref.kind == store::RowKind::kState &&
         dictionary.type(element.record.type).group == kGroup;
}

bool is_thread_state(const trace::Dictionary& dictionary, const Element& element,
                     std::string_view name) {
  return is_thread_state(dictionary, element) && dictionary.type(element.record.type).name == name;
}

std::optional<Element> run_after(const Elements& elements, const Element& wait) {
  constexpr int kMostWaits = 64;  // of one behind the other
  const trace::Dictionary& dictionary = elements.trace()->dictionary();
  std::optional<Element> state = wait;
  for (int i = 0; i < kMostWaits && state && is_thread_state(dictionary, *state); ++i) {
    if (is_thread_state(dictionary, *state, kRunning)) return i > 0 ? state : std::nullopt;
    const Time end = state->record.end();
    const auto states = elements.states_at(wait.ref.lane, end);
    const auto next = std::ranges::find_if(states, [&](const Element& each) {
      return each.record.begin == end && is_thread_state(dictionary, each);
    });
    state = next == states.end() ? std::nullopt : std::optional(*next);
  }
  return std::nullopt;
}

}  // namespace weft::query
