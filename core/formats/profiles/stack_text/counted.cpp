// Stacks with a count behind them: DTrace, SystemTap; maps of bpftrace.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/perf/perf_line.h"
#include "core/formats/profiles/stack_text/variants.h"

namespace weft::formats::stack_text {
namespace {

// "value ------------- Distribution ------------- count" of DTrace; rows of both are
// "      4096 |@@@@@@      5" and "[4K, 8K)     5 |@@@@@@     |".
bool is_distribution(std::string_view line) {
  return line.find("- Distribution -") != std::string_view::npos;
}
std::optional<int64_t> count_of_row(std::string_view line) {
  const size_t bar = line.find('|');
  if (bar == std::string_view::npos) return std::nullopt;
  std::string_view text = line.starts_with('[') ? line.substr(0, bar) : line.substr(bar);
  text = trimmed(text);
  const size_t space = text.find_last_of(" \t@");
  return parse_number<int64_t>(space == std::string_view::npos ? text : text.substr(space + 1));
}

// "unix`mutex_exit+0x12", "libc.so.1`_write+0x15"; "0xffffffff8103ce3b : halt+0xb/0x10 [kernel]".
Frame dtrace_frame(std::string_view text) {
  const size_t colon = text.find(" : ");
  if (text.starts_with("0x") && colon != std::string_view::npos) {
    std::string_view name = trimmed(text.substr(colon + 3)), object;
    const size_t bracket = name.rfind(" [");
    if (bracket != std::string_view::npos && name.ends_with(']')) {
      object = name.substr(bracket + 2, name.size() - bracket - 3);
      name = name.substr(0, bracket);
    }
    name =
        name.substr(0, name.rfind('/') == std::string_view::npos ? name.size() : name.rfind('/'));
    return {without_offset(name), object};
  }
  const size_t tick = text.find('`');
  if (tick == std::string_view::npos) return {without_offset(text)};
  return {without_offset(text.substr(tick + 1)), text.substr(0, tick)};
}

class DtraceParser : public Parser {
 public:
  explicit DtraceParser(StackOutput& output) : output_(output) {}

  void add(const io::Line& line) override {
    const std::string_view text = trimmed(line.text);
    if (rows_ && !text.empty()) {
      if (const auto count = count_of_row(text)) {
        *rows_ = saturating_add(*rows_, *count);
        return;
      }
    }
    if (rows_) give(*std::exchange(rows_, std::nullopt));
    if (text.empty() || is_heading(text)) return;
    if (is_distribution(text)) {
      rows_ = 0;
    } else if (const auto count = parse_number<int64_t>(text)) {
      if (stack_.is_empty()) return output_.sink().loss("count without a stack", line.offset);
      give(*count);
    } else {
      offset_ = line.offset;
      if (!stack_.add(output_.type_of(dtrace_frame(text))))
        output_.sink().loss("frame deeper than can be read", line.offset);
    }
  }

  void finish(uint64_t offset) override {
    if (rows_) give(*rows_);
    if (!stack_.is_empty()) output_.sink().loss("stack without a count", std::min(offset_, offset));
  }

 private:
  // "CPU     ID                    FUNCTION:NAME", and "  0  64091   :tick-60s".
  static bool is_heading(std::string_view text) {
    if (text.starts_with("CPU ") && text.ends_with("FUNCTION:NAME")) return true;
    if (text.starts_with("dtrace: ")) return true;
    const auto cpu = parse_number<uint64_t>(take_word(text));
    const auto probe = parse_number<uint64_t>(take_word(text));
    return cpu && probe && text.find(':') != std::string_view::npos;
  }
  void give(int64_t count) {
    if (!stack_.is_empty()) output_.add("stacks", stack_.take(), count);
  }

  StackOutput& output_;
  InnermostFirst stack_;
  std::optional<int64_t> rows_;  // of a distribution
  uint64_t offset_ = 0;          // of the last frame
};

// "@name[key, " or "@[", and behind the frames "]: 3", maybe with keys before it. Of several stacks
// of one key the first is the innermost: "@[kstack, ustack, comm]".
class BpftraceParser : public Parser {
 public:
  explicit BpftraceParser(StackOutput& output) : output_(output) {}

  void add(const io::Line& line) override {
    std::string_view text = trimmed(line.text);
    if (rows_) {
      const auto count = count_of_row(text);
      if (count) *rows_ = saturating_add(*rows_, *count);
      if (count) return;
      give(*std::exchange(rows_, std::nullopt), line.offset);
    }
    if (!is_open_) {
      const size_t bracket = text.find('[');
      if (!text.starts_with('@') || bracket == std::string_view::npos) return;
      map_ = text.substr(0, bracket);
      text.remove_prefix(bracket + 1);
      is_open_ = true;
      is_first_ = true;
    }
    offset_ = line.offset;
    add_keys(text);
    is_first_ = false;
  }

  void finish(uint64_t offset) override {
    if (rows_) give(*rows_, offset);
    if (is_open_) output_.sink().loss("stack without a count", std::min(offset_, offset));
  }

