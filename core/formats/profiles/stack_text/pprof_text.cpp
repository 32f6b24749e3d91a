// What pprof prints of a profile: `-traces`, samples with their stacks; `-top`, `-text`, `-tree`
// and `-peek`, a table of functions; `-raw`, all there is.
//
//   Type: cpu
//   Duration: 886.94ms, Total samples = 120ms (13.53%)
//   -----------+-------------------------------------------------------
//         key:  value
//        10ms   main.work
//               main.main (inline)
//
//         flat  flat%   sum%        cum   cum%
//         70ms 58.33% 58.33%      120ms   100%  main.work
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/stack_text/stack_output.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

constexpr std::string_view kInline = " (inline)", kBlock = "-----------+-----";

// "6.53MB" in bytes, "1.20s" in nanoseconds, "12" as it is: as exact as it is printed.
std::optional<int64_t> pprof_value(std::string_view text) {
  struct Unit {
    std::string_view name;
    double value;
  };
  constexpr Unit kUnits[] = {
      {"", 1},         {"B", 1},          {"kB", 1024.},     {"MB", 1048576.},
      {"GB", 0x1p30},  {"TB", 0x1p40},    {"PB", 0x1p50},    {"ns", 1},
      {"us", 1e3},     {"ms", 1e6},       {"s", 1e9},        {"mins", 6e10},
      {"hrs", 3.6e12}, {"days", 8.64e13}, {"wks", 6.048e14}, {"yrs", 3.15576e16}};
  const size_t digits = text.find_first_not_of("0123456789.-+");
  const auto number = parse_number<double>(text.substr(0, digits));
  const auto* const unit = std::ranges::find(
      kUnits, digits == std::string_view::npos ? "" : text.substr(digits), &Unit::name);
  if (!number || unit == std::end(kUnits)) return std::nullopt;
  return checked_round(*number * unit->value);
}

// "Type: cpu" before all else. Returns false if it is none of these.
bool take_header(StackOutput& output, std::string_view line) {
  constexpr std::string_view kNames[] = {"File",       "Build ID", "Type",   "Time",
                                         "PeriodType", "Duration", "Period", "Comment"};
  for (const std::string_view name : kNames) {
    std::string_view value = line;
    if (!take_prefix(value, name) || !take_prefix(value, ":")) continue;
    value = trimmed(value);
    output.sink().set_metadata(name, valid_utf8(value));
    const bool is_time = value.starts_with("cpu") || value == "delay" || value == "wall" ||
                         value == "contentions/delay";
    if (name == "Type" && is_time) output.set_time_base(TimeBase::kNanoseconds);
    return true;
  }
  return false;
}

// What is said of a sample, as the profile itself has it: numbers without a unit are numbers.
void add_label(ArgsText& labels, std::string_view key, std::string_view value) {
  labels.name(key);
  const auto number = parse_number<int64_t>(value);
  const bool is_number = number && fmt::to_string(*number) == value;
  is_number ? labels.number(*number) : labels.text(value);
}

Frame pprof_frame(std::string_view name) {
  if (name.ends_with(kInline)) name.remove_suffix(kInline.size());
  return {trimmed(name)};
}

class PprofTracesParser : public Parser {
 public:
  explicit PprofTracesParser(StackOutput& output) : output_(output) {}

  void add(const io::Line& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with(kBlock)) {
      finish_stack();
      is_begun_ = true;
    } else if (!is_begun_ || text.empty()) {
      take_header(output_, line.text);
    } else if (weight_) {
      add_frame(text, line);
    } else {
      begin_stack(text, line);
    }
  }
  void finish(uint64_t) override { finish_stack(); }

 private:
  // The first frame, behind the sample's value; before it the sample's labels.
  void begin_stack(std::string_view text, const io::Line& line) {
    const size_t end = text.find("   ");
    weight_ = pprof_value(text.substr(0, end));
    if (weight_ && end != std::string_view::npos) return add_frame(trimmed(text.substr(end)), line);
    weight_.reset();
    constexpr std::string_view kColon = ":  ";
    const size_t colon = text.find(kColon);
    if (colon == std::string_view::npos)
      return output_.sink().loss("line that is not a frame", line.offset);
    add_label(labels_, text.substr(0, colon), trimmed(text.substr(colon + kColon.size())));
  }
  void add_frame(std::string_view name, const io::Line& line) {
    if (!frames_.add(output_.type_of(pprof_frame(name))))
      output_.sink().loss("frame of a stack that is too deep", line.offset);
  }
  void finish_stack() {
    const std::vector<EventTypeId> frames = frames_.take();
    const std::string labels = labels_.take();
    if (!frames.empty() && weight_.value_or(0) > 0)
      output_.add("stacks", frames, *weight_, output_.sink().params(labels));
    weight_.reset();
  }

  StackOutput& output_;
  InnermostFirst frames_;
  ArgsText labels_;  // of the next stack
  std::optional<int64_t> weight_;
  bool is_begun_ = false;
};

