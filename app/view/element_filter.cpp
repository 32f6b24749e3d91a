#include "app/view/element_filter.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/view/view_filter.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::app {
namespace {

using query::ElementRef;
using store::RowKind;
using trace::Dictionary;

// Whether a message is identified by its receive although its send is known.
bool is_named_by_receive(const ElementRef& element) {
  return element.kind == RowKind::kLinkIn && !element.peer.is_none();
}

// LANE@TIME of what begins there: docs/filter-language.md.
std::string name_of(const Dictionary& dictionary, const ElementRef& element) {
  const auto name = [&](LaneId lane, Time time) {
    return fmt::format("{}@{}", dictionary.path_text(lane), time.ticks);
  };
  if (element.kind == RowKind::kState)
    return fmt::format("{}#{}", name(element.lane, element.begin), element.which);
  if (!query::is_link(element.kind)) return {};
  return is_named_by_receive(element) ? name(element.peer, element.begin - element.duration)
                                      : name(element.lane, element.begin);
}

std::string related(const Dictionary& dictionary, const ElementRef& element,
                    std::string_view field) {
  const std::string name = name_of(dictionary, element);
  return name.empty() ? name : fmt::format("{} == {}", field, query::quoted_for_filter(name));
}

}  // namespace

std::string type_filter(const Dictionary& dictionary, const ElementRef& element) {
  return of_type(dictionary, element.type);
}

std::string lane_filter(const Dictionary& dictionary, const ElementRef& element) {
  return on_lane(dictionary, is_named_by_receive(element) ? element.peer : element.lane);
}

std::string lane_and_below_filter(const Dictionary& dictionary, LaneId lane) {
  if (std::ranges::find(dictionary.lanes, lane, &trace::Lane::parent) == dictionary.lanes.end())
    return on_lane(dictionary, lane);
  // Within \Q and \E all but \E is itself.
  constexpr std::string_view kEnd = R"(\E)", kItself = R"(\E\\E\Q)";
  std::string path = dictionary.path_text(lane);
  for (size_t at = 0; (at = path.find(kEnd, at)) != std::string::npos; at += kItself.size())
    path.replace(at, kEnd.size(), kItself);
  return "lane =~ " + query::quoted_for_filter(R"(^\Q)" + path + R"(\E(/|$))");
}

std::string pair_filter(const Dictionary& dictionary, LaneId source, LaneId target) {
  std::string text = "category == \"link\"";
  const auto add = [&](std::string_view field, LaneId lane) {
    text += lane.is_none() ? fmt::format(" && !({} contains \"\")", field)
                           : fmt::format(" && {} == {}", field,
                                         query::quoted_for_filter(dictionary.path_text(lane)));
  };
  add("source", source);
  add("target", target);
  return text;
}

std::string cause_filter(const Dictionary& dictionary, const ElementRef& element) {
  return related(dictionary, element, "cause_of");
}

std::string effect_filter(const Dictionary& dictionary, const ElementRef& element) {
  return related(dictionary, element, "effect_of");
}

}  // namespace weft::app
