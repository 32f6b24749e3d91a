#include "core/formats/profiles/callgrind/cost_file.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::callgrind {
namespace {

constexpr size_t kMostEvents = 256;
constexpr uint64_t kFunctionBytes = 300, kLineBytes = 200, kCallBytes = 150;  // about

// Decimal, or hexadecimal with 0x. What a number of 64 bits does not hold is its greatest.
std::optional<uint64_t> take_unsigned(std::string_view& text) {
  const bool is_hexadecimal = take_prefix(text, "0x") || take_prefix(text, "0X");
  uint64_t value = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (is_hexadecimal || !take_few_digits(at, end, value)) {
    const auto [stop, error] = std::from_chars(at, end, value, is_hexadecimal ? 16 : 10);
    if (error == std::errc::invalid_argument) return std::nullopt;
    if (error != std::errc()) value = UINT64_MAX;
    at = stop;
  }
  text = {at, end};
  return value;
}

int64_t clamped(uint64_t value) {
  return static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX));
}

std::optional<int64_t> count_of(std::string_view& text) {
  text = trimmed(text);
  const auto value = take_unsigned(text);
  return value ? std::optional(clamped(*value)) : std::nullopt;
}

// A number of a name, "(12)", which is taken off with the space behind it.
std::optional<uint64_t> take_name_number(std::string_view& text) {
  if (!text.starts_with('(')) return std::nullopt;
  std::string_view rest = text.substr(1);
  const auto number = take_number<uint64_t>(rest);
  if (!number || !rest.starts_with(')')) return std::nullopt;
  text = trimmed(rest.substr(1));
  return number;
}

// pprof tells the calls of a function from several callers apart, "f [2/3]", but not its costs.
// This is the name without that.
std::string_view without_copy_number(std::string_view name) {
  const size_t at = name.rfind(" [");
  if (at == std::string_view::npos || !name.ends_with(']')) return name;
  std::string_view rest = name.substr(at + 2);
  const auto number = take_number<uint64_t>(rest);
  if (!number || !take_prefix(rest, "/")) return name;
  const auto count = take_number<uint64_t>(rest);
  return count && *number <= *count && rest == "]" ? name.substr(0, at) : name;
}

bool is_position(char c) { return is_digit(c) || c == '+' || c == '-' || c == '*'; }

}  // namespace

void CostFile::add(const io::Line& line) {
  const std::string_view text = trimmed(line.text);
  if (is_remark(text)) return;
  offset_ = line.offset;
  if (is_position(text.front())) return add_costs_line(text);
  const size_t sign = text.find_first_of("=:");
  if (sign != std::string_view::npos) {
    const std::string_view key = text.substr(0, sign), value = trimmed(text.substr(sign + 1));
    if (text[sign] == '=' ? add_spec(key, value) : add_header(key, value)) return;
  }
  sink_.loss("line of no kind", offset_);
}

void CostFile::finish() {
  if (next_ != Next::kSelf) sink_.loss("call or jump without a cost", offset_);
  if (writes_totals_ && has_costs_ && !has_totals_)
    sink_.loss("input ends before the totals of its costs", offset_);
  next_ = Next::kSelf;
  give_part();
}

// A part's headers precede its costs; `totals` and `summary` may follow.
bool CostFile::add_header(std::string_view key, std::string_view value) {
  if (key == "totals" || key == "summary") {
    take_costs(value, part_.totals);
    has_totals_ |= has_costs_;
  } else if (key == "events") {
    begin_part();
    part_.events.clear();
    for (auto word = take_word(value); !word.empty(); word = take_word(value)) {
      if (part_.events.size() == kMostEvents) return false;
      part_.events.push_back(valid_utf8(word));
    }
    return true;  // the lanes and the parameters have their names
  } else if (key == "positions") {
    begin_part();
    has_addresses_ = value.find("instr") != std::string_view::npos;
    has_lines_ = value.find("line") != std::string_view::npos;
  } else if (key == "part" || key == "thread" || key == "pid") {
    begin_part();
    if (key == "part") part_.number = valid_utf8(value);
    if (key == "thread") part_.thread = valid_utf8(value);
  } else if (key == "version" || key == "creator") {
    begin_part();
  } else if (key != "cmd" && key != "desc" && key != "event" && !key.starts_with("timeframe") &&
             key != "arch") {
    return false;
  }
  if (key == "positions") return true;
  // "desc: Trigger: Program termination"
  const size_t colon = value.find(':');
  if ((key == "desc" || key == "event") && colon != std::string_view::npos) {
    key = trimmed(value.substr(0, colon));
    value = trimmed(value.substr(colon + 1));
  }
  writes_totals_ |= (key == "creator" && value.starts_with("callgrind-")) || key == "I1 cache";
  if (value.empty()) return true;
  if (claim(kLineBytes + key.size() + value.size(),
            "line of a header that the memory has no room for"))
    part_.header.emplace_back(valid_utf8(key), valid_utf8(value));
  return true;
}