int sniff_pprof_traces(std::string_view head) {
  HeadLines lines(head, 20);
  bool has_type = false;
  while (const auto line = lines.next()) {
    has_type |= line->starts_with("Type: ");
    if (line->starts_with(kBlock)) return has_type ? 90 : 0;
  }
  return 0;
}

// Flat values are on one lane and cumulative ones on another, since the latter add up to more than
// the total.
class PprofTopParser : public Parser {
 public:
  explicit PprofTopParser(StackOutput& output) : output_(output) {}

  static bool is_header(std::string_view line) {
    for (const std::string_view name : {"flat", "flat%", "sum%", "cum", "cum%"})
      if (take_word(line) != name) return false;
    return trimmed(line).empty() || trimmed(line).starts_with("calls ");
  }

  void add(const io::Line& line) override {
    if (!is_begun_) {
      is_begun_ = is_header(line.text);
      if (!is_begun_) take_header(output_, line.text);
      return;
    }
    std::string_view rest = line.text;
    if (trimmed(rest).empty() || rest.starts_with("-----")) return;
    // With -tree and -peek a bar is before the name, and who called and was called stands around.
    constexpr std::string_view kBar = "| ";
    const size_t bar = rest.find(kBar);
    if (bar != std::string_view::npos && rest.substr(bar + kBar.size()).starts_with("  "))
      return output_.sink().note("call from function to function", line.offset);
    const auto flat = pprof_value(take_word(rest));
    take_word(rest);
    take_word(rest);
    const auto cum = pprof_value(take_word(rest));
    take_word(rest);
    rest = trimmed(rest);
    take_prefix(rest, kBar);
    if (!flat || !cum || rest.empty())
      return output_.sink().loss("line that is not a function", line.offset);
    const EventTypeId frame = output_.type_of(pprof_frame(rest));
    if (*flat > 0) output_.add("flat", {&frame, 1}, *flat);
    if (*cum > 0) output_.add("cum", {&frame, 1}, *cum);
  }
  void finish(uint64_t) override {}

 private:
  StackOutput& output_;
  bool is_begun_ = false;
};

int sniff_pprof_top(std::string_view head) {
  HeadLines lines(head, 20);
  while (const auto line = lines.next())
    if (PprofTopParser::is_header(*line)) return 90;
  return 0;
}

// Samples say numbers of locations, which stand behind them, each a line for each function that was
// inlined there. Shown is the value that is the default or the last, as pprof does it.
class PprofRawParser : public Parser {
 public:
  explicit PprofRawParser(StackOutput& output) : output_(output) {}

  void add(const io::Line& line) override {
    const std::string_view text = trimmed(line.text);
    if (text == "Samples:" || text == "Locations" || text == "Mappings") {
      part_ = text[0];
      return;
    }
    if (text.empty() || part_ == 'M') return;
    if (part_ == '\0') {
      take_header(output_, line.text);
    } else if (part_ == 'S' && kinds_.empty()) {
      take_kinds(text);
    } else if (!(part_ == 'S' ? add_sample(text) : add_location(line.text))) {
      output_.sink().loss(
          part_ == 'S' ? "line that is not a sample" : "line that is not a location", line.offset);
    }
  }

  void finish(uint64_t) override {
    finish_sample();
    for (const Sample& sample : samples_) {
      InnermostFirst frames;
      if (sample.count == 0) frames.add(output_.type_of({}));
      for (size_t i = 0; i < sample.count; ++i) {
        const auto location = locations_.find(places_[sample.first + i]);
        if (location == locations_.end()) {
          frames.add(output_.type_of({}));
          continue;
        }
        for (const EventTypeId frame : location->second) frames.add(frame);
      }
      output_.add(kinds_[shown_], frames.take(), sample.weight, sample.labels);
    }
  }

 private:
  struct Sample {
    int64_t weight = 0;
    size_t first = 0, count = 0;  // in places_
    ParamsId labels = ParamsId::none();
  };