 private:
  void add_keys(std::string_view text) {
    const size_t end = text.rfind("]:");
    const bool is_last = end != std::string_view::npos && is_value(text.substr(end + 2));
    std::string_view keys = is_last ? text.substr(0, end) : text;
    const bool is_behind_stack = take_prefix(keys, ",");
    keys = trimmed(keys);
    while (!keys.empty()) {
      const size_t comma = std::min(keys.find(", "), keys.size());
      // A function of C++ has commas, too.
      const bool is_frame = !is_first_ && !is_last && !is_behind_stack;
      const bool is_whole = is_frame || keys.find('(') < comma;
      std::string_view key = is_whole ? keys : keys.substr(0, comma);
      keys.remove_prefix(is_whole ? keys.size() : std::min(comma + 2, keys.size()));
      if (key.ends_with(',')) key.remove_suffix(1);
      add_frame(trimmed(key));
    }
    if (!is_last) return;
    is_open_ = false;
    const std::string_view value = trimmed(text.substr(end + 2));
    if (value.empty()) {
      rows_ = 0;  // a histogram follows
    } else {
      give(count_of(value), offset_);
    }
  }

  static bool is_value(std::string_view text) {
    text = trimmed(text);
    return text.empty() || text.starts_with('(') || parse_number<int64_t>(text).has_value() ||
           text.starts_with("count ");
  }
  // "3"; of averages ("count 7, average 3, total 21") the total.
  static int64_t count_of(std::string_view value) {
    constexpr std::string_view kTotal = "total ";
    const size_t total = value.find(kTotal);
    if (total != std::string_view::npos) value.remove_prefix(total + kTotal.size());
    return take_number<int64_t>(value).value_or(0);
  }

  // The first line is not a frame, but what the stack was taken of.
  void add_frame(std::string_view text) {
    if (text.empty()) return;
    std::string_view object;
    const size_t bracket = text.rfind(" (");
    if (bracket != std::string_view::npos && text.ends_with(')')) {
      object = text.substr(bracket + 2, text.size() - bracket - 3);
      text = text.substr(0, bracket);
    }
    const EventTypeId type = output_.type_of({without_offset(text), object});
    if (is_first_) {
      keys_.push_back(type);
    } else if (!stack_.add(type)) {
      output_.sink().loss("frame deeper than can be read", offset_);
    }
  }

  void give(int64_t count, uint64_t offset) {
    std::vector<EventTypeId> frames = std::exchange(keys_, {});
    const auto stack = stack_.take();
    frames.insert(frames.end(), stack.begin(), stack.end());
    if (frames.empty()) return;
    if (count <= 0) return output_.sink().note("stack without a count above 0", offset);
    output_.add(map_, frames, count);
  }

  StackOutput& output_;
  std::string map_;
  std::vector<EventTypeId> keys_;  // before the stack
  InnermostFirst stack_;
  bool is_open_ = false, is_first_ = false;
  std::optional<int64_t> rows_;  // of a histogram
  uint64_t offset_ = 0;
};

int sniff_dtrace(std::string_view head) {
  int frames = 0, counts = 0, others = 0;
  bool is_behind_frame = false;
  HeadLines lines(head);
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty()) continue;
    perf::Sample sample;
    // Each sample has a line of its own, as perf prints it: perf script's reader knows its time.
    if (perf::has_exact_time(*line) && perf::parse_sample(*line, sample)) return 0;
    const bool is_count = parse_number<uint64_t>(text).has_value() || is_distribution(text);
    const bool is_indented = line->starts_with(' ') || line->starts_with('\t');
    const bool is_solaris =
        text.find('`') != std::string_view::npos && text.find(' ') == std::string_view::npos;
    const bool is_systemtap = text.starts_with("0x") && text.find(" : ") != std::string_view::npos;
    if (is_indented && (is_solaris || is_systemtap)) {
      ++frames;
    } else if (is_count && is_behind_frame) {
      ++counts;
    } else {
      ++others;
    }
    is_behind_frame = is_indented && !is_count;
  }
  constexpr int kSure = 75;
  return frames > 1 && counts > 0 && others < frames + counts ? kSure : 0;
}

int sniff_bpftrace(std::string_view head) {
  bool begins = false;
  HeadLines lines(head);
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    const bool is_map = text.starts_with('@') && text.find('[') != std::string_view::npos;
    // The beginning of a stack, with frames on lines of their own.
    if (is_map && (text.ends_with('[') || text.ends_with(','))) begins = true;
    if (begins && text.find("]:") != std::string_view::npos) return 90;
  }
  return 0;
}

template <class Made>
std::unique_ptr<Parser> make(StackOutput& output) {
  return std::make_unique<Made>(output);
}
constexpr Variant kCounted[] = {{"DTrace or SystemTap", sniff_dtrace, make<DtraceParser>},
                                {"bpftrace", sniff_bpftrace, make<BpftraceParser>}};

}  // namespace

std::span<const Variant> counted_variants() { return kCounted; }

}  // namespace weft::formats::stack_text