bool CostFile::add_spec(std::string_view key, std::string_view value) {
  if (key == "fn") {
    enter_file(function_file_);
    function_ = function_of(value, object_, file_);
  } else if (key == "calls" || key == "rcalls" || key == "jump") {
    const auto count = count_of(value);
    if (!count) return false;
    count_ = *count;
    next_ = key == "jump" ? Next::kJump : Next::kCall;
  } else if (key == "cfn") {
    if (is_by_pprof()) value = without_copy_number(value);
    callee_ = function_of(value, has_called_object_ ? called_object_ : object_,
                          has_called_file_ ? called_file_ : file_);
  } else if (key == "fl") {
    enter_file(function_file_ = name_of(files_, value));
  } else if (key == "fi" || key == "fe") {
    enter_file(name_of(files_, value));
  } else if (key == "ob") {
    object_ = name_of(objects_, value);
  } else if (key == "cob") {
    called_object_ = name_of(objects_, value);
    has_called_object_ = true;
  } else if (key == "cfi" || key == "cfl") {
    called_file_ = name_of(files_, value);
    has_called_file_ = true;
  } else if (key == "jfi") {
    name_of(files_, value);  // it may give the name its number
  } else if (key == "jfn") {
    function_of(value, object_, file_);
  } else if (key == "jcnd") {
    const auto followed = count_of(value);
    if (!followed || !take_prefix(value, "/")) return false;
    const auto count = count_of(value);
    if (!count) return false;
    followed_ = *followed;
    count_ = *count;
    next_ = Next::kBranch;
  } else {
    return false;
  }
  return true;
}

void CostFile::add_costs_line(std::string_view text) {
  const Next next = std::exchange(next_, Next::kSelf);
  if (!take_position(text, position_)) return sink_.loss("line without a position", offset_);
  if (part_.events.empty()) return sink_.loss("costs before the events are named", offset_);
  take_costs(text, costs_);
  if (!has_costs_) part_.offset = offset_;
  has_costs_ = true;
  if (next == Next::kSelf) return add_self(costs_);
  if (next == Next::kCall) return add_call(costs_);
  SourceLine* const line = line_here();
  if (line == nullptr) return;
  line->jumps = saturating_add(line->jumps, next == Next::kJump ? count_ : followed_);
  if (next == Next::kBranch) line->branches = saturating_add(line->branches, count_);
}

void CostFile::add_self(const Costs& costs) {
  callgrind::add_costs(part_.graph.functions[function_here()].self, costs);
  if (SourceLine* const line = line_here()) callgrind::add_costs(line->self, costs);
}

void CostFile::add_call(const Costs& costs) {
  has_called_object_ = has_called_file_ = false;
  if (!callee_) return sink_.loss("call of nobody", offset_);
  const uint32_t caller = function_here(), callee = *std::exchange(callee_, std::nullopt);
  if (part_.graph.has_call(caller, callee) ||
      claim(kCallBytes, "call that the memory has no room for")) {
    Call& call = part_.graph.call_of(caller, callee);
    call.count = saturating_add(call.count, count_);
    callgrind::add_costs(call.inclusive, costs);
    Function& function = part_.graph.functions[callee];
    function.called = saturating_add(function.called, count_);
  }
  SourceLine* const line = line_here();
  if (line == nullptr) return;
  line->calls = saturating_add(line->calls, count_);
  callgrind::add_costs(line->of_calls, costs);
}

// A position has an address, a line, or both.
bool CostFile::take_position(std::string_view& text, Position& position) {
  const auto take = [&](uint64_t& value) {
    text = trimmed(text);
    if (text.empty()) return false;
    const char sign = text.front();
    if (sign == '+' || sign == '-' || sign == '*') text.remove_prefix(1);
    if (sign == '*') return true;
    const auto number = take_unsigned(text);
    if (!number) return false;
    value = sign == '+' ? value + *number : sign == '-' ? value - *number : *number;
    return true;
  };
  if (has_addresses_ && !take(position.address)) return false;
  auto line = static_cast<uint64_t>(position.line);
  if (has_lines_ && !take(line)) return false;
  position.line = static_cast<int64_t>(line);
  return true;
}

