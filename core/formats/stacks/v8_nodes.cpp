#include "core/formats/stacks/v8_nodes.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/stacks/source_place.h"

namespace weft::formats::stacks {
namespace {

std::optional<int64_t> number_in(std::optional<json::Element> object, std::string_view name) {
  return json::integer_or_text(json::member(object, name));
}

// "Page 42 Sales Order (Base Application)", of a node of Business Central's. Empty: of others.
std::string object_text(json::Element node) {
  const auto object = json::member(node, "applicationDefinition");
  const std::string_view name = json::text(json::member(object, "objectName"));
  if (name.empty()) return {};
  const std::string_view application =
      json::text(json::member(json::member(node, "declaringApplication"), "appName"));
  std::string text = fmt::format("{} {} {}", json::text(json::member(object, "objectType")),
                                 json::plain(json::member(object, "objectId")), name);
  if (!application.empty()) text += fmt::format(" ({})", application);
  return text;
}

}  // namespace

void V8Nodes::add(json::Element node, int64_t caller) {
  const auto id = number_in(node, "id");
  const uint64_t index = tree_.size();
  add_nameless(node, caller);
  if (!id || !index_of_id_.try_emplace(*id, static_cast<int64_t>(index)))
    sink_.loss("node without an id of its own", index);
}

void V8Nodes::add_nameless(json::Element node, int64_t caller) {
  const uint64_t index = tree_.size();
  if (!tree_.add(frame_of(node), caller)) sink_.loss("node before its caller", index);
}

EventTypeId V8Nodes::frame_of(json::Element node) {
  const auto inner = json::member(node, "callFrame");
  const auto call = inner ? inner : std::optional(node);
  if (tree_.size() == 0) first_place_ = !inner && number_in(call, "lineNumber").value_or(0) >= 0;
  const auto from_one = [&](std::string_view name) -> std::optional<int64_t> {
    const auto number = number_in(call, name);
    if (!number || *number < first_place_) return std::nullopt;
    return saturating_add(*number, 1 - first_place_);
  };
  const std::string_view name = json::text(json::member(call, "functionName"));
  const std::string object = object_text(node);
  return sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name,
                    source_place(object.empty() ? json::text(json::member(call, "url")) : object,
                                 from_one("lineNumber"), from_one("columnNumber")));
}

}  // namespace weft::formats::stacks
