#include "core/formats/profiles/heaptrack/heaptrack_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/large_vector.h"
#include "core/base/text.h"
#include "core/base/text_arena.h"
#include "core/base/time.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/heaptrack/heap_stacks.h"
#include "core/formats/profiles/heaptrack/modules.h"

namespace weft::formats {
namespace {

using heaptrack::Allocation;
using heaptrack::HeapStacks;

constexpr uint64_t kNewestVersion = 3;

// "v 10550 3": of heaptrack and of the file. Before 1.0 there was one number, and 10200 said that
// the file is of version 1.
struct Version {
  uint64_t program = 0, file = 0;
};
std::optional<Version> version_of(std::string_view line) {
  if (!take_prefix(line, "v ")) return std::nullopt;
  const auto program = take_hexadecimal(line);
  if (!program) return std::nullopt;
  constexpr uint64_t kOneTwo = 0x010200;
  skip_spaces(line);
  if (line.empty()) return Version{*program, *program == kOneTwo ? 1u : 0u};
  const auto file = take_hexadecimal(line);
  return file && line.empty() ? std::optional(Version{*program, *file}) : std::nullopt;
}

class HeaptrackReader {
 public:
  explicit HeaptrackReader(trace::EventSink& sink) : sink_(sink), heap_(frame({}, {})) {
    sink_.set_time_base(TimeBase::kNanoseconds);
  }

  void add(const io::Line& line) {
    const char kind = line.text.front();
    std::string_view text = line.text;
    text.remove_prefix(std::min<size_t>(2, text.size()));
    if (kind == '#') return;
    if (kind == '+' || kind == '-') {
      has_changed_ = true;
      if (!(kind == '+' ? allocate(text) : free(text, line.offset)))
        sink_.loss("allocation that is damaged or not known", line.offset);
    } else if (!add_definition(kind, text) && !add_measure(kind, text, line.offset) &&
               !add_head(kind, text, line.offset)) {
      sink_.loss("damaged line", line.offset);
    }
  }

  void finish() {
    if (is_counted_ && has_changed_) sample_heap(now_ms_ + 1);
    heap_.show(sink_, process());
    if (!suppressions_.empty()) sink_.set_metadata("suppressions", suppressions_);
  }

 private:
  // The next number, and the space behind it.
  static std::optional<uint64_t> take(std::string_view& text) {
    const auto number = take_hexadecimal(text);
    if (!number || !(text.empty() || text.starts_with(' '))) return std::nullopt;
    skip_spaces(text);
    return number;
  }
  // The next word, or since version 3 as much as a number says.
  std::optional<std::string_view> take_text(std::string_view& text) const {
    if (version_.file < 3) {
      const std::string_view word = take_to(text, ' ');
      return word.empty() ? std::nullopt : std::optional(word);
    }
    const auto size = take(text);
    if (!size || *size > text.size()) return std::nullopt;
    const std::string_view taken = text.substr(0, *size);
    text.remove_prefix(*size);
    skip_spaces(text);
    return taken;
  }

  // Adds a definition, which others refer to by number, so damaged ones keep theirs. Returns false
  // if it is none, or damaged.
  bool add_definition(char kind, std::string_view text) {
    switch (kind) {
      case 's': {
        const auto said = version_.file < 3 ? std::optional(text) : take_text(text);
        strings_.push_back(texts_.add(valid_utf8(said.value_or(""))));
        return said.has_value();
      }
      case 'i':
        return add_address(text);
      case 't':
        return add_stack(text);
      case 'a': {
        const auto bytes = take(text), stack = take(text);
        allocations_.push_back(allocation(bytes.value_or(0), stack.value_or(0)));
        return bytes && stack;
      }
      case 'm':
        return add_module(text);
      default:
        return false;
    }
  }

  // Returns a text by number; nullopt if there is none.
  std::optional<std::string_view> string(std::optional<uint64_t> number) const {
    const bool is_there = number && *number > 0 && *number <= strings_.size();
    return is_there ? std::optional(strings_[*number - 1]) : std::nullopt;
  }
  EventTypeId frame(std::string_view name, std::string_view module) {
    return sink_.type(trace::Category::kState, name.empty() ? "(unknown)" : name, module);
  }

