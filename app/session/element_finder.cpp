#include "app/session/element_finder.h"

#include <string_view>
#include <utility>

namespace weft::app {
namespace {

// At an element that was searched for: "find: the hit".
Landing at(const query::ElementRef& element, const layout::LanePlace& place,
           const store::Trace& trace, std::string_view what) {
  return {.lane = element.lane,
          .range = extent_of(element),
          .element = element,
          .place = place,
          .hidden = std::string(what) + " is on a lane that is hidden, " +
                    trace.dictionary().path_text(element.lane)};
}

}  // namespace

TimeRange extent_of(const query::ElementRef& element) {
  const bool is_state = element.kind == store::RowKind::kState;
  return {element.begin, element.begin + (is_state ? element.duration : Duration{})};
}

void ElementFinder::step(ElementStepKey key, Wake wake) {
  const auto work = [](const ElementStepKey& key, const std::stop_token& stop) {
    return std::optional(answer_step(key, stop));
  };
  key.serial = ++last_serial_;
  step_.send(std::move(key), work, std::move(wake));
}

void ElementFinder::find(FindKey key, ThreadPool& pool, Wake wake) {
  const auto work = [&pool](const FindKey& asked, const std::stop_token& stop) {
    return find_hit(asked, pool, stop);
  };
  key.hit = hit_;
  key.serial = ++last_serial_;
  key.progress = std::make_shared<query::SearchProgress>();
  find_.send(std::move(key), work, std::move(wake));
}

void ElementFinder::locate(store::TracePtr trace, LaneViewPtr lanes, Landing landing, Wake wake) {
  located_ = std::move(landing);
  place_.send({std::move(trace), std::move(lanes), located_.lane}, place_of_lane, std::move(wake));
}

void ElementFinder::give_up() {
  step_.give_up();
  find_.give_up();
  place_.give_up();
}

std::optional<Landing> ElementFinder::take() {
  if (auto landing = take_step()) return landing;
  if (auto landing = take_hit()) return landing;
  return take_place();
}

std::optional<Landing> ElementFinder::take_step() {
  const auto done = step_.take();
  if (!done) return std::nullopt;
  if (!done->answer->element) return Landing{.said = missing_step(done->key)};
  hit_.reset();
  Landing landing = at(done->answer->element->ref, done->answer->place, *done->key.trace, "this");
  // Of what sends or receives it, the link's end is what was asked for.
  if (const auto end = done->answer->link_end) landing.range = {*end, *end};
  return landing;
}

std::optional<Landing> ElementFinder::take_hit() {
  const auto done = find_.take();
  if (!done) return std::nullopt;
  const FindAnswer& answer = *done->answer;
  if (!answer.error.empty()) return Landing{.said = "find: " + answer.error};
  hit_ = answer.hit;
  if (!hit_ && done->key.longest_in) return Landing{.said = "find: nothing there has a length"};
  if (!hit_) return Landing{.said = "find: no event passes the filter"};
  Landing landing = at(hit_->element, answer.place, *done->key.trace, "find: the hit");
  if (answer.is_wrapped) landing.said = "find: went on from the other end of the trace";
  return landing;
}

std::optional<Landing> ElementFinder::take_place() {
  const auto done = place_.take();
  if (!done) return std::nullopt;
  located_.place = *done->answer;
  return std::exchange(located_, {});
}

}  // namespace weft::app
