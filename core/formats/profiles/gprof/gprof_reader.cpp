#include "core/formats/profiles/gprof/gprof_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/callgrind/call_graph.h"
#include "core/formats/profiles/callgrind/call_tree.h"

namespace weft::formats {
namespace {

constexpr std::string_view kFlat = "Flat profile:", kGraph = "Call graph";
constexpr std::string_view kBsdFlat = "flat profile:", kBsdGraph = "call graph profile:";

// "index  % time    self  children    called     name", of BSD
// "index  %time    self descendents  called+self    name    index".
bool is_graph_head(std::string_view bare) {
  return bare.starts_with("index ") && bare.contains(" self ") && bare.contains(" called") &&
         bare.contains(" name");
}

// " time   seconds   seconds    calls   s/call   s/call  name", below what the columns are.
bool is_flat_head(std::string_view bare) {
  return bare.ends_with(" name") && bare.contains(" calls ") && bare.contains("/call ");
}

// "20", "20/220" or "20+80", of which the first is given with what comes behind a plus.
std::optional<int64_t> take_calls(std::string_view& text) {
  std::string_view rest = text;
  std::string_view word = take_word(rest);
  auto calls = take_number<int64_t>(word);
  if (!calls) return std::nullopt;
  if (take_prefix(word, "+"))
    calls = saturating_add(*calls, take_number<int64_t>(word).value_or(0));
  if (take_prefix(word, "/")) take_number<int64_t>(word);
  if (!word.empty()) return std::nullopt;
  text = rest;
  return calls;
}

// "even <cycle 1> [6]" without its index and its circle.
std::string_view name_of_entry(std::string_view text) {
  text = trimmed(text);
  const size_t index = text.rfind(text.ends_with(')') ? " (" : " [");
  if (index != std::string_view::npos && index + 2 < text.size() &&
      text.find_first_not_of("0123456789", index + 2) == text.size() - 1)
    text = trimmed(text.substr(0, index));
  const size_t circle = text.rfind(" <cycle ");
  return text.ends_with('>') ? text.substr(0, circle) : text;
}

class GprofReader {
 public:
  explicit GprofReader(trace::EventSink& sink) : sink_(sink) {}

  void add(const io::Line& line) {
    std::string_view text = line.text;
    take_prefix(text, "\f");
    const std::string_view bare = trimmed(text);
    const bool is_behind_gap = std::exchange(is_gap_, bare.empty());
    if (bare.empty()) return;
    if (is_graph_head(bare) || is_flat_head(bare)) {
      part_ = is_graph_head(bare) ? Part::kGraph : Part::kFlat;
      is_of_cycles_ |= bare.contains(" cycles ");
    } else if (is_behind_gap && !is_row(text, bare)) {
      part_ = Part::kNone;  // words, between entries of BSD's graphs only lines of dashes
    } else if (part_ != Part::kNone && bare.starts_with('(')) {
      set_unit(bare);
    } else if (part_ == Part::kFlat && !add_row(bare)) {
      sink_.loss("row that is not a function", line.offset);
    } else if (part_ == Part::kGraph && !add_entry(text, bare)) {
      sink_.loss("line that is not a function", line.offset);
    }
  }

