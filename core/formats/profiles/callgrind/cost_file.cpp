#include "core/formats/profiles/callgrind/cost_file.h"

#include <algorithm>
#include <charconv>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::callgrind {
namespace {

constexpr size_t kMostEvents = 256;
constexpr uint64_t kFunctionBytes = 300, kLineBytes = 200, kCallBytes = 150;  // about

// Decimal, or hexadecimal with 0x. What a number of 64 bits does not hold is its greatest.
std::optional<uint64_t> take_unsigned(std::string_view& text) {
  uint64_t value = 0;
  const char* at = std::to_address(text.begin());
  const char* const end = at + text.size();
  if (!take_few_digits(at, end, value) || (at != end && to_lower(*at) == 'x')) {
    const bool is_hexadecimal = take_prefix(text, "0x") || take_prefix(text, "0X");
    const auto [stop, error] =
        std::from_chars(std::to_address(text.begin()), end, value, is_hexadecimal ? 16 : 10);
    if (error == std::errc::invalid_argument) return std::nullopt;
    if (error != std::errc()) value = UINT64_MAX;
    at = stop;
  }
  text = {at, end};
  return value;
}

int64_t clamped(uint64_t value) { return saturated(value); }

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
  const size_t sign = find_any<'=', ':'>(text);
  if (sign != text.size()) {
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
  last_costs_.swap(costs_);
  take_costs(text, costs_);
  if (!has_costs_) part_.offset = offset_;
  has_costs_ = true;
  if (next == Next::kSelf) return add_self(costs_);
  if (next == Next::kCall) return add_call(costs_);
  const auto line = line_here();
  if (!line) return;
  LineCalls& of = part_.graph.lines.calls_of(*line);
  of.jumps = saturating_add(of.jumps, next == Next::kJump ? count_ : followed_);
  if (next == Next::kBranch) of.branches = saturating_add(of.branches, count_);
}

void CostFile::add_self(const Costs& costs) {
  callgrind::add_costs(part_.graph.functions[function_here()].self, costs);
  if (const auto line = line_here()) part_.graph.lines.add_self(*line, costs);
}

void CostFile::add_call(const Costs& costs) {
  has_called_object_ = has_called_file_ = false;
  if (!callee_) return sink_.loss("call of nobody", offset_);
  const uint32_t caller = function_here(), callee = *std::exchange(callee_, std::nullopt);
  Call* call = part_.graph.known_call(caller, callee);
  if (call == nullptr && claim(kCallBytes, "call that the memory has no room for"))
    call = &part_.graph.call_of(caller, callee);
  if (call != nullptr) {
    call->count = saturating_add(call->count, count_);
    callgrind::add_costs(call->inclusive, costs);
    Function& function = part_.graph.functions[callee];
    function.called = saturating_add(function.called, count_);
  }
  const auto line = line_here();
  if (!line) return;
  LineCalls& of = part_.graph.lines.calls_of(*line);
  of.calls = saturating_add(of.calls, count_);
  callgrind::add_costs(of.of_calls, costs);
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

// Missing costs are 0.
void CostFile::take_costs(std::string_view text, Costs& costs) {
  costs.clear();
  const char* at = std::to_address(text.begin());
  const char* const end = at + text.size();
  while (true) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return;
    if (costs.size() == part_.events.size()) return sink_.note("cost of no event", offset_);
    const char* behind = at;
    if (int64_t cost = 0;
        take_few_digits(behind, end, cost) && (behind == end || is_space(*behind))) {
      costs.push_back(cost);
    } else {
      while (behind != end && !is_space(*behind)) ++behind;
      costs.push_back(cost_of({at, behind}, costs.size()));
    }
    at = behind;
  }
}

// As positions are, costs may be told by those of the line before: "*", "+400", "-300". Without
// such a sign before it, "-300" is itself what was counted: in Xdebug's files, memory may decrease.
int64_t CostFile::cost_of(std::string_view word, size_t event) {
  const int64_t last = event < last_costs_.size() ? last_costs_[event] : 0;
  const bool is_same = word == "*", is_more = take_prefix(word, "+");
  has_relative_costs_ |= is_same || is_more;
  if (is_same) return last;
  const bool is_negative = !is_more && take_prefix(word, "-");
  const auto value = word == "." ? std::optional<uint64_t>(0) : take_unsigned(word);
  if (!value) sink_.loss("cost that is not a number", offset_);
  const int64_t size = clamped(value.value_or(0));
  const int64_t cost = is_negative ? -size : size;
  return has_relative_costs_ && (is_more || is_negative) ? saturating_add(last, cost) : cost;
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
  position_ = {};
  ++parts_;
}

void CostFile::enter_file(const std::string& name) {
  if (name == file_) return;
  file_ = name;
  file_number_.reset();
}

// Valid until the next call.
const std::string& CostFile::name_of(Names& names, std::string_view value) {
  const auto number = take_name_number(value);
  if (!number) return name_ = valid_utf8(value);
  if (value.empty()) {
    const auto known = names.find(*number);
    if (known != names.end()) return known->second;
    sink_.loss("number that is no name's", offset_);
    return name_ = "(unknown)";
  }
  name_ = valid_utf8(value);
  const uint64_t bytes = kLineBytes + name_.size();
  if (claim(bytes, "name that the memory has no room for")) {
    names.insert_or_assign(*number, name_);
    taken_bytes_ -= bytes;  // parts come and go, names stay
    left_bytes_ -= bytes;
  }
  return name_;
}

uint32_t CostFile::function_of(std::string_view value, std::string_view object,
                               std::string_view file) {
  const auto number = take_name_number(value);
  const size_t* const index = number ? function_index_.find(*number) : nullptr;
  Named* const known = value.empty() && index != nullptr ? &functions_[*index] : nullptr;
  if (known != nullptr && known->part == parts_) return known->function;
  if (number && value.empty() && known == nullptr) sink_.loss("number that is no name's", offset_);
  Named named =
      known != nullptr ? *known : Named{std::string(object), std::string(file), valid_utf8(value)};
  if (named.name.empty()) named.name = "(unknown)";
  const uint64_t bytes =
      kFunctionBytes + 2 * (named.object.size() + named.file.size() + named.name.size());
  if (!part_.graph.has_function(named.object, named.file, named.name) &&
      !claim(bytes, "function that the memory has no room for"))
    return part_.graph.function_of({}, {}, "(others)");
  const uint32_t function = part_.graph.function_of(named.object, named.file, named.name);
  named.part = parts_;
  named.function = function;
  if (known != nullptr) {
    *known = std::move(named);
  } else if (number && !value.empty()) {
    const size_t place = function_index_.insert(*number, functions_.size());
    if (place == functions_.size()) functions_.emplace_back();
    functions_[place] = std::move(named);
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
  sink_.note("costs of no function", offset_);
  function_ = part_.graph.function_of(object_, file_, "(unknown)");
  return *function_;
}

// Nullopt: there is no room for it.
std::optional<uint32_t> CostFile::line_here() {
  SourceLines& lines = part_.graph.lines;
  if (!file_number_) file_number_ = part_.graph.file_of(file_);
  const LineKey key{function_here(), *file_number_,
                    has_lines_ ? position_.line : static_cast<int64_t>(position_.address)};
  if (lines.size() == 0) lines.set_most_costs(part_.events.size());
  return lines.find_or_add(key, [&] {
    constexpr std::string_view kNoRoom = "line of source that the memory has no room for";
    // Functions' costs take precedence over those of their lines.
    if (lines.size() < left_bytes_ / 2 / kLineBytes) return claim(kLineBytes, kNoRoom);
    sink_.loss(kNoRoom, offset_);
    return false;
  });
}

}  // namespace weft::formats::callgrind
