#include "core/formats/hpc/paraver/paraver_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/hpc/paraver/paraver_labels.h"
#include "core/formats/hpc/paraver/paraver_lanes.h"
#include "core/formats/hpc/paraver/paraver_values.h"

namespace weft::formats {
namespace {

using paraver::ThreadId;
using trace::Category;

constexpr std::string_view kParaverMagic = "#Paraver (";
constexpr int64_t kNoEnd = -1;  // of a state that lasts as long as the trace

// Some write it in capitals.
bool is_paraver_header(std::string_view text) {
  return text.starts_with('#') &&
         equals_ignoring_case(text.substr(0, kParaverMagic.size()), kParaverMagic);
}

// Extrae writes values without a sign: what is beyond the half counts from below, as Paraver reads
// it.
std::optional<int64_t> take_value(std::string_view& text) {
  if (const auto value = take_number<int64_t>(text)) return value;
  if (const auto value = take_number<uint64_t>(text)) return static_cast<int64_t>(*value);
  return std::nullopt;
}

// What stands behind the point of a number, by its place among the numbers of a record.
using Fractions = std::vector<std::pair<size_t, double>>;

// Takes ".4375"; nullopt if there are no digits.
std::optional<double> take_fraction(const char*& p, const char* end) {
  const char* const begin = p++;
  while (p != end && is_digit(*p)) ++p;
  if (p - begin == 1) return std::nullopt;
  return parse_number<double>("0" + std::string(begin, p));
}

// The numbers between colons, of which pmlib writes some with decimals; false where one is none.
bool take_apart(std::string_view line, std::vector<int64_t>& numbers, Fractions& fractions) {
  numbers.clear();
  fractions.clear();
  const char* p = line.data();
  const char* const end = p + line.size();
  while (p != end) {
    const bool is_negative = *p == '-';
    int64_t value = 0;
    if (!take_few_digits(p, end, value)) {  // it has a sign, or many digits
      std::string_view rest(p, end);
      const auto number = take_value(rest);
      if (!number) return false;
      value = *number;
      p = rest.data();
    }
    numbers.push_back(value);
    if (p != end && *p == '.') {
      const auto fraction = take_fraction(p, end);
      if (!fraction) return false;
      if (*fraction > 0)
        fractions.emplace_back(numbers.size() - 1, is_negative ? -*fraction : *fraction);
    }
    if (p == end) break;
    if (*p++ != ':') return false;
  }
  return !numbers.empty();
}

class ParaverReader {
 public:
  ParaverReader(trace::EventSink& sink, const paraver::Labels& labels)
      : sink_(sink), labels_(labels), lanes_(sink, labels), values_(sink, labels, lanes_) {}

  void add(const io::Line& line) {
    offset_ = line.offset;
    if (is_paraver_header(line.text)) return add_header(line.text);
    constexpr std::string_view kPassedOver = "#cCiI";  // comments, communicators
    if (kPassedOver.find(line.text.front()) != std::string_view::npos) return;
    if (!take_apart(line.text, numbers_, fractions_))
      return sink_.loss("record that is not numbers", offset_);
    constexpr size_t kStateFields = 8, kFirstPair = 6, kCommunicationFields = 15,
                     kGlobalFields = 10;
    const size_t count = numbers_.size();
    const bool is_event = numbers_[0] == 2;
    const auto is_whole = [&](size_t place) {
      return !is_event || place < kFirstPair || place % 2 == 0;  // no value of an event
    };
    if (std::ranges::any_of(fractions_, is_whole, &Fractions::value_type::first))
      sink_.note(kCut, offset_);
    if (numbers_[0] == 1 && count >= kStateFields) return add_state();
    if (is_event && count >= kFirstPair + 2) {
      for (size_t i = kFirstPair; i + 1 < count; i += 2)
        add_event(numbers_[i], numbers_[i + 1], fraction_of(i + 1));
      if (count % 2 != 0) sink_.loss("event without a value", offset_);
      return;
    }
    if (numbers_[0] == 3 && count >= kCommunicationFields) return add_communication();
    if (numbers_[0] == 4 && count >= kGlobalFields) return add_global_operation();
    const bool is_known = numbers_[0] >= 1 && numbers_[0] <= 4;
    sink_.loss(is_known ? "record with too few fields" : "record of an unknown kind", offset_);
  }

