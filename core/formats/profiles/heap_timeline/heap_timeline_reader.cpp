#include "core/formats/profiles/heap_timeline/heap_timeline_reader.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/time.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/stacks/source_place.h"
#include "core/formats/stacks/stack_timeline.h"
#include "core/formats/stacks/weighted_stacks.h"

namespace weft::formats {
namespace heap_timeline {
namespace {

using json::Element;
using json::member;

constexpr int64_t kMostUs = INT64_MAX / kNsPerUs;

// The columns of a table whose rows follow each other in one array.
class Columns {
 public:
  explicit Columns(std::optional<Element> names) {
    json::for_each_element(names, [&](Element name) { names_.emplace_back(json::text(name)); });
  }
  size_t count() const { return names_.size(); }
  // count() where there is none.
  size_t of(std::string_view name) const {
    return static_cast<size_t>(std::ranges::find(names_, name) - names_.begin());
  }

 private:
  std::vector<std::string> names_;
};

// Calls each(row) with the numbers of each row; what is no whole number is json::kNoIndex.
template <class Each>
void for_each_row(std::optional<Element> table, const Columns& columns, const Each& each) {
  std::vector<int64_t> row;
  if (columns.count() == 0) return;
  for (json::Numbers numbers(table); numbers.next();) {
    row.push_back(numbers.index());
    if (row.size() < columns.count()) continue;
    each(row);
    row.clear();
  }
}

int64_t cell(const std::vector<int64_t>& row, size_t column) {
  return column < row.size() ? row[column] : json::kNoIndex;
}

class TimelineReader {
 public:
  TimelineReader(Element root, trace::EventSink& sink)
      : root_(root), meta_(member(member(root, "snapshot"), "meta")), sink_(sink), stacks_(sink) {}

  Status read() {
    sink_.set_time_base(TimeBase::kNanoseconds);
    read_samples();
    const auto tree = member(root_, "trace_tree");
    const bool has_tree = json::Elements(tree).next().has_value();
    if (samples_.empty() && !has_tree) return fail("is a heap snapshot of V8, which has no times");
    add_objects();
    if (!has_tree) return {};
    read_functions();
    const Columns columns(column_names("trace_node_fields"));
    add_stacks(tree, columns, "size", "allocated (1 ns = 1 byte)");
    add_stacks(tree, columns, "count", "allocated (1 ns = 1 object)");
    stacks_.finish();
    return {};
  }

 private:
  struct Sample {
    int64_t time_us = 0;
    int64_t last_object = 0;
    int64_t objects = 0, bytes = 0;  // made since the sample before, and still there
  };
  struct Function {
    int64_t name = 0, script = 0, line = 0, column = 0;
  };

  std::optional<Element> column_names(std::string_view table) const { return member(meta_, table); }

  void read_samples() {
    const Columns columns(column_names("sample_fields"));
    const size_t time = columns.of("timestamp_us"), last = columns.of("last_assigned_id");
    for_each_row(member(root_, "samples"), columns, [&](const std::vector<int64_t>& row) {
      const Sample sample = {.time_us = cell(row, time), .last_object = cell(row, last)};
      const bool is_good =
          sample.time_us >= 0 && sample.time_us <= kMostUs && sample.last_object >= 0;
      const bool is_later = samples_.empty() || (sample.time_us >= samples_.back().time_us &&
                                                 sample.last_object >= samples_.back().last_object);
      if (!is_good || !is_later)
        return sink_.loss("sample without a time, or before the one before it", samples_.size());
      samples_.push_back(sample);
    });
  }

  void add_objects() {
    if (samples_.empty()) return;
    const Columns columns(column_names("node_fields"));
    const size_t number = columns.of("id"), size = columns.of("self_size");
    for_each_row(member(root_, "nodes"), columns, [&](const std::vector<int64_t>& row) {
      const int64_t object = cell(row, number), bytes = cell(row, size);
      // Those with even numbers are none of JavaScript's, and not numbered as they are made.
      if (object < 0 || object % 2 == 0) return;
      const auto it = std::ranges::lower_bound(samples_, object, {}, &Sample::last_object);
      if (it == samples_.end()) return;  // made while the snapshot was
      ++it->objects;
      it->bytes = saturating_add(it->bytes, std::max<int64_t>(bytes, 0));
    });
    sink_.set_metadata("objects from before", std::to_string(samples_.front().objects));
    sink_.set_metadata("bytes from before", std::to_string(samples_.front().bytes));
    add_variable("made and still there (bytes)", &Sample::bytes);
    add_variable("made and still there (objects)", &Sample::objects);
  }

