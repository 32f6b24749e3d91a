#include "core/formats/profiles/heap_text/heap_text_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/by_name.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/heap_text/massif_trees.h"

namespace weft::formats {
namespace {

// The values of one lane, sample by sample.
class Series {
 public:
  Series(trace::EventSink& sink, std::string_view lane)
      : sink_(sink),
        lane_(sink.add_lane({.name = std::string(lane), .kind = trace::LaneKind::kCounter})) {}

  // Adds a value to the sample; values of one name are summed.
  void add(std::string_view name, double value) {
    Sum& sum = value_of(sums_, name);
    if (sum.type.is_none()) {
      sum.type = sink_.type(trace::Category::kVariable, valid_utf8(name));
      in_order_.push_back(&sum);
    }
    sum.now += value;
  }
  void end_sample(Time time) {
    for (Sum* const sum : in_order_) {
      if (sum->now != 0 || sum->last != 0) {
        sink_.give(trace::VariableSample{
            .time = time, .value = sum->now, .lane = lane_, .type = sum->type});
      }
      sum->last = sum->now;
      sum->now = 0;
    }
  }

 private:
  struct Sum {
    EventTypeId type = EventTypeId::none();
    double now = 0, last = 0;
  };

  trace::EventSink& sink_;
  LaneId lane_;
  ByName<Sum> sums_;
  std::vector<Sum*> in_order_;
};

class MassifReader {
 public:
  explicit MassifReader(trace::EventSink& sink)
      : sink_(sink), heap_(sink, "memory (bytes)"), trees_(sink) {
    sink_.set_time_base(TimeBase::kTicks);
  }

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    if (line.text.starts_with('#')) return;
    if (in_tree_ && text.starts_with('n')) {
      if (!trees_.add(line.text, line.offset)) sink_.loss("damaged line of a tree", line.offset);
      return;
    }
    const size_t equals = text.find('='), colon = text.find(':');
    if (colon < equals) return add_head(text.substr(0, colon), trimmed(text.substr(colon + 1)));
    if (equals == std::string_view::npos) return sink_.loss("line of no kind", line.offset);
    const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
    if (key == "snapshot") return end_snapshot();
    if (key == "heap_tree") {
      in_tree_ = value != "empty";
      is_peak_ = value == "peak";
      return;
    }
    if (key == "time") return begin_snapshot(value, line.offset);
    const auto number = parse_number<int64_t>(value);
    if (!number) return sink_.loss("line without a number", line.offset);
    heap_.add(name_of(key), static_cast<double>(*number));
  }

  void finish() {
    end_snapshot();
    trees_.finish();
  }

 private:
  // heaptrack's own have no head where it counts what it reads once more.
  void begin_snapshot(std::string_view time, uint64_t offset) {
    if (!has_unit_) add_head("time_unit", "s");
    const auto exact = parse_decimal_time(time, unit_);
    if (!exact)
      return sink_.loss(exact.error() == DecimalError::kNoNumber
                            ? "line without a number"
                            : "time beyond those that there are",
                        offset);
    time_ = exact->nearest();
  }

  // Gives the previous snapshot.
  void end_snapshot() {
    if (time_) heap_.end_sample(*time_);
    if (time_ && in_tree_) trees_.end_snapshot(*time_, is_peak_);
    time_.reset();
    in_tree_ = false;
  }

  void add_head(std::string_view key, std::string_view value) {
    has_unit_ |= key == "time_unit";
    // Beside times stacks are a nanosecond wide for each byte.
    if (key == "time_unit" && (value == "ms" || value == "s")) {
      sink_.set_time_base(TimeBase::kNanoseconds);
      unit_ = value == "s" ? DecimalUnit::kSeconds : DecimalUnit::kMilliseconds;
    }
    if (key == "time_unit" && value == "i") value = "instructions";
    if (key == "time_unit" && value == "B") value = "bytes allocated";
    sink_.set_metadata(valid_utf8(key), valid_utf8(value));
  }

  static std::string_view name_of(std::string_view key) {
    if (key == "mem_heap_B") return "heap";
    if (key == "mem_heap_extra_B") return "overhead of the heap";
    if (key == "mem_stacks_B") return "stacks";
    return key;
  }

  trace::EventSink& sink_;
  Series heap_;
  MassifTrees trees_;
  DecimalUnit unit_ = DecimalUnit::kNanoseconds;  // or ticks
  std::optional<Time> time_;                      // of the snapshot
  bool has_unit_ = false;
  bool in_tree_ = false, is_peak_ = false;
};

class HaskellReader {
 public:
  explicit HaskellReader(trace::EventSink& sink) : sink_(sink), heap_(sink, "heap") {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    const size_t tab = line.text.find('\t');
    if (tab == std::string_view::npos) return add_head(text, line.offset);
    const auto value = parse_number<double>(trimmed(line.text.substr(tab + 1)));
    if (!value || !time_) return sink_.loss("value of no sample", line.offset);
    heap_.add(line.text.substr(0, tab), *value);
  }
  void finish() {
    if (!time_) return;
    sink_.loss("sample that does not end", trace::LossPlace::nowhere());
    heap_.end_sample(*time_);
  }

 private:
  void add_head(std::string_view text, uint64_t offset) {
    const size_t space = std::min(text.find(' '), text.size());
    const std::string_view key = text.substr(0, space);
    std::string_view value = trimmed(text.substr(space));
    if (key == "BEGIN_SAMPLE") {
      const auto time = nearest_time(value, DecimalUnit::kSeconds);
      if (!time) return sink_.loss("sample without a time", offset);
      time_ = time;
    } else if (key == "END_SAMPLE") {
      if (time_) heap_.end_sample(*time_);
      time_.reset();
    } else if (key != "MARK" && value.size() > 1 && value.starts_with('"')) {
      sink_.set_metadata(valid_utf8(key), valid_utf8(value.substr(1, value.size() - 2)));
    } else if (key != "MARK") {
      sink_.loss("line of no kind", offset);
    }
  }

  trace::EventSink& sink_;
  Series heap_;
  std::optional<Time> time_;  // of the sample
};

bool is_massif(std::string_view text) {
  constexpr std::string_view kWithoutHead = "#-----------\nsnapshot=";
  const bool has_head =
      text.starts_with("desc:") && text.find("\ntime_unit:") != std::string_view::npos;
  return has_head || text.starts_with(kWithoutHead);
}
bool is_haskell(std::string_view text) {
  return text.starts_with("JOB \"") && text.find("\nSAMPLE_UNIT \"") != std::string_view::npos;
}

template <class Reader>
void read_lines(io::Source& source, trace::EventSink& sink) {
  Reader reader(sink);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
}

}  // namespace

int sniff_heap_text(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  return is_massif(text) || is_haskell(text) ? 95 : 0;
}

Status read_heap_text(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(1));
  const bool is_of_haskell = !head.empty() && head[0] == std::byte{'J'};
  is_of_haskell ? read_lines<HaskellReader>(source, sink) : read_lines<MassifReader>(source, sink);
  return {};
}

}  // namespace weft::formats
