#include "core/formats/profiles/puffin/scopes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"

namespace weft::formats::puffin {
namespace {

constexpr char kBegin = '(', kEnd = ')';
constexpr size_t kMostDepth = 1 << 12, kMostKnown = 1 << 20;

std::optional<std::string_view> take_short_text(std::string_view& rest) {
  const auto size = take_little<uint8_t>(rest);
  return size ? take_bytes(rest, *size) : std::nullopt;
}

}  // namespace

void Scopes::add_details(uint32_t id, ScopeDetails details) {
  if (known_.size() >= kMostKnown && !known_.contains(id))
    return sink_.loss("kind of scope beyond the first million", trace::LossPlace::nowhere());
  const std::string& name = details.name.empty() ? details.function : details.name;
  const EventTypeId type = sink_.type(
      trace::Category::kState, name.empty() ? fmt::format("scope {}", id) : name, details.file);
  known_.insert_or_assign(id, Known{std::move(details), type});
}

void Scopes::play(std::string_view stream, bool has_ids, LaneId lane, uint64_t offset) {
  std::string_view rest = stream;
  open_.clear();
  too_deep_ = 0;
  last_ = Time::min();
  bool is_right = true;
  while (is_right && !rest.empty()) {
    if (rest.front() == kBegin) {
      Scope scope{};
      is_right = take_begin(rest, has_ids, offset, scope);
      if (!is_right) break;
      if (open_.size() == kMostDepth) {
        ++too_deep_;
        sink_.loss("scopes nested too deep", {offset, lane, scope.begin});
      } else {
        open_.push_back(scope);
      }
    } else {
      is_right = rest.front() == kEnd && take_end(rest, lane, offset);
    }
  }
  if (!is_right) sink_.loss("scopes that break off", {offset, lane});
  while (!open_.empty()) {
    sink_.note("begin without an end", {offset, lane, open_.back().begin});
    end(std::max(last_, open_.back().begin), lane, offset);
  }
}

bool Scopes::take_begin(std::string_view& rest, bool has_ids, uint64_t offset, Scope& scope) {
  rest.remove_prefix(1);
  ArgsText params;
  std::optional<int64_t> time;
  if (has_ids) {
    const auto id = take_little<uint32_t>(rest);
    if (!id) return false;
    if (!known_.contains(*id)) {
      sink_.note("scope that nothing was told of", offset);
      add_details(*id, {});
    }
    const auto known = known_.find(*id);
    if (known == known_.end()) return false;
    const ScopeDetails& details = known->second.details;
    scope.type = known->second.type;
    if (details.line != 0) params.add("line", details.line);
    if (!details.name.empty() && !details.function.empty())
      params.add("function", details.function);
    time = take_little<int64_t>(rest);
  } else {
    time = take_little<int64_t>(rest);
    const auto name = take_short_text(rest);
    const auto place = name ? take_short_text(rest) : std::nullopt;
    if (!place) return false;
    scope.type = sink_.type(trace::Category::kState,
                            name->empty() ? std::string("(unknown)") : valid_utf8(*name),
                            valid_utf8(*place));
  }
  const auto data = take_short_text(rest);
  if (!data || !take_little<uint64_t>(rest)) return false;  // how long its children are
  if (!data->empty()) params.add("data", *data);
  scope.params = sink_.params(params.take());
  scope.begin = last_ = Time{*time};
  return true;
}

bool Scopes::take_end(std::string_view& rest, LaneId lane, uint64_t offset) {
  rest.remove_prefix(1);
  const auto time = take_little<int64_t>(rest);
  if (!time) return false;
  last_ = Time{*time};
  if (too_deep_ > 0) {
    --too_deep_;
  } else if (open_.empty()) {
    sink_.note("end without a begin", {offset, lane, last_});
  } else {
    end(last_, lane, offset);
  }
  return true;
}

void Scopes::end(Time time, LaneId lane, uint64_t offset) {
  const Scope scope = open_.back();
  open_.pop_back();
  if (time < scope.begin) return sink_.loss("end before its begin", {offset, lane, scope.begin});
  sink_.give(trace::StateEvent{.begin = scope.begin,
                               .duration = time - scope.begin,
                               .params = scope.params,
                               .lane = lane,
                               .type = scope.type,
                               .nesting = static_cast<uint32_t>(open_.size())});
}

}  // namespace weft::formats::puffin