// Missing costs are 0. In Xdebug's files, memory may decrease.
void CostFile::take_costs(std::string_view text, Costs& costs) {
  costs.clear();
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
    if (costs.size() == part_.events.size()) {
      sink_.loss("cost of no event", offset_, 1, false);
      break;
    }
    const bool is_negative = take_prefix(word, "-");
    const auto value = word == "." ? std::optional<uint64_t>(0) : take_unsigned(word);
    if (!value) sink_.loss("cost that is not a number", offset_);
    const int64_t cost = clamped(value.value_or(0));
    costs.push_back(is_negative ? -cost : cost);
  }
}

void CostFile::begin_part() {
  if (!has_costs_) return;
  give_part();
}

void CostFile::give_part() {
  if (has_costs_ || !part_.header.empty() || !part_.events.empty()) give_(part_);
  // Carries headers over to the parts that follow.
  std::vector<std::string> events = std::move(part_.events);
  part_ = {};
  part_.events = std::move(events);
  has_costs_ = has_totals_ = false;
  taken_bytes_ = 0;
  function_ = callee_ = file_number_ = std::nullopt;
  line_ = part_.graph.lines.end();
  position_ = {};
  ++parts_;
}

void CostFile::enter_file(std::string name) {
  if (name == file_) return;
  file_ = std::move(name);
  file_number_.reset();
}

std::string CostFile::name_of(Names& names, std::string_view value) {
  const auto number = take_name_number(value);
  if (!number) return valid_utf8(value);
  if (value.empty()) {
    const auto known = names.find(*number);
    if (known != names.end()) return known->second;
    sink_.loss("number that is no name's", offset_);
    return "(unknown)";
  }
  std::string name = valid_utf8(value);
  const uint64_t bytes = kLineBytes + name.size();
  if (claim(bytes, "name that the memory has no room for")) {
    names.insert_or_assign(*number, name);
    taken_bytes_ -= bytes;  // parts come and go, names stay
    left_bytes_ -= bytes;
  }
  return name;
}

uint32_t CostFile::function_of(std::string_view value, std::string_view object,
                               std::string_view file) {
  const auto number = take_name_number(value);
  const auto known = number ? functions_.find(*number) : functions_.end();
  const bool is_known_number = value.empty() && known != functions_.end();
  if (is_known_number && known->second.part == parts_) return known->second.function;
  if (number && value.empty() && !is_known_number) sink_.loss("number that is no name's", offset_);
  Named named = is_known_number ? known->second
                                : Named{std::string(object), std::string(file), valid_utf8(value)};
  if (named.name.empty()) named.name = "(unknown)";
  const uint64_t bytes =
      kFunctionBytes + 2 * (named.object.size() + named.file.size() + named.name.size());
  if (!part_.graph.has_function(named.object, named.file, named.name) &&
      !claim(bytes, "function that the memory has no room for"))
    return part_.graph.function_of({}, {}, "(others)");
  const uint32_t function = part_.graph.function_of(named.object, named.file, named.name);
  named.part = parts_;
  named.function = function;
  if (is_known_number) {
    known->second = std::move(named);
  } else if (number && !value.empty()) {
    functions_.insert_or_assign(*number, std::move(named));
    left_bytes_ -= std::min(left_bytes_, bytes);
  }
  return function;
}

// Whether there is room for so many bytes more.
bool CostFile::claim(uint64_t bytes, std::string_view kind) {
  if (taken_bytes_ + bytes > left_bytes_) {
    sink_.loss(kind, offset_);
    return false;
  }
  taken_bytes_ += bytes;
  return true;
}

uint32_t CostFile::function_here() {
  if (function_) return *function_;
  sink_.loss("costs of no function", offset_, 1, false);
  function_ = part_.graph.function_of(object_, file_, "(unknown)");
  return *function_;
}

// Lines follow each other in most files: the next is looked for beside the last.
SourceLine* CostFile::line_here() {
  auto& lines = part_.graph.lines;
  if (!file_number_) file_number_ = part_.graph.file_of(file_);
  const CallGraph::LineKey key{
      function_here(), *file_number_,
      has_lines_ ? position_.line : static_cast<int64_t>(position_.address)};
  const bool is_behind = line_ != lines.end() && line_->first < key;
  const size_t before = lines.size();
  line_ = lines.try_emplace(is_behind ? std::next(line_) : line_, key);
  if (lines.size() == before) return &line_->second;
  // Functions' costs take precedence over those of their lines.
  constexpr std::string_view kNoRoom = "line of source that the memory has no room for";
  const bool has_place = before < left_bytes_ / 2 / kLineBytes;
  if (!has_place) sink_.loss(kNoRoom, offset_);
  if (has_place && claim(kLineBytes, kNoRoom)) return &line_->second;
  lines.erase(line_);
  line_ = lines.end();
  return nullptr;
}

}  // namespace weft::formats::callgrind
