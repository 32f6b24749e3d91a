#include "core/formats/profiles/jvm_log/old_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/json_members.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/jvm_log/jvm_log_line.h"

namespace weft::formats::jvm_log {
namespace {

constexpr size_t kMostDetails = 32 << 10;  // bytes, of a collection
constexpr std::array<std::string_view, 2> kConcurrent = {"[CMS-concurrent-", "[GC concurrent-"};

size_t find_concurrent(std::string_view text) {
  size_t first = std::string_view::npos;
  for (const std::string_view each : kConcurrent) first = std::min(first, text.find(each));
  return first;
}

// The memory whose sizes stand behind the name of a part: "CMS (concurrent mode failure)",
// "1 CMS-remark".
std::string_view memory_of(std::string_view part) {
  constexpr std::string_view kMark = "1 CMS-";
  if (part.starts_with("GC") || part.starts_with("Full GC")) return "Heap";
  if (part.starts_with(kMark)) return kMark.substr(2, 3);
  return part.substr(0, part.find(" ("));
}

// More of a record than of what is told behind it.
bool goes_on(std::string_view text) {
  return text.starts_with(',') || text.starts_with(':') || text.starts_with(" (") ||
         text.find(" secs]") != std::string_view::npos;
}

}  // namespace

bool begins_collection(std::string_view text) {
  return text.starts_with("[GC") || text.starts_with("[Full GC");
}

void OldLog::add(std::string_view line, uint64_t offset) {
  const std::string rest = without_concurrent(line, offset);
  std::string_view text = rest;
  if (trimmed(text).empty()) return;
  auto stamp = take_stamp(text);
  if (!stamp && !open_ && begins_collection(text)) stamp = stamp_of_untimed();
  const bool is_part = stamp ? !begins_collection(text) : goes_on(rest);
  if (open_ && is_part) {
    open_->text += rest;
  } else if (stamp) {
    return add_stamped(*stamp, text, offset);
  } else {
    return add_unstamped(rest, offset);
  }
  complete();
}

// By default the VM logs durations of collections, but no times.
std::optional<Stamp> OldLog::stamp_of_untimed() {
  if (is_of_day_ && !untimed_) return std::nullopt;
  if (!untimed_)
    events_.sink().set_metadata("times", "not in the file: collections lie one behind the other");
  untimed_ = untimed_.value_or(Time{});
  return Stamp{.date = {}, .uptime = *untimed_};
}

void OldLog::finish() {
  give();
  if (before_.count > 0) events_.sink().note("line without a time", before_.offset, before_.count);
  before_ = {};
  if (open_) {
    events_.sink().loss("collection without an end", open_->offset);
    std::string members;
    append_member(members, "text", open_->text);
    if (const auto time = time_of(open_->stamp)) events_.add_message("collection", *time, members);
    open_.reset();
  }
  for (const auto& [name, begun] : begun_) {
    events_.sink().note("begin without an end", begun.offset);
    std::string members;
    append_member(members, "text", begun.text);
    events_.add_message(name, begun.time, members);
  }
  begun_.clear();
}

std::optional<Time> OldLog::time_of(const Stamp& stamp) {
  if (!is_of_day_ && (stamp.date || stamp.uptime)) is_of_day_ = stamp.date.has_value();
  if (stamp.date && stamp.uptime)
    date_ahead_ = saturating_sub(stamp.date->ticks, stamp.uptime->ticks);
  if (!is_of_day_.value_or(false)) return stamp.uptime;
  if (stamp.date || !stamp.uptime || !date_ahead_) return stamp.date;
  return Time{saturating_add(stamp.uptime->ticks, *date_ahead_)};
}

// The concurrent thread does not wait for the line of others to end: what it wrote is taken out.
std::string OldLog::without_concurrent(std::string_view line, uint64_t offset) {
  constexpr int kMostInLine = 32;
  std::string out;
  for (int i = 0; i < kMostInLine; ++i) {
    const size_t at = find_concurrent(line);
    if (at == std::string_view::npos) break;
    const size_t begin = stamp_before(line, at), end = group_end(line, at);
    if (begin == at || end == std::string_view::npos) break;
    std::string_view said = line.substr(begin, at - begin);
    const auto stamp = take_stamp(said);
    add_concurrent(stamp.value_or(Stamp{}), line.substr(at + 1, end - at - 2), offset);
    out += line.substr(0, begin);
    line.remove_prefix(end);
    constexpr std::string_view kTimes = " [Times:";
    const size_t times = line.starts_with(kTimes) ? group_end(line, 1) : std::string_view::npos;
    if (times != std::string_view::npos) line.remove_prefix(times);
  }
  return out.append(line);
}

// "CMS-concurrent-mark: 17.528/34.415 secs", of which the second is the time that went by;
// "GC concurrent-mark-end, 14.68 secs". Both are written at the end.
void OldLog::add_concurrent(const Stamp& stamp, std::string_view text, uint64_t offset) {
  constexpr std::string_view kStart = "-start", kEnd = "-end";
  constexpr size_t kMostBegun = 256;
  if (!open_) give();
  const auto time = time_of(stamp);
  if (!time) return events_.sink().loss("line without a time", offset);
  has_records_ = true;
  std::string members;
  append_member(members, "text", text);
  std::string_view name = trimmed(text.substr(0, find_any<':', ','>(text)));
  if (name.ends_with(kStart)) {
    name.remove_suffix(kStart.size());
    if (begun_.size() < kMostBegun)
      begun_.insert_or_assign(std::string(name), Begun{*time, std::string(text), offset});
    return;
  }
  if (name.ends_with(kEnd)) name.remove_suffix(kEnd.size());
  std::string_view said = text;
  const size_t slash = said.find('/');
  if (slash != std::string_view::npos) said.remove_prefix(slash + 1);
  const auto length = length_of(said);
  const auto begun = begun_.find(name);
  if (!length) return events_.add_message(name, *time, members);
  if (begun != begun_.end()) begun_.erase(begun);
  events_.add_state("Concurrent", name, *time - *length, *length, members);
}

void OldLog::add_stamped(const Stamp& stamp, std::string_view text, uint64_t offset) {
  give();
  const auto time = time_of(stamp);
  if (!time) {
    const bool has_other = stamp.date || stamp.uptime;
    return events_.sink().loss(has_other ? "line on another clock" : "line without a time", offset);
  }
  has_records_ = true;
  if (begins_collection(text)) {
    if (open_) finish();
    open_ = Record{.text = std::string(text), .stamp = stamp, .offset = offset};
    open_->begin = *time;
    open_->details = std::exchange(before_, {}).lines;
    return complete();
  }
  if (text.find("application threads were stopped: ") != std::string_view::npos ||
      text.starts_with("Application time: "))
    return add_stop(text, *time);
  std::string members;
  append_member(members, "text", text);
  const std::string_view name =
      text.starts_with('[') ? text.substr(1, find_any<' '>(text) - 1) : std::string_view("message");
  events_.add_message(name.empty() ? "message" : name, *time, members);
}

// "Total time for which application threads were stopped: 0.1 seconds, Stopping threads took: …";
// "Application time: 0.2 seconds", between two of them. Written at the end.
void OldLog::add_stop(std::string_view text, Time time) {
  const bool is_stop = text.starts_with("Total");
  std::string members;
  append_member(members, "text", text);
  std::string_view said = text.substr(text.find(": ") + 2);
  const auto length = jvm_log::time_of(take_word(said), DecimalUnit::kSeconds);
  if (!length || length->ticks < 0) return events_.add_message("message", time, members);
  events_.add_state(is_stop ? "Safepoints" : "Application", is_stop ? "stopped" : "application ran",
                    time - Duration{length->ticks}, {length->ticks}, members);
}

void OldLog::add_unstamped(std::string_view line, uint64_t offset) {
  std::string_view text = trimmed(line);
  const auto stamp = take_stamp(text);  // of what G1 decides meanwhile
  if (stamp && text.starts_with('[')) {
    const auto time = time_of(*stamp);
    if (!time) return events_.sink().loss("line without a time", offset);
    std::string members;
    append_member(members, "text", text);
    return events_.add_message(text.substr(1, find_any<' '>(text) - 1), *time, members);
  }
  if (open_ || held_) return add_detail(line);
  add_preamble(trimmed(line), offset);
}

// Adds notices about the VM, and about the heap before a collection, which belong to that.
void OldLog::add_preamble(std::string_view text, uint64_t offset) {
  const size_t colon = text.find(": ");
  if (!has_records_ && (text.starts_with("CommandLine flags: ") || text.starts_with("Memory: "))) {
    events_.sink().set_metadata(text.substr(0, colon), valid_utf8(text.substr(colon + 2)));
  } else if (!has_records_ && text.find(" VM (") != std::string_view::npos) {
    events_.sink().set_metadata("VM", valid_utf8(text));
  } else if (before_.lines.size() + text.size() > kMostDetails) {
    events_.sink().note("line without a time", offset);
  } else {
    if (before_.count++ == 0) before_.offset = offset;
    if (!before_.lines.empty()) before_.lines += ',';
    json::append_quoted_bytes(before_.lines, text);
  }
}

// "   [Eden: 320.0M(320.0M)->0.0B(320.0M) Survivors: 32768.0K->32768.0K Heap: …]" says sizes; all
// else is text.
void OldLog::add_detail(std::string_view line) {
  Record& record = open_ ? *open_ : *held_;
  std::string_view text = trimmed(line);
  if (record.details.size() + text.size() > kMostDetails)
    return events_.sink().loss("detail of a collection that has too many", record.offset);
  if (!record.details.empty()) record.details += ',';
  json::append_quoted_bytes(record.details, text);
  if (open_ || !text.starts_with("[Eden: ")) return;
  text = text.substr(1, text.find(']') - 1);
  const Time end = record.begin + record.length;
  while (!text.empty()) {
    const std::string_view name = take_word(text), sizes = take_word(text);
    if (!name.ends_with(':')) return;
    const bool is_known = name == "Heap:" && record.has_heap;
    if (!is_known) events_.add_sizes(name.substr(0, name.size() - 1), sizes, record.begin, end);
  }
}

// If its brackets are closed it is a collection.
void OldLog::complete() {
  constexpr size_t kMostBytes = 256 << 10;
  bool is_closed = false;
  for (; !is_closed && open_->scanned < open_->text.size(); ++open_->scanned) {
    const char c = open_->text[open_->scanned];
    open_->brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
    is_closed = open_->brackets == 0;
  }
  if (!is_closed) {
    if (open_->text.size() > kMostBytes) finish();
    return;
  }
  Record record = *std::exchange(open_, std::nullopt);
  const std::string_view text = record.text;
  const Group group = parse_group(text.substr(1, record.scanned - 2));
  const auto length = length_of(group.own);
  std::string members;
  append_member(members, "text", text);
  if (!length) return events_.add_message("collection", record.begin, members);
  record.length = *length;
  const std::string_view sizes = sizes_of(group.own);
  const Time begin = record.begin, finish = begin + *length;
  if (untimed_) untimed_ = finish;
  record.has_heap = !sizes.empty() && (events_.add_sizes("Heap", sizes, begin, finish) ||
                                       events_.add_size("Heap", sizes, finish));
  add_groups(group, begin, finish, 1);
  record.text = std::string(group.name) + '\n' + members;
  held_ = std::move(record);
}

// Parts of a collection lie within it, one after the other, whatever rounding did to their times.
Time OldLog::add_groups(const Group& group, Time begin, Time end, uint32_t depth) {
  Time from = begin;
  for (const Group& each : group.groups) {
    if (each.name == "Times") continue;  // of processors
    const auto said = each.stamp ? time_of(*each.stamp) : std::nullopt;
    const auto length = length_of(each.own);
    const Time inner_begin = std::clamp(said.value_or(from), from, std::max(from, end));
    const Time inner_end = std::min(end, inner_begin + length.value_or(Duration{}));
    const std::string_view sizes = sizes_of(each.own);
    if (!sizes.empty() &&
        !events_.add_sizes(memory_of(each.name), sizes, length ? inner_begin : begin,
                           length ? inner_end : end))
      events_.add_size(memory_of(each.name), sizes, inner_end);
    if (length && inner_end >= inner_begin) {
      std::string members;
      const std::string_view own = trimmed(std::string_view(each.own));
      if (!own.empty()) append_member(members, "text", own);
      events_.add_state("Pauses", each.name, inner_begin, inner_end - inner_begin, members, depth);
    }
    add_groups(each, inner_begin, length ? inner_end : end, depth + 1);
    if (length) from = std::max(from, inner_end);
  }
  return from;
}

// Gives what was held: it is over once something else begins.
void OldLog::give() {
  if (!held_) return;
  const Record record = *std::exchange(held_, std::nullopt);
  const size_t line = record.text.find('\n');
  std::string members = record.text.substr(line + 1);
  if (!record.details.empty()) members += ",\"details\":[" + record.details + ']';
  events_.add_state("Pauses", record.text.substr(0, line), record.begin, record.length, members);
}

int old_records_in(std::string_view head) {
  constexpr int kLinesLookedAt = 400;
  int found = 0;
  HeadLines lines(head, kLinesLookedAt);
  while (auto next = lines.next()) {
    std::string_view& line = *next;
    if (!take_stamp(line)) {
      found += begins_collection(line) && line.find(" secs]") != std::string_view::npos ? 1 : 0;
      continue;
    }
    const bool is_work = begins_collection(line) || find_concurrent(line) == 0;
    const bool is_stop = line.find("application threads were stopped: ") != std::string_view::npos;
    found += is_work || is_stop ? 1 : 0;
  }
  return found;
}

}  // namespace weft::formats::jvm_log