  void draw() {
    const bool is_graph = !graph_.is_empty();
    callgrind::CallGraph& shown = is_graph ? graph_ : flat_;
    const bool is_measured = std::ranges::any_of(
        shown.functions, [](const auto& each) { return callgrind::cost_at(each.self, 0) > 0; });
    if (!is_measured) {
      shown.calls.clear();
      for (callgrind::Function& each : shown.functions) each.self = {each.called};
    }
    const bool is_time = is_measured && !is_of_cycles_;
    sink_.set_time_base(is_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
    const std::vector<std::string> events = {is_time ? "ns" : is_measured ? "cycles" : "calls"};
    const LaneId lane = sink_.add_lane({.name = is_graph && is_measured ? "calls" : "functions",
                                        .kind = trace::LaneKind::kThread});
    callgrind::CallTree(sink_, shown, events, 0).draw(lane, Time{});
  }

  bool is_empty() const { return graph_.is_empty() && flat_.is_empty(); }

 private:
  enum class Part : uint8_t { kNone, kFlat, kGraph };

  // Whether it may be of a table that a gap was in.
  static bool is_row(std::string_view text, std::string_view bare) {
    const bool is_number = is_digit(bare.front());
    return is_number || text.starts_with('[') || bare.starts_with("---") ||
           bare == "<spontaneous>" || bare.starts_with("called/total");
  }

  // "(K)     (K)" below the heads of columns: thousands of cycles, of Cadence's.
  void set_unit(std::string_view bare) {
    is_of_cycles_ = true;
    unit_ = bare.starts_with("(K)") ? 1e3 : bare.starts_with("(M)") ? 1e6 : 1;
  }

  // In nanoseconds, or in cycles.
  std::optional<int64_t> take_cost(std::string_view& text) const {
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    const auto number = parse_number<double>(word);
    if (!word.contains('.') || !number) return std::nullopt;
    const auto cost = checked_round(*number * (is_of_cycles_ ? unit_ : kNsPerSecond));
    if (cost) text = rest;
    return cost;
  }

  // Share, sum so far, itself; calls and what they take, where they were counted; name.
  bool add_row(std::string_view text) {
    const auto share = take_cost(text), sum = take_cost(text), self = take_cost(text);
    if (!share || !sum || !self) return false;
    const auto calls = take_calls(text);
    if (calls) {
      if (!take_cost(text) || !take_cost(text)) return false;
    }
    const std::string_view name = name_of_entry(text);
    if (name.empty()) return false;
    add_function(flat_, name, *self, calls.value_or(0));
    return true;
  }

  // In an entry, callers precede the function's own line, which begins with its index, and callees
  // follow it. Each call occurs twice; it is taken with its caller.
  bool add_entry(std::string_view text, std::string_view bare) {
    if (bare.starts_with("---")) {
      caller_.reset();
      return true;
    }
    if (bare.starts_with("called/total")) return true;  // of BSD's heads
    if (text.starts_with('[')) return add_caller(bare);
    if (!caller_ || bare == "<spontaneous>") return true;
    const auto self = take_cost(bare), children = take_cost(bare);
    const auto calls = take_calls(bare);
    const std::string_view name = name_of_entry(bare);
    if (!calls || name.empty() || self.has_value() != children.has_value()) return false;
    if (is_circle_) return true;  // its members
    callgrind::Call& call = graph_.call_of(*caller_, graph_.function_of({}, {}, valid_utf8(name)));
    call.count = saturating_add(call.count, *calls);
    // For a recursive call only the count is known; it needs some cost to exist.
    callgrind::add_costs(call.inclusive, {self ? saturating_add(*self, *children) : 1});
    return true;
  }

  bool add_caller(std::string_view text) {
    take_word(text);
    const auto share = take_cost(text), self = take_cost(text), children = take_cost(text);
    if (!share || !self || !children) return false;
    const auto calls = take_calls(text);
    is_circle_ = text.contains(" as a whole>");
    caller_ = 0;
    if (!is_circle_) caller_ = add_function(graph_, name_of_entry(text), *self, calls.value_or(0));
    return true;
  }

  static uint32_t add_function(callgrind::CallGraph& graph, std::string_view name, int64_t self,
                               int64_t calls) {
    const uint32_t function = graph.function_of({}, {}, valid_utf8(name));
    callgrind::add_costs(graph.functions[function].self, {self});
    graph.functions[function].called = saturating_add(graph.functions[function].called, calls);
    return function;
  }

  trace::EventSink& sink_;
  Part part_ = Part::kNone;
  bool is_gap_ = false;        // the line before was empty
  bool is_of_cycles_ = false;  // not of seconds
  double unit_ = 1;            // in cycles
  callgrind::CallGraph flat_, graph_;
  std::optional<uint32_t> caller_;  // of the entry, once its line was there
  bool is_circle_ = false;          // it is a circle of functions, no function
};

}  // namespace

int sniff_gprof(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  HeadLines lines(as_chars(head), 24);
  bool is_begun = false;
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    is_begun |= text == kFlat || text.starts_with(kGraph);
    const bool is_unit = text.starts_with("Each sample counts as ") ||
                         text.starts_with("granularity: each sample hit covers ");
    if (is_begun && is_unit) return kSure;
    if (is_graph_head(text) || is_flat_head(text)) return kSure;
    if (text == kBsdFlat || text == kBsdGraph) return kSure;
  }
  return 0;
}

Status read_gprof(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  GprofReader reader(sink);
  for_each_whole_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  if (reader.is_empty()) return fail("is a profile of gprof without a function");
  reader.draw();
  return {};
}

}  // namespace weft::formats