  // "samples/count cpu/nanoseconds[dflt]"
  void take_kinds(std::string_view text) {
    constexpr std::string_view kDefault = "[dflt]";
    while (!text.empty()) {
      std::string_view kind = take_word(text);
      const bool is_default = kind.ends_with(kDefault);
      if (is_default) kind.remove_suffix(kDefault.size());
      if (is_default || !has_default_) shown_ = kinds_.size();
      has_default_ |= is_default;
      kinds_.emplace_back(kind);
    }
    constexpr std::pair<std::string_view, int64_t> kUnits[] = {{"/nanoseconds", 1},
                                                               {"/microseconds", 1'000},
                                                               {"/milliseconds", 1'000'000},
                                                               {"/seconds", kNsPerSecond}};
    for (const auto& [unit, ns] : kUnits) {
      if (!kinds_[shown_].ends_with(unit)) continue;
      output_.set_time_base(TimeBase::kNanoseconds);
      ticks_ = ns;
    }
  }

  // "1   10000000: 1 2 3"; what is said of it stands below: "key:[value]".
  bool add_sample(std::string_view text) {
    const size_t colon = text.find(": ");
    if ((text[0] < '0' || text[0] > '9') && text[0] != '-') return add_labels(text);
    finish_sample();
    std::string_view values = text.substr(0, text.ends_with(':') ? text.size() - 1 : colon);
    Sample sample{.first = places_.size()};
    for (size_t i = 0; i < kinds_.size(); ++i) {
      const auto value = parse_number<int64_t>(take_word(values));
      if (!value) return false;
      if (i == shown_ && __builtin_mul_overflow(*value, ticks_, &sample.weight)) return false;
    }
    if (colon != std::string_view::npos) text.remove_prefix(colon + 1);
    while (colon != std::string_view::npos && !trimmed(text).empty()) {
      const auto place = parse_number<uint64_t>(take_word(text));
      if (!place) return false;
      places_.push_back(*place);
    }
    sample.count = places_.size() - sample.first;
    sample_ = sample;
    return true;
  }

  // "bytes:[16 bytes] thread:[main]": texts on one line, numbers on the next. Within a value may be
  // anything.
  bool add_labels(std::string_view text) {
    constexpr std::string_view kBegin = ":[", kEnd = "] ";
    while (!text.empty()) {
      const size_t begin = text.find(kBegin);
      if (begin == std::string_view::npos) return false;
      const std::string_view key = text.substr(0, begin);
      text.remove_prefix(begin + kBegin.size());
      const size_t next = text.find(kBegin);
      const size_t end = next == std::string_view::npos ? next : text.substr(0, next).rfind(kEnd);
      const bool is_last = end == std::string_view::npos;
      if (is_last && !text.ends_with(']')) return false;
      add_label(labels_, key, text.substr(0, is_last ? text.size() - 1 : end));
      text.remove_prefix(is_last ? text.size() : end + kEnd.size());
    }
    return true;
  }
  void finish_sample() {
    const std::string labels = labels_.take();
    if (sample_.weight > 0) {
      sample_.labels = output_.sink().params(labels);
      samples_.push_back(sample_);
    }
    sample_ = {};
  }

  // "1: 0x4b5d0b M=1 main.work /src/a.go:5 s=0"; what it was inlined in stands in lines below.
  bool add_location(std::string_view line) {
    constexpr size_t kIndent = 13;
    std::string_view text = trimmed(line);
    const bool goes_on = line.find_first_not_of(' ') >= kIndent && last_ != nullptr;
    if (!goes_on) {
      const auto id = take_number<uint64_t>(text);
      if (!id || !take_prefix(text, ": ")) return false;
      last_ = &locations_[*id];
      address_ = take_word(text);
      std::string_view rest = text;
      if (take_word(rest).starts_with("M=")) text = rest;
      rest = text;
      if (take_word(rest) == "[F]") text = rest;
    }
    last_->push_back(output_.type_of(frame_at(trimmed(text))));
    return true;
  }

  // "main.work /src/a.go:5 s=0", with a column in newer ones; a place without a name goes by it.
  Frame frame_at(std::string_view text) const {
    const size_t line = text.rfind(" s=");
    if (line != std::string_view::npos) text = text.substr(0, line);
    const size_t file = text.rfind(' ');
    if (text.empty()) return {address_};
    if (line == std::string_view::npos || file == std::string_view::npos) return {text};
    const std::string_view where = text.substr(file + 1);
    return {text.substr(0, file), file_name_of(where.substr(0, where.find(':')))};
  }

  StackOutput& output_;
  char part_ = '\0';  // 'S'amples, 'L'ocations, 'M'appings
  std::vector<std::string> kinds_;
  size_t shown_ = 0;
  int64_t ticks_ = 1;  // of its unit
  bool has_default_ = false;
  Sample sample_;    // the last, of which more may be said
  ArgsText labels_;  // of it
  std::vector<Sample> samples_;
  std::vector<uint64_t> places_;
  std::unordered_map<uint64_t, std::vector<EventTypeId>> locations_;
  std::vector<EventTypeId>* last_ = nullptr;  // location
  std::string address_;                       // of it
};

int sniff_pprof_raw(std::string_view head) {
  return head.starts_with("PeriodType: ") && head.contains("\nSamples:\n") ? 90 : 0;
}

template <class Made>
std::unique_ptr<Parser> make_pprof(StackOutput& output) {
  return std::make_unique<Made>(output);
}
constexpr Variant kPprof[] = {{"pprof -traces", sniff_pprof_traces, make_pprof<PprofTracesParser>},
                              {"pprof -top", sniff_pprof_top, make_pprof<PprofTopParser>},
                              {"pprof -raw", sniff_pprof_raw, make_pprof<PprofRawParser>}};

}  // namespace

std::span<const Variant> pprof_variants() { return kPprof; }

}  // namespace weft::formats::stack_text