  bool add_address(std::string_view text) {
    const auto address = take(text), module_number = take(text);
    const std::string_view module = file_name_of(string(module_number).value_or(""));
    frames_.clear();
    while (const auto function = take(text)) {
      const auto name = string(function);
      frames_.push_back(name ? frame(*name, module) : frame(in(module), module));
      if (!take(text) || !take(text)) break;  // of the outermost there may be no file
    }
    if (frames_.empty()) frames_.push_back(frame(in(module), module));
    heap_.add_address(frames_);
    return address && module_number && text.empty();
  }
  // A function whose name is not known, as other readers call it.
  static std::string in(std::string_view module) {
    return module.empty() ? std::string() : fmt::format("[{}]", module);
  }

  // "t 5d7ea53faa57 7" of what was not interpreted: the address itself.
  bool add_stack(std::string_view text) {
    const auto place = take(text), caller = take(text);
    const uint64_t address = place.value_or(0);
    const bool is_there =
        heap_.add_stack(is_raw_ ? number_of_address(address) : address, caller.value_or(0));
    return is_there && place && caller;
  }
  uint64_t number_of_address(uint64_t address) {
    const auto known = addresses_.find(address);
    if (known != addresses_.end()) return known->second;
    const auto place = modules_.find(address);
    const std::string_view module = file_name_of(place.module);
    const EventTypeId type = frame(
        module.empty() ? std::string() : fmt::format("{}+0x{:x}", module, place.offset), module);
    heap_.add_address({&type, 1});
    return addresses_.try_emplace(address, heap_.addresses()).first->second;
  }

  // "m 12 /usr/lib/libc.so.6 7bf3f6414000 0 23220 24000 16b0b9"; "m 1 x …" is the program; "m 1 -":
  // all are told anew.
  bool add_module(std::string_view text) {
    is_raw_ = true;
    const auto said = take_text(text);
    if (!said) return false;
    if (*said == "-") {
      modules_.clear();
      return true;
    }
    const std::string path = valid_utf8(*said == "x" ? program_ : *said);
    const auto base = take(text);
    if (!base) return false;
    while (!text.empty()) {
      const auto begin = take(text), size = take(text);
      if (!begin || !size) return false;
      modules_.add(path, *base, *base + *begin, *size);
    }
    return true;
  }

  static Allocation allocation(uint64_t bytes, uint64_t stack) {
    constexpr uint64_t kMost = INT64_MAX;
    return {static_cast<int64_t>(std::min(bytes, kMost)),
            static_cast<uint32_t>(std::min<uint64_t>(stack, UINT32_MAX))};
  }
  bool has_pointers() const { return is_raw_ || version_.file == 0; }

  // "+ 1", or "+ 18 a 5d7ec4dee610".
  bool allocate(std::string_view text) {
    const auto number = take(text);
    if (!number) return false;
    if (!has_pointers()) {
      if (*number >= allocations_.size() || !heap_.has_stack(allocations_[*number].stack))
        return false;
      heap_.allocate(allocations_[*number]);
      last_ = *number;
      return text.empty();
    }
    const auto stack = take(text), pointer = take(text);
    if (!stack || !pointer || !heap_.has_stack(*stack)) return false;
    const Allocation made = allocation(*number, *stack);
    heap_.allocate(made);
    pointers_.insert_or_assign(*pointer, made);
    last_ = *pointer;
    return true;
  }
  bool free(std::string_view text, uint64_t offset) {
    const auto number = take(text);
    if (!number || !text.empty()) return false;
    const bool is_last = std::exchange(last_, std::nullopt) == number;
    if (!has_pointers()) {
      if (*number >= allocations_.size() || !heap_.has_stack(allocations_[*number].stack))
        return false;
      heap_.free(allocations_[*number], is_last);
      return true;
    }
    const auto known = pointers_.find(*number);
    if (known == pointers_.end()) {
      sink_.note("deallocation of what was allocated before", offset);
      return true;
    }
    heap_.free(known->second, is_last);
    pointers_.erase(known);
    return true;
  }

