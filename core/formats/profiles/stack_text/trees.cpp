// Trees whose lines are indented: pmcstat -G, sample of macOS, what Instruments copies.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/stack_text/call_tree.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

std::string_view without_indent(std::string_view line, size_t& indent) {
  indent = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(indent);
}

// "@ inst_retired.any [35705 samples]", and of each function who called it, with what was sampled:
//
//   20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
//    100.0%  [7447]      zio_compress_data
struct PmcLine {
  size_t depth = 0;
  int64_t count = 0;
  std::string_view name, object;  // where it is another than that of the line before
};
std::optional<PmcLine> pmc_line(std::string_view line) {
  PmcLine out;
  std::string_view text = without_indent(line, out.depth);
  if (!take_number<double>(text) || !text.starts_with('%')) return std::nullopt;
  text = trimmed(text.substr(1));
  if (!take_prefix(text, "[")) return std::nullopt;
  const auto count = take_number<int64_t>(text);
  if (!count || !text.starts_with(']')) return std::nullopt;
  out.count = *count;
  text = trimmed(text.substr(1));
  const size_t at = text.find(" @ ");
  if (at != std::string_view::npos) out.object = trimmed(text.substr(at + 3));
  out.name = trimmed(text.substr(0, at));
  return out.name.empty() ? std::nullopt : std::optional(out);
}

class PmcstatParser : public Parser {
 public:
  explicit PmcstatParser(StackOutput& output)
      : output_(output), tree_(output, CallTree::Order::kCalleesFirst) {}

  void add(const io::Line& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.starts_with('#') || text.starts_with("//")) return;
    if (text.starts_with("@ ")) {
      const size_t bracket = text.rfind(" [");
      return tree_.begin(trimmed(text.substr(
          2, bracket == std::string_view::npos ? std::string_view::npos : bracket - 2)));
    }
    const auto parsed = pmc_line(line.text);
    if (!parsed) return output_.sink().loss("line that is not a call", line.offset);
    if (!parsed->object.empty()) object_ = parsed->object;
    if (!tree_.add(parsed->depth, output_.type_of({parsed->name, object_}), parsed->count, {}))
      output_.sink().loss("call too deep for the line before", line.offset);
  }
  void finish(uint64_t) override { tree_.begin({}); }

 private:
  StackOutput& output_;
  CallTree tree_;
  std::string object_;  // of the last line that said one
};

int sniff_pmcstat(std::string_view head) {
  int right = 0;
  bool has_title = false;
  HeadLines lines(head);
  while (const auto line = lines.next()) {
    has_title |= line->starts_with("@ ") && line->ends_with(" samples]");
    right += pmc_line(*line) ? 1 : 0;
  }
  return right > 1 && has_title ? 90 : right > 4 ? 70 : 0;
}

// "    + ! 2776 main  (in app) + 12  [0x10]", of which the first level is the thread; counts are
// samples, of an interval that stands above: "… every 1 millisecond".
class SampleParser : public Parser {
 public:
  explicit SampleParser(StackOutput& output) : output_(output), tree_(output) {}

  void add(const io::Line& line) override {
    const std::string_view text = trimmed(line.text);
    if (text == "Call graph:") {
      is_graph_ = true;
    } else if (!is_graph_) {
      take_interval(text);
    } else if (text.empty() || text.starts_with("Total number in stack")) {
      is_graph_ = false;
      tree_.begin({});
    } else {
      add_call(line);
    }
  }
  void finish(uint64_t) override { tree_.begin({}); }

 private:
  static constexpr size_t kIndent = 4;

  void take_interval(std::string_view text) {
    constexpr std::string_view kEvery = " every ";
    const size_t every = text.find(kEvery);
    if (every == std::string_view::npos || !text.starts_with("Analysis of sampling")) return;
    text.remove_prefix(every + kEvery.size());
    const auto number = take_number<int64_t>(text);
    constexpr int64_t kMost = 1'000'000'000;
    if (!number || *number <= 0 || *number > kMost) return;
    const bool is_ms = trimmed(text).starts_with("milli");
    if (!is_ms && !trimmed(text).starts_with("micro")) return;
    sample_us_ = *number * (is_ms ? kNsPerUs : 1);
    output_.set_time_base(TimeBase::kMicroseconds);
  }

  void add_call(const io::Line& line) {
    const size_t digit = std::min(line.text.find_first_not_of(" +!:|"), line.text.size());
    std::string_view text = line.text.substr(digit);
    const auto count = take_number<int64_t>(text);
    constexpr int64_t kMost = int64_t{1} << 32;
    if (!count || *count > kMost || digit < kIndent)
      return output_.sink().loss("line that is not a call", line.offset);
    text = trimmed(text);
    const size_t depth = (digit - kIndent) / 2;
    Frame frame{text.substr(0, text.find("  "))};
    constexpr std::string_view kIn = "  (in ";
    const size_t in = text.find(kIn);
    if (in != std::string_view::npos) {
      const std::string_view object = text.substr(in + kIn.size());
      frame.object = object.substr(0, object.find(')'));
    }
    if (depth == 0) tree_.begin(frame.name);
    if (!tree_.add(depth, output_.type_of(frame), *count * sample_us_, {}))
      output_.sink().loss("call too deep for the line before", line.offset);
  }

  StackOutput& output_;
  CallTree tree_;
  int64_t sample_us_ = 1;
  bool is_graph_ = false;
};

