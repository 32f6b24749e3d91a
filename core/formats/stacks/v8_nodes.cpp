#include "core/formats/stacks/v8_nodes.h"

#include <string_view>

namespace weft::formats::stacks {
namespace {

EventTypeId frame_of(json::Element node, trace::EventSink& sink) {
  const auto call = json::member(node, "callFrame");
  const auto frame = call ? call : std::optional(node);
  const std::string_view name = json::text(json::member(frame, "functionName"));
  return sink.type(trace::Category::kState, name.empty() ? "(anonymous)" : name,
                   json::text(json::member(frame, "url")));
}

}  // namespace

void V8Nodes::add(json::Element node, int64_t caller) {
  const auto id = json::integer_or_text(json::member(node, "id"));
  const uint64_t index = tree_.size();
  add_nameless(node, caller);
  if (!id || !index_of_id_.try_emplace(*id, static_cast<int64_t>(index)))
    sink_.loss("node without an id of its own", index);
}

void V8Nodes::add_nameless(json::Element node, int64_t caller) {
  const uint64_t index = tree_.size();
  if (!tree_.add(frame_of(node, sink_), caller)) sink_.loss("node before its caller", index);
}

}  // namespace weft::formats::stacks