  // False: it is none of these, or damaged.
  bool add_measure(char kind, std::string_view text, uint64_t offset) {
    if (kind != 'c' && kind != 'R') return false;
    const auto value = take(text);
    constexpr uint64_t kMost = INT64_MAX / 2'000'000;
    if (!value || *value > kMost) return false;
    is_counted_ = true;
    if (kind == 'R') {
      sample(bytes_, "resident", static_cast<double>(*value) * static_cast<double>(page_bytes_),
             now_ms_);
    } else if (static_cast<int64_t>(*value) < now_ms_) {
      sink_.loss("time that runs back", offset);
    } else {
      now_ms_ = static_cast<int64_t>(*value);
      sample_heap(now_ms_);
    }
    return true;
  }
  void sample_heap(int64_t ms) {
    has_changed_ = false;
    const HeapStacks::Totals& totals = heap_.totals();
    sample(bytes_, "heap", static_cast<double>(totals.heap), ms);
    sample(bytes_, "most of the heap since the time before", static_cast<double>(heap_.take_most()),
           ms);
    sample(calls_, "allocations", static_cast<double>(totals.allocations), ms);
    sample(calls_, "freed at once", static_cast<double>(totals.at_once), ms);
  }
  void sample(LaneId& lane, std::string_view name, double value, int64_t ms) {
    if (lane.is_none())
      lane = sink_.add_lane({.name = &lane == &bytes_ ? "memory (bytes)" : "calls",
                             .parent = process(),
                             .kind = trace::LaneKind::kCounter});
    sink_.give(trace::VariableSample{.time = Time{ms * kNsPerMs},
                                     .value = value,
                                     .lane = lane,
                                     .type = sink_.type(trace::Category::kVariable, name)});
  }

  // Adds a header line.
  bool add_head(char kind, std::string_view text, uint64_t offset) {
    switch (kind) {
      case 'v':
        return add_version(text, offset);
      case 'x': {
        is_raw_ = true;
        const auto said = take_text(text);
        if (said) sink_.set_metadata("program", program_ = valid_utf8(*said));
        return said.has_value();
      }
      case 'X':
        command_ = valid_utf8(trimmed(text));
        sink_.set_metadata("command", command_);
        return true;
      case 'I': {
        const auto bytes = take(text), pages = take(text);
        constexpr uint64_t kMost = 1 << 30;
        if (!bytes || *bytes > kMost) return false;
        page_bytes_ = *bytes;
        if (pages && *pages < kMost)
          sink_.set_metadata("memory of the machine", format_bytes(*bytes * *pages));
        return true;
      }
      case 'A':
        sink_.set_metadata("attached", "yes");
        return true;
      case 'S':
        suppressions_ += suppressions_.empty() ? "" : ", ";
        suppressions_ += valid_utf8(trimmed(text));
        return true;
      default:
        return false;
    }
  }
  bool add_version(std::string_view text, uint64_t offset) {
    const auto version = version_of(fmt::format("v {}", text));
    if (!version) return false;
    version_ = *version;
    if (version_.file > kNewestVersion)
      sink_.loss("version of the file that is newer than those known", offset);
    constexpr unsigned kByte = 8, kBytes = 0xff;
    const uint64_t program = version_.program;
    sink_.set_metadata("heaptrack", fmt::format("{}.{}.{}", program >> 2 * kByte,
                                                program >> kByte & kBytes, program & kBytes));
    sink_.set_metadata("version of the file", std::to_string(version_.file));
    return true;
  }

  LaneId process() {
    if (!process_.is_none()) return process_;
    const std::string& name = command_.empty() ? program_ : command_;
    process_ = sink_.add_lane(
        {.name = name.empty() ? "process" : name, .kind = trace::LaneKind::kProcess});
    return process_;
  }

  trace::EventSink& sink_;
  Version version_;
  bool is_raw_ = false;  // not interpreted: addresses have no names, allocations are pointers
  std::string program_, command_, suppressions_;
  uint64_t page_bytes_ = 4096;

  LargePool memory_;
  TextArena texts_;
  LargeVector<std::string_view> strings_;
  LargeVector<Allocation> allocations_;
  std::pmr::unordered_map<uint64_t, Allocation> pointers_{&memory_};
  heaptrack::Modules modules_;
  std::pmr::unordered_map<uint64_t, uint64_t> addresses_{&memory_};
  HeapStacks heap_;
  std::vector<EventTypeId> frames_;  // kept for its memory

  std::optional<uint64_t> last_;  // what was allocated just before: its number or pointer
  int64_t now_ms_ = 0;
  bool is_counted_ = false;   // some time was said
  bool has_changed_ = false;  // the heap, since then
  LaneId process_ = LaneId::none(), bytes_ = LaneId::none(), calls_ = LaneId::none();
};

}  // namespace

int sniff_heaptrack(std::span<const std::byte> head) {
  HeadLines lines(as_chars(head), 2);
  const auto first = lines.next(), second = lines.next();
  if (!first || !second || !version_of(*first)) return 0;
  const bool has_kind = second->size() > 2 && (*second)[1] == ' ' &&
                        std::string_view("xXAISsmti").contains(second->front());
  return has_kind || *second == "A" ? 95 : 0;
}

Status read_heaptrack(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  HeaptrackReader reader(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  reader.finish();
  return {};
}

}  // namespace weft::formats
