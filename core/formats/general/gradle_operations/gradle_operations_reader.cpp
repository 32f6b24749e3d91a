#include "core/formats/general/gradle_operations/gradle_operations_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/json_document.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/base/types_by_name.h"
#include "core/formats/stacks/joined_params.h"

namespace weft::formats {
namespace {

using json::Element;
using json::member;

// Milliseconds since 1970.
std::optional<Time> gradle_time(Element line, std::string_view name) {
  const auto ms = json::integer(member(line, name));
  int64_t ns = 0;
  if (!ms || __builtin_mul_overflow(*ms, kNsPerMs, &ns)) return std::nullopt;
  return Time{ns};
}

bool is_start(Element line) {
  return member(line, "displayName") && json::integer(member(line, "startTime"));
}
bool is_progress(Element line) {
  return member(line, "detailsClassName") && json::integer(member(line, "time"));
}

void add_details(ArgsText& params, std::optional<Element> details) {
  json::for_each_member(details, [&](std::string_view name, Element value) {
    params.name(name);
    value.is_string() ? params.text(json::text(value)) : params.json(json::compact(value));
  });
}

// A value that says something: not null, nor an object without members.
void add_value(ArgsText& params, std::string_view name, std::optional<Element> value) {
  if (!value || value->is_null()) return;
  const std::string text = json::plain(value);
  if (text == "{}") return;
  params.name(name);
  value->is_string() ? params.text(text) : params.json(text);
}

class GradleOperations {
 public:
  GradleOperations(trace::EventSink& sink, uint64_t memory_bytes)
      : sink_(sink), most_bytes_(memory_bytes / 2) {}

  void add(const io::Line& line) {
    offset_ = line.offset;
    if (!document_.parse_next(line.text)) return lose("line that is not whole");
    const Element root = document_.root();
    const auto id = json::integer(member(root, "id"));
    if (!id) return lose("line without an operation");
    if (is_start(root)) return start(*id, root);
    if (is_progress(root)) return report(*id, root);
    finish(*id, root);
  }

  // Ends what is still open.
  void finish_all() {
    while (!open_.empty()) {
      const auto innermost = open_.find(rows_[open_.begin()->second.row].open.back());
      const Operation& operation = innermost->second;
      sink_.note("operation without an end",
                 {operation.offset, rows_[operation.row].lane, operation.begin});
      end(innermost, std::max(latest_, operation.begin), {});
    }
  }

 private:
  struct Row {
    LaneId lane;
    std::vector<int64_t> open;  // operations, the innermost last
  };
  struct Operation {
    Time begin;
    EventTypeId type;
    uint64_t offset;
    size_t row;
    uint32_t depth;
    std::string params;
  };
  using Operations = std::map<int64_t, Operation>;

  void lose(std::string_view what, bool is_damage = true) {
    sink_.loss(what, offset_, 1, is_damage);
  }

  static uint64_t bytes_of(const Operation& operation) {
    constexpr uint64_t kOfTree = 64;
    return kOfTree + sizeof(Operation) + operation.params.size();
  }

  // Of the parent, if nothing else runs in it; or else the first that is free.
  size_t row_within(std::optional<int64_t> parent) {
    const auto around = parent ? open_.find(*parent) : open_.end();
    if (around != open_.end() && rows_[around->second.row].open.back() == *parent)
      return around->second.row;
    const auto free = std::ranges::find_if(rows_, [](const Row& row) { return row.open.empty(); });
    if (free != rows_.end()) return static_cast<size_t>(free - rows_.begin());
    const bool is_first = rows_.empty();
    const LaneId lane = sink_.add_lane(
        {.name = is_first ? std::string("Gradle") : fmt::format("beside {}", rows_.size()),
         .parent = is_first ? LaneId::none() : rows_.front().lane,
         .kind = is_first ? trace::LaneKind::kProcess : trace::LaneKind::kAsync});
    rows_.push_back({.lane = lane, .open = {}});
    return rows_.size() - 1;
  }

