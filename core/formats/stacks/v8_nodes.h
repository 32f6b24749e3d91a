// The call tree of a V8 CPU profile: nodes with an id and a calling node.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/formats/base/json_document.h"
#include "core/formats/stacks/by_id.h"
#include "core/formats/stacks/stack_tree.h"
#include "core/trace/event_sink.h"

namespace weft::formats::stacks {

class V8Nodes {
 public:
  explicit V8Nodes(trace::EventSink& sink) : sink_(sink) {}

  // Adds the next node; `caller` is the index of another, or StackTree::kNoCaller.
  void add(json::Element node, int64_t caller);
  void add_nameless(json::Element node, int64_t caller);  // to which no sample refers
  size_t size() const { return tree_.size(); }
  std::optional<int64_t> index_of(int64_t id) const { return index_of_id_.find(id); }
  // Returns the frames from outermost to innermost, valid until the next call.
  std::span<const EventTypeId> frames(int64_t index) { return tree_.frames(index); }

 private:
  trace::EventSink& sink_;
  StackTree tree_;
  ById index_of_id_;
};

}  // namespace weft::formats::stacks
