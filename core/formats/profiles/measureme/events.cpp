#include "core/formats/profiles/measureme/events.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/json_document.h"

namespace weft::formats::measureme {
namespace {

constexpr char kSeparator = '\x1E';  // of an event's name and its arguments
constexpr uint64_t kInstant = 0xFFFF'FFFF'FFFF, kInteger = kInstant - 1;
constexpr size_t kMostEqual = 4096, kMostNamed = 1 << 20;
constexpr std::string_view kUnknown = "(unknown)";

}  // namespace

// JSON, but single quotes of the command line are escaped as Rust does it, which JSON forbids.
void Events::add_metadata() {
  bool is_whole = true;
  const auto said = texts_.text(StringTable::kMetadata, is_whole);
  if (!said) return sink_.loss("profile without metadata", trace::LossPlace::nowhere());
  const std::string valid = valid_utf8(*said);
  std::string mended;
  for (size_t i = 0; i < valid.size(); ++i) {
    const bool is_escaped = valid[i] == '\\' && i + 1 < valid.size();
    if (!is_escaped || valid[i + 1] != '\'') mended += valid[i];
    if (is_escaped) mended += valid[++i];
  }
  const auto document = json::Document::parse(mended);
  if (!document) return sink_.set_metadata("metadata", valid);
  const json::Element root = document->root();
  for (const std::string_view key : {"start_time", "process_id", "cmd"}) {
    const auto value = json::member(root, key);
    if (value) sink_.set_metadata(key, json::plain(value));
  }
  const std::string_view counter = json::text(json::member(json::member(root, "counter"), "name"));
  if (!counter.empty()) sink_.set_metadata("counter", counter);
  // Instructions may be counted instead.
  const bool is_time = counter.empty() || counter == "wall-time";
  sink_.set_time_base(is_time ? TimeBase::kNanoseconds : TimeBase::kTicks);
  const auto process = json::member(root, "process_id");
  if (process)
    process_ = sink_.add_lane({.name = fmt::format("process {}", json::plain(process)),
                               .kind = trace::LaneKind::kProcess});
}

void Events::add(std::string_view event, uint64_t offset) {
  const uint64_t kind = encoding_.take_id(event), id = encoding_.take_id(event);
  const auto thread = take_little<uint32_t>(event);
  const auto first = take_little<uint32_t>(event), second = take_little<uint32_t>(event);
  const auto upper = take_little<uint32_t>(event);
  if (!upper) return;
  constexpr uint32_t kHighBits = 0xFFFF'0000;
  const uint64_t begin = *first | static_cast<uint64_t>(*upper & kHighBits) << 16;
  const uint64_t end = *second | static_cast<uint64_t>(*upper & ~kHighBits) << 32;
  if (end == kInteger && encoding_.has_integers()) {
    // It has no time: it was said after what ended before.
    const Named as = named(trace::Category::kVariable, kind, id, offset);
    return sink_.give(trace::VariableSample{.time = last_,
                                            .value = static_cast<double>(begin),
                                            .params = as.params,
                                            .lane = counter_of(kind, offset),
                                            .type = as.type});
  }
  if (end == kInstant) {
    const Named as = named(trace::Category::kPunctual, kind, id, offset);
    const trace::PunctualEvent instant{.time = Time{static_cast<int64_t>(begin)},
                                       .params = as.params,
                                       .lane = thread_of(*thread).lane,
                                       .type = as.type};
    last_ = std::max(last_, instant.time);
    return sink_.give(instant);
  }
  if (end < begin) return sink_.loss("end before its begin", offset);
  add_interval(*thread, begin, end, named(trace::Category::kState, kind, id, offset));
}

void Events::finish() {
  for (auto& [id, thread] : threads_) give(thread);
}

void Events::add_interval(uint32_t id, uint64_t begin, uint64_t end, const Named& named) {
  Thread& thread = thread_of(id);
  const trace::StateEvent state{.begin = Time{static_cast<int64_t>(begin)},
                                .duration = Duration{static_cast<int64_t>(end - begin)},
                                .params = named.params,
                                .lane = thread.lane,
                                .type = named.type};
  last_ = std::max(last_, Time{static_cast<int64_t>(end)});
  std::vector<trace::StateEvent>& equal = thread.equal;
  if (!equal.empty() && (equal.back().begin != state.begin ||
                         equal.back().duration != state.duration || equal.size() == kMostEqual))
    give(thread);
  equal.push_back(state);
}

// The outermost first, since the file has it last.
void Events::give(Thread& thread) {
  std::ranges::reverse(thread.equal);
  sink_.states(thread.equal);
  thread.equal.clear();
}

Events::Named Events::named(trace::Category category, uint64_t kind, uint64_t id, uint64_t offset) {
  const NamedKey key{category, kind, id};
  const auto known = named_.find(key);
  if (known != named_.end()) return known->second;
  const std::string whole = text(id, offset);
  std::string_view rest = whole;
  const auto take = [&] {
    const size_t end = std::min(rest.find(kSeparator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  const std::string_view label = take();
  ArgsText params;
  for (int i = 1; !rest.empty(); ++i) params.add(fmt::format("argument {}", i), take());
  const Named made{sink_.type(category, label.empty() ? kUnknown : label, text(kind, offset)),
                   sink_.params(params.take())};
  if (named_.size() == kMostNamed) named_.clear();
  named_.emplace(key, made);
  return made;
}

std::string Events::text(uint64_t id, uint64_t offset) {
  bool is_whole = true;
  const auto said = texts_.text(id, is_whole);
  if (!said) {
    sink_.note("text that is not there", offset);  // rustc forgets some
    return std::string(kUnknown);
  }
  if (!is_whole) sink_.loss("text that is cut", offset);
  return valid_utf8(*said);
}

Events::Thread& Events::thread_of(uint32_t id) {
  const auto [it, is_new] = threads_.try_emplace(id);
  if (is_new)
    it->second.lane = sink_.add_lane({.name = fmt::format("thread {}", id),
                                      .parent = process_,
                                      .kind = trace::LaneKind::kThread});
  return it->second;
}

LaneId Events::counter_of(uint64_t kind, uint64_t offset) {
  const auto [it, is_new] = counters_.try_emplace(text(kind, offset), LaneId::none());
  if (is_new)
    it->second = sink_.add_lane({.name = it->first,
                                 .parent = process_,
                                 .kind = trace::LaneKind::kCounter,
                                 .sort_index = 1});
  return it->second;
}

}  // namespace weft::formats::measureme