  // The header says how long was recorded.
  void finish() {
    values_.finish(last_);
    if (length_ > last_) sink_.set_end({length_});
  }

 private:
  static constexpr std::string_view kCut = "number cut to a whole one";

  // "#Paraver (date):5834977_ns:nodes:applications:list"
  void add_header(std::string_view line) {
    const size_t date_end = line.find("):");
    if (date_end == std::string_view::npos) return sink_.loss("header that ends early", offset_);
    sink_.set_metadata(
        "date", valid_utf8(line.substr(kParaverMagic.size(), date_end - kParaverMagic.size())));
    line.remove_prefix(date_end + 2);
    const size_t colon = line.find(':');
    std::string_view length = line.substr(0, colon);
    const std::string_view unit = length.substr(std::min(length.find('_'), length.size()));
    if (!unit.empty() && unit != "_ns" && unit != "_us" && unit != "_ms")
      sink_.note("unit of time unknown to Paraver: taken as microseconds, as it does", offset_);
    sink_.set_time_base(length.ends_with("_ns")   ? TimeBase::kNanoseconds
                        : length.ends_with("_ms") ? TimeBase::kMilliseconds
                                                  : TimeBase::kMicroseconds);
    length_ = take_number<int64_t>(length).value_or(0);
    if (colon == std::string_view::npos) return;
    line.remove_prefix(colon + 1);
    // The nodes: a number, and how many processors each has.
    const size_t nodes_end = line.find(':', line.find('(') < line.find(':') ? line.find(')') : 0);
    if (nodes_end != std::string_view::npos) lanes_.set_applications(line.substr(nodes_end + 1));
  }

  // Takes a thread from the fields from `first` on; returns false if there is no such thread.
  bool take_thread(size_t first, ThreadId& id) {
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    id = {numbers_[first], numbers_[first + 1], numbers_[first + 2]};
    const bool is_right =
        std::ranges::all_of(std::initializer_list{id.application, id.task, id.thread},
                            [](int64_t n) { return n >= 1 && n <= kMost; });
    if (!is_right) sink_.loss("record of no thread", offset_);
    return is_right;
  }

  void add_state() {
    ThreadId id;
    if (!take_thread(2, id)) return;
    const int64_t begin = numbers_[5], state = numbers_[7];
    const int64_t end = numbers_[6] == kNoEnd ? std::max(begin, length_) : numbers_[6];
    if (end < begin) return sink_.loss("state that ends before it begins", offset_);
    last_ = std::max(last_, end);
    sink_.give(trace::StateEvent{.begin = {begin},
                                 .duration = {saturating_sub(end, begin)},
                                 .params = params_of_cpu(numbers_[1]),
                                 .lane = lanes_.thread(id),
                                 .type = state_type(state)});
  }

  double fraction_of(size_t place) const {
    const auto it = std::ranges::lower_bound(fractions_, place, {}, &Fractions::value_type::first);
    return it == fractions_.end() || it->first != place ? 0 : it->second;
  }

  void add_event(int64_t type, int64_t value, double fraction) {
    ThreadId id;
    if (!take_thread(2, id)) return;
    const int64_t time = numbers_[5];
    last_ = std::max(last_, time);
    const auto labels = labels_.events.find(type);
    if (labels != labels_.events.end() && !labels->second.values.empty()) {
      if (fraction != 0) sink_.note(kCut, offset_);
      return values_.add(type, {id, value, time, offset_});
    }
    const double scale = labels == labels_.events.end() ? 1 : labels->second.scale;
    sink_.give(
        trace::VariableSample{.time = {time},
                              .value = (static_cast<double>(value) + fraction) * scale,
                              .lane = lanes_.thread(id),
                              .type = sink_.type(Category::kVariable, labels_.type_name(type))});
  }

