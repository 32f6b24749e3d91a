#include "app/session/filter_scene.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/query/filter/filter_compiler.h"

namespace weft::app {
namespace {

// Parts of the trace in which hits are counted: one or two pixels of an overview.
constexpr uint32_t kBins = 1024;

uint64_t next_id() {
  static uint64_t last = 0;  // scenes live on the frame thread
  return ++last;
}

// Whether a comparison holds for states alone.
bool is_of_states(const trace::Dictionary& dictionary, const query::ExpressionNode& node) {
  if (node.comparison != query::Comparison::kEqual || node.values.empty()) return false;
  const std::string_view state = name_of(trace::Category::kState);
  return std::ranges::all_of(node.values, [&](const query::Literal& value) {
    if (node.field == query::Field::kCategory) return value.text == state;
    if (node.field != query::Field::kType) return false;
    const auto is_other = [&](const trace::EventType& type) {
      return type.name == value.text && type.category != trace::Category::kState;
    };
    return std::ranges::none_of(dictionary.types, is_other);
  });
}

// Whether what passes consists of states, whatever is asked of their lengths.
bool are_states(const trace::Dictionary& dictionary, const query::Expression& expression) {
  using Kind = query::ExpressionNode::Kind;
  std::vector<bool> are;  // by node
  for (const query::ExpressionNode& node : expression.nodes) {
    are.push_back(node.kind == Kind::kComparison ? is_of_states(dictionary, node)
                  : node.kind == Kind::kAnd      ? are[node.left] || are[node.right]
                  : node.kind == Kind::kOr       ? are[node.left] && are[node.right]
                                                 : false);
  }
  return !are.empty() && are.back();
}

bool misses_links(const store::Trace& trace, std::string_view text) {
  if (trace.counts()[trace::Category::kLink] == 0) return false;
  const auto parsed = query::parse_filter(text);
  const auto asks_for = [&](query::Field field) {
    return parsed && std::ranges::find(parsed->nodes, field, &query::ExpressionNode::field) !=
                         parsed->nodes.end();
  };
  return asks_for(query::Field::kDuration) && !asks_for(query::Field::kLatency) &&
         !are_states(trace.dictionary(), *parsed);
}

layout::RowSet passing_rows(const query::Search& search) {
  std::vector<bool> rows(search.rows());
  for (uint32_t i = 0; i < rows.size(); ++i) rows[i] = search.passes_in(RowId(i));
  return std::make_shared<const std::vector<bool>>(std::move(rows));
}

}  // namespace

FilterScene::FilterScene(ThreadPool& pool, std::function<void()> wake)
    : compiled_(
          [](const CompileKey& key, const std::stop_token& stop) -> std::optional<CompiledFilter> {
            auto compiled = query::compile_filter(key.text, *key.trace, stop);
            if (stop.stop_requested()) return std::nullopt;
            if (!compiled) return CompiledFilter{key.trace, key.text, nullptr, compiled.error()};
            return CompiledFilter{.trace = key.trace,
                                  .text = key.text,
                                  .filter = std::move(*compiled),
                                  .error = {},
                                  .misses_links = misses_links(*key.trace, key.text),
                                  .hides_only_types = hides_only_types(key.text)};
          },
          wake),
      counter_(
          [&pool](const SearchPtr& search, const std::stop_token& stop) -> std::optional<bool> {
            search->run({pool, stop});
            return stop.stop_requested() ? std::nullopt : std::optional(true);
          },
          wake),
      rank_([&pool](const RankKey& key,
                    const std::stop_token& stop) { return rank(key, {pool, stop}); },
            std::move(wake)) {}

bool FilterScene::update(const store::TracePtr& trace, const ViewFilter& filter,
                         const std::optional<query::ElementRef>& element,
                         const std::shared_ptr<aggregate::FilteredRows>& rows) {
  shown_ = {};
  shown_.mode = filter.mode;
  shown_.rows = rows;
  if (!filter.is_set() || !trace) {
    search_.reset();
    counted_.reset();
    return false;
  }
  if (filter.text != text_) {
    text_ = filter.text;
    id_ = next_id();
  }
  const auto found = compiled_.find({trace, text_});
  if (found.is_stale) {
    shown_.id = id_;
    return true;
  }
  shown_.compiled = found.value;
  if (!found.value->filter) return false;
  shown_.id = id_;
  if (counted_ != found.value) count(*found.value);
  counted_ = found.value;
  (void)counter_.find(search_);
  shown_.hits = search_;
  if (!passing_ && search_->is_done()) passing_ = passing_rows(*search_);
  shown_.passing = passing_;
  if (element && search_->is_done()) {
    const auto rank = rank_.find({trace, search_, *element});
    if (!rank.is_stale) shown_.rank = *rank.value;
  }
  return false;
}

// Of the element among the hits; within: nullopt if it is none.
std::optional<std::optional<uint64_t>> FilterScene::rank(const RankKey& key,
                                                         const query::Work& work) {
  const auto place = query::Elements(key.trace).place_of(key.element);
  if (!place) return std::optional<uint64_t>();
  query::Selection at_once = key.hits->selection();
  at_once.range = {place->time, place->time + Duration{1}};
  const auto hit = next_hit(*key.trace, at_once, *place, work);
  const bool is_hit = hit && hit->place == *place;
  const uint64_t before = is_hit ? key.hits->rank_of(*place, work) : 0;
  if (work.stop.stop_requested()) return std::nullopt;
  return is_hit ? std::optional(before) : std::optional<uint64_t>();
}

void FilterScene::count(const CompiledFilter& compiled) {
  passing_.reset();
  search_ = std::make_shared<query::Search>(
      compiled.trace, query::Selection{compiled.filter, query::whole_range(*compiled.trace)},
      kBins);
}

}  // namespace weft::app