int sniff_sample(std::string_view head) {
  const bool is_sample = head.find("Analysis of sampling ") < 512;
  return is_sample && head.find("\nCall graph:") != std::string_view::npos ? 90 : 0;
}

// "96.08 Gc  100.0%", "4273.0ms   99.9%", "0 s", "-": of time in microseconds, of others as it is.
struct Weight {
  int64_t value = 0;
  bool is_time = false;
};
std::optional<Weight> weight_of(std::string_view cell, std::string_view unit = {}) {
  struct Unit {
    std::string_view name;
    double scale;
    bool is_time;
  };
  constexpr double kKilo = 1e3, kMega = 1e6, kGiga = 1e9, kKi = 1024;
  constexpr std::array kUnits = {Unit{"ns", 1e-3, true},
                                 Unit{"us", 1, true},
                                 Unit{"µs", 1, true},
                                 Unit{"ms", kKilo, true},
                                 Unit{"s", kMega, true},
                                 Unit{"min", 60 * kMega, true},
                                 Unit{"h", 3600 * kMega, true},
                                 Unit{"c", 1, false},
                                 Unit{"Kc", kKilo, false},
                                 Unit{"Mc", kMega, false},
                                 Unit{"Gc", kGiga, false},
                                 Unit{"Bytes", 1, false},
                                 Unit{"KB", kKi, false},
                                 Unit{"MB", kKi * kKi, false},
                                 Unit{"GB", kKi * kKi * kKi, false}};
  cell = trimmed(cell);
  if (cell == "-") return Weight{};
  const auto number = take_number<double>(cell);
  if (!number || *number < 0) return std::nullopt;
  std::string_view rest = trimmed(cell);
  if (std::string_view word = take_word(rest); !word.empty() && !word.ends_with('%')) unit = word;
  const auto* const known = std::ranges::find(kUnits, unit, &Unit::name);
  const auto value = checked_round(*number * (known == kUnits.end() ? 1 : known->scale));
  if (!value) return std::nullopt;
  return Weight{*value, known != kUnits.end() && known->is_time};
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const size_t tab = std::min(line.find('\t'), line.size());
    cells.push_back(line.substr(0, tab));
    if (tab == line.size()) return cells;
    line.remove_prefix(tab + 1);
  }
}

// A header, and for each call its weight, what it has by itself, and its name behind as many spaces
// as it is deep.
struct InstrumentsHeader {
  size_t total = 0, name = 0;
  std::optional<size_t> self;
  std::string_view self_unit;
};
std::optional<InstrumentsHeader> instruments_header(std::string_view line) {
  InstrumentsHeader out;
  const auto cells = cells_of(line);
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string_view cell = trimmed(cells[i]);
    if (cell.starts_with("Symbol Name")) out.name = i;
    if (cell.starts_with("Self")) {
      out.self = i;
      const size_t bracket = cell.find('(');
      if (bracket != std::string_view::npos && cell.ends_with(')'))
        out.self_unit = cell.substr(bracket + 1, cell.size() - bracket - 2);
    }
  }
  constexpr std::array<std::string_view, 5> kWeights = {"Weight", "Running Time", "Bytes Used",
                                                        "Samples", "Count"};
  const bool has_weight = std::ranges::find(kWeights, trimmed(cells[0])) != kWeights.end();
  return has_weight && out.name > 0 ? std::optional(out) : std::nullopt;
}

class InstrumentsParser : public Parser {
 public:
  explicit InstrumentsParser(StackOutput& output) : output_(output), tree_(output) {}

  void add(const io::Line& line) override {
    if (trimmed(line.text).empty()) return;
    if (!header_) {
      header_text_ = line.text;
      header_ = instruments_header(header_text_);
      if (!header_) output_.sink().loss("line before the header", line.offset);
      return;
    }
    const auto cells = cells_of(line.text);
    const auto total = weight_of(cells[header_->total]);
    if (!total || header_->name >= cells.size())
      return output_.sink().loss("line that is not a call", line.offset);
    std::optional<int64_t> self;
    if (header_->self) {
      const auto weight = weight_of(cells[*header_->self], header_->self_unit);
      if (weight) self = weight->value;
    }
    size_t indent = 0;
    const std::string_view name = without_indent(cells[header_->name], indent);
    if (!first_indent_) {
      first_indent_ = indent;
      if (total->is_time) output_.set_time_base(TimeBase::kMicroseconds);
    }
    if (indent < *first_indent_) indent = *first_indent_;
    if (!tree_.add(indent - *first_indent_, output_.type_of({trimmed(name)}), total->value, self))
      output_.sink().loss("call too deep for the line before", line.offset);
  }
  void finish(uint64_t) override { tree_.begin({}); }

 private:
  StackOutput& output_;
  CallTree tree_;
  std::string header_text_;
  std::optional<InstrumentsHeader> header_;
  std::optional<size_t> first_indent_;
};

int sniff_instruments(std::string_view head) {
  HeadLines lines(head, 1);
  const auto line = lines.next();
  return line && instruments_header(*line) ? 90 : 0;
}

template <class Made>
std::unique_ptr<Parser> make_tree(StackOutput& output) {
  return std::make_unique<Made>(output);
}
constexpr Variant kTrees[] = {{"pmcstat", sniff_pmcstat, make_tree<PmcstatParser>},
                              {"sample", sniff_sample, make_tree<SampleParser>},
                              {"Instruments", sniff_instruments, make_tree<InstrumentsParser>}};

}  // namespace

std::span<const Variant> tree_variants() { return kTrees; }

}  // namespace weft::formats::stack_text