  // It is received when it is there and somebody asked for it: receives are posted long before, or
  // find that it has come.
  void add_communication() {
    ThreadId from, to;
    if (!take_thread(2, from) || !take_thread(8, to)) return;
    const int64_t send = numbers_[5], physical_send = numbers_[6];
    const int64_t logical_receive = numbers_[11], physical_receive = numbers_[12];
    const int64_t receive = std::max(logical_receive, physical_receive);
    last_ = std::max({last_, send, receive});
    json_.clear();
    fmt::format_to(std::back_inserter(json_), R"({{"size":{},"tag":{})", numbers_[13],
                   numbers_[14]);
    const auto add = [&](std::string_view name, int64_t time, int64_t shown) {
      if (time != shown) fmt::format_to(std::back_inserter(json_), R"(,"{}":{})", name, time);
    };
    add("physical_send", physical_send, send);
    add("logical_receive", logical_receive, receive);
    add("physical_receive", physical_receive, receive);
    json_ += '}';
    sink_.give(trace::LinkEvent{.send = {send},
                                .receive = {receive},
                                .params = sink_.params(json_),
                                .source = lanes_.thread(from),
                                .target = lanes_.thread(to),
                                .type = sink_.type(Category::kLink, "communication")});
  }

  // Adds a task's part in a collective operation of a communicator, as in old traces.
  void add_global_operation() {
    ThreadId id;
    if (!take_thread(2, id)) return;
    last_ = std::max(last_, numbers_[5]);
    const std::string params = fmt::format(R"({{"communicator":{},"sent":{},"received":{}}})",
                                           numbers_[6], numbers_[7], numbers_[8]);
    sink_.give(trace::PunctualEvent{
        .time = {numbers_[5]},
        .params = sink_.params(params),
        .lane = lanes_.thread(id),
        .type = sink_.type(Category::kPunctual, fmt::format("global operation {}", numbers_[9]))});
  }

  EventTypeId state_type(int64_t state) {
    const auto [it, is_new] = state_types_.try_emplace(state, EventTypeId::none());
    if (is_new) {
      const auto label = labels_.states.find(state);
      it->second = sink_.type(Category::kState, label == labels_.states.end()
                                                    ? fmt::format("state {}", state)
                                                    : label->second);
      const auto color = labels_.state_colors.find(state);
      if (color != labels_.state_colors.end()) sink_.set_type_color(it->second, color->second);
    }
    return it->second;
  }

  // 0: unknown.
  ParamsId params_of_cpu(int64_t cpu) {
    if (cpu == 0) return ParamsId::none();
    const auto [it, is_new] = cpu_params_.try_emplace(cpu, ParamsId::none());
    if (is_new) it->second = sink_.params(fmt::format(R"({{"cpu":{}}})", cpu));
    return it->second;
  }

  trace::EventSink& sink_;
  const paraver::Labels& labels_;
  paraver::Lanes lanes_;
  paraver::Values values_;
  std::map<int64_t, EventTypeId> state_types_;
  std::map<int64_t, ParamsId> cpu_params_;
  int64_t length_ = 0, last_ = 0;
  uint64_t offset_ = 0;           // of the line
  std::vector<int64_t> numbers_;  // of the line
  Fractions fractions_;           // likewise
  std::string json_;              // kept for its memory
};

}  // namespace

int sniff_paraver(std::span<const std::byte> head) {
  return is_paraver_header(as_chars(head)) ? 100 : 0;
}

Status read_paraver(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  const paraver::Labels labels = paraver::labels_of(source.path());
  ParaverReader reader(sink, labels);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
