#include "core/formats/profiles/cprofile/cprofile_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/profiles/callgrind/call_graph.h"
#include "core/formats/profiles/callgrind/call_tree.h"
#include "core/formats/profiles/cprofile/marshal.h"

namespace weft::formats {
namespace {

using cprofile::Value;
using Kind = Value::Kind;

constexpr uint64_t kMostCallers = 10'000'000;  // of all functions; texts may be shared without end

int64_t nanoseconds(double seconds) {
  return std::isfinite(seconds) ? saturating_round(std::max(seconds, 0.0) * kNsPerSecond) : 0;
}

class CprofileReader {
 public:
  CprofileReader(const cprofile::Marshal& values, trace::EventSink& sink)
      : values_(values), sink_(sink) {}

  // Reads the dictionary.
  void read(const Value& all) {
    int64_t calls = 0;
    const auto entries = values_.items(all);
    for (size_t i = 0; i + 1 < entries.size(); i += 2) {
      const auto function = function_of(entries[i]);
      const Value& stats = values_.at(entries[i + 1]);
      const auto numbers = numbers_of(stats);
      if (!function || !numbers || stats.item_count != 5) {
        sink_.loss("entry that is no function's", i / 2);
        continue;
      }
      callgrind::Function& of = graph_.functions[*function];
      of.self = {nanoseconds(numbers->own)};
      of.called = numbers->calls;
      calls = saturating_add(calls, of.called);
      add_callers(*function, values_.at(values_.items(stats)[4]), i / 2);
    }
    const LaneId lane = sink_.add_lane({.name = "calls", .kind = trace::LaneKind::kThread});
    sink_.set_time_base(TimeBase::kNanoseconds);
    sink_.set_metadata("calls", format_count(static_cast<uint64_t>(std::max<int64_t>(0, calls))));
    graph_.are_calls_measured = true;
    callgrind::CallTree(sink_, graph_, kEvents, 0).draw(lane, Time{});
  }

 private:
  struct Numbers {
    int64_t calls = 0;
    double own = 0, inclusive = 0;  // seconds
  };

  const Value* item(const Value& tuple, size_t i, Kind kind) const {
    if (tuple.kind != Kind::kTuple || i >= tuple.item_count) return nullptr;
    const Value& value = values_.at(values_.items(tuple)[i]);
    return value.kind == kind ? &value : nullptr;
  }

  // ("/srv/a.py", 12, "run"); of what is built in ("~", 0, "<built-in method sleep>").
  std::optional<uint32_t> function_of(uint32_t key) {
    const Value& tuple = values_.at(key);
    const Value *file = item(tuple, 0, Kind::kText), *line = item(tuple, 1, Kind::kNumber),
                *name = item(tuple, 2, Kind::kText);
    if (file == nullptr || line == nullptr || name == nullptr) return std::nullopt;
    const std::string place =
        file->text == "~" ? std::string() : fmt::format("{}:{}", file->text, line->number);
    return graph_.function_of({}, valid_utf8(place), valid_utf8(name->text));
  }

  std::optional<Numbers> numbers_of(const Value& stats) const {
    const Value *calls = item(stats, 1, Kind::kNumber), *own = item(stats, 2, Kind::kNumber),
                *inclusive = item(stats, 3, Kind::kNumber);
    if (calls == nullptr || own == nullptr || inclusive == nullptr) return std::nullopt;
    return Numbers{saturating_round(std::max(calls->number, 0.0)), own->number, inclusive->number};
  }

  // The module profile counts calls only.
  void add_callers(uint32_t function, const Value& callers, uint64_t place) {
    if (callers.kind != Kind::kDictionary) return;
    const auto entries = values_.items(callers);
    for (size_t i = 0; i + 1 < entries.size(); i += 2) {
      if (++callers_ > kMostCallers) return sink_.loss("callers beyond what can be read", place);
      const auto caller = function_of(entries[i]);
      const auto numbers = numbers_of(values_.at(entries[i + 1]));
      if (!caller) {
        sink_.loss("caller that is not a function", place);
        continue;
      }
      callgrind::Call& call = graph_.call_of(*caller, function);
      call.count = numbers ? numbers->calls : 0;
      call.inclusive = {numbers ? nanoseconds(numbers->inclusive) : 0};
    }
  }

  static inline const std::vector<std::string> kEvents = {"ns"};

  const cprofile::Marshal& values_;
  trace::EventSink& sink_;
  callgrind::CallGraph graph_;
  uint64_t callers_ = 0;
};

}  // namespace

int sniff_cprofile(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  constexpr size_t kLeast = 8;
  constexpr int kTagBits = 0x7F, kSure = 80;
  if (text.size() < kLeast || (text[0] & kTagBits) != '{') return 0;
  const char key = static_cast<char>(text[1] & kTagBits);
  const bool is_short = key == ')' && text[2] == 3;
  const bool is_long = key == '(' && text.substr(2, 4) == std::string_view("\3\0\0\0", 4);
  const char file = static_cast<char>(text[is_short ? 3 : 6] & kTagBits);
  const bool is_text = std::string_view("zZaAstu").find(file) != std::string_view::npos;
  return (is_short || is_long) && is_text ? kSure : 0;
}

Status read_cprofile(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  // What functions and calls take, to their bytes; values lie in large arrays.
  constexpr uint64_t kBytesInMemory = 4;
  WEFT_TRY_ASSIGN(const WholeInput input,
                  WholeInput::read(source, sink, context.memory_bytes / kBytesInMemory));
  cprofile::Marshal values;
  const auto root = values.read(input.bytes());
  if (!root || values.at(*root).kind != Kind::kDictionary)
    return fail("is a profile of Python that is damaged or cut");
  CprofileReader(values, sink).read(values.at(*root));
  return {};
}

}  // namespace weft::formats