  void start(int64_t id, Element line) {
    constexpr size_t kMostOpen = 4096;
    const auto begin = gradle_time(line, "startTime");
    if (!begin) return lose("time out of range");
    if (open_.contains(id)) return lose("operation that is open already");
    if (open_.size() == kMostOpen) return lose("operation beyond the most that are open at once");
    ArgsText params;
    params.add("operation", id);
    add_details(params, member(line, "details"));
    add_value(params, "details class", member(line, "detailsClassName"));
    Operation operation{.begin = *begin,
                        .type = types_.of(json::text(member(line, "displayName"))),
                        .offset = offset_,
                        .row = 0,
                        .depth = 0,
                        .params = params.take()};
    if (bytes_ + bytes_of(operation) > most_bytes_)
      return lose("operation beyond the reader's memory (--memory)");
    const auto parent = json::integer(member(line, "parentId"));
    operation.row = row_within(parent);
    Row& row = rows_[operation.row];
    operation.depth = static_cast<uint32_t>(row.open.size());
    if (parent) link(*parent, operation);
    row.open.push_back(id);
    bytes_ += bytes_of(operation);
    latest_ = std::max(latest_, *begin);
    open_.emplace(id, std::move(operation));
  }

  // From the lane of the operation that it is part of, where that is another.
  void link(int64_t parent, const Operation& operation) {
    const auto around = open_.find(parent);
    if (around == open_.end() || around->second.row == operation.row) return;
    sink_.give(trace::LinkEvent{.send = operation.begin,
                                .receive = operation.begin,
                                .source = rows_[around->second.row].lane,
                                .target = rows_[operation.row].lane,
                                .type = links_.of("part")});
  }

  void report(int64_t id, Element line) {
    const auto time = gradle_time(line, "time");
    if (!time) return lose("time out of range");
    const auto operation = open_.find(id);
    if (operation == open_.end()) return lose("report of an operation that is not open", false);
    const std::string_view of_class = json::text(member(line, "detailsClassName"));
    ArgsText params;
    params.add("operation", id);
    add_details(params, member(line, "details"));
    sink_.give(trace::PunctualEvent{.time = *time,
                                    .params = sink_.params(params.take()),
                                    .lane = rows_[operation->second.row].lane,
                                    .type = reports_.of(of_class.substr(of_class.rfind('.') + 1))});
    latest_ = std::max(latest_, *time);
  }

  void finish(int64_t id, Element line) {
    const auto time = gradle_time(line, "endTime");
    if (!time) return lose("line without an operation's time");
    const auto operation = open_.find(id);
    if (operation == open_.end()) return lose("end without a begin", false);
    ArgsText params;
    add_value(params, "result", member(line, "result"));
    add_value(params, "failure", member(line, "failure"));
    latest_ = std::max(latest_, *time);
    end(operation, *time, params.take());
  }

  void end(Operations::iterator it, Time time, std::string_view added) {
    const Operation& operation = it->second;
    Row& row = rows_[operation.row];
    std::erase(row.open, it->first);
    if (time < operation.begin) {
      sink_.loss("operation that ends before it begins",
                 {operation.offset, row.lane, operation.begin});
    } else {
      sink_.give(
          trace::StateEvent{.begin = operation.begin,
                            .duration = time - operation.begin,
                            .params = sink_.params(stacks::joined_params(operation.params, added)),
                            .lane = row.lane,
                            .type = operation.type,
                            .nesting = operation.depth});
    }
    bytes_ -= bytes_of(operation);
    open_.erase(it);
  }

  trace::EventSink& sink_;
  const uint64_t most_bytes_;
  uint64_t bytes_ = 0;  // of what is open
  uint64_t offset_ = 0;
  Time latest_ = Time::min();
  std::vector<Row> rows_;
  Operations open_;
  TypesByName types_{sink_, trace::Category::kState, "operation"};
  TypesByName reports_{sink_, trace::Category::kPunctual, "report"};
  TypesByName links_{sink_, trace::Category::kLink, "operation"};
  json::Document document_;  // of the line
};

}  // namespace

int sniff_gradle_operations(std::span<const std::byte> head) {
  constexpr int kSure = 96;
  const std::string_view text = trimmed(as_chars(head));
  const std::string_view line = text.substr(0, text.find('\n'));
  const bool may_be = line.starts_with("{\"d") && line.contains("\"id\":");
  if (!may_be) return 0;
  const auto document = json::Document::parse(line);
  if (!document || !json::integer(member(document->root(), "id"))) return 0;
  return is_start(document->root()) || is_progress(document->root()) ? kSure : 0;
}

Status read_gradle_operations(io::Source& source, trace::EventSink& sink,
                              const ReadContext& context) {
  sink.set_time_base(TimeBase::kNanoseconds);
  GradleOperations operations(sink, context.memory_bytes);
  for_each_line(
      source, sink, [&](const io::Line& line) { operations.add(line); }, context.memory_bytes / 4);
  operations.finish_all();
  return {};
}

}  // namespace weft::formats