  void add_variable(std::string_view name, int64_t Sample::* value) {
    const LaneId lane =
        sink_.add_lane({.name = std::string(name), .kind = trace::LaneKind::kCounter});
    const EventTypeId type = sink_.type(trace::Category::kVariable, name);
    for (size_t i = 0; i < samples_.size(); ++i) {
      const bool is_last = i + 1 == samples_.size();
      sink_.give(
          trace::VariableSample{.time = {samples_[i].time_us * kNsPerUs},
                                .value = is_last ? 0 : static_cast<double>(samples_[i + 1].*value),
                                .lane = lane,
                                .type = type});
    }
  }

  void read_functions() {
    const Columns columns(column_names("trace_function_info_fields"));
    std::vector<Function> functions;
    std::map<int64_t, std::string> texts;  // those that functions have, by number
    for_each_row(
        member(root_, "trace_function_infos"), columns, [&](const std::vector<int64_t>& row) {
          const auto of = [&](std::string_view name) { return cell(row, columns.of(name)); };
          functions.push_back({of("name"), of("script_name"), of("line"), of("column")});
          texts[functions.back().name];
          texts[functions.back().script];
        });
    int64_t number = 0;
    json::for_each_element(member(root_, "strings"), [&](Element text) {
      const auto it = texts.find(number++);
      if (it != texts.end()) it->second = json::text(text);
    });
    for (const Function& each : functions) {
      const std::string& name = texts[each.name];
      types_.push_back(
          sink_.type(trace::Category::kState, name.empty() ? "(anonymous)" : name,
                     stacks::source_place(texts[each.script], each.line, each.column)));
    }
  }

  void add_stacks(std::optional<Element> tree, const Columns& columns, std::string_view weight,
                  std::string_view lane) {
    const size_t column = columns.of(weight);
    if (column == columns.count()) return;
    stacks::WeightedStacks stacks(
        stacks_, sink_.add_lane({.name = std::string(lane), .kind = trace::LaneKind::kThread}));
    add_nodes(tree, columns, column, stacks);
  }

  // A row has numbers, and the rows of its children.
  void add_nodes(std::optional<Element> nodes, const Columns& columns, size_t weight,
                 stacks::WeightedStacks& stacks) {
    const size_t function = columns.of("function_info_index"), below = columns.of("children");
    std::vector<int64_t> row;
    std::optional<Element> children;
    json::for_each_part(nodes, [&](Element each) {
      if (row.size() == below) children = each;
      row.push_back(json::integer(each).value_or(json::kNoIndex));
      if (row.size() < columns.count()) return;
      const auto place = static_cast<uint64_t>(cell(row, function));
      if (place < types_.size()) {
        stack_.push_back(types_[place]);
        stacks.add(stack_, cell(row, weight));
        add_nodes(children, columns, weight, stacks);
        stack_.pop_back();
      } else {
        sink_.loss("function that is not there", trace::LossPlace::nowhere());
      }
      row.clear();
    });
  }

  Element root_;
  std::optional<Element> meta_;
  trace::EventSink& sink_;
  stacks::StackTimeline stacks_;
  std::vector<Sample> samples_;
  std::vector<EventTypeId> types_;  // of functions
  std::vector<EventTypeId> stack_;
};

// Whether the member's value, as far as it is there, is not this one.
bool is_other(std::string_view text, std::string_view name, std::string_view nothing) {
  const size_t at = text.find(name);
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at + name.size());
  skip_white_space(text);
  if (!take_prefix(text, ":")) return false;
  skip_white_space(text);
  return !text.empty() && !text.starts_with(nothing);
}

}  // namespace
}  // namespace heap_timeline

// Samples stand at the end of a file. Where none are in sight, a snapshot is one of allocations
// surely only where it has functions that made them.
int sniff_heap_timeline(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  const std::string_view text = trimmed(as_chars(head));
  if (!text.starts_with('{') || !text.contains("\"node_fields\"")) return 0;
  const size_t samples = text.rfind("\"samples\"");
  const bool has_samples =
      samples != std::string_view::npos &&
      text.substr(samples).find_first_of("0123456789") < text.substr(samples).find(']');
  return has_samples || heap_timeline::is_other(text, "\"trace_function_count\"", "0") ? kSure : 0;
}

Status read_heap_timeline(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const json::Document document,
                  json::Document::read(source, sink, context.memory_bytes));
  return heap_timeline::TimelineReader(document.root(), sink).read();
}

}  // namespace weft::formats
