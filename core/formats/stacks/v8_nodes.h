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
  // Calls `add(node, caller)` for each node of a list, with the arguments of the above. Callers are
  // named by their children ("parent"), or children by their callers; a node comes behind its
  // caller either way, but in files that others wrote.
  template <class Add>
  void for_each_listed(std::optional<json::Element> list, const Add& add) const;
  // Returns the frames from outermost to innermost, valid until the next call.
  std::span<const EventTypeId> frames(int64_t index) { return tree_.frames(index); }

 private:
  EventTypeId frame_of(json::Element node);

  trace::EventSink& sink_;
  StackTree tree_;
  ById index_of_id_;
  // What the first line and column are called: 1 where nodes are their calls, but not if the root,
  // which has no place, is then in line -1.
  int64_t first_place_ = 0;
};

template <class Add>
void V8Nodes::for_each_listed(std::optional<json::Element> list, const Add& add) const {
  const auto id_of = [](json::Element node) {
    return json::integer_or_text(json::member(node, "id"));
  };
  ById caller_of;
  json::for_each_element(list, [&](json::Element node) {
    const auto id = id_of(node);
    const auto parent = json::integer_or_text(json::member(node, "parent"));
    if (id && parent) caller_of.try_emplace(*id, *parent);
    json::for_each_element(json::member(node, "children"), [&](json::Element each) {
      const auto child = json::integer_or_text(each);
      if (id && child) caller_of.try_emplace(*child, *id);
    });
  });
  json::for_each_element(list, [&](json::Element node) {
    constexpr int64_t kNotYet = -2;
    const auto caller = caller_of.find(id_of(node).value_or(-1));
    add(node, caller ? index_of(*caller).value_or(kNotYet) : StackTree::kNoCaller);
  });
}

}  // namespace weft::formats::stacks
